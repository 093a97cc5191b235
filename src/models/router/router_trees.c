/* For one destination, a search from every router with nodes follows the outputs until it meets a
 * position that was passed before, and so lists every position behind the next one on its path. In
 * that order paths grow by one link from position to position; in the reverse order, from the
 * leaves to the root, each position has all its messages when it passes them on. */
#include "models/router/router_trees.h"

#include <string.h>
#include "base/memory.h"

enum { CROSSINGS_MOST = 1 << 24, LONGER_MOST = 1 << 24 };

/* ---- what is covered ---- */

static size_t count_crossings(const fc_router_network *network) {
    size_t count = 0;
    for (uint32_t r = 0; r < network->routers; ++r)
        count += (size_t)(network->input_first[r + 1] - network->input_first[r]) *
                 (network->output_first[r + 1] - network->output_first[r]);
    return count;
}

bool fc_router_trees_cover(const fc_router_flows *flows, bool movements) {
    const fc_router_network *network = flows->network;
    if (!network->outputs_to || flows->multiple > 1)
        return false;
    for (uint32_t n = 0; n < network->nodes; ++n) { /* routers stand for their nodes */
        if (network->input_router[network->node_input[n]] !=
            network->output_router[network->node_output[n]])
            return false;
    }
    /* How long a message that is held back by its own credits holds a link depends on its path. */
    return !movements || (network->any_channel && !flows->paths->tight &&
                          count_crossings(network) <= CROSSINGS_MOST);
}

/* ---- preparation ---- */

static void place_rows(fc_router_trees *t) {
    const fc_router_network *network = t->flows->network;
    size_t base = 0;
    for (uint32_t r = 0; r < network->routers; ++r) {
        const uint32_t first = network->output_first[r],
                       count = network->output_first[r + 1] - first;
        for (uint32_t i = network->input_first[r]; i < network->input_first[r + 1]; ++i) {
            t->row[i] = t->movements ? base - first : 0;
            base += count;
        }
    }
}

static void place_nodes(fc_router_trees *t) {
    const fc_router_network *network = t->flows->network;
    for (uint32_t n = 0; n < network->nodes; ++n)
        t->senders[network->input_router[network->node_input[n]]] += fc_router_present(network, n);
    for (uint32_t r = 0; r < network->routers; ++r)
        t->present += t->senders[r];
    for (uint32_t o = 0; o < network->outputs; ++o) {
        const uint32_t end = network->output_end[o];
        const uint32_t phase = network->output_phase ? network->output_phase[o] : 0;
        t->after[o] =
            end & FC_TO_NODE ? UINT32_MAX : phase * network->routers + network->input_router[end];
    }
}

static bool alike(fc_path_link a, fc_path_link b) {
    return a.delay == b.delay && a.interval == b.interval;
}

/* Numbers the kinds of links; those beyond the first few are not told apart and looked up. */
static void number_hops(fc_router_trees *t) {
    enum { KINDS_MOST = 64 };
    const fc_router_network *network = t->flows->network;
    fc_path_link seen[KINDS_MOST];
    uint32_t kinds = 0;
    for (uint32_t o = 0; o < network->outputs; ++o) {
        const fc_path_link hop = fc_flow_link_of(network, o);
        uint32_t k = 0;
        while (k < kinds && !alike(seen[k], hop))
            ++k;
        if (k == kinds && k < KINDS_MOST)
            seen[kinds++] = hop;
        t->hop_kind[o] = k;
    }
    t->hop_kinds = kinds;
}

fc_status fc_router_trees_prepare(const fc_routed *routed, fc_router_flows *flows, bool movements,
                                  fc_error *error, fc_router_trees *t) {
    const fc_router_network *network = flows->network;
    const size_t positions = (size_t)network->phases * network->routers;
    *t = (fc_router_trees){.routed = routed, .flows = flows, .movements = movements};
    t->crossings = movements ? count_crossings(network) : network->outputs;
    t->row = fc_allocate(network->inputs, sizeof *t->row);
    t->crossed = fc_allocate(t->crossings, sizeof *t->crossed);
    t->sent = fc_allocate(network->nodes, sizeof *t->sent);
    t->senders = fc_allocate(network->routers, sizeof *t->senders);
    t->after = fc_allocate(network->outputs, sizeof *t->after);
    t->hop_kind = fc_allocate(network->outputs, sizeof *t->hop_kind);
    t->output = fc_allocate(positions, sizeof *t->output);
    t->mark = fc_allocate(positions, sizeof *t->mark);
    t->stack = fc_allocate(positions, sizeof *t->stack);
    t->order = fc_allocate(positions, sizeof *t->order);
    t->path = fc_allocate(positions, sizeof *t->path);
    t->start = fc_allocate(positions, sizeof *t->start);
    t->flow = fc_allocate(positions, sizeof *t->flow);
    t->hops = fc_allocate(positions + 1, sizeof *t->hops);
    if (!t->row || !t->crossed || !t->sent || !t->senders || !t->after || !t->hop_kind ||
        !t->output || !t->mark || !t->stack || !t->order || !t->path || !t->start || !t->flow ||
        !t->hops)
        return fc_fail_memory(error);
    place_rows(t);
    place_nodes(t);
    number_hops(t);
    return FC_OK;
}

void fc_router_trees_release(fc_router_trees *t) {
    fc_release(t->row);
    fc_release(t->crossed);
    fc_release(t->sent);
    fc_release(t->senders);
    fc_release(t->after);
    fc_release(t->hop_kind);
    fc_release(t->output);
    fc_release(t->mark);
    fc_release(t->stack);
    fc_release(t->order);
    fc_release(t->path);
    fc_release(t->start);
    fc_release(t->flow);
    fc_release(t->longer);
    fc_release(t->hops);
}

/* ---- paths ---- */

/* Room to remember which paths grow into which, as long as it stays small. */
static bool grow_longer(fc_router_trees *t) {
    const size_t room = 2 * t->flows->paths->room * t->hop_kinds;
    if (room > LONGER_MOST)
        return true;
    uint32_t *grown = fc_reallocate(t->longer, room, sizeof *grown);
    if (!grown)
        return false;
    memset(grown + t->longer_room, 0, (room - t->longer_room) * sizeof *grown);
    t->longer = grown;
    t->longer_room = room;
    return true;
}

/* The path that begins with the link of an output and goes on as that from position `then`;
 * then UINT32_MAX: ends. UINT32_MAX if out of memory. */
static uint32_t find_path(fc_router_trees *t, uint32_t output, uint32_t then) {
    fc_paths *paths = t->flows->paths;
    const fc_path_link hop = fc_flow_link_of(t->flows->network, output);
    const fc_path_key rest = then == UINT32_MAX ? (fc_path_key){0} : paths->list[t->path[then]].key;
    const fc_path_key key = fc_path_key_before(paths, rest, hop);
    t->last_hop = then == UINT32_MAX ? hop : t->last_hop;
    const size_t found = fc_paths_find(paths, key);
    if (found != SIZE_MAX)
        return (uint32_t)found;
    t->hops[0] = hop;
    for (uint32_t i = 1; i + 1 < key.routers; ++i) {
        t->hops[i] = fc_flow_link_of(t->flows->network, t->output[then]);
        then = t->after[t->output[then]];
    }
    if (key.routers > 1)
        t->hops[key.routers - 1] = t->last_hop;
    const size_t added = fc_paths_add(paths, key, t->hops);
    return added == SIZE_MAX ? UINT32_MAX : (uint32_t)added;
}

/* The same, remembered. */
static uint32_t path_before(fc_router_trees *t, uint32_t output, uint32_t then) {
    const size_t at = (size_t)t->path[then] * t->hop_kinds + t->hop_kind[output];
    const bool kept = at < t->longer_room && t->hop_kind[output] < t->hop_kinds;
    if (kept && t->longer[at])
        return t->longer[at] - 1;
    const uint32_t found = find_path(t, output, then);
    if (found == UINT32_MAX)
        return UINT32_MAX;
    if (kept)
        t->longer[at] = found + 1;
    else if (t->longer_room < t->flows->paths->count * t->hop_kinds && !grow_longer(t))
        return UINT32_MAX;
    return found;
}

/* ---- one destination ---- */

typedef struct destination {
    uint32_t router;
    uint32_t node;      /* UINT32_MAX: all nodes of the router, which receive alike */
    uint32_t receivers; /* nodes of the router */
    uint32_t end;       /* the path from the router into a node */
} destination;

/* Lists the positions from a router on. A mark below `now`: not passed yet; `now`: on the path
 * being followed; above: listed. */
static fc_status follow(fc_router_trees *t, uint32_t from, uint32_t now, fc_error *error,
                        size_t *listed) {
    uint32_t at = from;
    size_t depth = 0;
    while (t->mark[at] < now && t->output[at] != UINT32_MAX) {
        t->mark[at] = now;
        t->stack[depth++] = at;
        at = t->after[t->output[at]];
    }
    if (t->mark[at] <= now)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "messages from router %u do not arrive where they are sent, so that the "
                       "load of links has no answer",
                       (unsigned)from);
    while (depth > 0) {
        const uint32_t before = t->stack[--depth];
        const uint32_t path = path_before(t, t->output[before], at);
        if (path == UINT32_MAX)
            return fc_fail_memory(error);
        at = before;
        t->path[at] = path;
        t->mark[at] = now + 1;
        t->flow[at] = 0;
        t->order[(*listed)++] = at;
    }
    return FC_OK;
}

/* Messages that entered the destination's router at an input. */
static void eject(fc_router_trees *t, const destination *to, uint32_t input, double rate) {
    const fc_router_network *network = t->flows->network;
    if (to->node != UINT32_MAX) {
        t->crossed[t->row[input] + network->node_output[to->node]] += rate;
        return;
    }
    for (uint32_t o = network->output_first[to->router]; o < network->output_first[to->router + 1];
         ++o) {
        if (network->output_end[o] & FC_TO_NODE)
            t->crossed[t->row[input] + o] += rate / to->receivers;
    }
}

static void sum_up(fc_router_trees *t, const destination *to, size_t listed) {
    const fc_router_network *network = t->flows->network;
    fc_path *paths = t->flows->paths->list;
    memcpy(t->flow, t->start, network->routers * sizeof *t->flow);
    for (size_t i = listed; i-- > 0;) {
        const uint32_t at = t->order[i], output = t->output[at], next = t->after[output];
        const double rate = t->flow[at];
        paths[t->path[at]].weight[t->kind] += t->start[at];
        t->flow[next] += rate;
        if (!t->movements)
            t->crossed[output] += rate;
        else if (network->input_router[network->output_end[output]] == to->router)
            eject(t, to, network->output_end[output], rate);
        else
            t->crossed[t->row[network->output_end[output]] + t->output[next]] += rate;
    }
}

/* From the routers in `start`; the outputs are known. */
static fc_status add_tree(fc_router_trees *t, const destination *to, uint32_t number,
                          fc_error *error) {
    const fc_router_network *network = t->flows->network;
    const uint32_t now = 2 * number + 1;
    for (uint32_t phase = 0; phase < network->phases; ++phase) {
        t->mark[phase * network->routers + to->router] = now + 1;
        t->path[phase * network->routers + to->router] = to->end;
    }
    size_t listed = 0;
    fc_status status = FC_OK;
    for (uint32_t r = 0; r < network->routers && status == FC_OK; ++r) {
        if (t->start[r] > 0)
            status = follow(t, r, now, error, &listed);
    }
    if (status == FC_OK)
        sum_up(t, to, listed);
    return status;
}

/* ---- who sends ---- */

static double rate_between(const fc_router_trees *t, uint32_t source, uint32_t node) {
    return fc_flow_rate(t->routed, t->flows, t->kind, source, node);
}

/* Messages of a node: those for a node of the same router end there. */
static void send(fc_router_trees *t, const destination *to, uint32_t node, double rate) {
    const fc_router_network *network = t->flows->network;
    const uint32_t input = network->node_input[node], router = network->input_router[input];
    t->sent[node] += rate;
    if (router == to->router)
        t->flows->paths->list[to->end].weight[t->kind] += rate;
    else
        t->start[router] += rate;
    if (router == to->router || !t->movements)
        eject(t, to, input, rate);
    else
        t->crossed[t->row[input] + t->output[router]] += rate;
}

/* To one node, each source with a rate of its own. */
static fc_status add_node(fc_router_trees *t, uint32_t node, uint32_t number, fc_error *error) {
    const fc_router_network *network = t->flows->network;
    const uint32_t output = network->node_output[node];
    const destination to = {.router = network->output_router[output],
                            .node = node,
                            .receivers = 1,
                            .end = find_path(t, output, UINT32_MAX)};
    if (to.end == UINT32_MAX)
        return fc_fail_memory(error);
    memset(t->start, 0, network->routers * sizeof *t->start);
    network->outputs_to(network, to.router, t->output);
    for (uint32_t source = 0; source < network->nodes; ++source) {
        const double rate = rate_between(t, source, node);
        if (rate > 0)
            send(t, &to, source, rate);
    }
    return add_tree(t, &to, number, error);
}

/* Between the nodes of a router, and what these exchange with all others: `others` each way. */
static void add_within(fc_router_trees *t, const destination *to, double others) {
    const fc_router_network *network = t->flows->network;
    const uint32_t first = network->input_first[to->router];
    const uint32_t last = network->input_first[to->router + 1];
    for (uint32_t o = network->output_first[to->router]; o < network->output_first[to->router + 1];
         ++o) {
        if (!(network->output_end[o] & FC_TO_NODE))
            continue;
        t->crossed[o] += t->movements ? 0 : others;
        t->sent[network->output_end[o] & ~FC_TO_NODE] += others;
        for (uint32_t i = first; i < last; ++i) {
            if (!(network->input_begin[i] & FC_TO_NODE))
                continue;
            const uint32_t source = network->input_begin[i] & ~FC_TO_NODE;
            const double rate = rate_between(t, source, network->output_end[o] & ~FC_TO_NODE);
            t->sent[source] += rate;
            t->crossed[t->row[i] + o] += rate;
            t->flows->paths->list[to->end].weight[t->kind] += rate;
        }
    }
}

/* To all nodes of a router at once: every node sends `each` to every other. */
static fc_status add_router(fc_router_trees *t, uint32_t router, double each, fc_error *error) {
    const fc_router_network *network = t->flows->network;
    if (!t->senders[router])
        return FC_OK;
    const double all = each * t->senders[router]; /* of a node to all nodes of the router */
    /* The last ports are those of nodes. */
    const destination to = {.router = router,
                            .node = UINT32_MAX,
                            .receivers = t->senders[router],
                            .end = find_path(t, network->output_first[router + 1] - 1, UINT32_MAX)};
    if (to.end == UINT32_MAX)
        return fc_fail_memory(error);
    network->outputs_to(network, router, t->output);
    for (uint32_t r = 0; r < network->routers; ++r)
        t->start[r] = all * t->senders[r];
    t->start[router] = 0;
    add_within(t, &to, each * (t->present - t->senders[router]));
    for (uint32_t n = 0; n < network->nodes && t->movements; ++n) {
        const uint32_t input = network->node_input[n], from = network->input_router[input];
        if (from != router && fc_router_present(network, n))
            t->crossed[t->row[input] + t->output[from]] += all;
    }
    return add_tree(t, &to, router, error);
}

/* Of nodes that send and receive alike: the rate from one to another. */
static double rate_between_any(const fc_router_trees *t) {
    uint32_t ends[2], found = 0;
    for (uint32_t n = 0; n < t->flows->network->nodes && found < 2; ++n) {
        if (fc_router_present(t->flows->network, n))
            ends[found++] = n;
    }
    return found == 2 ? rate_between(t, ends[0], ends[1]) : 0;
}

fc_status fc_router_trees_add(fc_router_trees *t, size_t kind, fc_error *error) {
    const fc_router_network *network = t->flows->network;
    const bool alike = fc_flow_nodes_alike(t->routed, network);
    const uint32_t ends = alike ? network->routers : network->nodes;
    t->kind = kind;
    memset(t->crossed, 0, t->crossings * sizeof *t->crossed);
    memset(t->sent, 0, network->nodes * sizeof *t->sent);
    memset(t->mark, 0, (size_t)network->phases * network->routers * sizeof *t->mark);
    fc_status status = FC_OK;
    const double each = alike ? rate_between_any(t) : 0;
    for (uint32_t to = 0; to < ends && status == FC_OK; ++to) {
        if (alike)
            status = add_router(t, to, each, error);
        else
            status = add_node(t, to, to, error);
        if (status == FC_OK && fc_stop_asked(t->flows->cancel))
            status = fc_fail_cancelled(error);
    }
    return status;
}
