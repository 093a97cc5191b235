"""One forecast of a network: made once, asked at as many loads as wanted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from ._native import ffi, lib
from ._text import c_text_or_null
from .errors import check, decode, new_error
from .results import Result

if TYPE_CHECKING:
    from .scenario import Scenario


class LoadRange(NamedTuple):
    """A load, and between which loads it is with 90 %; both equal it where a model alone answers."""

    load: float
    low: float
    high: float


class ForecastPoint(NamedTuple):
    """What a forecast says of one load: `value` is the scenario's main metric, between low and high
    with 90 %. NaN: not known."""

    load: float
    outcome: str
    value: float
    low: float
    high: float
    p50: float
    p95: float
    p99: float
    throughput: float


class Forecast:
    """A curve over the load (closed traffic: the think time).

    >>> import flitcast as fc
    >>> mesh = fc.Scenario(network={"topology": "mesh", "radix": [8, 8], "virtual_channels": 4,
    ...                             "buffer": 8, "router_delay": [1, 1, 1, 1]},
    ...                    traffic={"rate": 0.01, "message_flits": 5})
    >>> forecast = mesh.forecast()
    >>> light, heavy = forecast.points([0.01, 0.05])
    >>> light.value < heavy.value < forecast.points([0.09])[0].value
    True
    """

    def __init__(self, scenario: Scenario, model: str | None = None) -> None:
        error, made = new_error(), ffi.new("fc_forecast **")
        name = c_text_or_null(model, "a model's name")
        check(lib.fc_forecast_create(scenario._scenario, name, error, made), error)
        self._forecast = ffi.gc(made[0], lib.fc_forecast_free)
        self._scenario = scenario  # must outlive it

    @property
    def method(self) -> str:
        """The name of its model."""
        return decode(lib.fc_forecast_method(self._forecast))

    @property
    def saturation(self) -> LoadRange:
        """The load at which the network saturates. Infinite: it never does; NaN: closed traffic."""
        error, found = new_error(), ffi.new("fc_load_range *")
        check(lib.fc_forecast_saturation(self._forecast, error, found), error)
        return LoadRange(found.load, found.low, found.high)

    def points(self, loads: Iterable[float]) -> list[ForecastPoint]:
        """The numbers at each load, in microseconds each where the correction applies."""
        at = [float(load) for load in loads]
        error, made = new_error(), ffi.new("fc_forecast_point[]", len(at))
        check(lib.fc_forecast_points(self._forecast, at, len(at), error, made), error)
        return [self._point(load, p) for load, p in zip(at, made)]

    @staticmethod
    def _point(load: float, p: Any) -> ForecastPoint:
        return ForecastPoint(load, decode(lib.fc_outcome_name(p.outcome)), p.value, p.low, p.high,
                             p.p50, p.p95, p.p99, p.throughput)

    def at(self, load: float) -> Result:
        """All that predict() says, at this load."""
        error, made = new_error(), ffi.new("fc_result **")
        check(lib.fc_forecast_at(self._forecast, float(load), error, made), error)
        return Result(made[0], self._scenario)

    def __repr__(self) -> str:
        return f"<Forecast by {self.method}, saturates at {self.saturation.load:.4g}>"
