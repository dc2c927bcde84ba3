"""Joins ES modules into one: an entry file and all that it imports, each before those that use it.

A component of the page, and the saved page, can carry one script only. The files stay real modules, which an editor, a type
checker and a plain JavaScript runtime understand; here their `import` and `export` lines are dropped, and so are the types in
their comments. What the joined text could get wrong is refused: a name that two files define, an import of a name that is not
exported, a cycle.

The form of the lines is the formatter's: every import, export and definition of a module starts at the beginning of a line.
"""

import re
from dataclasses import dataclass
from pathlib import Path

_IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?function|class|const|let)", re.MULTILINE)
_DEFINED = re.compile(r"^(export )?(?:async )?(?:function\*?|class|const|let|var) ([\w$]+)", re.MULTILINE)
_DEFAULT = re.compile(r"^export default ([\w$]+);\n", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*|^(?:const|let|var) [\[{].*", re.MULTILINE)
_DOC = re.compile(r"^[ \t]*/\*\*(?:(?!\*/).)*\*/\n", re.MULTILINE | re.DOTALL)
_DYNAMIC = re.compile(r"(?<![\w$.])import\s*\(")


class BundleError(Exception):
    """The files cannot be joined; says which file and why."""


@dataclass(frozen=True, slots=True)
class _Module:
    path: Path
    imports: tuple[tuple[Path, tuple[str, ...]], ...]
    defined: frozenset[str]
    exported: frozenset[str]
    code: str
    default: str | None


def bundle(entry: Path) -> str:
    """One module with everything that the entry file needs, with the entry's default export if it has one.

    Raises:
        BundleError: the modules cannot be joined.
    """
    modules: dict[Path, _Module] = {}
    _collect(entry.resolve(), (), modules)
    owners: dict[str, Path] = {}
    for module in modules.values():
        for name in sorted(module.defined):
            if name in owners:
                raise BundleError(f"{module.path.name} and {owners[name].name} both define {name}: rename one of them.")
            owners[name] = module.path
    *needed, last = modules.values()
    default = "" if last.default is None else f"export default {last.default};\n"
    return "\n".join(module.code.strip("\n") + "\n" for module in [*needed, last]) + default


def _collect(path: Path, importers: tuple[Path, ...], modules: dict[Path, _Module]) -> None:
    """Add a module after all that it imports, depth first."""
    if path in modules:
        return
    if path in importers:
        ring = " -> ".join(one.name for one in [*importers[importers.index(path) :], path])
        raise BundleError(f"The imports go round in a circle: {ring}.")
    module = _read(path, importers[-1] if importers else None)
    for other, names in module.imports:
        _collect(other, (*importers, path), modules)
        missing = sorted(set(names) - modules[other].exported)
        if missing:
            raise BundleError(f"{path.name} imports {missing[0]} from {other.name}, which does not export it.")
        if modules[other].default is not None:
            raise BundleError(f"{path.name} imports {other.name}, whose default export only an entry file can have.")
    modules[path] = module


def _read(path: Path, importer: Path | None) -> _Module:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        by = f", which {importer.name} imports," if importer else ""
        raise BundleError(f"The file {path.name}{by} does not exist.") from error
    imports = []
    for names, source in _IMPORT.findall(text):
        if not source.startswith("."):
            raise BundleError(f"{path.name} imports from {source!r}: only files of the project can be joined.")
        listed = tuple(name.strip() for name in names.split(",") if name.strip())
        renamed = next((name for name in listed if " " in name), None)
        if renamed:
            raise BundleError(f"{path.name} imports {renamed!r}: a joined name cannot be changed.")
        imports.append(((path.parent / source).resolve(), listed))
    definitions = _DEFINED.findall(text)
    defaults = _DEFAULT.findall(text)
    code = _EXPORT.sub("", _DEFAULT.sub("", _IMPORT.sub("", _DOC.sub("", text))))
    odd = _OTHER.search(code) or _DYNAMIC.search(code)
    if odd:
        raise BundleError(f"{path.name} has a line that cannot be joined: {odd.group(0).strip()[:80]}")
    return _Module(
        path,
        tuple(imports),
        frozenset(name for _, name in definitions),
        frozenset(name for export, name in definitions if export),
        code,
        defaults[0] if defaults else None,
    )
