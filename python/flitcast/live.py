"""A network that another simulator drives."""

from __future__ import annotations

import operator
import struct
import threading
from collections.abc import Iterable
from itertools import repeat
from typing import Any, NamedTuple, Union

from ._native import ffi, lib
from .errors import InputError, check, new_error
from .results import Result
from .scenario import Scenario

Whole = Union[int, Iterable[int]]

_message = struct.Struct("=III?3xQQ")  # fc_live_message
_delivery = struct.Struct("=QIIIIQQQ")  # fc_delivery
assert _message.size == ffi.sizeof("fc_live_message")
assert _delivery.size == ffi.sizeof("fc_delivery")


def _cycles(name: str, number: Any) -> int:
    """A number of cycles: whole, from 0, within 64 bits. 1e6 is one too."""
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    whole = -1 if isinstance(number, float) else operator.index(number)
    if not 0 <= whole < 1 << 64:
        raise InputError(f"{name} is {number!r}; expected a whole number of cycles from 0")
    return whole


class Delivery(NamedTuple):
    """A message that has arrived. Times are cycles: generated, its header left the source, its tail
    reached the destination."""

    tag: int
    source: int
    destination: int
    flits: int
    hops: int
    injected: int
    entered: int
    delivered: int

    @property
    def latency(self) -> int:
        """Counted as in simulations, without the cycle of injection."""
        return self.delivered - self.injected - 1


class Live:
    """A network of routers that another simulator drives: it injects messages, lets cycles pass and
    takes what was delivered.

    The scenario gives the network; its traffic runs in the background if that is asked for. The
    same calls give the same deliveries. A network may be used by one thread at a time (others
    wait); any number of networks side by side.

    >>> mesh = Scenario(network={"topology": "mesh", "radix": [4, 4], "router_delay": 1},
    ...                 traffic__rate=0.01, traffic__message_flits=4)
    >>> live = Live(mesh)
    >>> live.inject(0, 15, 4, tag=7)
    >>> live.advance(100)
    >>> [(found.tag, found.latency) for found in live.deliveries()]
    [(7, 17)]
    """

    def __init__(self, scenario: Scenario, *, background: bool = False) -> None:
        if not isinstance(scenario, Scenario):
            raise TypeError(f"a scenario is needed, not {type(scenario).__name__}")
        self._error, made = new_error(), ffi.new("fc_live **")
        check(
            lib.fc_live_create(scenario._scenario, bool(background), self._error, made), self._error
        )
        self._live = ffi.gc(made[0], lib.fc_live_free)
        self._lock = threading.Lock()
        self.scenario = scenario  # outlives the network
        self._background = bool(background)
        #: Nodes are numbered from 0.
        self.nodes = int(lib.fc_live_nodes(self._live))
        # Python looks at Ctrl-C after as many cycles.
        self._stretch = max(16, (1 << 20) // self.nodes)

    @property
    def time(self) -> int:
        """The cycle to be simulated next."""
        with self._lock:
            return int(lib.fc_live_time(self._live))

    @property
    def under_way(self) -> int:
        """Messages injected and not yet delivered."""
        with self._lock:
            return int(lib.fc_live_under_way(self._live))

    # ---- in ----

    def inject(
        self,
        source: int,
        destination: int,
        flits: int = 1,
        tag: int = 0,
        time: int | None = None,
        *,
        reply: bool = False,
    ) -> None:
        """Injects a message, now or in a later cycle.

        tag: a number of yours that comes back with the delivery. reply: it takes the virtual
        channels of replies (networks with traffic.requests have them).
        """
        if time == 0:
            time = self._check_zero()
        with self._lock:
            status = lib.live_inject_one(self._live, source, destination, flits, tag, time or 0,
                                         reply, self._error)
            if status:
                check(status, self._error)

    def _check_zero(self) -> int:
        """To the library, 0 is the present cycle."""
        if self.time > 0:
            raise InputError(f"cycle 0 is past: the network is at cycle {self.time}")
        return 0

    def inject_many(
        self,
        sources: Whole,
        destinations: Whole,
        flits: Whole = 1,
        tags: Whole = 0,
        times: Whole | None = None,
        *,
        reply: bool = False,
    ) -> int:
        """Injects many messages at once: all of them or, if one is not valid, none.

        Each argument is a list or an array, or one number for all. Returns how many they were.
        """
        given = [_list(each) for each in (sources, destinations, flits, tags)]
        given.append(_list(0 if times is None else times))
        lengths = {len(each) for each in given if isinstance(each, list)}
        if len(lengths) > 1:
            raise InputError(f"lists of one length are needed, not of {sorted(lengths)}")
        count = lengths.pop() if lengths else 1
        columns = [each if isinstance(each, list) else repeat(each, count) for each in given]
        pack, flag = _message.pack, bool(reply)
        if times is not None and 0 in (given[4] if isinstance(given[4], list) else [given[4]]):
            self._check_zero()
        try:
            text = b"".join(
                [pack(source, destination, length, flag, tag, time)
                 for source, destination, length, tag, time in zip(*columns)]
            )
        except struct.error as problem:
            raise InputError(f"whole numbers from 0 are needed: {problem}") from None
        messages = ffi.cast("fc_live_message *", ffi.from_buffer(text)) if text else ffi.NULL
        with self._lock:
            check(lib.fc_live_inject(self._live, messages, count, self._error), self._error)
        return count

    # ---- on ----

    def advance(self, cycles: int) -> None:
        """Simulates so many cycles."""
        left = _cycles("cycles", cycles)
        while left > 0:
            with self._lock:
                step = left if self._idle() else min(left, self._stretch)
                check(lib.fc_live_advance(self._live, step, self._error), self._error)
            left -= step

    def _idle(self) -> bool:
        """Nothing is under way: any number of cycles passes at once."""
        return not self._background and not lib.fc_live_under_way(self._live)

    def advance_until(self, time: int | None = None, *, delivery: bool | None = None) -> bool:
        """Simulates up to a cycle or, without one, to the end of the next cycle with a delivery.

        delivery=True with a time: whichever comes first. Returns whether there are deliveries to
        take. Without a time and without a message under way, there is nothing to wait for.
        """
        stop = time is None if delivery is None else bool(delivery)
        if time is None and not stop:
            raise InputError("advance_until() needs a cycle, or delivery=True")
        if time is not None:
            time = _cycles("time", time)
        with self._lock:
            before = lib.fc_live_deliveries(self._live, ffi.NULL, 0)
        while True:
            with self._lock:
                now = lib.fc_live_time(self._live)
                waiting = lib.fc_live_deliveries(self._live, ffi.NULL, 0)
                if stop and waiting > before or now == time:
                    return bool(waiting)
                if time is None and not lib.fc_live_under_way(self._live):
                    return bool(waiting)
                end = now + self._stretch
                if time is not None and (time < end or self._idle()):
                    end = time
                check(lib.fc_live_advance_until(self._live, end, stop, self._error), self._error)

    # ---- out ----

    def deliveries(self) -> list[Delivery]:
        """Takes what was delivered since it was last asked for, in order."""
        return list(map(Delivery._make, _delivery.iter_unpack(self._take())))

    def deliveries_array(self) -> Any:
        """The same as a structured array of NumPy, with the fields of Delivery."""
        import numpy

        wide, narrow = "u8", "u4"
        kinds = [wide] + 4 * [narrow] + 3 * [wide]
        return numpy.frombuffer(self._take(), dtype=list(zip(Delivery._fields, kinds)))

    def _take(self) -> bytes:
        with self._lock:
            count = lib.fc_live_deliveries(self._live, ffi.NULL, 0)
            if not count:
                return b""
            room = bytearray(count * _delivery.size)
            lib.fc_live_deliveries(
                self._live, ffi.cast("fc_delivery *", ffi.from_buffer(room)), count
            )
            return bytes(room)

    def snapshot(self, *, restart: bool = False) -> Result:
        """What was measured since the start (or the last snapshot with restart=True): means over
        all messages delivered, the background's too; tables of nodes, channels and of what waits at
        each router now."""
        made = ffi.new("fc_result **")
        with self._lock:
            check(lib.fc_live_snapshot(self._live, bool(restart), self._error, made), self._error)
        return Result(made[0], self.scenario)

    def reset(self) -> None:
        """Back to cycle 0 and an empty network."""
        with self._lock:
            check(lib.fc_live_reset(self._live, self._error), self._error)

    def __repr__(self) -> str:
        return f"<Live {self.scenario.name!r} at cycle {self.time}>"


def _list(given: Whole) -> Any:
    if hasattr(given, "tolist"):
        given = given.tolist()
    return given if isinstance(given, int) else list(given)
