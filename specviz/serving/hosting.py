"""The permissions of a server's visitors. The command line writes them into the environment, the page's process reads them there.

A server for oneself allows everything. A classroom is open to others: its host chooses the models, and limits what a job may take.
"""

import json
import os
import re
from dataclasses import dataclass
from functools import lru_cache
from hmac import compare_digest

from specviz.errors import InputError, TraceError
from specviz.known_pairs import names
from specviz.settings import RANGES
from specviz.trace.files import from_json, to_json

VARIABLE = "SPECVIZ_HOSTING"  # the environment variable that carries the record, as JSON
MOST_TOKENS, MOST_SECONDS = 128, 60  # the limits of a job in a classroom whose host gave none
MOST_LETTERS = 8_000  # characters of a prompt in a classroom
_TOKENS = RANGES["max_new_tokens"].page_range
_SECONDS = (1, 3600)
_SITE = re.compile(r"https?://(\*\.)?[A-Za-z0-9.-]+(:[0-9]{1,5})?")
_BEGINS = "This server is a classroom: "


@dataclass(frozen=True, slots=True)
class Hosting:
    """The permissions of a server's visitors. Raises InputError if a pair is not known, or a limit is out of range.

    Args:
        pairs: the pairs that visitors may use, by name, in device and number format of the engine's choice. None: any models, by name, hub
            id or folder.
        most_tokens: new tokens of a run; None: as many as the settings allow.
        most_seconds: how long a job may keep the engine from everybody else; None: the usual limit.
        framed_by: the sites that may show the page in a frame, as `https://class.example`.
        host_key: with it the host opens rooms also when visitors have opened as many as they may; "": nobody is the host.
    """

    pairs: tuple[str, ...] | None = None
    most_tokens: int | None = None
    most_seconds: int | None = None
    host_key: str = ""
    framed_by: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for site in self.framed_by:
            if not _SITE.fullmatch(site):
                raise InputError(
                    f"--framed-by was {site!r:.80}: give a site with its scheme and no path, such as https://class.example."
                )
        for name in self.pairs or ():
            if name not in names():
                raise InputError(
                    f"pair was {name!r:.80}: a classroom has pairs that have a name: {', '.join(names())}."
                )
        if self.pairs == ():
            raise InputError("No pair was given: a classroom needs one at least.")
        _within("most tokens", self.most_tokens, _TOKENS)
        _within("most seconds", self.most_seconds, _SECONDS)

    @property
    def classroom(self) -> bool:
        """True if the host limits what visitors can do: then they upload nothing."""
        return self.pairs is not None

    @property
    def models_refused(self) -> str:
        """The sentence for models that the host did not choose."""
        chosen = ", ".join(self.pairs or ())
        return f"{_BEGINS}its host chose the models ({chosen}), and visitors load no others, also in no other number format."

    @property
    def uploads_refused(self) -> str:
        """The sentence for a file of a visitor."""
        return f"{_BEGINS}its host does not take files from visitors."

    def tokens_refused(self, tokens: int) -> str:
        """The sentence for too many new tokens; "" where they are not too many."""
        if self.most_tokens is None or tokens <= self.most_tokens:
            return ""
        return f"{_BEGINS}a run has at most {self.most_tokens} new tokens, and {tokens} were requested. Choose fewer."

    def is_host(self, key: str) -> bool:
        """True if this is the host's key."""
        return bool(self.host_key) and compare_digest(self.host_key.encode(), key.encode("utf-8", "replace"))

    def prompt_refused(self, length: int) -> str:
        """The sentence for a prompt of so many characters; "" where they are not too many."""
        if not self.classroom or length <= MOST_LETTERS:
            return ""
        return f"{_BEGINS}a prompt has at most {MOST_LETTERS:,} characters. Shorten it."

    def allows(self) -> tuple[str, ...]:
        """The permissions in sentences for the host."""
        if self.pairs is None:
            return (
                "Everybody who reaches this server can load any model of the hub, read model folders of this machine, and upload files.",
                "With --classroom you choose the models and set limits.",
            )
        return (
            f"Visitors use these models: {', '.join(self.pairs)}. They load no others, and upload nothing.",
            f"A run has at most {self.most_tokens or int(_TOKENS[1])} new tokens; a job is ended after "
            f"{self.most_seconds or _SECONDS[1]} seconds; a visitor has one job at a time.",
            *(
                [
                    f"To open rooms as the host, add /?teach=1&host={self.host_key} to the address; keep that to yourself."
                ]
                if self.host_key
                else []
            ),
        )

    def written(self) -> str:
        """The record as text, for the environment."""
        return json.dumps(to_json(self))


def read(text: str) -> Hosting:
    """The record that `Hosting.written` wrote; "" is a server for oneself. Raises InputError if the text is not such a
    record. A server whose limits cannot be read must not run without them."""
    if not text:
        return Hosting()
    try:
        record: Hosting = from_json(Hosting, json.loads(text), VARIABLE)
    except (ValueError, TraceError):
        raise InputError(f"{VARIABLE} was {text!r:.80}, which cannot be read: start with specviz app.") from None
    return record


def current() -> Hosting:
    """The permissions of the visitors of this process's server. Raises InputError, see `read`."""
    return _read(os.environ.get(VARIABLE, ""))


_read = lru_cache(maxsize=4)(read)


def _within(name: str, value: int | None, range_: tuple[float, float]) -> None:
    low, high = range_
    if value is not None and not low <= value <= high:
        raise InputError(f"{name} was {value!r:.80}: give a whole number from {low:g} to {high:g}.")
