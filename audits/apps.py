"""The ground floor registers its own actions and acts at start-up."""

from django.apps import AppConfig


class AuditsConfig(AppConfig):
    name = "audits"
    verbose_name = "Auditoría"

    def ready(self) -> None:
        from audits import actions, policies  # noqa: F401  (registering is importing)
