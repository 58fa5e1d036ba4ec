"""Mutants of the functions of a module, made with the operators of mutmut."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators

SOURCES = Path("src/anascore")


class Mutant(NamedTuple):
    """A change to one place in a function."""

    file: str
    """Path below `src/anascore`."""

    function: str
    """Qualified name of the outermost function."""

    lines: range
    """Lines of the statement that is changed."""

    source: str
    """The whole module."""

    text: str
    """The same, changed."""

    diff: str
    """Lines before and after, without indentation."""


def mutants_of(file: str) -> list[Mutant]:
    """Return all mutants of a module, each change once."""
    visitor = _Visitor(file, (SOURCES / file).read_text(encoding="utf-8"))
    MetadataWrapper(cst.parse_module(visitor.source), unsafe_skip_copy=True).visit(visitor)
    return list({mutant.text: mutant for mutant in visitor.mutants}.values())


class _Visitor(cst.CSTVisitor):
    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, file: str, source: str) -> None:
        """Start with no mutants."""
        self.file, self.source = file, source
        self.mutants: list[Mutant] = []
        self._scopes: list[cst.FunctionDef | cst.ClassDef] = []
        self._lines = range(0)

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Add the mutants of a node; return True to go on with its children."""
        if _is_ignored(node):
            return False
        if isinstance(node, cst.FunctionDef | cst.ClassDef):
            self._scopes.append(node)
        functions = [n for n, s in enumerate(self._scopes) if isinstance(s, cst.FunctionDef)]
        if functions:
            if isinstance(node, cst.BaseCompoundStatement | cst.SimpleStatementLine):
                position = self.get_metadata(PositionProvider, node)
                body = getattr(node, "body", None)
                end = (
                    self.get_metadata(PositionProvider, body).start
                    if isinstance(body, cst.BaseSuite)
                    else position.end
                )
                self._lines = range(position.start.line, end.line + 1)
            names = [scope.name.value for scope in self._scopes[: functions[0] + 1]]
            for mutated in _mutations(node):
                self._add(".".join(names), node, mutated)
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        """Leave a function or a class."""
        if isinstance(original_node, cst.FunctionDef | cst.ClassDef):
            self._scopes.pop()

    def _add(self, function: str, node: cst.CSTNode, mutated: cst.CSTNode) -> None:
        position = self.get_metadata(PositionProvider, node)
        lines = self.source.splitlines(keepends=True)
        first, last = position.start.line - 1, position.end.line - 1
        before = "".join(lines[:first]) + lines[first][: position.start.column]
        after = lines[last][position.end.column :] + "".join(lines[last + 1 :])
        text = before + cst.Module([]).code_for_node(mutated).strip() + after
        if text != self.source:
            diff = _diff(self.source, text)
            self.mutants.append(Mutant(self.file, function, self._lines, self.source, text, diff))


def _diff(source: str, text: str) -> str:
    before, after = ([line.strip() for line in t.splitlines()] for t in (source, text))
    while before and after and before[-1] == after[-1]:
        del before[-1], after[-1]
    while before and after and before[0] == after[0]:
        del before[0], after[0]
    return "\n".join([f"- {line}" for line in before] + [f"+ {line}" for line in after])


def _mutations(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    for kind, operator in mutation_operators:
        if isinstance(node, kind):
            yield from (m for m in operator(node) if _strict(m) == _strict(node))


def _strict(node: cst.CSTNode) -> list[cst.CSTNode]:
    """Return the argument `strict` of zip, which is an assertion."""
    arguments = node.args if isinstance(node, cst.Call) else ()
    return [arg.value for arg in arguments if arg.keyword and arg.keyword.value == "strict"]


def _is_ignored(node: cst.CSTNode) -> bool:
    """Return True for types, docstrings, errors and their messages, and assertions."""
    match node:
        case (
            cst.Annotation()
            | cst.Decorator()
            | cst.Parameters()
            | cst.Import()
            | cst.ImportFrom()
            | cst.Raise()
            | cst.Expr(value=cst.BaseString())
            | cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value="message"))])
            | cst.Arg(keyword=cst.Name(value="strict"))
            # As in mutmut: these fail on nearly any other argument.
            | cst.Call(func=cst.Name(value="len" | "isinstance"))
        ):
            return True
    return False
