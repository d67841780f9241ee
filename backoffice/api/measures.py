"""What this process does, counted as it happens."""

from collections.abc import Sequence

from prometheus_client import CollectorRegistry, Counter, Histogram

from backoffice.app.requests import Accepted, Declined, Outcome

_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


class Measures:
    """Shared commits and their answers, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._size = Histogram(
            "backoffice_commit_requests", "Requests a commit.", buckets=_SIZES, registry=self.registry
        )
        self._seconds = Histogram(
            "backoffice_commit_seconds",
            "How long a commit took, decisions and all.",
            buckets=_SECONDS,
            registry=self.registry,
        )
        self._answers = Counter(
            "backoffice_answers", "Requests by their answer.", ["outcome"], registry=self.registry
        )
        self._refusals = Counter(
            "backoffice_refusals", "Refused requests by the rule.", ["rule"], registry=self.registry
        )

    def watch(self, outcomes: Sequence[Outcome], seconds: float) -> None:
        """A commit was made."""
        self._size.observe(len(outcomes))
        self._seconds.observe(seconds)
        for outcome in outcomes:
            if isinstance(outcome, Declined):
                self._answers.labels("refused").inc()
                self._refusals.labels(outcome.rule).inc()
            else:
                self._answers.labels("accepted" if isinstance(outcome, Accepted) else "repeated").inc()
