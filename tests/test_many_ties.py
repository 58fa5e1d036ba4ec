"""The tie rule over very many cells: the same assignments as over a table."""

import random
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anascore import assignment
from anascore.assignment import Cell, components, large, many_ties, ties
from anascore.assignment.many_ties import ManyCells, candidates, first_best_cells
from anascore.assignment.ties import first_best_assignment

Table = dict[Cell, Fraction]


def random_table(rng: random.Random, size: int, filled: float, values: list[Fraction]) -> Table:
    height, width = rng.randint(1, size), rng.randint(1, size)
    cells = [(i, j) for i in range(height) for j in range(width) if rng.random() < filled]
    rng.shuffle(cells)
    return {(3 * i + 1, 2 * j): rng.choice(values) for i, j in cells}


def in_arrays(weights: Table) -> ManyCells:
    values = sorted({*weights.values()})
    return ManyCells(
        np.array([i for i, _ in weights], dtype=np.intp),
        np.array([j for _, j in weights], dtype=np.intp),
        np.array([values.index(value) for value in weights.values()], dtype=np.intp),
        values,
    )


FEW = [Fraction(1)]
SOME = [Fraction(1, 3), Fraction(1, 2), Fraction(1)]
MANY = [Fraction(n, d) for d in range(1, 9) for n in range(1, d + 1)]
HUGE = [Fraction(1, 3**40), Fraction(1, 2**70), Fraction(1)]


@pytest.mark.parametrize("values", [FEW, SOME, MANY, HUGE])
@pytest.mark.parametrize("filled", [0.2, 0.5, 1])
@pytest.mark.parametrize("columns_choose", [False, True])
def test_arrays_and_tables_give_the_same_assignment(
    monkeypatch: pytest.MonkeyPatch,
    values: list[Fraction],
    filled: float,
    columns_choose: bool,  # noqa: FBT001
) -> None:
    monkeypatch.setattr(many_ties, "LISTED", 1)
    if values is not HUGE:
        monkeypatch.setattr(ties, "first_best_assignment", refuse)
    rng = random.Random(1)
    for _ in range(150):
        weights = random_table(rng, 9, filled, values)
        then = {cell: rng.randint(0, 2) for cell in weights if rng.random() < 0.3}
        then |= {(rng.randint(0, 40), rng.randint(0, 40)): 1}

        for second in ({}, then):
            table = first_best_assignment(weights, second, columns_choose=columns_choose)
            arrays = first_best_cells(in_arrays(weights), second, columns_choose=columns_choose)

            assert sorted(table) == sorted(arrays)


@pytest.mark.parametrize("dense", [0, assignment.DENSE])
@pytest.mark.parametrize("values", [FEW, MANY])
def test_candidates_contain_the_first_best_assignment(
    monkeypatch: pytest.MonkeyPatch, dense: int, values: list[Fraction]
) -> None:
    monkeypatch.setattr(many_ties, "SMALL", 8)
    monkeypatch.setattr(many_ties, "DENSE", dense)
    monkeypatch.setattr(many_ties, "FILLED", 2)
    monkeypatch.setattr(large, "candidate_cells" if dense else "candidates_in_matrix", refuse)
    rng = random.Random(2)
    dropped = 0
    for _ in range(100):
        weights = random_table(rng, 8, 0.5, values)
        table = in_arrays(weights)
        approximate = np.array([float(value) for value in weights.values()])

        kept = candidates(table.i, table.j, approximate)

        cells = {*zip(table.i[kept].tolist(), table.j[kept].tolist(), strict=True)}
        assert cells >= {*first_best_assignment(weights)}
        assert len(cells) == len(kept)
        dropped += len(weights) - len(kept)
    assert dropped


def test_sparse_components_are_solved_as_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many_ties, "LISTED", 1)
    monkeypatch.setattr(many_ties, "DENSE", 0)
    monkeypatch.setattr(many_ties, "_integers", refuse)
    weights = {(n, m): Fraction(1) for n in range(30) for m in (n, n + 1)}

    assert first_best_cells(in_arrays(weights)) == [(n, n) for n in range(30)]


def refuse(*_: object) -> None:
    pytest.fail("solved in another way")


@pytest.mark.parametrize(("small", "kept"), [(8, [0, 1, 2, 3]), (7, [0, 3])])
@pytest.mark.parametrize("last", [1, 5])
def test_all_cells_of_small_components_are_candidates(
    monkeypatch: pytest.MonkeyPatch, small: int, kept: list[int], last: int
) -> None:
    """A component of two rows and two columns takes 2 · 2 · 2 steps, whatever their numbers are."""
    monkeypatch.setattr(many_ties, "SMALL", small)
    i, j = np.array([0, 0, last, last]), np.array([0, last, 0, last])
    weights = np.array([2.0, 1.0, 1.0, 2.0])

    assert candidates(i, j, weights).tolist() == kept


@pytest.mark.parametrize("outside", [(0, 2), (2, 0), (0, 3), (5, 5)])
def test_second_weights_outside_of_the_table_are_ignored(outside: Cell) -> None:
    weights = {(i, j): Fraction(1) for i in range(2) for j in range(2)}

    assert first_best_cells(in_arrays(weights), {outside: 1}) == [(0, 0), (1, 1)]
    assert first_best_cells(in_arrays(weights), {(0, 1): 1, outside: 1}) == [(0, 1), (1, 0)]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda i, j: (i, j[::-1]),
        lambda i, j: (i[:0], j[:0]),
        lambda i, j: (i[:1], j[:1]),
    ],
)
def test_an_assignment_without_proof_is_solved_as_a_table(
    monkeypatch: pytest.MonkeyPatch, wrong: Callable[..., object]
) -> None:
    monkeypatch.setattr(many_ties, "LISTED", 1)
    solve = large.solve_matrix
    monkeypatch.setattr(large, "solve_matrix", lambda weights: wrong(*solve(weights)))
    weights = {(i, j): Fraction(2 if i == j else 1) for i in range(3) for j in range(3)}

    assert sorted(first_best_cells(in_arrays(weights))) == [(n, n) for n in range(3)]


def test_an_assignment_to_the_wrong_row_is_solved_as_a_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(many_ties, "LISTED", 1)
    monkeypatch.setattr(large, "solve_matrix", lambda _: (np.array([1]), np.array([0])))

    assert first_best_cells(in_arrays({(0, 0): Fraction(2), (1, 0): Fraction(1)})) == [(0, 0)]


SHORT = {(0, 1): 1, (0, 2): 2, (1, 0): 1, (1, 2): 2, (2, 2): 1}
LONG = {(0, 1): 2, (0, 2): 2, (1, 0): 2, (1, 2): 2, (2, 3): 1, (2, 4): 2, (3, 5): 1, (3, 6): 2}
LONG |= {(4, 0): 2, (4, 4): 2, (5, 4): 1, (5, 6): 1, (6, 1): 1}


@pytest.mark.parametrize(
    ("weights", "start"),
    [
        (SHORT, [(0, 2), (1, 0)]),
        (SHORT, [(0, 1), (1, 2)]),
        (SHORT, [(0, 1), (1, 0), (2, 2)]),
        (LONG, [(0, 1), (1, 2), (2, 4), (3, 6), (4, 0)]),
        (LONG, [(0, 2), (1, 0), (2, 3), (3, 6), (4, 4), (6, 1)]),
    ],
)
def test_the_first_assignment_is_found_from_any_best_one(
    monkeypatch: pytest.MonkeyPatch, weights: dict[Cell, int], start: list[Cell]
) -> None:
    monkeypatch.setattr(many_ties, "LISTED", 1)
    monkeypatch.setattr(large, "solve_matrix", lambda _: np.array(start).T)
    table = {cell: Fraction(value) for cell, value in weights.items()}

    found = first_best_cells(in_arrays(table))

    assert sorted(found) == sorted(first_best_assignment(table))


def test_second_weights_of_any_size_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many_ties, "LISTED", 1)
    weights = {(i, j): Fraction(1) for i in range(2) for j in range(2)}
    then = dict.fromkeys(weights, 2**60) | {(0, 1): 2**60 + 1}

    assert sorted(first_best_cells(in_arrays(weights), then)) == [(0, 1), (1, 0)]


def test_very_many_ties_are_decided_by_order() -> None:
    size = 300
    rng = random.Random(3)
    cells = [(i, j) for i in range(size) for j in range(size + 5)]
    rng.shuffle(cells)
    weights = dict.fromkeys(cells, Fraction(1, 3))

    assert first_best_cells(in_arrays(weights)) == [(n, n) for n in range(size)]
    assert first_best_cells(in_arrays(weights), {(0, 7): 1})[0] == (0, 7)


@pytest.mark.parametrize("numbers", [[3, 1, 1, 0], [5000, 7, 7, 6000], [900], [0]])
def test_numbers_are_numbered_alike_whether_they_are_close_or_not(numbers: list[int]) -> None:
    distinct, positions = many_ties._numbered(np.array(numbers, dtype=np.int32))

    assert distinct.tolist() == sorted({*numbers})
    assert positions.dtype == np.int32
    assert distinct[positions].tolist() == numbers


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), unique=True))
def test_components_are_in_the_order_of_their_first_rows(cells: list[Cell]) -> None:
    found = list(components(cells))

    assert sorted(cell for part in found for cell in part) == sorted(cells)
    firsts = [cells.index(part[0]) for part in found]
    assert firsts == sorted(firsts)
    for part in found:
        rows, columns = ({*numbers} for numbers in zip(*part, strict=True))
        others = [cell for other in found if other is not part for cell in other]
        assert not any(i in rows or j in columns for i, j in others)
