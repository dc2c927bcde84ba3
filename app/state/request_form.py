"""The choices of the form (`app.state.choices`) as models, prompt, settings and the request that they make."""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any

from app.stage.run_description import OTHER
from app.state import address, choices, language
from app.state.page_state import page_state
from specviz.decoding.drafters import registry
from specviz.errors import PairError, SettingsError
from specviz.known_pairs import EMBEDDED, FAMILY
from specviz.model_choice import heads_here, page_settings
from specviz.reporting.prompts import ReadyPrompt, first_prompt, hint_for, prompt_family, ready_prompts
from specviz.request import PairRequest, Request
from specviz.serving import hosting
from specviz.settings import AUTO, POLICIES, RULES, Settings

PROMPT, TEMPLATE, PAIR, DEVICE, DTYPE = "prompt", "template", "pair", "device", "dtype"
OWN_PROMPT = "own-prompt"  # whether the visitor asked for a prompt of their own
TARGET, DRAFT, HEAD = "target", "draft", "head"
RACE = "Race"  # the title of the screen
DRAFTER, CHILDREN, POLICY, RULE = "drafter", "children", "policy", "rule"
RIVAL = "rival"
OFFERED = 5  # so many drafters are offered; the rest on request
_BEST_KNOWN = ("model", "eagle", "ngram", "tree", "early-exit", "suffix", "medusa")
"""In the order in which they are offered."""


def chosen_pair() -> PairRequest:
    """The pair that the picker shows."""
    chosen = choices.value(PAIR, EMBEDDED)
    device, dtype = choices.value(DEVICE, "auto"), choices.value(DTYPE, "auto")
    if chosen == OTHER:
        target, draft, head = (choices.value(role, "").strip() for role in (TARGET, DRAFT, HEAD))
        return PairRequest(target=target, draft=draft or None, head=head or None, device=device, dtype=dtype)
    return PairRequest(chosen, device=device, dtype=dtype)


def settings() -> Settings:
    """The settings that the widgets show; what the drafter does not take, and so no widget shows, is at its default.
    Raises SettingsError if one of them is out of range."""
    defaults = default_settings()
    chosen: dict[str, Any] = {f.name: choices.value(f.name, getattr(defaults, f.name)) for f in fields(Settings)}
    return registry.fitted(Settings(**{**chosen, DRAFTER: drafter(), POLICY: policy()}))


def explicit() -> Settings:
    """The settings with nothing left to specviz, for what compares runs that must have the same ones: the pair's first
    drafter, and the usual values, with drafts of a fixed length. Raises SettingsError if one of them is out of
    range."""
    chosen, defaults = settings(), Settings()
    return registry.fitted(
        replace(
            chosen,
            drafter=drafters()[1] if chosen.drafter == AUTO else chosen.drafter,
            k=chosen.k or defaults.k,
            nodes=chosen.nodes or defaults.nodes,
            policy=defaults.policy if chosen.policy == AUTO else chosen.policy,
        )
    )


def default_settings() -> Settings:
    """The settings of a visitor who has changed none. In a race with the exact rule the noise is shared, so that all lanes write one text at every
    temperature; the other rules cannot share it."""
    shared_noise = page_state().screen == RACE and rule() == Settings().rule
    settings, most = replace(page_settings(), shared_noise=shared_noise), hosting.current().most_tokens
    return settings if most is None or settings.max_new_tokens <= most else replace(settings, max_new_tokens=most)


def drafter() -> str:
    """The drafter that the picker shows."""
    chosen = choices.value(DRAFTER, AUTO)
    return chosen if chosen in drafters() else AUTO


def drafters() -> tuple[str, ...]:
    """The drafters that are offered, "auto" first: where an offered pair comes without a trained head, those that need none."""
    return AUTO, *registry.able(draft=True, heads=heads())


def usual_drafters() -> tuple[str, ...]:
    """The drafters that are offered first: "auto", the best known of those that the pair can use, and the one that is chosen."""
    drafters_, chosen = drafters(), drafter()
    first = [name for name in _BEST_KNOWN if name in drafters_][:OFFERED]
    rest = [name for name in drafters_[1:] if name not in first]
    listed = {AUTO, chosen, *first, *rest[: OFFERED - len(first)]}
    return tuple(name for name in drafters_ if name in listed)


def has_draft() -> bool:
    """True where the pair that the picker shows has a draft model."""
    pair = chosen_pair()
    return pair.name is not None or bool(pair.draft)


def heads() -> tuple[str, ...]:
    """The kinds of trained heads that come with the pair that the picker shows, or that were given; none where the folder has none."""
    pair = chosen_pair()
    try:
        return tuple(heads_here(pair.name, pair.head))
    except PairError:  # `app.screens.shared.requested_run` says so when it matters
        return ()


def request() -> Request:
    """The run that the page shows. Raises SettingsError if a setting is out of range."""
    return Request(chosen_pair(), prompt(), settings(), template=template())


def hints() -> Callable[[ReadyPrompt], str]:
    """Of a ready-made prompt what to look for in its run with the pair and the settings that the page shows; "" where that is not known."""
    try:
        shown = request()
    except SettingsError:
        return lambda ready: ""
    language_ = language.now()
    return lambda ready: hint_for(ready, shown.pair.name, shown.settings, language_) if shown.template else ""


def policy() -> str:
    """The policy that the picker shows."""
    chosen = choices.value(POLICY, AUTO)
    return chosen if chosen in policies() else AUTO


def policies() -> tuple[str, ...]:
    """The policies that the drafter takes, "auto" first."""
    description = registry.descriptions().get(drafter())
    return AUTO, *(description.policies if description else [name for name in POLICIES if name != AUTO])


def rules() -> tuple[str, ...]:
    """The acceptance rules that the drafter takes."""
    description = registry.descriptions().get(drafter())
    return description.able_rules if description else RULES


def rule() -> str:
    """The acceptance rule that the picker shows."""
    return choices.value(RULE, Settings().rule)


def prompt() -> str:
    """The prompt that the box shows: the first ready-made one of the pair until the visitor chooses or writes another."""
    return choices.value(PROMPT, first_prompt(ready_prompts(prompt_family(chosen_pair().name))).text)


def template() -> bool:
    """True where the tokenizer's chat template is to be used, if there is one."""
    return choices.value(TEMPLATE, True)


def take(wanted: Mapping[str, str]) -> None:
    """Change settings to what the page itself suggests, as an address has them; one that the page does not have is left out."""
    for name, new in address.read(wanted, hosting.current()).values.items():
        if name in (DRAFTER, POLICY, "k", "max_new_tokens"):
            choices.put(name, new)


def rivals() -> list[str]:
    """The rivals that the third lane may have: pairs with another draft for the same target, and other drafters with the same pair."""
    name, chosen_drafter = chosen_pair().name, drafter()
    allowed = hosting.current().pairs
    others = [rival for rival in FAMILY if rival != name and rival in (allowed or FAMILY)] if name in FAMILY else []
    return others + [rival for rival in registry.able(draft=has_draft(), heads=heads()) if rival != chosen_drafter]


def usual_rivals() -> list[str]:
    """Those of them that are offered first: the pairs, the drafters that are offered first for the run itself, and the one that is chosen."""
    listed = {*FAMILY, *usual_drafters(), choices.value(RIVAL, "")}
    return [name for name in rivals() if name in listed]


def rival_request(request: Request) -> Request | None:
    """The request of the third lane: the same request with another pair or another drafter, and no plain run; None for none."""
    chosen: str = choices.value(RIVAL, "") or ""
    if chosen not in rivals():
        return None
    pair, settings_ = request.pair, request.settings
    if chosen in FAMILY:
        pair = replace(pair, name=chosen)
        description = registry.descriptions().get(settings_.drafter)
        chosen = settings_.drafter if description and description.needs == "draft model" else Settings().drafter
    return replace(request, pair=pair, settings=registry.fitted(replace(settings_, drafter=chosen)), plain=False)
