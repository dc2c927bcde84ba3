"""Reads the front matter of a lesson: title, minutes, recordings, settings, analogies, the last sentence, and the screen of "try it"."""

from collections.abc import Callable
from dataclasses import asdict, fields
from typing import Any

from specviz import known_pairs
from specviz.decoding.drafters import registry
from specviz.errors import SettingsError
from specviz.lessons.files import is_name
from specviz.lessons.lesson import Analogy, LessonRecording, TryIt
from specviz.lessons.sections import Text
from specviz.lessons.vocabulary import SCREENS
from specviz.model_choice import page_settings
from specviz.settings import AUTO, OPEN, Settings

_KEYS = ("title", "minutes", "recording", "recordings", "settings", "analogies", "end", "try", "formerly", "more")
_MAX_MINUTES = 60
_MAX_RECORDINGS = 12
_SETTINGS = ("pair", *(field.name for field in fields(Settings)))


class FrontMatter:
    """The keys of a file; `note` is called with the line and the sentence of each mistake in them."""

    def __init__(self, keys: dict[str, Any], lines: dict[str, int], note: Callable[[int, str], None]) -> None:
        self._keys = keys
        self._lines = lines
        self._note = note
        for key in keys:
            if key not in _KEYS:
                note(self.line(key), f"{key!r:.60} is unknown in the front matter: write one of {', '.join(_KEYS)}")

    def line(self, key: object) -> int:
        """The line of a key; the first one where it is not there."""
        return self._lines.get(str(key), 1)

    def title(self) -> str:
        title = self._keys.get("title")
        if isinstance(title, str) and title.strip() and len(title) <= 120:
            return " ".join(title.split())
        self._wrong("title", "the front matter needs a title of up to 120 characters, as in title: The editor")
        return ""

    def minutes(self) -> float:
        minutes = self._keys.get("minutes")
        if not isinstance(minutes, bool) and isinstance(minutes, int | float) and 0 < minutes <= _MAX_MINUTES:
            return minutes
        self._wrong("minutes", f"the front matter needs minutes, a number up to {_MAX_MINUTES}, as in minutes: 3")
        return 0

    def formerly(self) -> tuple[str, ...]:
        """The names of chapters that this one replaces: their addresses open it."""
        names = self._keys.get("formerly", [])
        if isinstance(names, list) and all(isinstance(name, str) and is_name(name) for name in names):
            return tuple(names)
        self._wrong("formerly", "formerly is a list of names of chapters, as in formerly: [disagree]")
        return ()

    def more(self) -> bool:
        """True for a chapter that stands apart from the course, under its own heading in the list."""
        more = self._keys.get("more", False)
        if not isinstance(more, bool):
            self._wrong("more", "more is true or false")
        return more is True

    def end(self) -> Text | None:
        """The sentence that ends the chapter, where there is one."""
        end = self._keys.get("end")
        if end is None or (isinstance(end, str) and end.strip()):
            return None if end is None else Text(" ".join(end.split()), self.line("end"))
        self._wrong("end", "end is a sentence, as in end: The text is the target's own.")
        return None

    def recordings(self) -> tuple[str, ...]:
        """The names of the recordings, the first one first."""
        single, names = self._keys.get("recording"), self._keys.get("recordings")
        if single is not None and names is not None:
            self._wrong("recordings", "give recording or recordings, not both")
        if names is None:
            names = [] if single is None else [single]
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            self._wrong("recordings", "recordings is a list of names, as in recordings: [letter, lighthouse]")
            return ()
        names = list(dict.fromkeys(name.removesuffix(".json") for name in names))
        if len(names) > _MAX_RECORDINGS:
            self._wrong("recordings", f"a lesson has at most {_MAX_RECORDINGS} recordings, and this one {len(names)}")
        return tuple(names[:_MAX_RECORDINGS])

    def try_it(self, default: LessonRecording | None) -> TryIt:
        """The button at the end: the lesson's settings, else those of its first recording that are not at their default."""
        button = self._keys.get("try", {})
        if isinstance(button, str):
            button = {"screen": button}
        if not isinstance(button, dict) or not button.keys() <= {"screen", "prompt"}:
            self._wrong("try", "try has a screen and a prompt, as in try: {screen: race, prompt: My dog}")
            button = {}
        screen, prompt = button.get("screen", "watch"), button.get("prompt", default.run.prompt if default else "")
        if screen not in tuple(SCREENS):  # a tuple, since it may be anything that YAML holds
            self._wrong("try", f"the screen was {screen!r:.60}: write one of {', '.join(SCREENS)}")
        if not isinstance(prompt, str):
            self._wrong("try", "the prompt to try is a text")
            prompt = ""
        parameters: dict[str, str | int | float | bool] = {"prompt": prompt} if prompt.strip() else {}
        return TryIt(str(screen), parameters | self._settings(default))

    def _settings(self, default: LessonRecording | None) -> dict[str, str | int | float | bool]:
        values = self._keys.get("settings")
        if values is None:
            return _parameters(asdict(default.run.settings)) if default else {}
        if not isinstance(values, dict):
            self._wrong("settings", "settings are pairs of name and value, as in settings: {k: 5, temperature: 0.8}")
            return {}
        unknown = next((name for name in values if name not in _SETTINGS), None)
        if unknown is not None:
            self._wrong("settings", f"the setting {unknown!r:.60} is unknown: write one of {', '.join(_SETTINGS)}")
            return {}
        if (pair := values.get("pair", known_pairs.EMBEDDED)) not in known_pairs.names():
            self._wrong("settings", f"the pair was {pair!r:.60}: write one of {', '.join(known_pairs.names())}")
        try:
            chosen: dict[str, Any] = {
                name: 0 if name in OPEN and value == AUTO else value for name, value in values.items() if name != "pair"
            }
            registry.check(Settings(**chosen))
        except SettingsError as error:
            self._wrong("settings", str(error))
            return {}
        return _parameters(asdict(Settings()) | values) | values

    def analogies(self) -> tuple[Analogy, ...]:
        values, analogies = self._keys.get("analogies", {}), []
        for name, roles in values.items() if isinstance(values, dict) else [(None, None)]:
            if (
                not isinstance(name, str)
                or not isinstance(roles, dict)
                or roles.keys() != {"draft", "target"}
                or not all(isinstance(role, str) for role in roles.values())
            ):
                self._wrong(
                    "analogies",
                    "analogies are names with two characters, as in analogies: {Writers: {draft: junior writer, target: senior editor}}",
                )
                return ()
            analogies.append(Analogy(name, roles["draft"], roles["target"]))
        return tuple(analogies)

    def _wrong(self, key: str, sentence: str) -> None:
        self._note(self.line(key), sentence)


def _parameters(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings that the page's address must name: by default the page leaves drafter, k, nodes and policy to specviz."""
    defaults = asdict(page_settings())
    description = registry.descriptions().get(settings["drafter"])
    chain = description is not None and description.shape == "chain"
    return {
        name: value
        for name, value in settings.items()
        if name in defaults and value != defaults[name] and not (name == "nodes" and chain)
    }
