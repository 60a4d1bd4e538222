"""The type stubs of the native module have its names and signatures."""

import ast
import inspect
from pathlib import Path

import liemech
from liemech import _native

STUBS = ast.parse((Path(liemech.__file__).parent / "_native.pyi").read_text(encoding="utf-8"))


def declared(function: ast.FunctionDef) -> list[str] | str:
    decorators = [ast.unparse(decorator) for decorator in function.decorator_list]
    if "property" in decorators:
        return "property"
    assert not (function.args.vararg or function.args.kwarg or function.args.kwonlyargs)
    return [argument.arg for argument in function.args.args if argument.arg not in ("self", "cls")]


def actual(value: object) -> list[str] | str:
    if inspect.isgetsetdescriptor(value):
        return "property"
    return [name for name in inspect.signature(value).parameters if name != "self"]


def members(body: list[ast.stmt]) -> dict[str, list[str] | str]:
    return {function.name: declared(function) for function in body if isinstance(function, ast.FunctionDef)}


def test_stubs_and_module_agree():
    classes = {node.name: members(node.body) for node in STUBS.body if isinstance(node, ast.ClassDef)}
    found = {}
    for name, cls in vars(_native).items():
        if isinstance(cls, type):
            public = {member: value for member, value in vars(cls).items() if not member.startswith("__")}
            found[name] = {member: actual(getattr(cls, member)) for member in public}
            if "__new__" in vars(cls):
                found[name]["__new__"] = actual(cls)
    assert found == classes
    functions = {name: actual(value) for name, value in vars(_native).items() if inspect.isbuiltin(value)}
    assert functions == members(STUBS.body)
