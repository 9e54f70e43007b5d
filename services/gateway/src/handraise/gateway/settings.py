"""What the gateway reads from the environment."""

from handraise.common.settings import ServiceSettings


class GatewaySettings(ServiceSettings, frozen=True, kw_only=True, rename=str.upper):
    """The gateway's own."""

    handraise_host: str = "127.0.0.1"
    handraise_port: int = 8420
    handraise_workspace: str = "acme"  # the slug of the workspace that the sign-in page is for
    handraise_session_hours: int = 12
    handraise_secure_cookies: bool = False  # set it where the outside speaks HTTPS
    handraise_max_body: int = 1_000_000  # bytes of one request
    model_base_url: str | None = None  # only to say on pages whether the practice model is at work
    model_name: str | None = None

    @property
    def practice_model(self) -> bool:
        """Whether agents run on rules instead of a model."""
        return not self.model_base_url
