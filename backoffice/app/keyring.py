"""All keys as the log has them, kept up with it."""

from collections.abc import Iterator

from backoffice.domain.access.events import KeyEvent
from backoffice.domain.access.state import Key, Keys, evolve_keys
from backoffice.log.codec import Codec
from backoffice.log.protocol import Reader


class Keyring:
    """The keys known so far; `refresh` reads what was done to them since."""

    def __init__(self, log: Reader, codec: Codec) -> None:
        self._log = log
        self._codec = codec
        self._keys: Keys = {}
        self._version = 0

    def refresh(self) -> None:
        """Read on. Not for two threads at once."""
        for recorded in self._log.read_stream("access", self._version):
            event = self._codec.decode(recorded.type, recorded.schema, recorded.data)
            assert isinstance(event, KeyEvent)  # the stream is theirs
            self._keys = evolve_keys(self._keys, event)
            self._version = recorded.version

    def get(self, name: str) -> Key | None:
        """A key by its name."""
        return self._keys.get(name)

    def __iter__(self) -> Iterator[Key]:
        return (self._keys[name] for name in sorted(self._keys))
