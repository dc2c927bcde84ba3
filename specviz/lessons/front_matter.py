"""Reads the front matter of a lesson: title, minutes, recordings, settings, analogies, the last sentence, and the screen of "try it"."""

from collections.abc import Callable
from dataclasses import asdict, fields
from typing import Any, TypeVar

from specviz import known_pairs
from specviz.decoding.drafters import registry
from specviz.errors import SettingsError
from specviz.lessons.files import is_name
from specviz.lessons.lesson import Analogy, LessonRecording, TryIt
from specviz.model_choice import page_settings
from specviz.settings import AUTO, OPEN, Settings

_T = TypeVar("_T")
_MAX_MINUTES = 60
_SCREENS = ("watch", "race")  # to which "try it with your own prompt" can lead
_SETTINGS: dict[str, type] = {"pair": str, **{field.name: type(field.default) for field in fields(Settings)}}
_TRUTHS = {"true": True, "false": False}


def _checked(value: _T, good: bool) -> _T:
    if not good:
        raise ValueError
    return value


def _line(text: str) -> str:
    return " ".join(_checked(text, bool(text.strip())).split())


def _names(value: list[str]) -> tuple[str, ...]:
    return tuple(_line(name).removesuffix(".json") for name in _checked(value, isinstance(value, list)))


def _setting(name: str, text: str) -> Any:
    """A setting in its own type; a text that is none of this type stays one, so that the check of the settings names it."""
    kind = _SETTINGS[name]
    try:
        return _TRUTHS.get(text, text) if kind is bool else kind(text)
    except ValueError:
        return text


def _analogies(value: dict[str, dict[str, str]]) -> tuple[Analogy, ...]:
    return tuple(Analogy(name, **{role: _line(who) for role, who in roles.items()}) for name, roles in value.items())


def _button(value: str | dict[str, str]) -> dict[str, str]:
    button = {"screen": "watch"} | ({"screen": value} if isinstance(value, str) else value)
    known = button.keys() <= {"screen", "prompt"} and button["screen"] in _SCREENS
    return {key: _checked(text, isinstance(text, str)) for key, text in _checked(button, known).items()}


# Each key: how its value is read (every number in it is a text yet), its value where it is not there, and a sentence on its form.
_FORMS: dict[str, tuple[Callable[[Any], Any], Any, str]] = {
    "title": (
        lambda text: _checked(_line(text), len(text) <= 120),
        "",
        "the front matter needs a title of up to 120 characters, as in title: The editor",
    ),
    "minutes": (
        lambda text: _checked(float(text), 0 < float(text) <= _MAX_MINUTES),
        0,
        f"the front matter needs minutes, a number up to {_MAX_MINUTES}, as in minutes: 3",
    ),
    "recording": (lambda name: _names([name]), (), "recording is a name, as in recording: letter"),
    "recordings": (_names, (), "recordings is a list of names, as in recordings: [letter, lighthouse]"),
    "settings": (
        lambda values: {name: _setting(name, text) for name, text in values.items()},
        {},
        f"settings are pairs of name and value, as in settings: {{k: 5, temperature: 0.8}}; the names are {', '.join(_SETTINGS)}",
    ),
    "analogies": (
        _analogies,
        (),
        "analogies are names with two characters, as in analogies: {Writers: {draft: junior writer, target: senior editor}}",
    ),
    "end": (_line, "", "end is a sentence, as in end: The text is the target's own."),
    "end shows": (
        lambda text: _checked(int(text), int(text) > 0),
        0,
        "end shows is the number of the step whose picture stands beside the last sentence, as in end shows: 2",
    ),
    "try": (
        _button,
        {"screen": "watch"},
        f"try has a screen ({' or '.join(_SCREENS)}) and a prompt, as in try: {{screen: race, prompt: My dog}}",
    ),
    "formerly": (
        lambda names: _checked(_names(names), all(map(is_name, names))),
        (),
        "formerly is a list of names of chapters, as in formerly: [disagree]",
    ),
    "more": (lambda text: _TRUTHS[text], False, "more is true or false"),
}
_NEEDED = ("title", "minutes")


class FrontMatter:
    """The keys of a file; `note` is called with the line and the sentence of each mistake in them."""

    def __init__(self, keys: dict[str, Any], lines: dict[str, int], note: Callable[[int, str], None]) -> None:
        self._keys = keys
        self._lines = lines
        self._note = note
        for key in keys.keys() - _FORMS.keys():
            self._wrong(key, f"{key!r:.60} is unknown in the front matter: write one of {', '.join(_FORMS)}")

    def line(self, key: str) -> int:
        """The line of a key; the first one where it is not there."""
        return self._lines.get(key, 1)

    def value(self, key: str) -> Any:
        """The value of a key. One of another form is noted, and counts as none."""
        read, default, form = _FORMS[key]
        if key not in self._keys and key not in _NEEDED:
            return default
        try:
            return read(self._keys[key])
        except (AttributeError, KeyError, TypeError, ValueError):
            self._wrong(key, form)
            return default

    def try_it(self, default: LessonRecording | None) -> TryIt:
        """The button at the end: the lesson's settings, else those of its first recording that are not at their default."""
        button = self.value("try")
        prompt = button.get("prompt", default.run.prompt if default else "")
        return TryIt(button["screen"], ({"prompt": prompt} if prompt.strip() else {}) | self._settings(default))

    def _settings(self, default: LessonRecording | None) -> dict[str, Any]:
        values: dict[str, Any] = self.value("settings")
        if not values:
            return _parameters(asdict(default.run.settings)) if default else {}
        if (pair := values.get("pair", known_pairs.EMBEDDED)) not in known_pairs.names():
            self._wrong("settings", f"the pair was {pair!r:.60}: write one of {', '.join(known_pairs.names())}")
        choices: dict[str, Any] = {
            name: 0 if name in OPEN and value == AUTO else value for name, value in values.items()
        }
        choices.pop("pair", None)
        try:
            registry.check(Settings(**choices))
        except SettingsError as error:
            self._wrong("settings", str(error))
            return {}
        return _parameters(asdict(Settings()) | values) | values

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
