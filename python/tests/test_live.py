"""A network that is driven from Python."""

import random
import threading

import pytest

import flitcast as fc


@pytest.fixture
def live(routers):
    return fc.Live(routers)


def test_a_message_takes_what_it_takes(live):
    assert live.nodes == 64 and live.time == 0
    live.inject(0, 63, 9, tag=5)
    assert live.under_way == 1
    assert live.advance_until()
    (found,) = live.deliveries()
    assert (found.tag, found.source, found.destination, found.flits, found.hops) == (5, 0, 63, 9, 14)
    assert found.injected == found.entered == 0 and live.time == found.delivered + 1
    assert found.latency == 15 * 4 + 14 + 9 + 0, "stages, links, flits"
    assert found.latency == found.delivered - found.injected - 1, "the cycle of generation is not counted"
    assert live.deliveries() == [] and live.under_way == 0


def drive(live, seed, many):
    draw = random.Random(seed)
    found = []
    for step in range(60):
        batch = [(draw.randrange(64), draw.randrange(64), draw.randint(1, 9), 100 * step + i,
                  live.time + draw.randrange(40)) for i in range(20)]
        batch = [(s, d, f, t, when or None) for s, d, f, t, when in batch]
        if many:
            columns = list(zip(*batch))
            columns[4] = [when or 0 for when in columns[4]]
            live.inject_many(*columns)
        else:
            for message in batch:
                live.inject(*message)
        live.advance(draw.randrange(30))
        found += live.deliveries()
    live.advance(5000)
    return found + live.deliveries()


def test_the_same_calls_give_the_same_deliveries(routers, live):
    first = drive(live, 1, many=False)
    assert len(first) == 1200 and len({found.tag for found in first}) == 1200
    live.reset()
    assert live.time == 0 and drive(live, 1, many=True) == first
    assert drive(fc.Live(routers), 1, many=False) == first
    assert drive(fc.Live(routers), 2, many=False) != first


def test_advance_until(live):
    live.inject(0, 1, 1, time=1000)
    live.inject(0, 1, 1, time=50_000)
    assert not live.advance_until(500) and live.time == 500
    assert live.advance_until(time=10_000, delivery=True) and 1000 < live.time < 1100
    assert len(live.deliveries()) == 1
    assert live.advance_until() and 50_000 < live.time < 50_100
    assert len(live.deliveries()) == 1
    at = live.time
    assert not live.advance_until() and live.time == at, "nothing to wait for"
    live.advance_until(at + 10**9)
    assert live.time == at + 10**9


@pytest.mark.parametrize("time", [-1, -(10**30), 10**30, 2.5, float("nan"), float("inf"), float("-inf")])
def test_cycles_that_are_none(live, time):
    for call in (live.advance_until, live.advance):
        with pytest.raises(fc.InputError, match="expected a whole number of cycles from 0"):
            call(time)
    assert live.time == 0
    live.advance_until(1e3)
    assert live.time == 1000


def test_background(routers):
    live = fc.Live(routers, background=True)
    for cycle in range(50):
        live.inject(cycle % 64, 63 - cycle % 64, 4, tag=cycle)
        live.advance(100)
    live.advance(1000)
    assert sorted(found.tag for found in live.deliveries()) == list(range(50))
    seen = live.snapshot()
    assert seen.throughput.value == pytest.approx(0.03, rel=0.1)
    simulated = routers.simulate(precision=0.05, progress=False)
    assert seen.latency.value == pytest.approx(simulated.latency.value, rel=0.1)


def test_snapshot(live):
    for i in range(30):
        live.inject(0, 1, 9, tag=i)
    live.advance(60)
    seen = live.snapshot(restart=True)
    waiting = seen.tables["waiting"]
    assert waiting.values[0][0] > 5 and seen.waiting.value > 5
    assert seen.tables["channels"].columns[:2] == ["utilisation", "wait"]
    live.advance(2000)
    later = live.snapshot()
    assert later.waiting.value == 0 and later.run.cycles == 2000
    assert len(live.deliveries()) == 30


def test_arrays(live):
    numpy = pytest.importorskip("numpy")
    sources = numpy.arange(64)
    assert live.inject_many(sources, 63 - sources, 4, sources + 1000) == 64
    live.advance(1000)
    found = live.deliveries_array()
    assert sorted(found["tag"]) == list(range(1000, 1064))
    assert (found["delivered"] > found["injected"]).all()
    assert len(live.deliveries_array()) == 0


def test_requests_and_replies():
    network = fc.Scenario(
        network={"topology": "mesh", "radix": [4, 4], "virtual_channels": 4, "router_delay": 1},
        traffic={"rate": 0.01, "requests": [{"share": 1, "flits": 1, "reply_flits": 5,
                                             "memory_reply": 3}]})
    live = fc.Live(network)
    live.inject(0, 5, 1, tag=1)
    while live.advance_until():
        for found in live.deliveries():
            if found.tag == 1:
                live.inject(found.destination, found.source, 5, tag=2, time=live.time + 2, reply=True)
            else:
                assert found.tag == 2 and (found.source, found.destination) == (5, 0)
    assert live.under_way == 0 and live.time > 20


@pytest.mark.parametrize("call, kind, sentence", [
    (lambda live: live.inject(64, 0), fc.InputError, "no node 64"),
    (lambda live: live.inject(0, 64), fc.InputError, "no node 64"),
    (lambda live: live.inject(-1, 0), OverflowError, ""),
    (lambda live: live.inject("0", 0), TypeError, ""),
    (lambda live: live.inject(0, 1, 0), fc.InputError, "1 to"),
    (lambda live: live.inject(0, 1, 1, time=3), fc.InputError, "cycle 3 is past"),
    (lambda live: live.inject(0, 1, 1, time=0), fc.InputError, "cycle 0 is past"),
    (lambda live: live.inject(0, 1, 1, reply=True), fc.InputError, "replies"),
    (lambda live: live.inject_many([0, 1], [1]), fc.InputError, "one length"),
    (lambda live: live.inject_many([0, 64], 1), fc.InputError, "no node 64"),
    (lambda live: live.inject_many([0, -1], 1), fc.InputError, "whole numbers"),
    (lambda live: live.inject_many([0, 1], 1, times=[0, 10]), fc.InputError, "cycle 0 is past"),
    (lambda live: live.advance(-1), fc.InputError, "from 0"),
    (lambda live: live.advance("1"), TypeError, ""),
    (lambda live: live.advance_until(5), fc.InputError, "cycle 5 is past"),
    (lambda live: live.advance_until(-5), fc.InputError, "from 0"),
    (lambda live: live.advance_until("20"), TypeError, "integer"),
    (lambda live: live.advance_until(delivery=False), fc.InputError, "needs a cycle"),
])
def test_wrong_calls(live, call, kind, sentence):
    live.advance(10)
    with pytest.raises(kind, match=sentence):
        call(live)
    assert live.time == 10 and live.under_way == 0


def test_networks_it_is_not_for(rings):
    with pytest.raises(fc.UnsupportedError, match="made of routers"):
        fc.Live(rings)
    with pytest.raises(TypeError):
        fc.Live("mesh.yaml")


def test_threads_share_a_network(routers):
    live = fc.Live(routers)

    def work(first):
        for tag in range(first, first + 500):
            live.inject(tag % 64, (tag + 9) % 64, 2, tag)
            live.advance(3)

    threads = [threading.Thread(target=work, args=(1000 * n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    live.advance(1000)
    assert live.time == 4 * 500 * 3 + 1000 and len(live.deliveries()) == 2000


def test_a_network_keeps_its_scenario():
    live = fc.Live(fc.Scenario(network={"topology": "mesh", "radix": [4, 4]}, traffic__rate=0.01,
                               traffic__message_flits=4), background=True)
    live.advance(1000)
    assert live.snapshot().throughput.value > 0


def test_hundreds_side_by_side(routers):
    lives = [fc.Live(routers.with_(network__radix=[4, 4])) for _ in range(300)]
    for number, live in enumerate(lives):
        live.inject(0, 15, 2, tag=number)
    for live in lives:
        live.advance(200)
    assert [live.deliveries()[0].tag for live in lives] == list(range(300))
