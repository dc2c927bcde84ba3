"""The front matter of a lesson: title, minutes, recordings, settings, analogies, the sentence at the end and where "try it" leads."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from typing import Any

from specviz import known_pairs
from specviz.decoding.drafters import registry
from specviz.errors import SettingsError
from specviz.lessons.lesson import Analogy, Recorded, TryIt
from specviz.lessons.sections import Text
from specviz.lessons.vocabulary import SCREENS
from specviz.model_choice import page_settings
from specviz.settings import AUTO, OPEN, Settings

_KEYS = ("title", "minutes", "recording", "recordings", "settings", "analogies", "end", "try")
_MAX_MINUTES = 60
_MAX_RECORDINGS = 12
_FIELDS = tuple(each.name for each in fields(Settings))


@dataclass(frozen=True, slots=True)
class Chapter:
    """What the front matter says of the chapter itself."""

    title: str
    minutes: float
    analogies: tuple[Analogy, ...]


class Keys:
    """Reads the keys, and notes what is wrong in them."""

    def __init__(self, keys: dict[str, Any], lines: dict[str, int], wrong: Callable[[int, str], None]) -> None:
        self._keys = keys
        self._lines = lines
        self._wrong = wrong
        for key in keys:
            if key not in _KEYS:
                wrong(self.line(key), f"{key!r:.60} is unknown in the front matter: write one of {', '.join(_KEYS)}")

    def line(self, key: object) -> int:
        """The line of a key; the first one where it is not there."""
        return self._lines.get(str(key), 1)

    def chapter(self) -> Chapter:
        title, minutes = self._keys.get("title"), self._keys.get("minutes")
        if not isinstance(title, str) or not title.strip() or len(title) > 120:
            self._wrong(
                self.line("title"), "the front matter needs a title of up to 120 characters, as in title: The editor"
            )
            title = ""
        if isinstance(minutes, bool) or not isinstance(minutes, int | float) or not 0 < minutes <= _MAX_MINUTES:
            self._wrong(
                self.line("minutes"), f"the front matter needs minutes, a number up to {_MAX_MINUTES}, as in minutes: 3"
            )
            minutes = 0
        return Chapter(" ".join(title.split()), minutes, self._analogies())

    def end(self) -> Text | None:
        """The sentence that ends the chapter, where there is one."""
        given = self._keys.get("end")
        if given is None or (isinstance(given, str) and given.strip()):
            return None if given is None else Text(" ".join(given.split()), self.line("end"))
        self._wrong(self.line("end"), "end is a sentence, as in end: The text is the target's own.")
        return None

    def recordings(self) -> tuple[str, ...]:
        """The names of the recordings, the first one first."""
        one, several = self._keys.get("recording"), self._keys.get("recordings")
        if one is not None and several is not None:
            self._wrong(self.line("recordings"), "give recording or recordings, not both")
        given = several if several is not None else [] if one is None else [one]
        if not isinstance(given, list) or not all(isinstance(name, str) for name in given):
            self._wrong(
                self.line("recordings"), "recordings is a list of names, as in recordings: [letter, lighthouse]"
            )
            return ()
        names = tuple(dict.fromkeys(name.removesuffix(".json") for name in given))
        if len(names) > _MAX_RECORDINGS:
            self._wrong(
                self.line("recordings"), f"a lesson has at most {_MAX_RECORDINGS} recordings, and this one {len(names)}"
            )
        return names[:_MAX_RECORDINGS]

    def try_it(self, default: Recorded | None) -> TryIt:
        """Where the button at the end leads: the lesson's settings, else those of its first recording that are not at their default."""
        line = self.line("try")
        given = self._keys.get("try", {})
        if isinstance(given, str):
            given = {"screen": given}
        if not isinstance(given, dict) or not given.keys() <= {"screen", "prompt"}:
            self._wrong(line, "try has a screen and a prompt, as in try: {screen: race, prompt: My dog}")
            given = {}
        screen, prompt = given.get("screen", "watch"), given.get("prompt", default.run.prompt if default else "")
        if screen not in tuple(SCREENS):  # a tuple, since it may be anything that YAML holds
            self._wrong(line, f"the screen was {screen!r:.60}: write one of {', '.join(SCREENS)}")
        if not isinstance(prompt, str):
            self._wrong(line, "the prompt to try is a text")
            prompt = ""
        parameters: dict[str, str | int | float | bool] = {"prompt": prompt} if prompt.strip() else {}
        return TryIt(str(screen), parameters | self._settings(default))

    def _settings(self, default: Recorded | None) -> dict[str, str | int | float | bool]:
        line, given = self.line("settings"), self._keys.get("settings")
        if given is None:
            return _parameters(asdict(default.run.settings)) if default else {}
        if not isinstance(given, dict):
            self._wrong(line, "settings are pairs of name and value, as in settings: {k: 5, temperature: 0.8}")
            return {}
        known = ("pair", *_FIELDS)
        unknown = next((name for name in given if name not in known), None)
        if unknown is not None:
            self._wrong(line, f"the setting {unknown!r:.60} is unknown: write one of {', '.join(known)}")
            return {}
        if given.get("pair", known_pairs.EMBEDDED) not in known_pairs.names():
            self._wrong(line, f"the pair was {given['pair']!r:.60}: write one of {', '.join(known_pairs.names())}")
        try:
            chosen: dict[str, Any] = {
                name: 0 if name in OPEN and value == AUTO else value for name, value in given.items() if name != "pair"
            }
            registry.check(Settings(**chosen))
        except SettingsError as error:
            self._wrong(line, str(error))
            return {}
        return _parameters(asdict(Settings()) | given) | given

    def _analogies(self) -> tuple[Analogy, ...]:
        line, given = self.line("analogies"), self._keys.get("analogies", {})
        shape = "analogies are names with two characters, as in analogies: {Writers: {draft: junior writer, target: senior editor}}"
        if not isinstance(given, dict):
            self._wrong(line, shape)
            return ()
        found = []
        for name, pair in given.items():
            roles = pair if isinstance(pair, dict) else {}
            if (
                not isinstance(name, str)
                or roles.keys() != {"draft", "target"}
                or not all(isinstance(who, str) for who in roles.values())
            ):
                self._wrong(line, shape)
                return ()
            found.append(Analogy(name, roles["draft"], roles["target"]))
        return tuple(found)


def _parameters(settings: dict[str, Any]) -> dict[str, Any]:
    """Those of the settings of a run that the page's address must name: it leaves drafter, k, nodes and policy to specviz by default."""
    usual = asdict(page_settings())
    known = registry.descriptions().get(settings["drafter"])
    chain = known is not None and known.shape == "chain"
    return {
        name: value
        for name, value in settings.items()
        if name in usual and value != usual[name] and not (name == "nodes" and chain)
    }
