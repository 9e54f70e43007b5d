"""What the runner reads from the environment."""

from handraise.common.settings import ServiceSettings

ROUNDS_CEILING = 12  # no agent may be set beyond it


class RunnerSettings(ServiceSettings, frozen=True, kw_only=True, rename=str.upper):
    """The runner's own."""

    model_base_url: str | None = (
        None  # of an OpenAI-compatible endpoint; without it the practice model is used
    )
    model_name: str | None = None
    model_api_key: str | None = None
    handraise_model_timeout: float = 120.0  # seconds one model call may take
    handraise_model_attempts: int = 3  # calls for one round, when the endpoint says to try again
    handraise_model_max_tokens: int = 2_000  # of one reply
    handraise_workers: int = 32  # messages in work at once, a consumer
