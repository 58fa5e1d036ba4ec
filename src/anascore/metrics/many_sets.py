"""Pairs of accommodated sets in documents that have very many of them. Slow to import.

Sets that share an element make as many pairs as there are key sets times response sets. Here no
pair is counted by itself. The numerators of all metrics are sums over the connected components of
the overlap of elements, so the numerators of all pairs are a product of matrices. It is computed in
floating-point numbers, which is enough to find the pairs that can be in a best alignment. Only
these are counted exactly, in integers over a common denominator.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import lcm
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components

from anascore.assignment import Cell, components, transposed
from anascore.assignment.large import Indices, candidates_in_matrix
from anascore.assignment.many_ties import ManyCells, first_best_cells
from anascore.assignment.ties import align
from anascore.metrics.compare import Component, mean_f1, similarity
from anascore.metrics.overlap import Overlap, PairsOfSets
from anascore.model.document import RelationName
from anascore.model.ratio import Number, Ratio, RatioPair
from anascore.prepare.side import Side

Floats: TypeAlias = NDArray[np.float64]
Elements: TypeAlias = Mapping[int, Collection[int]]
"""Elements of each set, by the positions of entities."""

SMALL = 1_000
"""Maximum number of pairs in a group of sets whose pairs are counted one by one."""

DENSE = 50
"""Maximum size of a table of pairs, as a multiple of the elements that pairs share."""

EXACT_BITS = 52
"""Indices of so many bits are exact in floating-point numbers."""

CHUNK = 4_000_000
"""Maximum number of values that are expanded at once."""

LISTED = 0.1
"""Share of all pairs up to which some pairs are counted one by one."""

NEAR = 1e-9
"""Difference of approximate values, relative to the larger one, that may be a tie."""

SPARSE = 0.01
"""Share of the steps of a dense matrix product up to which a sparse one is faster."""


class ManySets(Mapping[Cell, tuple[Overlap, Overlap]]):
    """Pairs of sets that share a mention of an element, each made when it is asked for."""

    def __init__(
        self,
        key: Side,
        response: Side,
        sets: tuple[Mapping[int, Overlap], Mapping[int, Overlap]],
        shared: Mapping[Cell, int],
    ) -> None:
        """Store the sizes of the elements of sets, and the mentions that elements share."""
        self.sets = sets
        self._key: Elements = {i: key.entities[i].elements for i in sets[0]}
        self._response: Elements = {j: response.entities[j].elements for j in sets[1]}
        self._key_relation = {i: key.entities[i].relation for i in sets[0]}
        self._response_relation = {j: response.entities[j].relation for j in sets[1]}
        self._shared = shared

    def __getitem__(self, cell: Cell) -> tuple[Overlap, Overlap]:
        """Return the overlap of the elements of two sets, from both sides."""
        i, j = cell
        position = {element: number for number, element in enumerate(self._response[j])}
        common = {
            (number, position[b]): n
            for number, a in enumerate(self._key[i])
            for b, n in self._partners.get(a, ())
            if b in position
        }
        if not common or self._key_relation[i] != self._response_relation[j]:
            raise KeyError(cell)
        k, r = self.sets[0][i], self.sets[1][j]
        return (
            Overlap(k.own, k.importance, r.own, common),
            Overlap(r.own, r.importance, k.own, transposed(common)),
        )

    @cached_property
    def _partners(self) -> dict[int, list[tuple[int, int]]]:
        """Response elements that share mentions with each key element, and how many."""
        partners: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for (a, b), n in self._shared.items():
            partners[a].append((b, n))
        return dict(partners)

    def __iter__(self) -> Iterator[Cell]:
        """Yield the pairs in order."""
        owners = _owners(self._response)
        for i, elements in self._key.items():
            partners = {b for a in elements for b, _ in self._partners.get(a, ())}
            for j in sorted({j for b in partners for j in owners.get(b, ())}):
                if self._key_relation[i] == self._response_relation[j]:
                    yield i, j

    def __len__(self) -> int:
        """Count the pairs."""
        return sum(1 for _ in self)

    def align(
        self, rows: Sequence[Component], shared: Mapping[Cell, int], *, response_first: bool
    ) -> dict[Cell, list[RatioPair]]:
        """Align sets as `align_sets` does; return the counts of aligned pairs."""
        by_set: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for (i, j), n in shared.items():
            if i in self._key and j in self._response:
                by_set[i].append((j, n))
        aligned: dict[Cell, list[RatioPair]] = {}
        for group in self._groups:
            then = {(i, j): n for i in group.key for j, n in by_set.get(i, ())}
            if group.is_dense:
                aligned |= group.align(rows, self, then, response_first=response_first)
                continue
            counted = self._count(rows, group)
            f1 = {cell: similarity(mean_f1(one), self, cell) for cell, one in counted.items()}
            cells = align(f1, then, response_first=response_first)
            aligned |= {cell: counted[cell] for cell in cells}
        return aligned

    def _count(self, rows: Sequence[Component], group: _Group) -> dict[Cell, list[RatioPair]]:
        return {(i, j): [row.count_pair(*self[i, j]) for row in rows] for i, j in group.pairs()}

    def next_best(
        self, rows: Sequence[Component], partners: Mapping[int, int]
    ) -> dict[int, tuple[int, Fraction]]:
        """Return the set most similar to each key set, except its partner; the first of several."""
        following: dict[int, tuple[int, Fraction]] = {}
        for group in self._groups:
            if group.is_dense:
                following |= group.next_best(rows, self, partners)
                continue
            for (i, j), counted in self._count(rows, group).items():
                value = similarity(mean_f1(counted), self, (i, j))
                least = following[i][1] if i in following else 0
                if value > least and partners.get(i) != j:
                    following[i] = j, value
        return following

    @cached_property
    def _groups(self) -> list[_Group]:
        """Groups of sets of one relation, connected by what they share."""
        groups: list[_Group] = []
        for relation in sorted({*self._key_relation.values()}):
            key = _with_relation(relation, self._key, self._key_relation)
            response = _with_relation(relation, self._response, self._response_relation)
            groups += _connected(key, response, self._shared, self.sets)
        return groups


def _with_relation(
    relation: RelationName, elements: Elements, relations: Mapping[int, RelationName]
) -> Elements:
    return {n: own for n, own in elements.items() if relations[n] == relation}


def _owners(elements: Elements) -> dict[int, list[int]]:
    """Return the sets that have each element."""
    owners: dict[int, list[int]] = defaultdict(list)
    for number, own in elements.items():
        for element in own:
            owners[element].append(number)
    return dict(owners)


def _connected(
    key: Elements,
    response: Elements,
    shared: Mapping[Cell, int],
    sets: tuple[Mapping[int, Overlap], Mapping[int, Overlap]],
) -> Iterator[_Group]:
    """Yield the groups of sets that are connected by elements that share mentions."""
    in_key, in_response = ({*chain.from_iterable(side.values())} for side in (key, response))
    cells = {(a, b): n for (a, b), n in shared.items() if a in in_key and b in in_response}
    labels = _labels(key, response, cells)
    parts: dict[int, _Group] = {}
    for (a, b), n in cells.items():
        label = labels.key[a]
        if label not in parts:
            parts[label] = _Group({}, {}, {}, sets)
        parts[label].shared[a, b] = n
    for own, label_of, side in ((key, labels.key, 0), (response, labels.response, 1)):
        for number, elements in own.items():
            group = parts.get(label_of[next(iter(elements))])
            if group:
                (group.response if side else group.key)[number] = elements
    yield from parts.values()


class _Labels(NamedTuple):
    """Number of the connected group of each element."""

    key: dict[int, int]
    response: dict[int, int]


def _labels(key: Elements, response: Elements, cells: Mapping[Cell, int]) -> _Labels:
    """Find connected elements: those of one set, and those that share mentions."""
    key_nodes = {e: n for n, e in enumerate(dict.fromkeys(chain.from_iterable(key.values())))}
    response_nodes = {
        e: len(key_nodes) + n
        for n, e in enumerate(dict.fromkeys(chain.from_iterable(response.values())))
    }
    size = len(key_nodes) + len(response_nodes)
    edges = [(key_nodes[a], response_nodes[b]) for a, b in cells]
    starts = [np.array(edges, dtype=np.int64).reshape(-1, 2)]
    for own, nodes in ((key, key_nodes), (response, response_nodes)):
        for elements in own.values():
            members = np.array([nodes[e] for e in elements])
            starts.append(np.stack([np.full(len(members), members[0]), members], axis=1))
    # SciPy connects nodes with indices of 32 bits, and older versions do not convert others.
    links = np.concatenate(starts).astype(np.int32)
    graph = coo_array(
        (np.ones(len(links), dtype=np.int8), (links[:, 0], links[:, 1])), (size, size)
    )
    _, label = connected_components(graph, directed=False)
    numbers = label.tolist()
    return _Labels(
        {e: numbers[n] for e, n in key_nodes.items()},
        {e: numbers[n] for e, n in response_nodes.items()},
    )


class _Part(NamedTuple):
    """Elements of two sets in one connected component of the overlap of elements."""

    from_key: Overlap
    from_response: Overlap


class _Group:
    """Sets of key and response that are connected by what their elements share.

    The elements of a set fall into parts, one for each connected component of the overlap of
    elements. A pair of sets has a count for each pair of parts that share mentions.
    """

    def __init__(
        self,
        key: dict[int, Collection[int]],
        response: dict[int, Collection[int]],
        shared: dict[Cell, int],
        sets: tuple[Mapping[int, Overlap], Mapping[int, Overlap]],
    ) -> None:
        """Store the sets of both sides, with their elements and what these share."""
        self.key, self.response, self.shared = key, response, shared
        self._sets = sets

    @cached_property
    def is_dense(self) -> bool:
        """True if the group has many pairs of sets, and many of them share elements."""
        size = len(self.key) * len(self.response)
        if size <= SMALL:
            return False
        in_key, in_response = (
            Counter(chain.from_iterable(side.values())) for side in (self.key, self.response)
        )
        return size <= DENSE * sum(in_key[a] * in_response[b] for a, b in self.shared)

    def pairs(self) -> Iterator[Cell]:
        """Yield the pairs of sets that share a mention."""
        owners = _owners(self.response)
        partners: dict[int, list[int]] = defaultdict(list)
        for a, b in self.shared:
            partners[a].append(b)
        for i, elements in self.key.items():
            js = {j for a in elements for b in partners.get(a, ()) for j in owners.get(b, ())}
            yield from ((i, j) for j in sorted(js))

    @cached_property
    def _parts(self) -> _Parts:
        return _Parts.of(self.key, self.response, self.shared, self._sets)

    def align(
        self,
        rows: Sequence[Component],
        pairs: PairsOfSets,
        then: Mapping[Cell, int],
        *,
        response_first: bool,
    ) -> dict[Cell, list[RatioPair]]:
        """Align the sets; return the counts of aligned pairs."""
        counts, weights = self._similarities(rows)
        i, j = candidates_in_matrix(weights)
        kind, values = self._kinds(counts, pairs, i, j)
        keys, responses = np.array([*self.key]), np.array([*self.response])
        table = ManyCells(keys[i], responses[j], kind, values)
        cells = first_best_cells(table, then, columns_choose=response_first)
        i = np.searchsorted(keys, [cell[0] for cell in cells])
        j = np.searchsorted(responses, [cell[1] for cell in cells])
        exact = zip(*(count.exactly_at(i, j) for count in counts), strict=True)
        return dict(zip(cells, map(list, exact), strict=True))

    def next_best(
        self, rows: Sequence[Component], pairs: PairsOfSets, partners: Mapping[int, int]
    ) -> dict[int, tuple[int, Fraction]]:
        """Return the set most similar to each key set, except its partner; the first of several."""
        counts, weights = self._similarities(rows)
        keys, responses = [*self.key], [*self.response]
        column = {j: number for number, j in enumerate(responses)}
        for row, name in enumerate(keys):
            if name in partners:
                weights[row, column[partners[name]]] = 0
        most = weights.max(axis=1, keepdims=True)
        i, j = np.nonzero((weights > 0) & (weights >= most * (1 - NEAR)))
        kind, values = self._kinds(counts, pairs, i, j)
        ranks = {value: rank for rank, value in enumerate(sorted({*values}, reverse=True))}
        rank = np.array([ranks[value] for value in values], dtype=np.int64)[kind]
        order = np.lexsort((j, rank, i))
        first = order[np.flatnonzero(np.diff(i[order], prepend=-1))]
        best = zip(i[first].tolist(), j[first].tolist(), kind[first].tolist(), strict=True)
        return {keys[a]: (responses[b], values[number]) for a, b, number in best}

    def _similarities(self, rows: Sequence[Component]) -> tuple[list[_RowCounts], Floats]:
        """Return the counts by each component, and the approximate similarity of all pairs."""
        parts = self._parts
        counts = [_RowCounts(row, parts, self._wholes(row)) for row in rows]
        weights = parts.zeros()
        defined = np.zeros(weights.shape, dtype=np.int8)
        for count in counts:
            count.add_f1(weights, defined)
        undefined = defined == 0
        weights /= np.maximum(defined, 1, out=defined)
        if undefined.any():
            weights[undefined] = self._equal()[undefined]
        return counts, weights

    def _kinds(
        self,
        counts: Sequence[_RowCounts],
        pairs: PairsOfSets,
        i: Indices,
        j: Indices,
    ) -> tuple[Indices, list[Fraction]]:
        """Return the number of the similarity of each pair, and the exact similarities.

        Pairs with equal counts are counted once. Where counts are undefined, only pairs of equal
        sets come here, so that these are equally similar, too.
        """
        kind: Indices = np.zeros(len(i), dtype=np.int64)
        for column in chain.from_iterable(count.columns_at(i, j) for count in counts):
            kind = _refined(kind, column)
        samples = np.zeros(kind.max(initial=-1) + 1, dtype=np.int64)
        samples[kind] = np.arange(len(kind))
        i, j = i[samples], j[samples]
        exact = zip(*(count.exactly_at(i, j) for count in counts), strict=True)
        keys, responses = [*self.key], [*self.response]
        return kind, [
            similarity(mean_f1(counted), pairs, (keys[a], responses[b]))
            for a, b, counted in zip(i.tolist(), j.tolist(), exact, strict=True)
        ]

    def _wholes(self, row: Component) -> tuple[list[Number], list[Number]]:
        """Return the denominators of all sets."""
        own, other = self._sets
        return (
            [row.within_set(own[i]).whole for i in self.key],
            [row.within_set(other[j]).whole for j in self.response],
        )

    def _equal(self) -> Floats:
        """Return a table of pairs of sets, with 1 for those that are equal."""
        number = self._parts.product([float(_equal_elements(p)) for p in self._parts.kinds])
        own, other = (
            np.array([len(elements) for elements in side.values()])
            for side in (self.key, self.response)
        )
        return np.asarray((number == own[:, None]) & (number == other[None, :]), dtype=np.float64)


def _refined(kind: Indices, column: Floats) -> Indices:
    """Divide kinds by the values of a column; number them anew."""
    if not len(column) or (column == column[0]).all():
        return kind
    _, number = np.unique(column, return_inverse=True)
    _, refined = np.unique(kind * (number.max() + 1) + number, return_inverse=True)
    return refined


def _equal_elements(part: _Part) -> int:
    o = part.from_key
    return sum(1 for (k, r), n in o.shared.items() if n == o.own[k] == o.other[r])


class _Parts:
    """The parts of the sets of a group, and the pairs of parts that share mentions."""

    def __init__(
        self,
        key: csr_array,
        response: csr_array,
        links: Mapping[Cell, int],
        kinds: Sequence[_Part],
    ) -> None:
        """Store which sets have which parts, and the kind of each pair of parts."""
        self._key, self._response = key, response
        cells = np.array([*links], dtype=np.int64)
        self._link = cells[:, 0], cells[:, 1]
        self._kind = np.array([*links.values()])
        self.kinds = kinds

    @classmethod
    def of(
        cls,
        key: Elements,
        response: Elements,
        shared: Mapping[Cell, int],
        sets: tuple[Mapping[int, Overlap], Mapping[int, Overlap]],
    ) -> _Parts:
        """Divide sets into parts."""
        component: tuple[dict[int, int], dict[int, int]] = ({}, {})
        for number, cells in enumerate(components(shared)):
            for cell in cells:
                for side, element in enumerate(cell):
                    component[side][element] = number
        key_matrix, key_parts = _divide(key, component[0])
        response_matrix, response_parts = _divide(response, component[1])
        own_size, other_size = (
            {e: size for n in side for e, size in zip(side[n], own[n].own, strict=True)}
            for side, own in zip((key, response), sets, strict=True)
        )
        kinds: dict[tuple[object, ...], tuple[int, _Part]] = {}
        links: dict[Cell, int] = {}
        for (k, r), common in _common(key_parts, response_parts, shared).items():
            own = tuple(own_size[e] for e in key_parts[k])
            other = tuple(other_size[e] for e in response_parts[r])
            kind = own, other, tuple(common.items())
            if kind not in kinds:
                part = _Part(
                    Overlap(own, [1] * len(own), other, common),
                    Overlap(other, [1] * len(other), own, transposed(common)),
                )
                kinds[kind] = len(kinds), part
            links[k, r] = kinds[kind][0]
        return cls(key_matrix, response_matrix, links, [part for _, part in kinds.values()])

    def zeros(self) -> Floats:
        """Return a table of pairs of sets."""
        return np.zeros((self._key.shape[0], self._response.shape[0]))

    def _weighted(self, values: Sequence[float]) -> csr_array:
        """Return the parts of key sets by the response parts that they meet, with these values."""
        shape = self._key.shape[1], self._response.shape[1]
        links = coo_array((np.array(values)[self._kind], self._link), shape)
        return csr_array(self._key @ links.tocsr())

    def product(self, values: Sequence[float]) -> Floats:
        """Return the sums, for all pairs of sets, of a value for each kind of pair of parts."""
        key, response = self._weighted(values).tocsc(), self._response.tocsc()
        steps = np.diff(key.indptr).astype(float) @ np.diff(response.indptr)
        (height, width), depth = (key.shape[0], response.shape[0]), key.shape[1]
        if steps < SPARSE * height * width * depth:
            return np.asarray((key.tocsr() @ response.T.tocsr()).toarray())
        product = self.zeros()
        step = max(1, CHUNK // max(height, width))
        for start in range(0, depth, step):
            columns = slice(start, start + step)
            product += key[:, columns].toarray() @ response[:, columns].toarray().T
        return product

    def at(self, values: Sequence[float], i: Indices, j: Indices) -> Floats:
        """Return the same sums for some pairs of sets."""
        key = self._weighted(values)
        if len(i) > LISTED * key.shape[0] * self._response.shape[0]:
            return self.product(values)[i, j]
        step = max(1, CHUNK * key.shape[0] // max(1, key.nnz))
        sums = [np.zeros(0)]
        for start in range(0, len(i), step):
            chunk = slice(start, start + step)
            sums.append(key[i[chunk]].multiply(self._response[j[chunk]]).sum(axis=1))
        return np.concatenate(sums)

    def digits_at(
        self, values: Sequence[int], i: Indices, j: Indices
    ) -> Iterator[tuple[int, Floats]]:
        """Yield the same sums of integers of any size, some digits at a time, with their places."""
        terms = int(np.diff(self._response.indptr).max())
        bits = EXACT_BITS - terms.bit_length()
        for shift in range(0, max(values).bit_length(), bits):
            digits = [float(value >> shift & (1 << bits) - 1) for value in values]
            yield shift, self.at(digits, i, j)

    def exactly_at(self, values: Sequence[int], i: Indices, j: Indices) -> list[int]:
        """Return the same sums of integers of any size."""
        total = [0] * len(i)
        for shift, sums in self.digits_at(values, i, j):
            total = [n + (int(digit) << shift) for n, digit in zip(total, sums, strict=True)]
        return total


def _divide(
    sets: Elements, component: Mapping[int, int]
) -> tuple[csr_array, list[tuple[int, ...]]]:
    """Divide sets into parts, by connected components of elements; return which set has which."""
    in_component = Counter(component.values())
    alone = [element for element, number in component.items() if in_component[number] == 1]
    column = {element: position for position, element in enumerate(alone)}
    crowded = component.keys() - column.keys()
    numbers: dict[tuple[int, ...], int] = {}
    columns: list[list[int]] = []
    for elements in sets.values():
        own = [column[e] for e in elements if e in column]
        if crowded:
            parts: dict[int, list[int]] = defaultdict(list)
            for e in elements:
                if e in crowded:
                    parts[component[e]].append(e)
            own += (
                numbers.setdefault(tuple(part), len(alone) + len(numbers))
                for part in parts.values()
            )
        columns.append(own)
    ends = np.cumsum([0, *map(len, columns)])
    indices = np.fromiter(chain.from_iterable(columns), dtype=np.int64, count=int(ends[-1]))
    shape = len(columns), len(alone) + len(numbers)
    matrix = csr_array((np.ones(len(indices)), indices, ends), shape)
    return matrix, [*((element,) for element in alone), *numbers]


def _common(
    key: Sequence[tuple[int, ...]],
    response: Sequence[tuple[int, ...]],
    shared: Mapping[Cell, int],
) -> dict[Cell, dict[Cell, int]]:
    """Return the mentions shared by elements of parts, numbered within their parts."""
    key_places, response_places = _places(key), _places(response)
    common: dict[Cell, dict[Cell, int]] = defaultdict(dict)
    for (a, b), n in shared.items():
        for k, x in key_places.get(a, ()):
            for r, y in response_places.get(b, ()):
                common[k, r][x, y] = n
    return common


def _places(parts: Sequence[tuple[int, ...]]) -> dict[int, list[tuple[int, int]]]:
    """Return the parts that have each element, with its number there."""
    places: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, part in enumerate(parts):
        for position, element in enumerate(part):
            places[element].append((number, position))
    return places


class _Numerator:
    """The numerators of a component of a metric in one direction, for all pairs of sets."""

    def __init__(self, values: Sequence[Number], parts: _Parts, *, across: bool) -> None:
        """Store the numerator of each kind of pair of parts."""
        self.values = values
        self._parts = parts
        self._nodes: list[int] = []
        """Mentions shared by parts, if links between parts count."""

        if across:
            self._nodes = [sum(part.from_key.shared.values()) for part in parts.kinds]

    def everywhere(self) -> Floats:
        """Return approximate numerators for all pairs."""
        numerators = self._parts.product([float(value) for value in self.values])
        if self._nodes:
            nodes = self._parts.product([float(n) for n in self._nodes])
            numerators += np.square(nodes, out=nodes) / 2
            numerators -= self._parts.product([n * n / 2 for n in self._nodes])
        return numerators

    @property
    def _scaled(self) -> tuple[int, list[int]]:
        """Common denominator of the values, and their numerators."""
        scale = lcm(*(Fraction(value).denominator for value in self.values))
        return scale, [int(value * scale) for value in self.values]

    def columns_at(self, i: Indices, j: Indices) -> Iterator[Floats]:
        """Yield columns that have equal values where the numerators of pairs are equal."""
        squares = [n * n for n in self._nodes]
        for values in filter(None, (self._scaled[1], self._nodes, squares)):
            yield from (sums for _, sums in self._parts.digits_at(values, i, j))

    def exactly_at(self, i: Indices, j: Indices) -> list[Number]:
        """Return exact numerators for some pairs."""
        scale, values = self._scaled
        numerators = _divided(self._parts.exactly_at(values, i, j), scale)
        if self._nodes:
            nodes = self._parts.exactly_at(self._nodes, i, j)
            squares = self._parts.exactly_at([n * n for n in self._nodes], i, j)
            across = _divided([n * n - square for n, square in zip(nodes, squares, strict=True)], 2)
            numerators = [n + links for n, links in zip(numerators, across, strict=True)]
        return numerators


def _divided(integers: Sequence[int], scale: int) -> list[Number]:
    """Divide integers exactly."""
    if scale == 1:
        return [*integers]
    quotients = {integer: Fraction(integer, scale) for integer in {*integers}}
    return [quotients[integer] for integer in integers]


class _RowCounts:
    """Counts of all pairs of sets by one component of a metric."""

    def __init__(
        self, row: Component, parts: _Parts, wholes: tuple[list[Number], list[Number]]
    ) -> None:
        """Count the kinds of pairs of parts; the denominators of sets are known."""
        recall = [row.within_set(part.from_key).part for part in parts.kinds]
        precision = recall
        if not row.from_key:
            precision = [row.within_set(part.from_response).part for part in parts.kinds]
        self._recall = _Numerator(recall, parts, across=row.across)
        self._precision = (
            self._recall if precision == recall else _Numerator(precision, parts, across=row.across)
        )
        self._wholes = wholes

    def add_f1(self, total: Floats, defined: NDArray[np.int8]) -> None:
        """Add the approximate F1 of all pairs to tables, and 1 where it is defined."""
        a = self._recall.everywhere()
        c = a if self._precision is self._recall else self._precision.everywhere()
        b = np.array([float(whole) for whole in self._wholes[0]])
        d = np.array([float(whole) for whole in self._wholes[1]])
        step = max(1, CHUNK // max(1, len(d)) // 10)
        for start in range(0, len(b), step):
            rows = slice(start, start + step)
            below = a[rows] * d + c[rows] * b[rows, None]
            above = 2 * a[rows] * c[rows]
            total[rows] += np.divide(above, below, out=above, where=below > 0)
            defined[rows] += (b[rows, None] > 0) | (d > 0)

    def columns_at(self, i: Indices, j: Indices) -> Iterator[Floats]:
        """Yield columns that have equal values where the counts of pairs are equal."""
        for numerator in dict.fromkeys((self._recall, self._precision)):
            yield from numerator.columns_at(i, j)
        for wholes, numbers in zip(self._wholes, (i, j), strict=True):
            number: dict[Number, int] = {}
            codes = [float(number.setdefault(whole, len(number))) for whole in wholes]
            yield np.array(codes)[numbers]

    def exactly_at(self, i: Indices, j: Indices) -> Iterator[RatioPair]:
        """Yield the exact counts of some pairs; equal counts are one object."""
        a = self._recall.exactly_at(i, j)
        c = a if self._precision is self._recall else self._precision.exactly_at(i, j)
        b, d = (
            [side[n] for n in numbers.tolist()]
            for side, numbers in zip(self._wholes, (i, j), strict=True)
        )
        known: dict[tuple[Number, ...], RatioPair] = {}
        for counts in zip(a, b, c, d, strict=True):
            pair = known.get(counts)
            if pair is None:
                pair = known[counts] = RatioPair(Ratio(*counts[:2]), Ratio(*counts[2:]))
            yield pair
