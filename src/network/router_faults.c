#include "network/router_faults.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/random.h"
#include "network/graph_dimensions.h"
#include "network/graph_routing.h"
#include "network/node_ports.h"
#include "network/router_wiring.h"

#define NONE UINT32_MAX
static const char key[] = "network.faults";
enum { DRAWN = 0xfa17, DRAWN_LINKS = 0, DRAWN_ROUTERS = 1 }; /* of random streams */

typedef struct cable {
    uint32_t low, high;   /* routers */
    uint32_t there, back; /* outputs, from low to high and from high to low; NONE: there is none */
} cable;

typedef struct breaking {
    const fc_scenario *scenario;
    const fc_routed *routed;
    bool grid;
    const fc_router_network *whole;
    fc_error *error;
    cable *cables; /* ascending by low, then high */
    uint32_t cable_count;
    uint8_t *dead;        /* outputs of the whole network */
    uint8_t *dead_router; /* routers */
    uint32_t *part;       /* routers: the number of what it can reach and is reached by, from 1 */
    uint32_t *queue;      /* routers */
    uint8_t *mark;        /* routers */
} breaking;

static uint32_t router_behind(const fc_router_network *network, uint32_t output) {
    const uint32_t end = network->output_end[output];
    return end & FC_TO_NODE ? NONE : network->input_router[end];
}

/* ---- cables ---- */

static int by_routers(const void *left, const void *right) {
    const cable *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    if ((a->there == NONE) != (b->there == NONE))
        return a->there == NONE ? 1 : -1;
    const uint32_t first = a->there == NONE ? a->back : a->there;
    const uint32_t second = b->there == NONE ? b->back : b->there;
    return (first > second) - (first < second);
}

/* Of one pair of routers, those there first: joins each with one back. Returns the cables left. */
static uint32_t join_pair(cable *list, uint32_t count) {
    uint32_t there = 0;
    while (there < count && list[there].there != NONE)
        ++there;
    const uint32_t back = count - there, both = there < back ? there : back;
    for (uint32_t i = 0; i < both; ++i)
        list[i].back = list[there + i].back;
    if (there >= back)
        return there;
    memmove(list + there, list + there + both, (back - both) * sizeof *list);
    return back;
}

static bool find_cables(breaking *b) {
    const fc_router_network *network = b->whole;
    uint32_t count = 0, left = 0;
    b->cables = fc_allocate((size_t)network->outputs + 1, sizeof *b->cables);
    if (!b->cables)
        return false;
    for (uint32_t o = 0; o < network->outputs; ++o) {
        const uint32_t from = network->output_router[o], to = router_behind(network, o);
        if (to == NONE)
            continue;
        b->cables[count++] = from < to ? (cable){from, to, o, NONE} : (cable){to, from, NONE, o};
    }
    qsort(b->cables, count, sizeof *b->cables, by_routers);
    for (uint32_t first = 0, end; first < count; first = end) {
        end = first;
        while (end < count && b->cables[end].low == b->cables[first].low &&
               b->cables[end].high == b->cables[first].high)
            ++end;
        const uint32_t joined = join_pair(b->cables + first, end - first);
        memmove(b->cables + left, b->cables + first, joined * sizeof *b->cables);
        left += joined;
    }
    b->cable_count = left;
    return true;
}

static bool is_whole(const breaking *b, uint32_t output) {
    return output == NONE || !b->dead[output];
}

static void kill_cable(breaking *b, const cable *cut) {
    if (cut->there != NONE)
        b->dead[cut->there] = 1;
    if (cut->back != NONE)
        b->dead[cut->back] = 1;
}

/* ---- what is listed ---- */

/* A router by its number, or by its digits in a grid. */
static fc_status find_router(const breaking *b, const fc_integer_list *at, uint32_t *router) {
    const fc_integer_list *sides = &b->routed->digits;
    int64_t number = at->values[0], stride = 1;
    if (at->count != 1 && (!b->grid || at->count != sides->count))
        return fc_scenario_fail_key(b->scenario, key, b->error,
                                    b->grid ? "%s: a router is one number or %zu digits, dimension "
                                              "0 first; %zu are given"
                                            : "%s: a router of this topology is one number",
                                    key, sides->count, at->count);
    for (size_t d = 0; d < at->count && at->count > 1; ++d) {
        if (at->values[d] >= sides->values[d])
            return fc_scenario_fail_key(
                b->scenario, key, b->error, "%s: digit %lld of dimension %zu is outside 0 to %lld",
                key, (long long)at->values[d], d, (long long)sides->values[d] - 1);
        number = d ? number + at->values[d] * stride : at->values[0];
        stride *= sides->values[d];
    }
    if (number >= (int64_t)b->whole->routers)
        return fc_scenario_fail_key(b->scenario, key, b->error,
                                    "%s: there is no router %lld; the last one is %u", key,
                                    (long long)number, b->whole->routers - 1);
    *router = (uint32_t)number;
    return FC_OK;
}

static fc_status refuse_link(const breaking *b, uint32_t from, uint32_t to) {
    char list[160] = "";
    size_t used = 0;
    uint32_t last = NONE;
    for (uint32_t o = b->whole->output_first[from]; o < b->whole->output_first[from + 1]; ++o) {
        const uint32_t end = router_behind(b->whole, o);
        if (end == NONE || end == last || used > sizeof list - 20)
            continue;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%u", used ? ", " : "", end);
        last = end;
    }
    return fc_scenario_fail_key(
        b->scenario, key, b->error,
        "%s: there is no link from router %u to router %u that could break; "
        "from router %u links lead to: %s",
        key, from, to, from, list);
}

static fc_status break_between(breaking *b, const fc_fault *fault) {
    uint32_t from, to;
    fc_status status = find_router(b, &fault->coordinates, &from);
    if (status == FC_OK)
        status = find_router(b, &fault->other, &to);
    if (status != FC_OK)
        return status;
    const uint32_t low = from < to ? from : to, high = from < to ? to : from;
    for (uint32_t i = 0; i < b->cable_count; ++i) {
        const cable *at = &b->cables[i];
        if (at->low != low || at->high != high || !is_whole(b, at->there) || !is_whole(b, at->back))
            continue;
        kill_cable(b, at);
        return FC_OK;
    }
    return refuse_link(b, from, to);
}

static fc_status break_direction(breaking *b, const fc_fault *fault) {
    const fc_integer_list *sides = &b->routed->digits;
    uint32_t from;
    if (!b->grid || fault->dimension >= (int64_t)sides->count)
        return fc_scenario_fail_key(b->scenario, key, b->error,
                                    b->grid ? "%s: there is no dimension %lld"
                                            : "%s: [node, dimension, direction] is for tori and "
                                              "meshes; here a broken link is [router, router]",
                                    key, (long long)fault->dimension);
    const fc_status status = find_router(b, &fault->coordinates, &from);
    if (status != FC_OK)
        return status;
    int64_t stride = 1;
    for (int64_t d = 0; d < fault->dimension; ++d)
        stride *= sides->values[d];
    const int64_t side = sides->values[fault->dimension], digit = from / stride % side;
    const int64_t moved = (digit + fault->direction + side) % side;
    const uint32_t to = (uint32_t)(from + (moved - digit) * stride);
    for (uint32_t o = b->whole->output_first[from]; o < b->whole->output_first[from + 1]; ++o) {
        if (router_behind(b->whole, o) == to && !b->dead[o]) {
            b->dead[o] = 1;
            return FC_OK;
        }
    }
    return refuse_link(b, from, to);
}

static fc_status break_listed(breaking *b) {
    const fc_faults *faults = &b->routed->faults;
    fc_status status = FC_OK;
    for (size_t i = 0; i < faults->count && status == FC_OK; ++i)
        status =
            (faults->list[i].other.count ? break_between : break_direction)(b, &faults->list[i]);
    for (size_t i = 0; i < faults->router_count && status == FC_OK; ++i) {
        uint32_t router;
        status = find_router(b, &faults->routers[i], &router);
        if (status == FC_OK)
            b->dead_router[router] = 1;
    }
    return status;
}

/* ---- what is drawn ---- */

/* The first of a random order: calls `fail` for a share of all. */
static bool draw(breaking *b, uint32_t stream, uint32_t count, double share,
                 void (*fail)(breaking *, uint32_t)) {
    fc_random random = fc_random_stream((uint64_t)b->routed->faults.seed, DRAWN, stream);
    const uint32_t failing = (uint32_t)floor(share * count + 0.5);
    uint32_t *order = fc_allocate((size_t)count + 1, sizeof *order);
    if (!order)
        return false;
    for (uint32_t i = 0; i < count; ++i)
        order[i] = i;
    for (uint32_t i = 0; i < failing; ++i) {
        const uint32_t other = i + fc_random_below(&random, count - i), taken = order[other];
        order[other] = order[i];
        order[i] = taken;
        fail(b, taken);
    }
    fc_release(order);
    return true;
}

static void fail_cable(breaking *b, uint32_t number) {
    kill_cable(b, &b->cables[number]);
}

static void fail_router(breaking *b, uint32_t router) {
    b->dead_router[router] = 1;
}

static bool break_drawn(breaking *b) {
    const fc_faults *faults = &b->routed->faults;
    return !faults->drawn ||
           (draw(b, DRAWN_LINKS, b->cable_count, faults->link_share, fail_cable) &&
            draw(b, DRAWN_ROUTERS, b->whole->routers, faults->router_share, fail_router));
}

/* ---- parts ---- */

static bool carries(const breaking *b, uint32_t output) {
    const uint32_t to = router_behind(b->whole, output);
    return to != NONE && !b->dead[output] && !b->dead_router[to] &&
           !b->dead_router[b->whole->output_router[output]];
}

/* Sets `bit` in the marks of all routers without a part that are reached from one, along or against
 * the links. */
static void reach(breaking *b, uint32_t start, bool along, uint8_t bit) {
    const fc_router_network *network = b->whole;
    uint32_t head = 0, tail = 0;
    b->queue[tail++] = start;
    b->mark[start] |= bit;
    while (head < tail) {
        const uint32_t at = b->queue[head++];
        const uint32_t *first = along ? network->output_first : network->input_first;
        for (uint32_t i = first[at]; i < first[at + 1]; ++i) {
            const uint32_t output = along ? i : network->input_begin[i];
            if ((!along && output & FC_TO_NODE) || !carries(b, output))
                continue;
            const uint32_t next =
                along ? router_behind(network, output) : network->output_router[output];
            if (b->part[next] || b->mark[next] & bit)
                continue;
            b->mark[next] |= bit;
            b->queue[tail++] = next;
        }
    }
}

/* Routers that reach each other are one part. */
static void find_parts(breaking *b) {
    uint32_t parts = 0;
    for (uint32_t start = 0; start < b->whole->routers; ++start) {
        if (b->part[start])
            continue;
        memset(b->mark, 0, b->whole->routers);
        reach(b, start, true, 1);
        reach(b, start, false, 2);
        ++parts;
        for (uint32_t r = 0; r < b->whole->routers; ++r)
            b->part[r] = b->mark[r] == 3 ? parts : b->part[r];
    }
}

/* The part that a port of a node is in; 0: in none, its router has failed. */
static uint32_t part_of(const breaking *b, uint32_t end) {
    const uint32_t router = b->whole->input_router[b->whole->node_input[end]];
    return b->dead_router[router] ? 0 : b->part[router];
}

/* Whether a node has a port in a part. */
static bool is_in(const breaking *b, uint32_t node, uint32_t part) {
    const struct fc_ports *ports = b->whole->ports;
    const uint32_t first = ports ? ports->first[node] : node;
    const uint32_t end = ports ? ports->first[node + 1] : node + 1;
    for (uint32_t port = first; port < end; ++port) {
        if (part_of(b, port) == part)
            return true;
    }
    return false;
}

/* The part with the most nodes, of several the first. queue: nodes of each. */
static uint32_t largest_part(breaking *b) {
    const fc_router_network *network = b->whole;
    uint32_t largest = 0;
    memset(b->queue, 0, ((size_t)network->routers + 1) * sizeof *b->queue);
    for (uint32_t end = 0; end < network->nodes; ++end) {
        const uint32_t part = part_of(b, end), node = fc_node_of(network, end);
        bool counted = !part;
        for (uint32_t before = end;
             !counted && before > 0 && fc_node_of(network, before - 1) == node; --before)
            counted = part_of(b, before - 1) == part;
        b->queue[part] += !counted;
    }
    for (uint32_t part = 1; part <= network->routers; ++part)
        largest = b->queue[part] > b->queue[largest] ? part : largest;
    return largest;
}

/* Whether all ports of a node are. */
static bool is_absent(const fc_router_network *network, const uint8_t *absent, uint32_t node) {
    const struct fc_ports *ports = network->ports;
    if (!ports)
        return absent[node];
    for (uint32_t end = ports->first[node]; end < ports->first[node + 1]; ++end) {
        if (!absent[end])
            return false;
    }
    return true;
}

/* In a fly nodes send into other routers than they receive from, and its links lead one way: there,
 * only nodes of failed routers are cut off. */
static bool one_way_through(const fc_router_network *network) {
    for (uint32_t node = 0; node < network->nodes; ++node) {
        if (network->input_router[network->node_input[node]] !=
            network->output_router[network->node_output[node]])
            return true;
    }
    return false;
}

/* Two nodes with several ports reach each other in any part that both are in. */
static bool all_meet(const breaking *b) {
    enum { NODES_MOST = 2048 };
    const struct fc_ports *ports = b->whole->ports;
    if (!ports || ports->nodes > NODES_MOST)
        return false;
    for (uint32_t node = 0; node < ports->nodes; ++node) {
        for (uint32_t other = 0; other < ports->nodes; ++other) {
            bool met = false;
            for (uint32_t end = ports->first[node]; end < ports->first[node + 1]; ++end)
                met = met || (part_of(b, end) && is_in(b, other, part_of(b, end)));
            if (!met)
                return false;
        }
    }
    return true;
}

static fc_status cut_off(breaking *b, uint8_t *absent, fc_failures *failures) {
    const fc_router_network *network = b->whole;
    const bool through = one_way_through(network);
    const uint32_t nodes = fc_node_count(network);
    uint32_t left = 0, kept = 0;
    if (!through)
        find_parts(b);
    const bool all = all_meet(b);
    if (!through)
        kept = largest_part(b);
    for (uint32_t end = 0; end < network->nodes; ++end) {
        const uint32_t in = network->input_router[network->node_input[end]];
        const uint32_t out = network->output_router[network->node_output[end]];
        absent[end] = b->dead_router[in] || b->dead_router[out] ||
                      (!through && !all && !is_in(b, fc_node_of(network, end), kept));
    }
    for (uint32_t node = 0; node < nodes; ++node)
        left += !is_absent(network, absent, node);
    failures->cut_off = nodes - left;
    if (left < 2)
        return fc_scenario_fail_key(b->scenario, key, b->error,
                                    "%s leaves no two nodes that can reach each other", key);
    return FC_OK;
}

/* ---- what is left ---- */

static fc_status wire_rest(const breaking *b, uint32_t *dimension, fc_router_network **made) {
    const fc_router_network *whole = b->whole;
    fc_router_link *link = fc_allocate((size_t)whole->outputs + 1, sizeof *link);
    uint32_t *from = fc_allocate(whole->nodes, sizeof *from);
    uint32_t *to = fc_allocate(whole->nodes, sizeof *to);
    uint32_t links = 0;
    fc_status status = link && from && to ? FC_OK : fc_fail_memory(b->error);
    for (uint32_t o = 0; o < whole->outputs && status == FC_OK; ++o) {
        if (!carries(b, o))
            continue;
        link[links++] = (fc_router_link){
            .from = whole->output_router[o],
            .to = router_behind(whole, o),
            .delay = whole->output_delay[o],
            .width =
                whole->output_interval ? ldexp(1.0 / (double)whole->output_interval[o], 16) : 0};
    }
    for (uint32_t node = 0; node < whole->nodes && status == FC_OK; ++node) {
        from[node] = whole->input_router[whole->node_input[node]];
        to[node] = whole->output_router[whole->node_output[node]];
    }
    const fc_wiring wiring = {.nodes = whole->nodes,
                              .routers = whole->routers,
                              .links = links,
                              .link = link,
                              .router_of_node = from,
                              .router_to_node = to,
                              .node_delay = (uint32_t)b->routed->node_delay,
                              .virtual_channels = whole->virtual_channels};
    if (status == FC_OK)
        status = fc_router_network_wire(&wiring, b->error, made);
    /* Outputs keep their order within a router, those to nodes last. */
    for (uint32_t r = 0; r < whole->routers && status == FC_OK; ++r) {
        uint32_t o = (*made)->output_first[r];
        for (uint32_t old = whole->output_first[r]; old < whole->output_first[r + 1]; ++old) {
            if (carries(b, old))
                dimension[o++] = dimension[old];
        }
    }
    fc_release(link);
    fc_release(from);
    fc_release(to);
    return status;
}

/* The ports of what is left, and which nodes have lost all of theirs. */
static fc_status keep_ports(const breaking *b, fc_router_network *made) {
    const struct fc_ports *ports = b->whole->ports;
    if (!ports)
        return FC_OK;
    const fc_port_plan plan = {
        .nodes = ports->nodes, .first = ports->first, .spread = ports->spread};
    const fc_status status = fc_ports_add(&plan, b->error, made);
    if (status != FC_OK || !memchr(made->absent, 1, made->nodes))
        return status;
    made->ports->absent = fc_allocate(ports->nodes, sizeof *made->ports->absent);
    for (uint32_t node = 0; made->ports->absent && node < ports->nodes; ++node)
        made->ports->absent[node] = is_absent(made, made->absent, node);
    return made->ports->absent ? FC_OK : fc_fail_memory(b->error);
}

/* ---- in words ---- */

static void append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void append(char *text, size_t size, const char *format, ...) {
    const size_t used = strlen(text);
    va_list list;
    va_start(list, format);
    vsnprintf(text + used, size - used, format, list);
    va_end(list);
}

enum { NAMED = 4 }; /* of each kind */

/* " links 1-2, 3-4, ... (6)" */
static void name_all(char *text, size_t size, const char *noun, uint32_t count,
                     void (*name)(const void *context, uint32_t number, char *text, size_t size),
                     const void *context) {
    for (uint32_t i = 0; i < count && i < NAMED; ++i) {
        if (i == 0)
            append(text, size, " %s%s ", noun, count > 1 ? "s" : "");
        else
            append(text, size, ", ");
        name(context, i, text, size);
    }
    if (count > NAMED)
        append(text, size, ", ... (%u)", count);
}

static void name_link(const void *context, uint32_t number, char *text, size_t size) {
    const fc_failed_link *link = &((const fc_failures *)context)->links[number];
    append(text, size, "%u%s%u", link->from, link->one_way ? " to " : "-", link->to);
}

static void name_router(const void *context, uint32_t number, char *text, size_t size) {
    append(text, size, "%u", ((const fc_failures *)context)->routers[number]);
}

static void name_node(const void *context, uint32_t number, char *text, size_t size) {
    uint32_t node = 0;
    const uint8_t *absent = fc_absent_nodes(context);
    for (uint32_t before = number;; ++node) {
        if (absent[node] && before-- == 0)
            break;
    }
    append(text, size, "%u", node);
}

static void describe(const fc_router_network *network, fc_failures *failures) {
    char *text = failures->text;
    const size_t size = sizeof failures->text;
    append(text, size, "failed:");
    name_all(text, size, "link", failures->link_count, name_link, failures);
    if (failures->link_count && failures->router_count)
        append(text, size, ";");
    name_all(text, size, "router", failures->router_count, name_router, failures);
    if (!failures->link_count && !failures->router_count)
        append(text, size, " nothing");
    if (failures->cut_off)
        append(text, size, "; cut off:");
    name_all(text, size, "node", failures->cut_off, name_node, network);
}

/* Cables by their routers, of which one direction may be whole. */
static bool list_failures(const breaking *b, fc_failures *failures) {
    failures->links = fc_allocate((size_t)b->cable_count + 1, sizeof *failures->links);
    failures->routers = fc_allocate(b->whole->routers, sizeof *failures->routers);
    if (!failures->links || !failures->routers)
        return false;
    for (uint32_t i = 0; i < b->cable_count; ++i) {
        const cable *at = &b->cables[i];
        const bool there = at->there != NONE && b->dead[at->there];
        const bool back = at->back != NONE && b->dead[at->back];
        if ((!there && !back) || b->dead_router[at->low] || b->dead_router[at->high])
            continue;
        failures->links[failures->link_count++] = there ? (fc_failed_link){at->low, at->high, !back}
                                                        : (fc_failed_link){at->high, at->low, true};
    }
    for (uint32_t r = 0; r < b->whole->routers; ++r) {
        if (b->dead_router[r])
            failures->routers[failures->router_count++] = r;
    }
    return true;
}

void fc_failures_free(fc_failures *failures) {
    if (!failures)
        return;
    fc_release(failures->links);
    fc_release(failures->routers);
    fc_release(failures);
}

/* ---- the whole ---- */

static bool prepare(breaking *b) {
    const size_t routers = b->whole->routers;
    b->dead = fc_allocate(b->whole->outputs, sizeof *b->dead);
    b->dead_router = fc_allocate(routers, sizeof *b->dead_router);
    b->part = fc_allocate(routers, sizeof *b->part);
    b->queue = fc_allocate(routers + 1, sizeof *b->queue);
    b->mark = fc_allocate(routers, sizeof *b->mark);
    return b->dead && b->dead_router && b->part && b->queue && b->mark && find_cables(b);
}

static void clear(breaking *b) {
    void *const blocks[] = {b->cables, b->dead, b->dead_router, b->part, b->queue, b->mark};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        fc_release(blocks[i]);
}

/* Failures are found, then cut off nodes, then what is left is wired. dimension: of the whole
 * network's outputs, then of those left. */
static fc_status take_apart(breaking *b, uint32_t *dimension, fc_router_network **made) {
    fc_failures *failures = fc_allocate(1, sizeof *failures);
    uint8_t *absent = fc_allocate(b->whole->nodes, sizeof *absent);
    fc_status status = failures && absent ? break_listed(b) : fc_fail_memory(b->error);
    if (status == FC_OK && (!break_drawn(b) || !list_failures(b, failures)))
        status = fc_fail_memory(b->error);
    if (status == FC_OK)
        status = cut_off(b, absent, failures);
    if (status == FC_OK)
        status = wire_rest(b, dimension, made);
    if (status != FC_OK) {
        fc_failures_free(failures);
        fc_release(absent);
        return status;
    }
    (*made)->failures = failures;
    (*made)->absent = absent;
    status = keep_ports(b, *made);
    if (status == FC_OK)
        describe(*made, failures);
    if (!memchr(absent, 1, b->whole->nodes)) {
        (*made)->absent = NULL;
        fc_release(absent);
    }
    return status;
}

static fc_status give_paths(const fc_routed *routed, const uint32_t *dimension, fc_error *error,
                            fc_router_network *network) {
    const fc_graph_plan plan = {.name = "what is left of the network",
                                .routed = routed,
                                .up_down = routed->around == FC_AROUND_UP_DOWN,
                                .spread = true,
                                .dimension = dimension};
    return fc_graph_routing_add(&plan, error, network);
}

fc_status fc_router_network_break(const fc_scenario *scenario, bool grid, fc_error *error,
                                  fc_router_network **network) {
    enum { DIMENSIONS_FOUND_IN = 1024 }; /* routers: it takes long */
    breaking b = {.scenario = scenario,
                  .routed = fc_scenario_routed(scenario),
                  .grid = grid,
                  .whole = *network,
                  .error = error};
    fc_router_network *made = NULL;
    uint32_t *dimension = fc_allocate((*network)->outputs, sizeof *dimension);
    const bool found = (*network)->routers <= DIMENSIONS_FOUND_IN;
    fc_status status = FC_ERROR_MEMORY;
    if (dimension && prepare(&b) && (!found || fc_graph_dimensions(*network, dimension)))
        status = take_apart(&b, dimension, &made);
    else
        fc_fail_memory(error);
    clear(&b);
    if (status == FC_OK)
        status = give_paths(b.routed, found ? dimension : NULL, error, made);
    fc_release(dimension);
    fc_router_network_free(*network);
    *network = status == FC_OK ? made : NULL;
    if (status != FC_OK)
        fc_router_network_free(made);
    return status;
}
