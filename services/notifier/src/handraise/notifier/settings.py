"""What the notifier reads from the environment."""

from handraise.common.settings import ServiceSettings


class NotifierSettings(ServiceSettings, frozen=True, kw_only=True, rename=str.upper):
    """The notifier's own."""

    handraise_workers: int = 16  # events in work at once
