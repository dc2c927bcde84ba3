"""Code documents: one to three small correct Python functions, sometimes with example calls and the values they really print."""

import ast
import json
import math
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from specviz.training.embedded.templates.function_arguments import ARGUMENTS
from specviz.training.embedded.templates.function_families import (
    ALIASES,
    PAIRED_RENAMES,
    RELATED,
    RENAMES,
    SOURCES,
    WEIGHTS,
)

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
class _Style:
    """What the functions of one document share."""

    documented: bool
    annotated: bool
    renames: dict[str, str] = field(default_factory=dict)


def _version(block: str) -> _Version:
    header, docstring, body = block.split("\n", 2)
    definition = ast.parse(block).body[0]
    assert isinstance(definition, ast.FunctionDef)
    parameters = tuple(argument.arg for argument in definition.args.args)
    plain = f"def {definition.name}({', '.join(parameters)}):"
    return _Version(header, plain, docstring, body, parameters)


def _families() -> dict[str, list[_Version]]:
    families: dict[str, list[_Version]] = {}
    for block in SOURCES.strip().split("\n\n"):
        families.setdefault(block[4 : block.index("(")], []).append(_version(block))
    return families


def _callables() -> dict[str, Callable[..., object]]:
    namespace: dict[str, Callable[..., object]] = {}
    exec(SOURCES, {"math": math}, namespace)  # noqa: S102 - our own text, run to know the values it gives
    # The functions that call themselves or one another look for the names among their globals, all of them the same.
    namespace["add"].__globals__.update(namespace)
    return namespace


_FAMILIES = _families()
_CALLABLES = _callables()
_NAMES = tuple(_FAMILIES)
_WEIGHTS = tuple(WEIGHTS.get(name, 1) for name in _NAMES)
# After a dot or a backslash comes an attribute or an escape, which keep their names.
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
    # The plain form, with neither, is the commonest.
    documented, annotated = random.choices(
        ((False, False), (True, False), (True, True), (False, True)), (43, 24, 23, 10)
    )[0]
    renames = {old: random.choice(others) for old, others in RENAMES.items() if random.random() < 0.3}
    if random.random() < 0.25:
        old, others = PAIRED_RENAMES
        renames.update(zip(old, random.choice(others), strict=True))
    return _Style(documented, annotated, renames)


def _chain(random: Random) -> list[str]:
    chain = [random.choices(_NAMES, _WEIGHTS)[0]]
    while len(chain) < 3 and random.random() < 0.42:
        related = [name for name in RELATED.get(chain[-1], ()) if name not in chain]
        if not related:
            break
        chain.append(random.choice(related))
    return chain


def _alias(random: Random, name: str) -> str:
    return random.choice(ALIASES[name]) if name in ALIASES and random.random() < 0.35 else name


def _choose_version(random: Random, name: str) -> _Version:
    versions = _FAMILIES[name]
    return versions[0] if random.random() < 0.7 else random.choice(versions)


def _written(random: Random, family: str, name: str, version: _Version, style: _Style) -> str:
    code = f"{version.annotated if style.annotated else version.plain}\n{version.body}"
    renames = {family: name, **_usable(style.renames, family, code)}
    code = _IDENTIFIER.sub(lambda match: renames.get(match[0], match[0]), code)
    if not style.documented:
        return code
    words = {old: renames.get(old, old) for old in ("a", "b", "n", "low", "high")}
    docstring = random.choice(_FAMILIES[family]).docstring.format(**words)
    header, body = code.split("\n", 1)
    return f"{header}\n{docstring}\n{body}"


def _usable(renames: dict[str, str], family: str, code: str) -> dict[str, str]:
    """The renames that touch this code and give no name twice."""
    taken = set(_IDENTIFIER.findall(code))
    usable = {}
    for old, new in renames.items():
        partner = dict(zip(PAIRED_RENAMES[0], reversed(PAIRED_RENAMES[0]), strict=True)).get(old, old)
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
    """A list that gets a name of its own first, and a call with that name."""
    parameters = _FAMILIES[family][0].parameters
    if family not in ARGUMENTS or len(parameters) != 1:
        return None
    (argument,) = ARGUMENTS[family](random)
    value = _CALLABLES[family](argument)
    if not isinstance(argument, list) or (isinstance(value, float) and len(repr(value)) > 8):
        return None
    return [f"{parameters[0]} = {_literal(argument)}", f"print({name}({parameters[0]}))  # {value}"]


def _example(random: Random, family: str, name: str, asserts: bool) -> str | None:
    if family not in ARGUMENTS:
        return None
    for _ in range(6):
        arguments = ARGUMENTS[family](random)
        call = f"{name}({', '.join(_literal(one) for one in arguments)})"
        value = _CALLABLES[family](*arguments)
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
    """Write a value as people do, with double quotes; JSON's form is Python's for all that comes here but None and number keys."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_literal(key)}: {_literal(one)}" for key, one in value.items()) + "}"
    if isinstance(value, tuple):
        return "(" + ", ".join(_literal(one) for one in value) + ")"
    return json.dumps(value) if isinstance(value, str | list) else repr(value)
