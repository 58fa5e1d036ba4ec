"""Stand-ins for torch and torchmetrics, with what the metric for torchmetrics uses of them."""

from types import ModuleType
from typing import Any, Self

import numpy as np


class Tensor(np.ndarray[Any, Any]):
    """An array with the methods of a tensor."""

    def to(self, device: str) -> Self:
        assert device == "cpu"
        return self

    def cpu(self) -> Self:
        return self

    def numpy(self) -> np.ndarray[Any, Any]:
        return self.view(np.ndarray)


class Metric:
    """A metric of one process."""

    device = "cpu"

    def __init__(self, **options: Any) -> None:
        self.options = options
        self.states: list[str] = []

    def add_state(self, name: str, default: list[Tensor], dist_reduce_fx: str) -> None:
        assert dist_reduce_fx == "cat"
        self.states.append(name)
        setattr(self, name, default)

    def reset(self) -> None:
        for name in self.states:
            setattr(self, name, [])


def modules() -> dict[str, ModuleType]:
    """Return the stand-ins by the names under which they are imported."""
    torch, torchmetrics = ModuleType("torch"), ModuleType("torchmetrics")
    utilities = ModuleType("torchmetrics.utilities")
    vars(torch).update(
        Tensor=Tensor,
        from_numpy=lambda array: array.view(Tensor),
        tensor=lambda value, device: np.array(value).view(Tensor).to(device),
    )
    vars(torchmetrics).update(Metric=Metric, utilities=utilities)
    vars(utilities).update(dim_zero_cat=lambda arrays: np.concatenate(arrays).view(Tensor))
    return {"torch": torch, "torchmetrics": torchmetrics, "torchmetrics.utilities": utilities}
