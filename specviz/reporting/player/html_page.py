"""One HTML file with a recording and the player inside, for slides, course pages and notebooks; the frame that shows it in another page.

It opens from disk and requests nothing from any network. Its
Content-Security-Policy allows exactly one script and one style, each by its hash, and forbids everything else, markup
made from text included; the recording is data, without any character that HTML interprets.
"""

import base64
import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from typing import Any

from specviz.errors import InputError, TraceError
from specviz.folders import ASSETS, PAGE
from specviz.reporting.player import wording
from specviz.reporting.player.recorded_race import KINDS, kinds_view, race_view
from specviz.reporting.player.scripts import given, script, style
from specviz.reporting.player.thinning import thinned, within
from specviz.reporting.templates import html_from
from specviz.settings import Settings
from specviz.trace.cards import ModelCard
from specviz.trace.conditions import RacedTraces
from specviz.trace.files import dump, read_file
from specviz.trace.records import Trace
from specviz.words import ENGLISH, spoken, translate

_MAX_BYTES = 1_000_000


def page(
    traces: Sequence[Trace],
    origin: str,
    speedups: Sequence[float] = (),
    timing: dict[str, Any] | None = None,
    at: dict[str, Any] | None = None,
    language: str = ENGLISH,
) -> str:
    """The file as text.

    Args:
        origin: where the recording comes from, the beginning of a sentence.
        speedups: of all pairs of runs, where several were timed.
        timing: the state of the machine in words, see `specviz.trace.conditions.conditions_json`.
        at: the moment at which it opens, as JSON, see `specviz.lessons.lesson.LessonMoment`; on its title where there is none.
        language: of the page's own words.

    Raises:
        TraceError: there is no round to play.
    """
    check_playable(traces)
    code = script("standalone")
    title = _line(f"specviz: {traces[0].prompt}")[:80]
    needs = f"<noscript>{translate(_NEEDS_SCRIPT, language)}</noscript>"
    body = f'<main class="stage"></main>\n{needs}\n{_foot(traces[0], language)}'
    make = partial(document, title, language, body, code, theme_variables() + style("standalone"))
    view = {"id": "alone", "status": "exported", "title": True, "origin": origin}
    view |= {"speedups": list(speedups), "timing": timing, "at": at}

    def data_of(count: int) -> str:
        recording = dump(thinned(traces, count))
        return embedded_json({"view": {**view, "recording": recording}, **given(), "spoken": spoken(language)})

    return make(data=within(_MAX_BYTES - len(make().encode()) - 1000, data_of))


def race_page(raced: RacedTraces, language: str = ENGLISH) -> str:
    """The runs of a race, the plain one last, as lanes on one clock in one HTML file, with the page's own words in a language.

    Raises:
        TraceError: there is no round to play.
    """
    check_playable(raced.traces)
    return _lanes_page(race_view(raced), raced.traces[0], language)


def kinds_page(language: str) -> str:
    """Four kinds of text on one clock as one HTML file, see `recorded_race.kinds_view`."""
    first, _ = read_file(ASSETS / next(iter(KINDS)))
    return _lanes_page(kinds_view(), first, language)


def _lanes_page(view: dict[str, Any], described: Trace, language: str) -> str:
    """Lanes on one clock; its foot has the models and settings of one of their runs."""
    body = f'<main><div class="stage race"></div></main>\n{_foot(described, language)}'
    data = embedded_json({"view": view, **given(), "spoken": spoken(language)})
    looks = theme_variables() + style("race-page")
    return document(translate("specviz: a race", language), language, body, script("race-page"), looks, data=data)


def notebook_frame(run: Trace | RacedTraces, at: dict[str, Any] | None = None) -> str:
    """A run or a race in a frame, as a notebook shows it. The frame runs the player's script and may do nothing else.

    Args:
        at: of a run: see `page`.

    Raises:
        TraceError: there is no round to play.
    """
    recorded_with = "A real run, recorded with specviz"
    text = race_page(run) if isinstance(run, RacedTraces) else page((run,), recorded_with, at=at)
    return f'<iframe sandbox="allow-scripts" srcdoc="{escape(text)}" style="width:100%;height:680px;border:0"></iframe>'


def check_playable(traces: Sequence[Trace]) -> None:
    """Reject a recording without a round: its run was stopped too early.

    Raises:
        TraceError: it is one.
    """
    if not (traces[0].rounds or any(trace.drafts for trace in traces)):
        raise TraceError("The recording holds no round: its run was stopped before anything was written.")


# The page's own words, beside those of its script.
TEXTS = (
    _NEEDS_SCRIPT := "This page plays a recorded run: it needs JavaScript, and nothing else.",
    *("specviz: a race", "Target", "draft", "{millions} M parameters", "drafted by {drafter}", "temperature", "seed"),
    *("made with specviz",),
)


def document(
    title: str,
    language: str,
    body: str,
    code: str | None,
    *styles: str,
    data: str = "",
    data_id: str = "recording",
    direction: str = "ltr",
) -> str:
    """A page with this HTML, this script, its data as JSON, and the first style. Its policy allows the script and all styles, and nothing else."""
    return html_from(
        "reporting/player/document.html",
        title=title,
        language=language,
        direction=direction,
        policy=content_policy(code, *styles),
        style=styles[0],
        body=body,
        data=data,
        data_id=data_id,
        code=code,
    )


def embedded_json(value: dict[str, Any]) -> str:
    """JSON in ASCII without any character that HTML interprets."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return re.sub("[<>&]", lambda sign: f"\\u{ord(sign[0]):04x}", text)


def content_policy(code: str | None, *styles: str) -> str:
    """Nothing but this script and these styles, and no text that becomes markup; no script at all where there is none."""

    def only(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    scripts, sheets = "'none'" if code is None else only(code), " ".join(map(only, styles))
    return (
        f"default-src 'none'; script-src {scripts}; style-src {sheets}; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )


def theme_variables() -> str:
    """The colours of Streamlit's themes under the names that the player uses."""
    with (PAGE / "app" / ".streamlit" / "config.toml").open("rb") as file:
        themes: dict[str, Any] = tomllib.load(file)["theme"]

    def rule(name: str) -> str:
        named = {re.sub("[A-Z]", lambda big: "-" + big[0].lower(), key): value for key, value in themes[name].items()}
        return ":root { " + " ".join(f"--st-{key}: {value};" for key, value in named.items()) + " }\n"

    return f"{rule('light')}@media screen and (prefers-color-scheme: dark) {{ {rule('dark')}}}\n"


def _foot(trace: Trace, language: str) -> str:
    """One line on what ran and how, for a page of its own."""
    say, card, chosen = partial(translate, language=language), trace.card, trace.settings
    roles = (("Target", card.target), ("draft", card.draft))
    models = [_model(say(role), model, say) for role, model in roles if model]
    sampling = [f"k = {chosen.k}", f"{say('temperature')} {chosen.temperature:g}"]
    sampling += [f"top-k {chosen.top_k}"] * bool(chosen.top_k) + [f"top-p {chosen.top_p:g}"] * (chosen.top_p < 1)
    sampling += [f"{say('seed')} {chosen.seed}"] * (not chosen.greedy)
    default = chosen.drafter == Settings().drafter
    by = [] if default else [say("drafted by {drafter}").format(drafter=say(card.drafter.label))]
    where = f"{card.dtype}, {card.device}"
    parts = [", ".join(models), *by, where, ", ".join(sampling), *wording.extras(chosen), say("made with specviz")]
    return f'<p class="made">{escape(_line(" · ".join(parts)))}</p>\n'


def _model(role: str, card: ModelCard, say: Callable[[str], str]) -> str:
    if not card.parameters:
        return f"{role} {card.name}"
    size = say("{millions} M parameters").format(millions=f"{card.parameters / 1e6:.1f}")
    return f"{role} {card.name} ({size}{f', {card.weights}' if card.weights else ''})"


def _line(text: str) -> str:
    """Text that is not ours on one line, without invisible control characters."""
    return "".join(c for c in " ".join(text.split()) if c.isprintable())


# The code that puts a page of ours into another page, for `{address}` and `{title}` as HTML. The frame may run its script and nothing else,
# and is as high as the page in it asks. A page needs the second script once.
FRAME = (
    '<iframe src="{address}" title="{title}" width="100%" height="600" style="border:0" sandbox="allow-scripts"></iframe>\n'
    '<script>addEventListener("message", (e) => { for (const f of document.querySelectorAll("iframe")) '
    'if (f.contentWindow === e.source && e.data?.specviz === "height") f.style.height = e.data.height + "px"; });</script>'
)


def frame_code(address: str, title: str) -> str:
    """The code for an address such as `run.html?embed=1#3/verified`."""
    return FRAME.replace("{address}", escape(address)).replace("{title}", escape(title))


def site_address(site: str, route: str) -> str:
    """The address of a page of a site for a frame, such as `https://example.org/specviz/index.html?embed=1#/learn/editor/4`.

    Args:
        site: the address of the folder that `specviz site` wrote, or of its index.html.
        route: the page, such as `learn/editor/4`.

    Raises:
        InputError: the site's address is none.
    """
    if re.fullmatch(r"https?://[^\s\"'<>?#]+", site) is None:
        raise InputError(f"The site's address was {site!r:.80}: give one such as https://example.org/specviz/.")
    return f"{site.removesuffix('index.html').rstrip('/')}/index.html?embed=1#/{route}"
