"""The one-to-one assignment with the largest sum of weights."""

import random
from fractions import Fraction
from typing import Any

import pytest

from anascore import assignment
from anascore.assignment import (
    Cell,
    Solution,
    align,
    best_assignment,
    components,
    first_best_assignment,
    solve,
    take_dominant,
    transposed,
)

Weights = dict[Cell, int]


def random_table(rng: random.Random) -> Weights:
    height, width = rng.randint(1, 5), rng.randint(1, 5)
    cells = [(i, j) for i in range(height) for j in range(width) if rng.random() < 0.6]
    return {cell: rng.randint(1, 6) for cell in cells or [(0, 0)]}


def all_assignments(cells: list[Cell]) -> list[frozenset[Cell]]:
    """Return every assignment."""
    if not cells:
        return [frozenset()]
    (i, j), *rest = cells
    free = [cell for cell in rest if cell[0] != i and cell[1] != j]
    return [*all_assignments(rest), *(found | {(i, j)} for found in all_assignments(free))]


def weight(weights: Weights, cells: frozenset[Cell] | list[Cell]) -> int:
    return sum(weights[cell] for cell in cells)


@pytest.mark.parametrize(("small", "dense"), [(assignment.SMALL, 0), (0, assignment.DENSE), (0, 0)])
def test_no_assignment_is_better(monkeypatch: pytest.MonkeyPatch, small: int, dense: int) -> None:
    monkeypatch.setattr(assignment, "SMALL", small)
    monkeypatch.setattr(assignment, "DENSE", dense)
    rng = random.Random(1)
    for _ in range(300):
        weights = random_table(rng)

        found = best_assignment(weights)

        assert len(found) == len({i for i, _ in found}) == len({j for _, j in found})
        best = max(weight(weights, cells) for cells in all_assignments(list(weights)))
        assert weight(weights, found) == best


def test_dominant_cells_leave_the_best_sum_as_it_is() -> None:
    rng = random.Random(3)
    for _ in range(300):
        weights = random_table(rng)
        best = max(weight(weights, cells) for cells in all_assignments(list(weights)))

        chosen, rest = take_dominant(weights)

        others = max(weight(weights, cells) for cells in all_assignments(list(rest)))
        assert weight(weights, chosen) + others == best


def test_cells_that_become_dominant_are_chosen_too() -> None:
    weights = {(0, 1): 3, (0, 2): 2, (1, 0): 2, (1, 2): 3, (2, 2): 3, (3, 0): 1, (3, 1): 2}

    others = {(n, n): 1 for n in range(4, 9)}

    chosen, rest = take_dominant(weights | others)

    assert (sorted(chosen), rest) == ([(0, 1), (1, 0), (2, 2), *others], {})


TABLE = {(0, 0): 5, (0, 1): 4, (0, 2): 3, (1, 0): 4, (1, 1): 5, (1, 2): 3}
"""A table of 2 rows and 3 columns, so that it takes 2² · 3 = 12 steps. No cell is dominant."""


@pytest.mark.parametrize(("small", "by_scipy"), [(12, 0), (11, 1)])
def test_steps_decide_whether_scipy_solves(
    monkeypatch: pytest.MonkeyPatch, small: int, by_scipy: int
) -> None:
    tables: list[Weights] = []
    monkeypatch.setattr(assignment, "SMALL", small)
    monkeypatch.setattr(assignment, "_solve_with_scipy", lambda w: [*filter(tables.append, [w])])

    best_assignment(TABLE)

    assert tables == [TABLE] * by_scipy


@pytest.mark.parametrize("columns_choose", [False, True])
def test_the_first_of_the_best_has_the_earliest_partners(
    columns_choose: bool,  # noqa: FBT001
) -> None:
    rng = random.Random(6)
    chooser = int(columns_choose)
    for _ in range(300):
        weights, then = random_table(rng), random_table(rng)

        def rank(cells: frozenset[Cell], weights: Weights = weights, then: Weights = then) -> Any:
            partners = {cell[chooser]: -cell[1 - chooser] for cell in cells}
            second = sum(then.get(cell, 0) for cell in cells)
            return weight(weights, cells), second, [partners.get(n, -9) for n in range(5)]

        best = max(all_assignments(list(weights)), key=rank)
        found = first_best_assignment(
            {cell: Fraction(value, 3) for cell, value in weights.items()},
            then,
            columns_choose=columns_choose,
        )

        assert best == set(found)


@pytest.mark.parametrize(
    ("response_first", "aligned"), [(False, {(0, 1), (1, 2)}), (True, {(0, 2), (1, 0)})]
)
def test_the_side_that_comes_first_chooses(
    response_first: bool,  # noqa: FBT001
    aligned: set[Cell],
) -> None:
    half, one = Fraction(1, 2), Fraction(1)
    f1 = {(0, 0): Fraction(0), (0, 1): half, (0, 2): one, (1, 0): half, (1, 2): one}

    assert set(align(f1, {}, response_first=response_first)) == aligned


def test_the_second_weight_decides_between_equal_first_weights_only() -> None:
    weights = {(0, 0): Fraction(2, 3), (0, 1): Fraction(1, 2), (0, 2): Fraction(2, 3)}

    assert first_best_assignment(weights, then={(0, 1): 99, (0, 2): 1}) == [(0, 2)]


def test_fractions_are_told_apart_exactly() -> None:
    third = Fraction(1, 3)

    assert first_best_assignment({(0, 0): third, (0, 1): third + Fraction(1, 7**40)}) == [(0, 1)]


def test_weights_of_any_size_are_told_apart_exactly() -> None:
    huge = 10**400
    weights = {(0, 0): huge, (0, 1): huge + 1, (1, 0): huge, (1, 1): huge}

    assert {(0, 1), (1, 0)} == set(solve(weights).cells)


def test_second_weights_of_any_size_are_told_apart() -> None:
    weights = {(i, j): Fraction(1) for i in range(2) for j in range(2)}
    then = dict.fromkeys(weights, 2**60) | {(0, 1): 2**60 + 1}

    assert sorted(first_best_assignment(weights, then)) == [(0, 1), (1, 0)]


def test_many_ties_are_decided_by_order() -> None:
    size = 30
    rng = random.Random(3)
    cells = [(i, j) for i in range(size) for j in range(size + 5)]
    rng.shuffle(cells)
    weights = dict.fromkeys(cells, Fraction(1, 3))

    assert sorted(first_best_assignment(weights)) == [(n, n) for n in range(size)]
    assert min(first_best_assignment(weights, {(0, 7): 1})) == (0, 7)


def test_dual_variables_prove_that_an_assignment_is_best() -> None:
    rng = random.Random(7)
    for _ in range(300):
        # Differences are too small for floating-point numbers.
        weights = {cell: 2**80 + 3 * value for cell, value in random_table(rng).items()}
        everything = all_assignments(list(weights))

        solution = solve(weights)

        assert_proof(weights, solution)
        best = max(weight(weights, cells) for cells in everything)
        assert weight(weights, solution.cells) == best


def assert_proof(weights: Weights, solution: Solution[int]) -> None:
    """Check the conditions that `Solution` names."""
    assert min([*solution.rows.values(), *solution.columns.values()]) >= 0
    for (i, j), value in weights.items():
        slack = solution.rows[i] + solution.columns[j] - value
        assert slack == 0 if (i, j) in solution.cells else slack >= 0
    rows, columns = ({cell[side] for cell in solution.cells} for side in (0, 1))
    assert all(i in rows for i, dual in solution.rows.items() if dual)
    assert all(j in columns for j, dual in solution.columns.items() if dual)


def test_components_share_no_row_and_no_column() -> None:
    cells = [(0, 0), (1, 1), (2, 0), (2, 3), (4, 1), (5, 5)]

    groups = [sorted(group) for group in components(cells)]

    assert groups == [[(0, 0), (2, 0), (2, 3)], [(1, 1), (4, 1)], [(5, 5)]]


def test_a_transposed_table_has_rows_for_columns() -> None:
    assert transposed({(0, 1): "a", (2, 0): "b"}) == {(1, 0): "a", (0, 2): "b"}


def test_nothing_is_assigned_in_an_empty_table() -> None:
    assert best_assignment({}) == []


@pytest.mark.parametrize("dense", [assignment.DENSE, 0])
def test_a_large_component_is_solved_as_a_small_one(
    monkeypatch: pytest.MonkeyPatch, dense: int
) -> None:
    rng = random.Random(5)
    weights = {(row, rng.randrange(90)): rng.randint(1, 4) for row in range(90) for _ in range(4)}
    best = sum(weights[cell] for cell in solve(weights).cells)
    monkeypatch.setattr(assignment, "DENSE", dense)

    found = best_assignment(weights)

    assert sum(weights[cell] for cell in found) == best
