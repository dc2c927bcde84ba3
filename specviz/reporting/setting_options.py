"""The options of a run's settings, which several commands share."""

import argparse
from dataclasses import asdict, fields

from specviz.decoding.drafters import registry
from specviz.reporting.pair_options import usable_drafter
from specviz.settings import AUTO, CHILDREN, OPEN, POLICIES, RULES, Settings

_SAYS = {
    "k": f"draft length, the tokens proposed per round, or {AUTO}",
    "temperature": "0 is greedy decoding",
    "top_k": "keep the N most likely tokens; 0 keeps all",
    "top_p": "keep the most likely tokens up to this total probability; 1 keeps all",
    "max_new_tokens": "stop after N tokens",
    "seed": "the same seed gives the same text",
    "drafter": f"the drafting method: {', '.join((AUTO, *registry.names()))} ({AUTO}: the fastest here, by what passes cost and how often "
    "guesses are right)",
    "nodes": f"size of a tree, whose depth is k, or {AUTO}",
    "children": f"how a tree's siblings are chosen: {', '.join(CHILDREN)}",
    "policy": f"when a draft stops before k tokens; {AUTO} drafts only while it pays: {', '.join(POLICIES)}",
    "threshold": "the confidence policy stops after a token below this probability",
    "rule": f"the acceptance rule (lenient is LOSSY: it changes the text; block is for chains): {', '.join(RULES)}",
    "lenience": "strictness of the lenient rule; 1 is exact",
    "shared_noise": "draft and target choose with the same noise, so that the text is the same with every drafter",
}


def setting_options(parser: argparse.ArgumentParser, settings: Settings, **says: str) -> None:
    """An option for each of the settings, with these defaults. `says`: the help of some, by their names."""
    for name, value in asdict(settings).items():
        option = f"--{name.replace('_', '-')}"
        names = ("--tokens", option) if name == "max_new_tokens" else (option,)
        if isinstance(value, bool):
            parser.add_argument(option, action="store_true", help=_SAYS[name])
            continue
        default = AUTO if name in OPEN and not value else value
        kind = _open if name in OPEN else type(value)
        about = says.get(name, f"{_SAYS[name]} (default {default if isinstance(default, str) else f'{default:g}'})")
        form = "NAME" if isinstance(value, str) else "N"
        parser.add_argument(*names, dest=name, default=default, type=kind, metavar=form, help=about)


def settings_from(args: argparse.Namespace) -> Settings:
    """The settings of the options; an auto stays open. Raises SettingsError if a value is out of range, or the drafter
    does not support it; SpecvizError, see `usable_drafter`."""
    settings = Settings(**{field.name: getattr(args, field.name) for field in fields(Settings)})
    registry.check(settings)
    usable_drafter(args)
    return registry.fitted(settings)


def positive(text: str) -> int:
    """A whole number from 1 on."""
    if int(text) < 1:
        raise ValueError
    return int(text)


def _open(text: str) -> int | str:
    """A whole number, or 0 for "auto"; a written 0 stays a text, so that the check of the settings rejects it."""
    return 0 if text == AUTO else int(text) or text
