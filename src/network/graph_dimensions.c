#include "network/graph_dimensions.h"

#include "base/memory.h"

/* Sets of links that are of one dimension: each points to another of its set, the last one to
 * itself. */
static uint32_t set_of(uint32_t *member, uint32_t link) {
    while (member[link] != link) {
        member[link] = member[member[link]];
        link = member[link];
    }
    return link;
}

static void join(uint32_t *member, uint32_t a, uint32_t b) {
    const uint32_t first = set_of(member, a), second = set_of(member, b);
    if (first < second)
        member[second] = first;
    else
        member[first] = second;
}

static bool is_link(const fc_router_network *network, uint32_t output) {
    return !(network->output_end[output] & FC_TO_NODE);
}

static uint32_t behind(const fc_router_network *network, uint32_t output) {
    return network->input_router[network->output_end[output]];
}

/* A link from one router to another; UINT32_MAX: there is none. */
static uint32_t link_between(const fc_router_network *network, uint32_t from, uint32_t to) {
    for (uint32_t o = network->output_first[from]; o < network->output_first[from + 1]; ++o) {
        if (is_link(network, o) && behind(network, o) == to)
            return o;
    }
    return UINT32_MAX;
}

/* Two links of a router, to different routers: if they are the sides of one square, opposite sides
 * are of one dimension; if of none or of several, they themselves are. */
static void compare_sides(const fc_router_network *network, uint32_t *member, uint32_t a,
                          uint32_t b) {
    const uint32_t corner = network->output_router[a];
    const uint32_t over_a = behind(network, a), over_b = behind(network, b);
    uint32_t squares = 0, opposite_a = 0, opposite_b = 0, last = UINT32_MAX;
    for (uint32_t o = network->output_first[over_a]; o < network->output_first[over_a + 1]; ++o) {
        if (!is_link(network, o) || behind(network, o) == corner || behind(network, o) == last)
            continue;
        const uint32_t other = link_between(network, over_b, behind(network, o));
        if (other == UINT32_MAX)
            continue;
        last = behind(network, o);
        opposite_b = o;
        opposite_a = other;
        ++squares;
    }
    if (squares != 1 || link_between(network, over_a, over_b) != UINT32_MAX) {
        join(member, a, b);
        return;
    }
    join(member, a, opposite_a);
    join(member, b, opposite_b);
}

bool fc_graph_dimensions(const fc_router_network *network, uint32_t *dimension) {
    uint32_t *member = fc_allocate(network->outputs, sizeof *member);
    if (!member)
        return false;
    for (uint32_t o = 0; o < network->outputs; ++o)
        member[o] = o;
    for (uint32_t a = 0; a < network->outputs; ++a) {
        if (!is_link(network, a))
            continue;
        const uint32_t end = network->output_first[network->output_router[a] + 1];
        const uint32_t back = link_between(network, behind(network, a), network->output_router[a]);
        if (back != UINT32_MAX)
            join(member, a, back);
        for (uint32_t b = a + 1; b < end; ++b) {
            if (!is_link(network, b))
                continue;
            if (behind(network, a) == behind(network, b))
                join(member, a, b);
            else if (set_of(member, a) != set_of(member, b))
                compare_sides(network, member, a, b);
        }
    }
    for (uint32_t o = 0; o < network->outputs; ++o)
        dimension[o] = set_of(member, o);
    fc_release(member);
    return true;
}
