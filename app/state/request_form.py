"""What a visitor asks for: what the choices that `app.state.choices` keeps mean, as models, prompt, settings and the run that they make."""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any

from app.stage.run_description import OTHER
from app.state import address, choices, language
from specviz.decoding.drafters import registry
from specviz.errors import PairError, SettingsError
from specviz.known_pairs import EMBEDDED, FAMILY
from specviz.model_choice import chosen_models, heads_here, page_settings
from specviz.reporting.player import wording
from specviz.reporting.prompts import ReadyPrompt, first_prompt, hint_for, prompt_family, ready_prompts
from specviz.request import PairAsked, Request
from specviz.serving import hosting
from specviz.settings import AUTO, POLICIES, RULES, Settings

PROMPT, PAIR, TARGET, DRAFT, HEAD, DEVICE, DTYPE, TEMPLATE = (
    "prompt",
    "pair",
    "target",
    "draft",
    "head",
    "device",
    "dtype",
    "template",
)
DRAFTER, CHILDREN, POLICY, RULE = "drafter", "children", "policy", "rule"
RIVAL = "rival"
OFFERED = 5
"""So many drafters are offered; the rest on request."""
_BEST_KNOWN = ("model", "eagle", "ngram", "tree", "early-exit", "suffix", "medusa")
"""In the order in which they are offered."""


def pair_asked() -> PairAsked:
    """The pair that the picker shows."""
    chosen = choices.value(PAIR, EMBEDDED)
    device, dtype = choices.value(DEVICE, "auto"), choices.value(DTYPE, "auto")
    if chosen == OTHER:
        target, draft, head = (choices.value(role, "").strip() for role in (TARGET, DRAFT, HEAD))
        return PairAsked(target=target, draft=draft or None, head=head or None, device=device, dtype=dtype)
    return PairAsked(chosen, device=device, dtype=dtype)


def settings() -> Settings:
    """The settings that the widgets show; what the drafter does not take, and so no widget shows, is at its default.

    Raises:
        SettingsError: one of them is out of range.
    """
    begun = usual()
    chosen: dict[str, Any] = {f.name: choices.value(f.name, getattr(begun, f.name)) for f in fields(Settings)}
    return registry.fitted(Settings(**{**chosen, DRAFTER: drafter(), POLICY: policy()}))


def explicit() -> Settings:
    """The same settings with nothing left to specviz, for what compares runs that must have the same ones: the pair's first drafter, and the
    usual values, with drafts of a fixed length.

    Raises:
        SettingsError: one of them is out of range.
    """
    now, usual = settings(), Settings()
    return registry.fitted(
        replace(
            now,
            drafter=drafters()[1] if now.drafter == AUTO else now.drafter,
            k=now.k or usual.k,
            nodes=now.nodes or usual.nodes,
            policy=usual.policy if now.policy == AUTO else now.policy,
        )
    )


def usual() -> Settings:
    """The settings of a visitor who has changed none."""
    begun, most = page_settings(), hosting.current().most_tokens
    return begun if most is None or begun.max_new_tokens <= most else replace(begun, max_new_tokens=most)


def drafter() -> str:
    """The drafter that the picker shows."""
    chosen = choices.value(DRAFTER, AUTO)
    return chosen if chosen in drafters() else AUTO


def drafters() -> tuple[str, ...]:
    """The drafters that are offered, "auto" first: where an offered pair comes without its draft model or a trained head, those that need
    none."""
    own = pair_asked().name is None
    return AUTO, *registry.able(draft=own or has_draft(), heads=heads())


def usual_drafters() -> tuple[str, ...]:
    """The drafters that are offered first: "auto", the best known of those that the pair can use, and the one that is chosen."""
    able, now = drafters(), drafter()
    first = [name for name in _BEST_KNOWN if name in able][:OFFERED]
    rest = [name for name in able[1:] if name not in first]
    shown = {AUTO, now, *first, *rest[: OFFERED - len(first)]}
    return tuple(name for name in able if name in shown)


def has_draft() -> bool:
    """Whether the pair that the picker shows has a draft model."""
    asked = pair_asked()
    return bool(asked.draft) if asked.name is None else not chosen_models(asked.name).missing


def heads() -> tuple[str, ...]:
    """The kinds of trained heads that come with the pair that the picker shows, or that were given; none where the folder has none."""
    asked = pair_asked()
    try:
        return tuple(heads_here(asked.name, asked.head, asked.target))
    except PairError:  # `app.screens.shared.asked` says so when it matters
        return ()


def request() -> Request:
    """The run that the page shows.

    Raises:
        SettingsError: a setting is out of range.
    """
    return Request(pair_asked(), prompt(), settings(), template=template())


def hints() -> Callable[[ReadyPrompt], str]:
    """Of a ready-made prompt what to look for in its run with the pair and the settings that the page shows; "" where that is not known."""
    try:
        now = request()
    except SettingsError:
        return lambda ready: ""
    spoken = language.now()
    return lambda ready: hint_for(ready, now.pair.name, now.settings, spoken) if now.template else ""


def policy() -> str:
    """The policy that the picker shows."""
    chosen = choices.value(POLICY, AUTO)
    return chosen if chosen in policies() else AUTO


def policies() -> tuple[str, ...]:
    """The policies that the drafter takes, "auto" first."""
    known = registry.descriptions().get(drafter())
    return AUTO, *(known.policies if known else [name for name in POLICIES if name != AUTO])


def rules() -> tuple[str, ...]:
    """The acceptance rules that the drafter takes."""
    known = registry.descriptions().get(drafter())
    return known.able_rules if known else RULES


def rule() -> str:
    """The acceptance rule that the picker shows."""
    return choices.value(RULE, Settings().rule)


def prompt() -> str:
    """The prompt that the box shows: the first ready-made one of the pair until the visitor chooses or writes another."""
    return choices.value(PROMPT, first_prompt(prompts_of(prompt_family(pair_asked().name))).text)


def template() -> bool:
    """Whether the tokenizer's chat template is to be used, where there is one."""
    return choices.value(TEMPLATE, True)


@cache
def prompts_of(family: str) -> tuple[ReadyPrompt, ...]:
    """The ready-made prompts of a family of pairs."""
    return ready_prompts(family)


def choose_prompt(text: str) -> None:
    """Put a ready-made prompt into the box."""
    choices.put(PROMPT, text)


def take(wanted: Mapping[str, str]) -> None:
    """Change settings to what the page itself suggests, as an address has them; one that the page does not have is left out."""
    for name, new in address.read(wanted, hosting.current()).values.items():
        if name in (DRAFTER, POLICY, "k", "max_new_tokens"):
            choices.put(name, new)


def rivals() -> list[str]:
    """What the third lane may be: pairs with another draft for the same target, and other drafters with the same pair."""
    name, drafter_now = pair_asked().name, drafter()
    allowed = hosting.current().pairs
    others = [other for other in FAMILY if other != name and other in (allowed or FAMILY)] if name in FAMILY else []
    return others + [other for other in registry.able(draft=has_draft(), heads=heads()) if other != drafter_now]


def usual_rivals() -> list[str]:
    """Those of them that are offered first: the pairs, the drafters that are offered first for the run itself, and the one that is chosen."""
    shown = {*FAMILY, *usual_drafters(), choices.value(RIVAL, "")}
    return [name for name in rivals() if name in shown]


def rival_label(name: str) -> str:
    """A pair by its name, a drafter by its label and its group."""
    return name if name in FAMILY else wording.listed(name)


def rival_asked(request: Request) -> Request | None:
    """What the third lane is to run: the same request with another pair or another drafter, and no plain run; None for none."""
    chosen: str = choices.value(RIVAL, "") or ""
    if chosen not in rivals():
        return None
    pair, settings_now = request.pair, request.settings
    if chosen in FAMILY:
        pair = replace(pair, name=chosen)
        known = registry.descriptions().get(settings_now.drafter)
        chosen = settings_now.drafter if known and known.needs == "draft model" else Settings().drafter
    return replace(request, pair=pair, settings=registry.fitted(replace(settings_now, drafter=chosen)), plain=False)
