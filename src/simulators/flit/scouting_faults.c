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

static size_t box_size(const fc_torus *torus) {
    return (size_t)(fc_scouting_fault_table(torus) / (double)torus->nodes);
}

static bool bit_of(const uint64_t *bits, size_t number) {
    return bits[number >> 6] >> (number & 63) & 1;
}

static void set_bit(uint64_t *bits, size_t number) {
    bits[number >> 6] |= UINT64_C(1) << (number & 63);
}

/* The node at the given signed hops from a source; FC_NO_NODE: that is outside a mesh. */
static uint32_t node_at(const fc_geometry *geometry, uint32_t source, const int64_t *hops) {
    int64_t node = 0;
    for (uint32_t i = 0; i < geometry->dimensions; ++i) {
        const int64_t radix = geometry->radix[i];
        const int64_t digit = (int64_t)fc_digit(geometry, source, i) + hops[i];
        if (!geometry->wraps && (digit < 0 || digit >= radix))
            return FC_NO_NODE;
        node += (digit % radix + radix) % radix * geometry->stride[i];
    }
    return (uint32_t)node;
}

static void fill_source(const fc_scouting_common *common, uint32_t source, size_t box) {
    const fc_geometry *geometry = common->network->geometry;
    const fc_torus *torus = common->network->torus;
    const size_t first = source * box;
    int64_t hops[FC_LIST_MAX];
    for (size_t number = 0; number < box; ++number) {
        size_t rest = number;
        for (uint32_t i = 0; i < geometry->dimensions; ++i) {
            const size_t count = hop_count(torus, i);
            const int64_t code = (int64_t)(rest % count);
            hops[i] = code % 2 ? (code + 1) / 2 : -(code / 2);
            rest /= count;
        }
        bool works = number == 0;
        size_t weight = 1;
        for (uint32_t i = 0; i < geometry->dimensions && !works; ++i) {
            const int64_t step = hops[i] > 0 ? 1 : -1;
            if (hops[i] != 0) {
                const size_t before = number - weight * (hops[i] == 1 ? 1 : 2);
                hops[i] -= step;
                const uint32_t node = node_at(geometry, source, hops);
                hops[i] += step;
                works = node != FC_NO_NODE && bit_of(common->reachable, first + before) &&
                        !bit_of(common->broken, fc_channel_number(geometry, node, i, step > 0));
            }
            weight *= hop_count(torus, i);
        }
        if (works)
            set_bit(common->reachable, first + number);
    }
}

/* The number of the hops from source to destination in the directions of rising. */
static size_t number_of(const fc_torus_network *network, uint32_t source, uint32_t destination,
                        uint32_t rising) {
    const fc_geometry *geometry = network->geometry;
    size_t number = 0, weight = 1;
    for (uint32_t i = 0; i < geometry->dimensions; ++i) {
        const size_t hops = fc_scouting_hops(geometry, source, destination, i, rising);
        const size_t code = hops == 0 ? 0 : rising >> i & 1 ? 2 * hops - 1 : 2 * hops;
        number += weight * code;
        weight *= hop_count(network->torus, i);
    }
    return number;
}

bool fc_scouting_reachable(const fc_scouting_common *common, uint32_t source, uint32_t destination,
                           uint32_t ties, uint32_t *rising) {
    const fc_torus_network *network = common->network;
    const size_t first = source * box_size(network->torus);
    uint32_t flips = 0;
    do { /* every subset of the ties, the drawn directions first */
        if (bit_of(common->reachable,
                   first + number_of(network, source, destination, *rising ^ flips))) {
            *rising ^= flips;
            return true;
        }
        flips = (flips - ties) & ties;
    } while (flips != 0);
    return false;
}

static double share_unreachable(const fc_scouting_common *common) {
    const fc_geometry *geometry = common->network->geometry;
    double lost = 0;
    for (uint32_t source = 0; source < geometry->nodes; ++source)
        for (uint32_t to = 0; to < geometry->nodes; ++to) {
            uint32_t ties;
            uint32_t rising = fc_route_rising(geometry, source, to, &ties);
            lost += source != to && !fc_scouting_reachable(common, source, to, ties, &rising);
        }
    return lost / ((double)geometry->nodes * (double)(geometry->nodes - 1));
}

static uint32_t node_of(const fc_geometry *geometry, const fc_integer_list *coordinates) {
    if (coordinates->count == 1)
        return (uint32_t)coordinates->values[0];
    uint32_t node = 0;
    for (size_t d = 0; d < coordinates->count; ++d)
        node += (uint32_t)coordinates->values[d] * geometry->stride[d];
    return node;
}

/* A failed node: every channel out of it and into it. */
static void break_node(fc_scouting_common *common, uint32_t node) {
    const fc_geometry *geometry = common->network->geometry;
    for (uint32_t d = 0; d < geometry->dimensions; ++d)
        for (uint32_t rising = 0; rising < 2; ++rising) {
            const uint32_t next = fc_geometry_neighbour(geometry, node, d, rising);
            set_bit(common->broken, fc_channel_number(geometry, node, d, rising));
            if (next != FC_NO_NODE)
                set_bit(common->broken, fc_channel_number(geometry, next, d, !rising));
        }
}

static fc_status find_reachable(fc_scouting_common *common, fc_error *error) {
    const fc_geometry *geometry = common->network->geometry;
    const fc_torus *torus = common->network->torus;
    const size_t box = box_size(torus);
    common->broken = fc_allocate(geometry->channels / 64 + 1, sizeof *common->broken);
    common->reachable = fc_allocate(box * geometry->nodes / 64 + 1, sizeof *common->reachable);
    if (!common->broken || !common->reachable)
        return fc_fail_memory(error);
    for (size_t i = 0; i < torus->faults.router_count; ++i)
        break_node(common, node_of(geometry, &torus->faults.routers[i]));
    for (size_t i = 0; i < torus->faults.count; ++i) {
        const fc_fault *fault = &torus->faults.list[i];
        set_bit(common->broken,
                fc_channel_number(geometry, (uint32_t)fault->node, (uint32_t)fault->dimension,
                                  fault->direction > 0));
    }
    for (uint32_t source = 0; source < geometry->nodes; ++source)
        fill_source(common, source, box);
    common->unreachable_pairs = share_unreachable(common);
    return FC_OK;
}

fc_status fc_scouting_common_create(const fc_torus *torus, fc_error *error,
                                    fc_scouting_common **common) {
    fc_scouting_common *made = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    fc_status status = fc_torus_network_create(torus, error, &made->network);
    if (status == FC_OK && fc_faults_are_listed(&torus->faults))
        status = find_reachable(made, error);
    if (status != FC_OK) {
        fc_scouting_common_free(made);
        return status;
    }
    *common = made;
    return FC_OK;
}

void fc_scouting_common_free(fc_scouting_common *common) {
    if (!common)
        return;
    fc_release(common->broken);
    fc_release(common->reachable);
    fc_torus_shadow_plan_free(common->shadow);
    fc_torus_network_free(common->network);
    fc_release(common);
}
