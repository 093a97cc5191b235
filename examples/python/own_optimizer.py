"""An optimiser of one's own on top of predict(): the largest load that still meets a latency.

For each number of virtual channels the load is found at which the forecast latency is the target:
by scipy's root finder where scipy is installed, else by bisection. predict() answers in about a
millisecond, so that a search may ask as often as it likes. The best one is then simulated.

    python own_optimizer.py [LATENCY]
"""

import sys

import flitcast as fc

target = float(sys.argv[1]) if len(sys.argv) > 1 else 40.0
torus = fc.Scenario(
    network={"topology": "torus", "radix": [8, 8], "virtual_channels": 2},
    traffic={"rate": 0.001, "message_flits": 16},
)


def excess(network, load):
    """By how much the latency exceeds the target; without one (saturated), by much."""
    result = network.with_(traffic__rate=load).predict()
    return result["latency"].value - target if "latency" in result else 10 * target


def find_load(network, most):
    least = most / 1000
    if excess(network, least) > 0:
        return 0.0
    try:
        from scipy.optimize import brentq

        return brentq(lambda load: excess(network, load), least, most, rtol=1e-6)
    except ImportError:
        for _ in range(25):
            middle = (least + most) / 2
            least, most = (middle, most) if excess(network, middle) <= 0 else (least, middle)
        return least


best_load, best = 0.0, torus
for channels in (2, 4, 6, 8):
    network = torus.with_(network__virtual_channels=channels)
    load = find_load(network, network.saturate(simulate=False)[0].load)
    print(f"{channels} virtual channels: {load:.5f} messages per node and cycle")
    if load > best_load * 1.01:  # more channels cost area: they must be worth it
        best_load, best = load, network

if best_load == 0:
    sys.exit(f"no network has a latency of {target:g} cycles")
simulated = best.with_(traffic__rate=best_load).simulate(precision=0.03)
print(f"chosen: {best['network.virtual_channels']:.0f} virtual channels; simulated there: "
      f"{simulated.get('latency', simulated.outcome)}")
