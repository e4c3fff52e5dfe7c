"""The .pyi stub of each compiled module says what the module has: names both ways, parameters."""

import ast
import importlib
import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted((ROOT / "src" / "fanorona_core").glob("*.pyx"))
# Special methods that a type checker must know of; the others are found on object or not typed.
PROTOCOL = {
    *("__bool__", "__call__", "__contains__", "__enter__", "__exit__", "__getitem__"),
    *("__index__", "__int__", "__iter__", "__len__", "__next__", "__setitem__"),
}
# Names that a stub may hold for classes without a method of that name at run time.
CONSTRUCTORS = {"__init__", "__new__"}
SELF = {"self", "cls"}

Parameters = list[tuple[str, str, bool]]


def module_id(path: Path) -> str:
    return path.stem


def stub_of(source: Path) -> ast.Module:
    return ast.parse((ROOT / "fanorona_core" / f"{source.stem}.pyi").read_text("utf-8"))


def module_of(source: Path) -> ModuleType:
    return importlib.import_module(f"fanorona_core.{source.stem}")


def declared(body: Iterable[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    """Yield (name, statement) of what a stub's body declares."""
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node
        elif isinstance(node, ast.Assign):
            yield from ((t.id, node) for t in node.targets if isinstance(t, ast.Name))
        elif isinstance(node, ast.If):
            yield from declared([*node.body, *node.orelse])


def imported(stub: ast.Module) -> set[str]:
    return {
        alias.asname or alias.name
        for node in ast.walk(stub)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }


def is_public(name: str) -> bool:
    return not name.startswith("_")


def parameters_of_stub(node: ast.FunctionDef) -> Parameters:
    args = node.args
    positional = [*args.posonlyargs, *args.args]
    first_default = len(positional) - len(args.defaults)
    result = [
        (
            arg.arg,
            "POSITIONAL_ONLY" if i < len(args.posonlyargs) else "POSITIONAL_OR_KEYWORD",
            i >= first_default,
        )
        for i, arg in enumerate(positional)
    ]
    if args.vararg:
        result.append((args.vararg.arg, "VAR_POSITIONAL", False))
    result += [
        (arg.arg, "KEYWORD_ONLY", default is not None)
        for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)
    ]
    if args.kwarg:
        result.append((args.kwarg.arg, "VAR_KEYWORD", False))
    return result


def parameters_of_runtime(function: Callable[..., object]) -> Parameters:
    return [
        (p.name, p.kind.name, p.default is not p.empty)
        for p in inspect.signature(function).parameters.values()
    ]


def parameters_of_constructor(source: Path, class_name: str) -> Parameters | None:
    """Read them from the .pyx: an extension type does not tell its constructor's signature."""
    text = source.read_text("utf-8")
    body = re.search(
        rf"^(?:cdef +)?class +{class_name}\b[^\n]*\n((?:[ \t]+[^\n]*\n|#[^\n]*\n|\n)*)", text, re.M
    )
    head = body and re.search(r"^ {4}def __c?init__\((.*?)\)[^()\n]*:", body[1], re.M | re.S)
    if not head:
        return None
    # Types are C types ("unsigned int n", "str text not None"): leave only what Python has, too.
    python = re.sub(r"#[^\n]*", "", head[1])
    python = re.sub(r"\bnot None\b|\bor None\b", "", python)
    python = re.sub(r"\[[^]]*]", " ", python)
    python = re.sub(r"(^|,)\s*(?:[\w.]+[ \t*]+)+(?=[A-Za-z_]\w*\s*(?:=|,|:|$))", r"\1 ", python)
    definition = ast.parse(f"def __init__({python}): ...").body[0]
    assert isinstance(definition, ast.FunctionDef)
    return parameters_of_stub(definition)


def without_self(parameters: Parameters) -> Parameters:
    return parameters[1:] if parameters and parameters[0][0] in SELF else parameters


def is_overloaded(node: ast.FunctionDef) -> bool:
    return any(isinstance(d, ast.Name) and d.id == "overload" for d in node.decorator_list)


def public_names(module: ModuleType) -> set[str]:
    """Names that belong to the module: not its imports."""
    return {
        name
        for name, value in vars(module).items()
        if is_public(name)
        and not isinstance(value, ModuleType)
        and getattr(value, "__module__", None) in {None, module.__name__}
    }


def class_pairs(source: Path) -> Iterator[tuple[ast.ClassDef, type]]:
    module = module_of(source)
    for name, node in declared(stub_of(source).body):
        if isinstance(node, ast.ClassDef) and is_public(name):
            yield node, getattr(module, name)


def compare(where: str, node: ast.FunctionDef, function: Callable[..., object]) -> list[str]:
    if is_overloaded(node):
        return []
    stub, runtime = parameters_of_stub(node), parameters_of_runtime(function)
    return [] if stub == runtime else [f"{where}: stub {stub}, runtime {runtime}"]


@pytest.mark.parametrize("source", SOURCES, ids=module_id)
def test_module_names(source: Path) -> None:
    stub, module = stub_of(source), module_of(source)
    stub_names = {name for name, _ in declared(stub.body) if is_public(name)}
    assert sorted(stub_names - set(vars(module))) == [], "only in the stub"
    assert sorted(public_names(module) - stub_names - imported(stub)) == [], "not in the stub"


@pytest.mark.parametrize("source", SOURCES, ids=module_id)
def test_functions(source: Path) -> None:
    module = module_of(source)
    wrong: list[str] = []
    for name, node in declared(stub_of(source).body):
        if isinstance(node, ast.FunctionDef) and is_public(name):
            wrong += compare(name, node, getattr(module, name))
    assert not wrong


@pytest.mark.parametrize("source", SOURCES, ids=module_id)
def test_class_members(source: Path) -> None:
    wrong: list[str] = []
    for node, cls in class_pairs(source):
        stub = {name for name, _ in declared(node.body)} - CONSTRUCTORS
        stub = {name for name in stub if is_public(name) or name in PROTOCOL}
        runtime = {name for name in vars(cls) if is_public(name) or name in PROTOCOL}
        wrong += [f"{node.name}.{name}: only in the stub" for name in sorted(stub - runtime)]
        wrong += [f"{node.name}.{name}: not in the stub" for name in sorted(runtime - stub)]
    assert not wrong


@pytest.mark.parametrize("source", SOURCES, ids=module_id)
def test_methods(source: Path) -> None:
    wrong: list[str] = []
    for node, cls in class_pairs(source):
        for name, member in declared(node.body):
            value = vars(cls).get(name)
            if not isinstance(member, ast.FunctionDef) or not is_public(name) or value is None:
                continue
            where = f"{node.name}.{name}"
            decorators = {d.id for d in member.decorator_list if isinstance(d, ast.Name)}
            for kind in (classmethod, staticmethod):
                if isinstance(value, kind) != (kind.__name__ in decorators):
                    wrong.append(f"{where}: {kind.__name__} on one side only")
            if "property" in decorators:
                if callable(value):
                    wrong.append(f"{where}: a property in the stub, a method at run time")
            elif isinstance(value, classmethod | staticmethod):
                wrong += compare(where, member, value.__func__)
            elif callable(value):
                wrong += compare(where, member, value)
            elif not any(isinstance(d, ast.Attribute) for d in member.decorator_list):
                wrong.append(f"{where}: a method in the stub, none at run time")
    assert not wrong


@pytest.mark.parametrize("source", SOURCES, ids=module_id)
def test_constructors(source: Path) -> None:
    wrong: list[str] = []
    for node, _cls in class_pairs(source):
        runtime = parameters_of_constructor(source, node.name)
        for name, member in declared(node.body):
            if name not in CONSTRUCTORS or not isinstance(member, ast.FunctionDef):
                continue
            stub = without_self(parameters_of_stub(member))
            if is_overloaded(member):
                continue
            if runtime is None:
                if stub:
                    wrong.append(f"{node.name}: the stub has a constructor, the class none")
            elif stub != without_self(runtime):
                wrong.append(f"{node.name}: stub {stub}, class {without_self(runtime)}")
        names = {name for name, _ in declared(node.body)}
        if runtime and len(runtime) > 1 and not names & CONSTRUCTORS:
            wrong.append(f"{node.name}: the class has a constructor, the stub none")
    assert not wrong
