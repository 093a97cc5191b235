#!/usr/bin/env python3
"""Fits the graph networks of router-queueing to simulated networks.

    build/tests/validation/validate_graphs docs/validation graphs.bin
    tests/validation/fit_routers.py fit graphs.bin first.npz --seed 1 --seconds 600
    tests/validation/fit_routers.py fit graphs.bin second.npz --seed 2 --seconds 600
    tests/validation/fit_routers.py write src/models/router/router_weights.c first.npz second.npz

Needs numpy and torch (Debian: python3-torch). On a GPU both fits, side by side, take ten minutes; two cores of a
processor take days. Those that the library carries came from three such fits after each other, 750 s together, each
with --start from the one before and more networks. The equations are those of src/models/router/router_learned.c; docs/theory/calibration.md says
what is minimised and why. Networks of the last table (router_intervals.csv) are left out: the errors printed are on
them; `score graphs.bin first.npz second.npz` prints those of both networks together.
"""
import argparse
import math
import time
import zlib

import numpy as np
import torch
from torch import nn

FIXED, LOADS, SOLVED, MOVEMENT, WHOLE = 19, 5, 8, 7, 26  # router_learned.h
WIDTH, ROUNDS, SHARPNESS = 48, 5, 8.0  # router_weights.h, router_learned.c
LOAD_MOST, PHI_MOST = 3, 300  # router_learned.c
BURST_POINTS = 64  # validate_graphs.c
LEFT_OUT = 3  # the table whose networks are not learned from
SHARE_OF_LINK = 16  # among the fixed inputs of a lane
device = "cuda" if torch.cuda.is_available() else "cpu"


def read_graphs(path):
    """One entry a network: sizes, known numbers, whole, loads, lanes, movements."""
    words = np.memmap(path, dtype=np.uint32, mode="r")
    floats, at, networks = words.view(np.float32), 0, []
    while at < len(words):
        lanes, movements, links, loads, table = (int(x) for x in words[at:at + 5])
        take = lambda count: floats[at:at + count]
        at += 5
        known = take(5)
        at += 5
        whole = take(WHOLE)
        at += WHOLE
        bursts = take(BURST_POINTS)
        at += BURST_POINTS
        points = take(5 * loads).reshape(loads, 5)
        at += 5 * loads
        lane_words = FIXED + LOADS + SOLVED + 4
        lane, link = take(lane_words * lanes).reshape(lanes, -1), words[at:at + lane_words * lanes:lane_words]
        at += lane_words * lanes
        move_words = MOVEMENT + 3
        move, ends = take(move_words * movements).reshape(movements, -1), words[at:at + move_words * movements]
        at += move_words * movements
        ends = ends.reshape(movements, -1)[:, :2]
        networks.append((table, links, known, whole, points, lane[:, 1:], link, move[:, 2:], ends, bursts))
    return networks


class Data:
    """All networks behind each other, on the device."""

    def __init__(self, networks):
        column = lambda i: np.concatenate([n[i] for n in networks])
        self.table = np.array([n[0] for n in networks])
        self.known = np.stack([n[2] for n in networks])
        self.points = column(4)
        self.network_of = np.repeat(np.arange(len(networks)), [len(n[4]) for n in networks])
        lane, move, whole = column(5), column(7), np.stack([n[3] for n in networks])
        learned = self.table != LEFT_OUT
        used = np.repeat(learned, [len(n[5]) for n in networks]) & (lane[:, -1] > 0)
        moved = np.repeat(learned, [len(n[7]) for n in networks])
        solved = lane[:, FIXED + LOADS:FIXED + LOADS + SOLVED]
        self.norms = {}
        scaled = {}
        for name, values, among in (("fixed", lane[:, :FIXED], used), ("solved", solved, used),
                                    ("movement", move[:, :MOVEMENT], moved), ("whole", whole, learned)):
            mean, scale = values.mean(0), values.std(0) + 1e-3
            self.norms[name] = np.stack([mean, scale, values[among].min(0), values[among].max(0)], 1)
            scaled[name] = values
        self.raw = scaled
        tensor = lambda x, kind=torch.float32: torch.tensor(np.ascontiguousarray(x), dtype=kind, device=device)
        self.loads, self.alone = tensor(lane[:, FIXED:FIXED + LOADS]), tensor(lane[:, -3])
        self.bursts, self.weight = tensor(lane[:, -2] > 0), tensor(lane[:, -1])
        self.waits = tensor(np.stack([np.concatenate([[0], n[9]]) for n in networks]))  # of bursts, from no load on
        self.share_of_link = tensor(lane[:, SHARE_OF_LINK])
        self.kept, self.share, self.load = tensor(move[:, 0]), tensor(move[:, 1]), tensor(move[:, -1])
        ends = column(8).astype(np.int64)
        self.leaves, self.enters = tensor(ends[:, 0], torch.int64), tensor(ends[:, 1], torch.int64)
        self.link = tensor(column(6).astype(np.int64), torch.int64)
        count = lambda f: tensor([f(n) for n in networks], torch.int64)
        self.lane_count, self.move_count = count(lambda n: len(n[5])), count(lambda n: len(n[7]))
        self.link_count = count(lambda n: n[1])
        self.empty, self.tail_empty, self.saturation, self.saturation_half, self.capacity = (
            tensor(self.known[:, i]) for i in range(5))
        self.rate, self.latency, self.half, self.p99, self.p99_half = (tensor(self.points[:, i]) for i in range(5))
        self.owner = tensor(self.network_of, torch.int64)

    def burst_wait(self, networks, rate):
        """Of bursts at their source alone, by linear interpolation."""
        at = (rate / self.capacity[networks] * BURST_POINTS).clamp(0, BURST_POINTS - 1e-3)
        below = at.floor().long()
        waits = self.waits[networks]
        low, high = (waits.gather(1, k[:, None])[:, 0] for k in (below, below + 1))
        return low + (at - below) * (high - low)

    def scale(self, norms):
        """Inputs as the network takes them."""
        self.norms = norms
        cut = lambda name: torch.tensor(
            np.clip((self.raw[name] - norms[name][:, 0]) / norms[name][:, 1], -4, 4), dtype=torch.float32, device=device)
        self.fixed, self.solved, self.movement, self.whole = (cut(x) for x in ("fixed", "solved", "movement", "whole"))


def ranges(counts, chosen):
    """Indices of the items of the chosen networks, their number among the chosen, where each begins."""
    start = torch.cumsum(counts, 0) - counts
    n = counts[chosen]
    number = torch.repeat_interleave(torch.arange(len(n), device=device), n)
    begin = torch.cumsum(n, 0) - n
    return (start[chosen] - begin)[number] + torch.arange(int(n.sum()), device=device), number, begin


class Network(nn.Module):
    def __init__(self, drop):
        super().__init__()
        many = lambda *shape, bias=True: nn.ModuleList([nn.Linear(*shape, bias=bias) for _ in range(ROUNDS)])
        self.first, self.second = nn.Linear(FIXED + 3 * LOADS + 1 + SOLVED + WHOLE, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.leaves, self.enters = many(WIDTH, WIDTH), many(WIDTH, WIDTH, bias=False)
        self.movement = many(MOVEMENT + 2, WIDTH, bias=False)
        self.seen, self.change = many(6 * WIDTH, WIDTH), many(WIDTH, WIDTH)
        self.last, self.out = nn.Linear(2 * WIDTH, WIDTH), nn.Linear(WIDTH, 2)
        self.tail, self.tail_last = nn.Linear(2 * WIDTH + WHOLE + 1, WIDTH), nn.Linear(WIDTH, 1)
        self.drop = nn.Dropout(drop)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.tail_last.weight)
        nn.init.constant_(self.tail_last.bias, 1.3)
        with torch.no_grad():
            self.out.bias.copy_(torch.tensor([-1.0, -0.3]))

    def forward(self, data, networks, rate):
        act = nn.functional.silu
        lanes, of_lane, lane_begin = ranges(data.lane_count, networks)
        moves, of_move, _ = ranges(data.move_count, networks)
        links = data.link_count[networks]
        link = data.link[lanes] + (torch.cumsum(links, 0) - links)[of_lane]
        leaves, enters = data.leaves[moves] + lane_begin[of_move], data.enters[moves] + lane_begin[of_move]
        loads = rate[of_lane][:, None] * data.loads[lanes]
        waits = data.burst_wait(networks, rate)[of_lane] * data.bursts[lanes] / data.alone[lanes]
        phi = torch.maximum(torch.maximum(loads[:, 0], loads[:, 2]).clamp(max=LOAD_MOST), waits).clamp(max=PHI_MOST)
        by_load = torch.cat([loads.clamp(max=LOAD_MOST), (loads + .01).log(), 0.2 / (1.05 - loads.clamp(max=1)),
                             (phi + .01).log()[:, None]], 1)
        whole = data.whole[networks]
        x = torch.cat([data.fixed[lanes], by_load, data.solved[lanes], whole[of_lane]], 1)
        start = now = act(self.second(act(self.first(x))))
        load = (rate[of_move] * data.load[moves]).clamp(max=LOAD_MOST)[:, None]
        y = torch.cat([data.movement[moves], load, (load + .01).log()], 1)
        kept, share, mate = data.kept[moves][:, None], data.share[moves][:, None], data.share_of_link[lanes][:, None]
        for k in range(ROUNDS):
            m = act(self.leaves[k](now)[leaves] + self.enters[k](now)[enters] + self.movement[k](y))
            zero = torch.zeros_like(now)
            seen = [now, start, zero.index_add(0, leaves, kept * m), zero.index_add(0, enters, share * m),
                    zero.index_add(0, enters, load * m),
                    torch.zeros(int(links.sum()), WIDTH, device=device).index_add(0, link, mate * now)[link]]
            now = now + self.change[k](act(self.seen[k](torch.cat(seen, 1))))
        now = self.drop(now)
        out = self.out(act(self.last(torch.cat([now, start], 1))))
        weight = data.weight[lanes]
        waits = weight * data.alone[lanes] * phi * torch.exp(out[:, 0].clamp(-12, 6))
        total = lambda v: torch.zeros(len(networks), *v.shape[1:], device=device).index_add(0, of_lane, v)
        excess = total(waits)
        margin = (total(torch.exp(SHARPNESS * out[:, 1].clamp(-4, 2)) * (weight > 0)) + 1e-9).log() / SHARPNESS
        mean = total(weight[:, None] * now) / total(weight)[:, None]
        waited = total(waits[:, None] * now) / (excess[:, None] + 1e-6)
        tail = self.tail_last(act(self.tail(torch.cat([mean, waited, whole, margin[:, None]], 1))))[:, 0]
        return excess, margin, excess * torch.exp(tail)


class Lessons:
    """Which simulated loads are learned from, and what counts as an error."""

    def __init__(self, data):
        p, network = data.points, data.network_of
        saturation, empty, tail_empty = data.known[network, 2], data.known[network, 0], data.known[network, 1]
        searched = saturation > 0
        with np.errstate(all="ignore"):
            excess, tail = p[:, 1] - empty, p[:, 3] - tail_empty
            self.settled = (excess > 0) & (p[:, 2] < .2 * p[:, 1]) & (p[:, 2] < .6 * excess)
            self.tail = self.settled & (tail > 0) & (p[:, 4] < 0.5 * tail)
            # hardly slower near saturation than without load: that search was too short
            near = (p[:, 0] > .85 * saturation) & searched & (p[:, 1] < 1.1 * empty)
        doubtful = np.zeros(len(data.known), bool)
        doubtful[network[near]] = True
        self.limit = (data.known[:, 2] > 0) & ~doubtful
        self.saturated = np.isnan(p[:, 1]) & (p[:, 0] > 0) & ~searched
        learned = data.table[network] != LEFT_OUT
        self.points = np.where((self.settled | self.saturated) & learned)[0]
        self.left_out = np.where(self.settled & ~learned & (p[:, 2] < .05 * p[:, 1]))[0]
        self.fraction = p[:, 0] / np.where(searched, saturation, 1e9)
        tensor = lambda x: torch.tensor(x, device=device)
        self.settled_, self.tail_, self.limit_ = tensor(self.settled), tensor(self.tail), tensor(self.limit)
        self.saturated_, self.short_ = tensor(self.saturated), tensor(~searched)
        self.searched = tensor(np.where(self.limit & (data.table != LEFT_OUT))[0])


def huber(error):
    return nn.functional.smooth_l1_loss(error, torch.zeros_like(error), beta=0.3)


def loss(network, data, lessons, chosen):
    """Errors over their usual size: of the latency, of p99, of the saturation load; and what is known without a
    simulation: what a latency has beyond the empty network's grows at least as fast as the load."""
    n, x = data.owner[chosen], data.rate[chosen]
    # networks whose saturation load was searched for, near it, for the margin
    near = lessons.searched[torch.randint(len(lessons.searched), (len(n) // 4,), device=device)]
    near_load = data.saturation[near] * (0.7 + 0.5 * torch.rand(len(near), device=device))
    lower = slice(1, None, 6)
    excess, margin, tail = network(data, torch.cat([n, near, n[lower]]), torch.cat([x, near_load, 0.95 * x[lower]]))
    count, more = len(n), len(n) + len(near)
    below, near_margin = excess[more:], margin[count:more]
    excess, margin, tail = excess[:count], margin[:count], tail[:count]
    zero = torch.zeros_like(excess)
    settled, empty = lessons.settled_[chosen], data.empty[n]
    latency = torch.where(settled, data.latency[chosen], (empty + excess).detach())
    share = ((latency - empty) / latency).clamp(min=1e-4)
    usual = 0.012 + 0.08 * share + 0.7 * torch.where(settled, data.half[chosen], zero) / latency
    relative = lambda forecast, simulated: (forecast / simulated).clamp(max=6) - 1  # the error that is reported
    of_latency = huber(torch.where(settled, relative(empty + excess, latency) / usual, zero))
    has_tail, tail_empty = lessons.tail_[chosen], data.tail_empty[n]
    p99 = torch.where(has_tail, data.p99[chosen], zero + 1).clamp(min=1)
    usual = 0.02 + 0.15 * share + 0.7 * (torch.where(has_tail, data.p99_half[chosen], zero) + 0.5) / p99
    of_tail = huber(torch.where(has_tail, relative(tail_empty + tail, p99) / usual, zero))
    limit = data.saturation[near].clamp(min=1e-9)
    error = (near_margin - torch.log(near_load / limit)) / (0.03 + 0.5 * data.saturation_half[near] / limit)
    of_margin = huber(error)
    error = (margin - torch.log(x / data.saturation[n].clamp(min=1e-9))) / 0.15
    far = huber(torch.where(lessons.limit_[n], error, zero))
    # short runs have no saturation load: what settled is below it, what did not is not far below it
    wrong = torch.where(lessons.saturated_[chosen], (-0.03 - margin).clamp(min=0),
                        torch.where(settled & lessons.short_[chosen], margin.clamp(min=0), zero)) / 0.03
    falls = (torch.log((below + 1e-3) / (excess[lower] + 1e-3)) + 0.05).clamp(min=0).mean() / 0.05
    return of_latency + 0.3 * of_tail + 0.5 * of_margin + 0.05 * far + 0.3 * huber(wrong) + 0.1 * falls


def together(networks):
    """Several networks as one (router_learned.c): the forecast with the least expected relative error, if the simulated
    value is spread as they are, and the mean margin."""
    def forecast(data, chosen, rate):
        excess, margin, tail = (torch.stack(x) for x in zip(*(network(data, chosen, rate) for network in networks)))
        least = lambda x: (x.log().mean(0) - x.log().var(0).nan_to_num().clamp(max=0.5)).exp()
        return least(excess), margin.mean(0), least(tail)
    return forecast


def report(networks, data, lessons, tag):
    for network in networks:
        network.eval()
    text, which, forecast = tag, lessons.left_out, together(networks)
    with torch.no_grad():
        parts = [forecast(data, data.owner[i], data.rate[i]) for i in torch.tensor(which, device=device).split(256)]
        latency = (torch.cat([p[0] for p in parts]) + data.empty[data.owner[which]]).cpu().numpy()
        p99 = (torch.cat([p[2] for p in parts]) + data.tail_empty[data.owner[which]]).cpu().numpy()
        bursts = (data.waits[data.owner[which], -1] > 0).cpu().numpy()
        for low, high in ((.15, .4), (.4, .7), (.7, .85), (.85, .955)):
            k = (lessons.fraction[which] >= low) & (lessons.fraction[which] < high)
            error = lambda a, column: 100 * np.abs(a / data.points[which, column] - 1)
            text += " | %.2f (median %.2f, bursts %.1f) p99 %.1f" % (
                error(latency, 1)[k].mean(), np.median(error(latency, 1)[k]), error(latency, 1)[k & bursts].mean(),
                error(p99, 3)[k].mean())
        n = torch.tensor(np.where(lessons.limit & (data.table == LEFT_OUT))[0], device=device)
        load = 0.6 * data.capacity[n]
        for _ in range(10):
            load = torch.minimum(load * torch.exp(-forecast(data, n, load)[1].clamp(-1.2, 1.2)), data.capacity[n])
        error = 100 * (load / data.saturation[n] - 1).abs()
        text += " | saturation %.2f (median %.2f)" % (error.mean(), error.median())
    for network in networks:
        network.train()
    print(text, flush=True)


def fit(network, data, lessons, seconds, rate, batch):
    optimizer = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=1e-2)
    start, pass_ = time.time(), 0
    while time.time() - start < seconds:
        order = np.random.permutation(lessons.points)
        for k in range(0, len(order), batch):
            done = min(1.0, (time.time() - start) / seconds)
            for group in optimizer.param_groups:
                group["lr"] = rate * min(1.0, pass_ + (k + batch) / len(order)) * (0.5 + 0.5 * math.cos(math.pi * done))
            optimizer.zero_grad()
            value = loss(network, data, lessons, torch.tensor(order[k:k + batch], device=device))
            value.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            if done >= 1:
                break
        pass_ += 1
        if pass_ % 8 == 1:
            report([network], data, lessons, "pass %d, %.0f s" % (pass_, time.time() - start))
    report([network], data, lessons, "end")


def number(x):
    text = "%.6g" % x
    return text + ("F" if "." in text or "e" in text else ".0F")


def row(values):
    return "{" + ", ".join(number(x) for x in values) + "}"


def rows(weights):
    return "{" + ",\n".join(row(r) for r in weights) + "}"


def layer(ours, w, name):
    return ".%s = %s,\n.%s_bias = %s," % (ours, rows(w[name + ".weight"]), ours, row(w[name + ".bias"]))


def member(weights):
    """The weights of one network, as C has them."""
    w = {k: v.T if v.ndim == 2 else v for k, v in weights.items()}  # rows: inputs
    out = ["{", layer("first", w, "first"), layer("second", w, "second"), ".rounds = {"]
    for k in range(ROUNDS):
        parts = w["seen.%d.weight" % k].reshape(6, WIDTH, WIDTH)
        out += ["{", layer("from", w, "leaves.%d" % k), ".to = %s," % rows(w["enters.%d.weight" % k]),
                ".movement = %s," % rows(w["movement.%d.weight" % k]),
                ".seen = {%s},\n.seen_bias = %s," % (",\n".join(rows(p) for p in parts), row(w["seen.%d.bias" % k])),
                layer("change", w, "change.%d" % k), "},"]
    last = w["last.weight"].reshape(2, WIDTH, WIDTH)
    out += ["},", ".last = {%s},\n.last_bias = %s," % (",\n".join(rows(p) for p in last), row(w["last.bias"]))]
    out += [".wait = %s,\n.margin = %s," % (row(w["out.weight"][:, 0]), row(w["out.weight"][:, 1])),
            ".wait_bias = %s, .margin_bias = %s," % (number(w["out.bias"][0]), number(w["out.bias"][1])),
            layer("tail", w, "tail"), ".tail_last = %s, .tail_last_bias = %s," % (
                row(w["tail_last.weight"][:, 0]), number(w["tail_last.bias"][0])), "},"]
    return out


def write(path, fitted):
    norms = fitted[0].norms
    if any((f.norms[k] != norms[k]).any() for f in fitted for k in norms):
        raise SystemExit("the networks scale their inputs differently: fit them to the same data")
    out = ["/* clang-format off */", "/* Fitted by tests/validation/fit_routers.py to the networks of "
           "docs/validation/routers.csv,\n * router_training.csv and router_points.csv: not to be edited. */",
           '#include "models/router/router_weights.h"', '#include "registry/calibration.h"', "",
           "const fc_learned_weights fc_router_weights = {"]
    for name in ("fixed", "solved", "movement", "whole"):
        out.append(".%s = %s," % (name, rows(norms[name])))
    out.append(".members = {")
    for one in fitted:
        out += member(one.weights)
    identity = 0
    for one in fitted:
        identity = zlib.crc32(b"".join(np.ascontiguousarray(one.weights[k]).tobytes() for k in sorted(one.weights)), identity)
    out += ["}};", "", 'const fc_calibration_points fc_router_calibration = {', '    .model = "router-queueing", '
            '.networks = %d, .cases = %d, .identity = 0x%08xU};' % (fitted[0].networks, fitted[0].cases, identity)]
    with open(path, "w", encoding="ascii") as stream:
        for line in "\n".join(out).split("\n"):
            while len(line) > 118 and ", " in line[:116]:
                cut = line.rindex(", ", 0, 116) + 1
                stream.write(line[:cut] + "\n")
                line = " " + line[cut + 1:]
            stream.write(line + "\n")


class Fitted:
    """What a fit leaves in its file."""

    def __init__(self, path):
        kept = dict(np.load(path))
        self.networks, self.cases = int(kept.pop("networks")), int(kept.pop("cases"))
        self.norms = {k[5:]: kept.pop(k) for k in list(kept) if k.startswith("norm.")}
        self.weights = kept

    def network(self, drop=0.0):
        made = Network(drop)
        made.load_state_dict({k: torch.tensor(v) for k, v in self.weights.items()})
        return made.to(device)


def keep(path, network, norms, networks, cases):
    weights = {k: v.detach().cpu().numpy() for k, v in network.state_dict().items()}
    np.savez(path, networks=networks, cases=cases, **weights, **{"norm." + k: v for k, v in norms.items()})


def start_fit(given):
    torch.manual_seed(given.seed)
    np.random.seed(given.seed)
    torch.set_float32_matmul_precision("high")
    data = Data(read_graphs(given.graphs))
    norms = data.norms
    network = Network(given.drop).to(device)
    if given.start:
        before = Fitted(given.start)
        for name, mine in norms.items():  # what the inputs are divided by stays; their range may have grown
            mine[:, :2] = before.norms[name][:, :2]
            mine[:, 2] = np.minimum(mine[:, 2], before.norms[name][:, 2])
            mine[:, 3] = np.maximum(mine[:, 3], before.norms[name][:, 3])
        network = before.network(given.drop)
    data.scale(norms)
    lessons = Lessons(data)
    print("%d networks, %d loads, %d left out, on %s" % (len(data.table), len(lessons.points), len(lessons.left_out), device))
    fit(network, data, lessons, given.seconds, given.rate, given.batch)
    keep(given.fitted, network, norms, int((data.table != LEFT_OUT).sum()), len(lessons.points))


def score(given):
    data = Data(read_graphs(given.graphs))
    fitted = [Fitted(path) for path in given.fitted]
    data.scale(fitted[0].norms)
    lessons = Lessons(data)
    networks = [one.network() for one in fitted]
    for path, network in zip(given.fitted, networks):
        report([network], data, lessons, path)
    report(networks, data, lessons, "together")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("fit", help="fits a network")
    one.add_argument("graphs")
    one.add_argument("fitted", help="the file to leave it in")
    one.add_argument("--seconds", type=float, default=600)
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--rate", type=float, default=4e-3, help="of learning, at first")
    one.add_argument("--drop", type=float, default=0.05)
    one.add_argument("--batch", type=int, default=256, help="simulated loads of a step")
    one.add_argument("--start", help="a fitted network to start from")
    one.set_defaults(run=start_fit)
    one = commands.add_parser("score", help="errors on the networks left out")
    one.add_argument("graphs")
    one.add_argument("fitted", nargs="+")
    one.set_defaults(run=score)
    one = commands.add_parser("write", help="writes fitted networks as C")
    one.add_argument("source", help="the file to write")
    one.add_argument("fitted", nargs="+")
    one.set_defaults(run=lambda given: write(given.source, [Fitted(path) for path in given.fitted]))
    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    main()
