"""What the permissions service reads from the environment."""

from handraise.common.settings import ServiceSettings


class PermissionsSettings(ServiceSettings, frozen=True, kw_only=True, rename=str.upper):
    """The service's own."""

    handraise_facts_ttl: float = 30.0  # seconds after which kept facts are asked anew, event or not
    handraise_facts_kept: int = 50_000  # facts in memory at most
