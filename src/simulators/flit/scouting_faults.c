/* Which destinations minimal routing can reach past faulty channels.
 *
 * A header only ever moves closer to its destination, so a pair is connected if one of its minimal
 * paths avoids every fault. For each source and each vector of signed hops o (at most a
 * half ring, or the mesh, a dimension) one bit says whether some order of those hops works:
 *
 *     works(0) = true,  works(o) = any dimension i with o_i != 0:
 *                works(o - step_i) and the channel out of (source + o - step_i) along i is whole.
 *
 * Hops are numbered 0, +1, -1, +2, -2, ... so that o - step_i always has a smaller number and one
 * pass in numerical order fills the table. */
#include "base/memory.h"
#include "simulators/flit/scouting.h"

/* Signed hops of a dimension, none included. */
static size_t hop_count(const fc_torus *torus, size_t dimension) {
    const int64_t radix = torus->radix.values[dimension];
    const bool half = torus->topology == FC_TORUS && torus->links == FC_BIDIRECTIONAL;
    return (size_t)(2 * (half ? radix / 2 : radix - 1) + 1);
}

double fc_scouting_fault_table(const fc_torus *torus) {
    double bits = (double)torus->nodes;
    for (size_t i = 0; i < torus->radix.count; ++i)
        bits *= (double)hop_count(torus, i);
    return bits;
}

static size_t box_size(const fc_scouting *network) {
    return (size_t)(fc_scouting_fault_table(network->torus) / network->nodes);
}

static bool table_bit(const fc_scouting *network, size_t box, int32_t source, size_t number) {
    const size_t bit = (size_t)source * box + number;
    return network->reachable[bit >> 6] >> (bit & 63) & 1;
}

/* The node at the given signed hops from a source; FC_SCOUTING_NONE: that is outside a mesh. */
static int32_t node_at(const fc_scouting *network, int32_t source, const int64_t *hops) {
    const fc_geometry *geometry = network->geometry;
    int64_t node = 0;
    for (int32_t i = 0; i < network->dimensions; ++i) {
        const int64_t radix = geometry->radix[i];
        const int64_t digit = (int64_t)fc_digit(geometry, (uint32_t)source, (uint32_t)i) + hops[i];
        if (!geometry->wraps && (digit < 0 || digit >= radix))
            return FC_SCOUTING_NONE;
        node += (digit % radix + radix) % radix * geometry->stride[i];
    }
    return (int32_t)node;
}

static void fill_source(fc_scouting *network, int32_t source, size_t box) {
    int64_t hops[FC_LIST_MAX];
    for (size_t number = 0; number < box; ++number) {
        size_t rest = number;
        for (int32_t i = 0; i < network->dimensions; ++i) {
            const size_t count = hop_count(network->torus, (size_t)i);
            const int64_t code = (int64_t)(rest % count);
            hops[i] = code % 2 ? (code + 1) / 2 : -(code / 2);
            rest /= count;
        }
        bool works = number == 0;
        size_t weight = 1;
        for (int32_t i = 0; i < network->dimensions && !works; ++i) {
            const int64_t step = hops[i] > 0 ? 1 : -1;
            if (hops[i] != 0) {
                const size_t before = number - weight * (hops[i] == 1 ? 1 : 2);
                hops[i] -= step;
                const int32_t node = node_at(network, source, hops);
                hops[i] += step;
                works = node != FC_SCOUTING_NONE && table_bit(network, box, source, before) &&
                        network->channel[fc_scouting_out(network, node, i, step > 0)].free != 0;
            }
            weight *= hop_count(network->torus, (size_t)i);
        }
        const size_t bit = (size_t)source * box + number;
        if (works)
            network->reachable[bit >> 6] |= (uint64_t)1 << (bit & 63);
    }
}

/* The number of the hops from source to destination in the directions of rising. */
static size_t number_of(const fc_scouting *network, int32_t source, int32_t destination,
                        uint32_t rising) {
    size_t number = 0, weight = 1;
    for (int32_t i = 0; i < network->dimensions; ++i) {
        const int32_t hops = fc_scouting_hops(network, source, destination, i, rising);
        const int32_t code = hops == 0 ? 0 : rising >> i & 1 ? 2 * hops - 1 : 2 * hops;
        number += weight * (size_t)code;
        weight *= hop_count(network->torus, (size_t)i);
    }
    return number;
}

bool fc_scouting_reachable(const fc_scouting *network, int32_t source, int32_t destination,
                           uint32_t ties, uint32_t *rising) {
    const size_t box = box_size(network);
    uint32_t flips = 0;
    do { /* every subset of the ties, the drawn directions first */
        if (table_bit(network, box, source,
                      number_of(network, source, destination, *rising ^ flips))) {
            *rising ^= flips;
            return true;
        }
        flips = (flips - ties) & ties;
    } while (flips != 0);
    return false;
}

fc_status fc_scouting_faults_create(fc_scouting *network, fc_error *error) {
    const size_t box = box_size(network);
    const size_t bits = box * (size_t)network->nodes;
    network->reachable = fc_allocate(bits / 64 + 1, sizeof *network->reachable);
    if (!network->reachable)
        return fc_fail_memory(error);
    for (int32_t source = 0; source < network->nodes; ++source)
        fill_source(network, source, box);
    double lost = 0;
    for (int32_t source = 0; source < network->nodes; ++source)
        for (int32_t to = 0; to < network->nodes; ++to) {
            uint32_t ties;
            uint32_t rising =
                fc_route_rising(network->geometry, (uint32_t)source, (uint32_t)to, &ties);
            lost += source != to && !fc_scouting_reachable(network, source, to, ties, &rising);
        }
    network->unreachable_pairs = lost / ((double)network->nodes * (double)(network->nodes - 1));
    return FC_OK;
}
