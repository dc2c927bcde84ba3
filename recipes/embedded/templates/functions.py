"""Code documents: one to three small correct Python functions, sometimes with example calls and the values that they print."""

import ast
import json
import math
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

from recipes.embedded.templates.data_files import Table, filled, table
from recipes.embedded.templates.function_arguments import MAKERS, Maker, numbers

LONGEST_EXAMPLE = 80


@dataclass(frozen=True)
class _Version:
    """One way to write a function."""

    annotated: str
    plain: str
    docstring: str
    body: str
    parameters: tuple[str, ...]


@dataclass(frozen=True)
class _Family:
    """One function in all its versions.

    Attributes:
        arguments: draws those of an example call; None for a function that gets no example.
    """

    versions: tuple[_Version, ...]
    weight: int
    aliases: tuple[str, ...]
    related: tuple[str, ...]
    arguments: Maker | None


@dataclass(frozen=True)
class Functions:
    """Everything that the code documents are made of.

    Attributes:
        families: name -> function, in the file's order.
        callables: name -> the function itself, to know the values that it gives.
        renames: name of a parameter or local variable -> other names that it may get.
        paired, paired_others: two names that change together, and the pairs of names that they may get.
    """

    families: dict[str, _Family]
    callables: dict[str, Callable[..., object]]
    renames: dict[str, tuple[str, ...]]
    paired: tuple[str, ...]
    paired_others: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class _Style:
    """What the functions of one document share."""

    documented: bool
    annotated: bool
    renames: dict[str, str] = field(default_factory=dict)


@cache
def functions() -> Functions:
    """What functions.toml holds."""
    file = table("functions")
    read = file.table("functions").each_table()
    pairs = file.table("paired_renames")
    return Functions(
        families={name: _family(name, entry) for name, entry in read.items()},
        callables=_callables(read),
        renames=file.table("renames").each_texts(),
        paired=pairs.texts("names"),
        paired_others=pairs.grid("others", 2),
    )


def _family(name: str, entry: Table) -> _Family:
    versions = tuple(_version(name, entry, "\n".join(lines)) for lines in entry.blocks("versions"))
    aliases, related = entry.texts("aliases", ()), entry.texts("related", ())
    return _Family(versions, entry.number("weight", 1), aliases, related, _arguments(entry))


def _arguments(entry: Table) -> Maker | None:
    if "arguments" not in entry:
        return None
    if entry.is_text("arguments"):
        name = entry.text("arguments")
        if name not in MAKERS:
            raise entry.wrong("arguments", f"there is no maker {name!r}; choose from {', '.join(MAKERS)}")
        return MAKERS[name]
    return numbers(entry.ranges("arguments"))


def _version(name: str, entry: Table, block: str) -> _Version:
    header, docstring, body = [*block.split("\n", 2), "", ""][:3]
    try:
        definition = ast.parse(block).body[0]
    except SyntaxError as error:
        raise entry.wrong("versions", f"{header!r} is not Python ({error})") from None
    if not isinstance(definition, ast.FunctionDef) or definition.name != name or not body:
        raise entry.wrong("versions", f"expected `def {name}(...):`, a docstring and a body, but found {header!r}")
    parameters = tuple(argument.arg for argument in definition.args.args)
    plain = f"def {definition.name}({', '.join(parameters)}):"
    return _Version(header, plain, docstring, body, parameters)


def _callables(entries: Mapping[str, Table]) -> dict[str, Callable[..., object]]:
    found: dict[str, Any] = {"math": math}
    for entry in entries.values():
        exec(entry.text("versions"), found)  # noqa: S102 - our own text, run to know the values it gives
    return {name: found[name] for name in entries}


# After a dot or a backslash there is an attribute or an escape, which keeps its name.
_IDENTIFIER = re.compile(r"(?<![.\\\w])[a-z_]\w*")


def function(random: Random) -> str:
    """Write a small Python document that compiles and runs; the value after each print is what it prints."""
    style = _style(random)
    families = _chain(random)
    names = [_alias(random, name) for name in families]
    versions = [_choose_version(random, name) for name in families]
    parts = [_written(random, *one, style) for one in zip(families, names, versions, strict=True)]
    body = "\n\n\n".join(parts)
    short = body.count("\n") < 2 or len(body) < 50
    if short or random.random() < 0.4:
        examples = _examples(random, families, names)
        if examples:
            body += "\n\n\n" + "\n".join(examples)
    imports = [f"import {module}" for module in ("json", "math") if f"{module}." in body]
    return "\n".join([*imports, "", "", body]) if imports else body


def compiles(text: str) -> bool:
    """Whether Python accepts the text and it holds at least one function with more than a docstring."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
            compile(tree, "<text>", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(isinstance(node, ast.FunctionDef) and _does_something(node) for node in ast.walk(tree))


def _does_something(definition: ast.FunctionDef) -> bool:
    return any(not (isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)) for line in definition.body)


def _style(random: Random) -> _Style:
    # The form with neither is the most common.
    documented, annotated = random.choices(
        ((False, False), (True, False), (True, True), (False, True)), (43, 24, 23, 10)
    )[0]
    renames = {old: random.choice(others) for old, others in functions().renames.items() if random.random() < 0.3}
    if random.random() < 0.25:
        known = functions()
        renames.update(zip(known.paired, random.choice(known.paired_others), strict=True))
    return _Style(documented, annotated, renames)


def _chain(random: Random) -> list[str]:
    families = functions().families
    chain = random.choices(tuple(families), [family.weight for family in families.values()])
    while len(chain) < 3 and random.random() < 0.42:
        related = [name for name in families[chain[-1]].related if name not in chain]
        if not related:
            break
        chain.append(random.choice(related))
    return chain


def _alias(random: Random, name: str) -> str:
    aliases = functions().families[name].aliases
    return random.choice(aliases) if aliases and random.random() < 0.35 else name


def _choose_version(random: Random, name: str) -> _Version:
    versions = functions().families[name].versions
    return versions[0] if random.random() < 0.7 else random.choice(versions)


def _written(random: Random, family: str, name: str, version: _Version, style: _Style) -> str:
    code = f"{version.annotated if style.annotated else version.plain}\n{version.body}"
    renames = {family: name, **_usable(style.renames, family, code)}
    code = _IDENTIFIER.sub(lambda match: renames.get(match[0], match[0]), code)
    if not style.documented:
        return code
    words = {old: renames.get(old, old) for old in ("a", "b", "n", "low", "high")}
    docstring = filled(random.choice(functions().families[family].versions).docstring, **words)
    header, body = code.split("\n", 1)
    return f"{header}\n{docstring}\n{body}"


def _usable(renames: dict[str, str], family: str, code: str) -> dict[str, str]:
    """The renames that apply to this code and give no name twice."""
    taken = set(_IDENTIFIER.findall(code))
    usable = {}
    paired = functions().paired
    partners = dict(zip(paired, reversed(paired), strict=True))
    for old, new in renames.items():
        partner = partners.get(old, old)
        if old in taken and partner in taken and new not in taken and old != family:
            usable[old] = new
            taken.add(new)
    return usable


def _examples(random: Random, families: list[str], names: list[str]) -> list[str]:
    calls = list(zip(families, names, strict=True))
    if len(calls) == 1:
        calls *= random.choice((1, 1, 2, 2, 3))
    if len(calls) == 1 and random.random() < 0.4 and (named := _named_list(random, *calls[0])):
        return named
    asserts = random.random() < 0.2
    lines: list[str] = []
    for family, name in calls:
        line = _example(random, family, name, asserts)
        if line and line not in lines:
            lines.append(line)
    return lines


def _named_list(random: Random, family: str, name: str) -> list[str] | None:
    """Two lines: a list with a name of its own, and a call with that name."""
    known = functions()
    parameters, arguments = known.families[family].versions[0].parameters, known.families[family].arguments
    if arguments is None or len(parameters) != 1:
        return None
    (argument,) = arguments(random)
    value = known.callables[family](argument)
    if not isinstance(argument, list) or (isinstance(value, float) and len(repr(value)) > 8):
        return None
    return [f"{parameters[0]} = {_literal(argument)}", f"print({name}({parameters[0]}))  # {value}"]


def _example(random: Random, family: str, name: str, asserts: bool) -> str | None:
    known = functions()
    make = known.families[family].arguments
    if make is None:
        return None
    for _ in range(6):
        arguments = make(random)
        call = f"{name}({', '.join(_literal(one) for one in arguments)})"
        value = known.callables[family](*arguments)
        if isinstance(value, float) and len(repr(value)) > 8:
            call, value = f"round({call}, 2)", round(value, 2)
        line = _assertion(call, value) if asserts else f"print({call})  # {value}"
        if len(line) <= LONGEST_EXAMPLE and str(value):
            return line
    return None


def _assertion(call: str, value: object) -> str:
    if isinstance(value, bool):
        return f"assert {call}" if value else f"assert not {call}"
    return f"assert {call} == {_literal(value)}"


def _literal(value: object) -> str:
    """Write a value as people do, with double quotes; JSON and Python agree on everything that occurs here except None and keys that are numbers."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_literal(key)}: {_literal(one)}" for key, one in value.items()) + "}"
    if isinstance(value, tuple):
        return "(" + ", ".join(_literal(one) for one in value) + ")"
    return json.dumps(value) if isinstance(value, str | list) else repr(value)
