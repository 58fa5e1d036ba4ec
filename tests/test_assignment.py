"""The one-to-one assignment with the largest sum of weights."""

import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from anascore import assignment
from anascore.assignment import (
    Cell,
    Solution,
    best_assignment,
    candidate_cells,
    components,
    implicit,
    large,
    prove_best,
    scaling,
    solve,
    solve_exactly,
    solve_with_duals,
    take_dominant,
    transposed,
)
from anascore.assignment.paths import solve_by_paths
from anascore.assignment.ties import align, first_best_assignment

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


def solve_many(weights: Mapping[Cell, int]) -> list[Cell]:
    """Solve a table by scaling, however small it is."""
    solved = large.solve_many(weights)
    assert solved is not None
    return solved


@pytest.mark.parametrize(
    "method",
    [
        best_assignment,
        solve,
        large.solve_dense,
        large.solve_sparse,
        solve_many,
    ],
)
def test_no_assignment_is_better(method: Callable[[Mapping[Cell, int]], list[Cell]]) -> None:
    rng = random.Random(1)
    for _ in range(300):
        weights = random_table(rng)

        found = method(weights)

        assert len(found) == len({i for i, _ in found}) == len({j for _, j in found})
        best = max(weight(weights, cells) for cells in all_assignments(list(weights)))
        assert weight(weights, found) == best


@pytest.mark.parametrize(("sparse", "dense"), [(0, 0), (0, 100), (100, 0)])
def test_large_components_are_solved_along_their_cells_or_by_scipy(
    monkeypatch: pytest.MonkeyPatch, sparse: int, dense: int
) -> None:
    monkeypatch.setattr(assignment, "SMALL", 0)
    monkeypatch.setattr(assignment, "SPARSE", sparse)
    monkeypatch.setattr(assignment, "DENSE", dense)
    rng = random.Random(2)
    for _ in range(300):
        weights = random_table(rng)

        found = best_assignment(weights)

        best = max(weight(weights, cells) for cells in all_assignments(list(weights)))
        assert weight(weights, found) == best


def test_dominant_cells_leave_the_best_sum_as_it_is() -> None:
    rng = random.Random(3)
    for _ in range(300):
        weights = random_table(rng)
        best = max(weight(weights, cells) for cells in all_assignments(list(weights)))

        chosen, rest = take_dominant(weights)

        others = max(weight(weights, cells) for cells in all_assignments(rest))
        assert weight(weights, chosen) + others == best


def test_no_cell_that_remains_is_dominant() -> None:
    rng = random.Random(3)
    for _ in range(300):
        weights = random_table(rng)

        chosen, rest = take_dominant(weights)

        assert {*chosen}.isdisjoint(rest)
        for i, j in rest:
            in_row = max((weights[c] for c in rest if c[0] == i and c[1] != j), default=0)
            in_column = max((weights[c] for c in rest if c[1] == j and c[0] != i), default=0)
            assert weights[i, j] < in_row + in_column


def test_cells_that_become_dominant_are_chosen_too() -> None:
    weights = {(0, 1): 3, (0, 2): 2, (1, 0): 2, (1, 2): 3, (2, 2): 3, (3, 0): 1, (3, 1): 2}

    chosen, rest = take_dominant(weights)

    assert (sorted(chosen), rest) == ([(0, 1), (1, 0), (2, 2)], [])


TABLE = {(0, 0): 5, (0, 1): 4, (0, 2): 3, (1, 0): 4, (1, 1): 5, (1, 2): 3}
"""A table of 2 rows and 3 columns: 2² · 3 = 12 steps, 6 cells, 2 · 6 = 12. None is dominant."""


@pytest.mark.parametrize(
    ("small", "sparse", "by_scipy"), [(12, 11, 0), (11, 11, 1), (12, 0, 0), (11, 12, 0)]
)
@pytest.mark.parametrize("method", [best_assignment, candidate_cells, solve_exactly])
def test_steps_decide_whether_scipy_solves(
    monkeypatch: pytest.MonkeyPatch,
    method: Callable[[Weights], object],
    small: int,
    sparse: int,
    by_scipy: int,
) -> None:
    solved = []

    def solve_by_scipy(weights: Weights) -> list[Cell]:
        solved.append(weights)
        return large.solve_dense(weights)

    monkeypatch.setattr(assignment, "SMALL", small)
    monkeypatch.setattr(assignment, "SPARSE", sparse)
    monkeypatch.setattr(assignment, "_solve_large", solve_by_scipy)

    method(TABLE)

    assert len(solved) == by_scipy


@pytest.mark.parametrize(("dense", "method"), [(6, "solve_dense"), (5, "solve_sparse")])
def test_cells_decide_about_the_matrix(
    monkeypatch: pytest.MonkeyPatch, dense: int, method: str
) -> None:
    solved = []

    def recorded(name: str, solve_table: Callable[[Weights], list[Cell]]) -> None:
        def solve_and_record(weights: Weights) -> list[Cell]:
            solved.append(name)
            return solve_table(weights)

        monkeypatch.setattr(large, name, solve_and_record)

    monkeypatch.setattr(assignment, "SMALL", 0)
    monkeypatch.setattr(assignment, "SPARSE", 0)
    monkeypatch.setattr(assignment, "DENSE", dense)
    recorded("solve_dense", large.solve_dense)
    recorded("solve_sparse", large.solve_sparse)

    best_assignment(TABLE)

    assert solved == [method]


def test_what_scipy_solves_and_duals_prove_is_not_solved_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = solve_exactly(TABLE)
    monkeypatch.setattr(assignment, "SMALL", 0)
    monkeypatch.setattr(assignment, "SPARSE", 0)
    monkeypatch.delattr(assignment, "solve_with_duals")

    solution = solve_exactly({cell: 10**400 * value for cell, value in TABLE.items()})

    assert sorted(solution.cells) == sorted(expected.cells) == [(0, 0), (1, 1)]


@pytest.mark.parametrize(("sparse", "dense"), [(0, 0), (0, 100), (100, 0)])
@pytest.mark.parametrize("unit", [Fraction(1), Fraction(10**9, 7), Fraction(1, 7 * 10**9)])
def test_candidate_cells_contain_every_best_assignment(
    monkeypatch: pytest.MonkeyPatch, sparse: int, dense: int, unit: Fraction
) -> None:
    monkeypatch.setattr(assignment, "SMALL", 0)
    monkeypatch.setattr(assignment, "SPARSE", sparse)
    monkeypatch.setattr(assignment, "DENSE", dense)
    rng = random.Random(4)
    dropped = 0
    for _ in range(300):
        weights = random_table(rng)

        found = candidate_cells({cell: float(unit * value) for cell, value in weights.items()})

        everything = all_assignments(list(weights))
        best = max(weight(weights, cells) for cells in everything)
        for cells in everything:
            if weight(weights, cells) == best:
                assert cells <= set(found)
        dropped += len(weights) - len(found)
    assert dropped > 0


@pytest.mark.parametrize("chunk", [1, 12, 500_000])
def test_candidates_in_a_matrix_are_those_in_a_sparse_table(
    monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    monkeypatch.setattr(large, "CHUNK", chunk)
    rng = random.Random(8)
    for _ in range(100):
        weights = random_table(rng)
        matrix = np.zeros((5, 5))
        for cell, value in weights.items():
            matrix[cell] = value

        i, j = large.candidates_in_matrix(matrix)

        expected = large.candidate_cells(weights, large.solve_dense(weights))
        assert list(zip(i.tolist(), j.tolist(), strict=True)) == sorted(expected)


@pytest.mark.parametrize("sparse", [0, 100])
@pytest.mark.parametrize(
    ("weights", "dropped"),
    [
        ({(0, 0): 1.0, (0, 1): 9.0, (1, 1): 1.0}, (0, 0)),
        ({(0, 0): 9.0, (1, 0): 5.0, (2, 0): 1.0}, (2, 0)),
    ],
)
def test_all_cells_of_a_small_table_are_candidates(
    monkeypatch: pytest.MonkeyPatch, sparse: int, weights: dict[Cell, float], dropped: Cell
) -> None:
    assert list(weights) == candidate_cells(weights)
    monkeypatch.setattr(assignment, "SMALL", 0)
    monkeypatch.setattr(assignment, "SPARSE", sparse)
    assert dropped not in candidate_cells(weights)


@pytest.mark.parametrize(("small", "sparse"), [(0, 0), (0, 100), (assignment.SMALL, 0)])
@pytest.mark.parametrize("columns_choose", [False, True])
def test_the_first_of_the_best_has_the_earliest_partners(
    monkeypatch: pytest.MonkeyPatch,
    small: int,
    sparse: int,
    columns_choose: bool,  # noqa: FBT001
) -> None:
    monkeypatch.setattr(assignment, "SMALL", small)
    monkeypatch.setattr(assignment, "SPARSE", sparse)
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

    assert {(0, 1), (1, 0)} == set(solve(weights))


@pytest.mark.parametrize("method", [solve_with_duals, solve_by_paths])
def test_dual_variables_prove_that_an_assignment_is_best(
    method: Callable[[Mapping[Cell, int]], Solution[int]],
) -> None:
    rng = random.Random(7)
    for _ in range(300):
        weights = random_table(rng)

        cells, rows, columns = method(weights)

        assert len(cells) == len({i for i, _ in cells}) == len({j for _, j in cells})

        assert all(w <= rows[i] + columns[j] for (i, j), w in weights.items())
        assert all(weights[i, j] == rows[i] + columns[j] for i, j in cells)
        assert min([*rows.values(), *columns.values()]) >= 0
        unmatched = [dual for i, dual in rows.items() if i not in {i for i, _ in cells}]
        unmatched += [dual for j, dual in columns.items() if j not in {j for _, j in cells}]
        assert not any(unmatched)


def test_components_share_no_row_and_no_column() -> None:
    cells = [(0, 0), (1, 1), (2, 0), (2, 3), (4, 1), (5, 5)]

    groups = [sorted(group) for group in components(cells)]

    assert groups == [[(0, 0), (2, 0), (2, 3)], [(1, 1), (4, 1)], [(5, 5)]]


def test_a_transposed_table_has_rows_for_columns() -> None:
    assert transposed({(0, 1): "a", (2, 0): "b"}) == {(1, 0): "a", (0, 2): "b"}


def test_nothing_is_assigned_in_an_empty_table() -> None:
    assert best_assignment({}) == []


def test_large_sparse_tables_are_solved_like_dense_ones() -> None:
    rng = random.Random(5)
    weights = {
        (row, rng.randrange(200)): float(rng.randint(1, 4)) for row in range(200) for _ in range(4)
    }

    dense = sum(weights[cell] for cell in large.solve_dense(weights))

    for sparse in (large.solve_sparse(weights), solve_by_paths(weights).cells):
        assert sum(weights[cell] for cell in sparse) == dense
        assert len(sparse) == len({i for i, _ in sparse}) == len({j for _, j in sparse})


@pytest.mark.parametrize("heaviest", [1, 3, 1_000_000])
def test_scaling_solves_tables_like_dense_matrices(heaviest: int) -> None:
    rng = random.Random(heaviest)
    for rows, columns in ((300, 200), (200, 300), (250, 250), (900, 800)):
        weights = {
            (rng.randrange(rows), rng.randrange(columns)): rng.randint(1, heaviest)
            for _ in range(1_000)
        }

        scaled, dense = solve_many(weights), large.solve_dense(weights)

        assert weight(weights, scaled) == weight(weights, dense)
        assert len(scaled) == len({i for i, _ in scaled}) == len({j for _, j in scaled})


LAST = 2**-57
"""The last bit that scaling tells apart, where the heaviest weight is 1."""


@pytest.mark.parametrize(
    ("weights", "best"),
    [
        ({(0, 0): 0.1, (0, 1): 0.1 + 2**-56, (1, 0): 0.1, (1, 1): 0.1}, [(0, 1), (1, 0)]),
        ({(0, 0): 2**-9, (1, 0): 2**-9 - LAST, (9, 9): 1}, [(0, 0), (9, 9)]),
        ({(0, 0): 2**-9, (1, 0): 2**-9 + LAST, (9, 9): 1}, [(1, 0), (9, 9)]),
        (
            {(0, 0): 2**-9 - LAST, (0, 1): 2**-10 - LAST, (1, 0): 2**-10 + LAST, (9, 9): 1},
            [(0, 1), (1, 0), (9, 9)],
        ),
    ],
)
def test_scaling_decides_between_weights_that_differ_in_the_last_bit(
    weights: dict[Cell, float], best: list[Cell]
) -> None:
    assert sorted(large.solve_many(weights) or []) == best


def test_scaling_solves_integers_of_any_size() -> None:
    weights = {cell: 2**70 * value for cell, value in TABLE.items()}

    assert sorted(solve_many(weights)) == [(0, 0), (1, 1)]


def test_scaling_marks_the_cells_of_a_best_assignment() -> None:
    rows, columns = np.array(list(TABLE)).T
    weights = np.array([*TABLE.values()], dtype=float)

    chosen = scaling.solve_by_scaling(rows, columns, weights, (2, 3))

    assert chosen is not None
    assert weights[chosen].tolist() == [5, 5]


def test_a_search_of_too_many_rounds_is_left_to_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    # A chain, whose end each row learns of from the next.
    chain = {(n, m): 10 - m + n for n in range(200) for m in (n, n + 1)} | {(200, 0): 12}
    expected = weight(chain, large.solve_dense(chain))
    monkeypatch.setattr(assignment, "MANY", 1)
    monkeypatch.setattr(assignment, "SMALL", 0)
    monkeypatch.setattr(assignment, "SPARSE", 0)
    monkeypatch.setattr(scaling.Budget, "spend", spend_nothing)

    assert large.solve_many(chain) is None
    assert weight(chain, best_assignment(chain)) == expected


def spend_nothing(_: scaling.Budget) -> None:
    raise scaling.TooManyRounds


def test_rounds_are_limited() -> None:
    budget = scaling.Budget(1)
    budget.spend()

    with pytest.raises(scaling.TooManyRounds):
        budget.spend()


@pytest.mark.parametrize("passes", [1, 20])
@pytest.mark.parametrize("very_many", [1, 200_000])
def test_very_many_cells_are_decided_in_arrays(
    monkeypatch: pytest.MonkeyPatch, passes: int, very_many: int
) -> None:
    monkeypatch.setattr(assignment, "MANY", 1)
    monkeypatch.setattr(assignment, "VERY_MANY", very_many)
    monkeypatch.setattr(large, "PASSES", passes)
    rng = random.Random(passes)
    for _ in range(300):
        weights = random_table(rng)

        found = best_assignment(weights)

        assert len(found) == len({i for i, _ in found}) == len({j for _, j in found})
        best = max(weight(weights, cells) for cells in all_assignments(list(weights)))
        assert weight(weights, found) == best


def test_dominant_cells_are_the_same_in_arrays() -> None:
    rng = random.Random(2)
    for _ in range(300):
        weights = random_table(rng)
        expected, rest = take_dominant(weights)

        found, remaining, is_final = large.take_dominant(weights)

        assert is_final
        assert weight(weights, found) == weight(weights, expected)
        assert (not remaining) == (not rest)


def test_dual_variables_prove_best_assignments_and_no_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(assignment, "SMALL", 0)
    monkeypatch.setattr(assignment, "SPARSE", 0)
    rng = random.Random(11)
    refused = 0
    for _ in range(200):
        # Differences are too small for floating-point numbers.
        weights = {cell: 2**80 + 3 * value for cell, value in random_table(rng).items()}
        everything = all_assignments(list(weights))
        best = max(weight(weights, cells) for cells in everything)

        for cells in everything:
            solution = prove_best(weights, cells)

            assert (solution is not None) == (weight(weights, cells) == best)
            if solution is None:
                refused += 1
                continue
            assert_proof(weights, solution)
        assert_proof(weights, solve_exactly(weights))
    assert refused


def assert_proof(weights: Weights, solution: Solution[int]) -> None:
    """Check the conditions that `Solution` names."""
    assert min([*solution.rows.values(), *solution.columns.values()]) >= 0
    for (i, j), value in weights.items():
        slack = solution.rows[i] + solution.columns[j] - value
        assert slack == 0 if (i, j) in solution.cells else slack >= 0
    rows, columns = ({cell[side] for cell in solution.cells} for side in (0, 1))
    assert all(i in rows for i, dual in solution.rows.items() if dual)
    assert all(j in columns for j, dual in solution.columns.items() if dual)


def test_duals_of_columns_are_as_low_as_possible() -> None:
    rows, columns = np.array([0, 0, 1]), np.array([1, 2, 1])
    cells = implicit.Cells(rows, columns, np.array([5.0, 4.0, 3.0]))
    chosen = np.array([False, True, True])

    row_duals, column_duals = implicit._least_duals(cells, chosen, 2, 3)

    assert (row_duals.tolist(), column_duals.tolist()) == ([4, 2], [0, 1, 0])
