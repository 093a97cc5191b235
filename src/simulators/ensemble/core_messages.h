/* Routes, and messages from their draw to what is counted at their end: part of core_rules.h,
 * included once for each build. */

/* ---- routes ---- */

#ifdef FC_CORE_FREQUENT
#include "simulators/ensemble/core_routes.h"
#else
/* The output for a message in a router. kind: which virtual channels it may take, an index of
 * plan->kind_channels. */
FC_CORE_DEVICE uint32_t core_route(const core_networks *x, uint32_t at, uint32_t lane,
                                   uint32_t entry, uint32_t *kind) {
    const core_plan *plan = x->plan;
    const uint32_t destination = ENTRY_DESTINATION(x, lane, entry);
    *kind = 0;
    if (plan->route) {
        const uint32_t route = plan->route[(size_t)at * plan->nodes + destination];
        if (!plan->fork || !(route & FC_CORE_FORK))
            return route;
        const fc_core_fork fork = plan->fork[at];
        return fork.first + (uint32_t)ENTRY_CHOICE(x, lane, entry) / fork.divisor % fork.count;
    }
    const uint32_t choice = ENTRY_CHOICE(x, lane, entry);
    const uint32_t to = NODE_ROUTER(destination);
    const uint64_t differ = WORD(at) ^ WORD(to);
    if (!differ)
        return NODE_PORT(destination);
    const uint32_t reversed = (choice & FC_CORE_REVERSED) != 0;
    const uint64_t low = differ & (0 - differ);
    const uint32_t d = BIT_DIMENSION(highest_index(reversed ? differ : low));
    const uint32_t rising = choice >> d & 1;
    const fc_core_rule *rule = &plan->rule[reversed];
    *kind = reversed << 1;
    if (rule->lower) { /* a rule that looks at digits */
        const uint32_t from =
            plan->digit[NODE_ROUTER(ENTRY_SOURCE(x, lane, entry)) * plan->dimensions + d];
        const uint32_t here = plan->digit[at * plan->dimensions + d];
        const uint32_t end = plan->digit[to * plan->dimensions + d];
        *kind |= rule->rule == FC_CORE_HIGH_LOW   ? end > here
                 : rule->rule == FC_CORE_DATELINE ? (rising ? here < from : here > from)
                                                  : (rising ? end < from : end > from);
    }
    return DIRECTION_PORT(at, d, rising);
}
#endif

/* The directions of a message, with what is drawn for them, and the routers it passes. */
FC_CORE_DEVICE void core_choose_directions(const core_plan *plan, fc_random *random,
                                           uint32_t source, fc_core_message *message) {
    const uint32_t from = NODE_ROUTER(source), to = NODE_ROUTER(message->destination);
    uint32_t choice = 0, ties = 0, count = 0, routers = 1;
    FC_UNROLL
    for (uint32_t d = 0; d < plan->dimensions; ++d) {
        const uint32_t radix = plan->radix[d];
        const uint32_t a = plan->digit[from * plan->dimensions + d];
        const uint32_t b = plan->digit[to * plan->dimensions + d];
        const uint32_t up = b >= a ? b - a : b + radix - a, down = up ? radix - up : 0;
        const uint32_t rising = !plan->wraps           ? b > a
                                : !plan->bidirectional ? plan->rising
                                                       : up <= down;
        const uint32_t tie = plan->wraps && plan->bidirectional && up == down && up != 0;
        choice |= rising << d;
        ties |= tie << d;
        count += tie;
        routers += !plan->wraps ? (b > a ? b - a : a - b) : rising ? up : down;
    }
    uint32_t variant = 0;
    if (count + plan->o1turn)
        variant = fc_random_below(random, 1u << (count + plan->o1turn));
    const uint32_t reversed = plan->o1turn & variant;
    variant >>= plan->o1turn;
    for (; ties; ties &= ties - 1, variant >>= 1)
        choice ^= variant & 1 ? ties & (0u - ties) : 0;
    message->choice = (uint16_t)(choice | (reversed ? FC_CORE_REVERSED : 0));
    message->routers = (uint8_t)routers;
}

FC_CORE_DEVICE void core_choose_path(const core_plan *plan, fc_random *random, uint32_t source,
                                     fc_core_message *message) {
#ifndef FC_CORE_FREQUENT
    if (plan->journey) {
        const fc_core_journey journey =
            plan->journey[(size_t)plan->node_router[source] * plan->nodes + message->destination];
        message->routers = (uint8_t)journey.routers;
        message->choice =
            journey.variants > 1 ? (uint16_t)fc_random_below(random, journey.variants) : 0;
        return;
    }
#endif
    core_choose_directions(plan, random, source, message);
}

/* ---- messages ---- */

/* What is drawn after the gap, in the order of the event engine (router_open.c). */
FC_CORE_DEVICE fc_core_message core_rest_of_message(const core_plan *plan, fc_random *random,
                                                    uint32_t node, uint64_t gap) {
    fc_core_message message;
    message.gap = gap;
    message.destination =
        (uint16_t)(plan->image ? plan->image[node] : core_destination(plan, random, node));
    uint32_t sort = 0;
    if (plan->sorts > 1) {
        const uint32_t word = fc_random_word(random);
        while (sort + 1 < plan->sorts && word >= plan->below[sort])
            ++sort;
    }
    message.flits = plan->flits[sort];
    core_choose_path(plan, random, node, &message);
    return message;
}

/* Message `number` of a node, from 1. */
FC_CORE_DEVICE fc_core_message core_draw(const core_plan *plan, const fc_core_lane *lane,
                                         uint32_t node, uint32_t number) {
    fc_random random = fc_message_stream(lane->seed, lane->replication, node, number);
    const uint64_t gap = fc_message_gap(lane->law[lane->own_laws ? node : 0], &random);
    return core_rest_of_message(plan, &random, node, gap);
}

#if defined(__AVX2__) && FC_LANES > 1
#include "simulators/ensemble/core_ahead.h"
#define FC_CORE_DRAWS_AHEAD
#endif

#ifdef FC_CORE_FREQUENT
#include "simulators/ensemble/core_drawn.h"
#endif

/* The next message of a node that has not begun to leave. */
FC_CORE_DEVICE fc_core_message core_next_message(const core_networks *x, uint32_t lane,
                                                 uint32_t node, uint32_t number) {
#if defined(FC_CORE_FREQUENT)
    return core_take_drawn(x, number);
#elif defined(FC_CORE_DRAWS_AHEAD)
    fc_core_message *ahead = &x->ahead[AT(node, lane) * FC_CORE_AHEAD];
    const uint32_t at = (number - 1) % FC_CORE_AHEAD;
    if (at == 0)
        core_draw_ahead(x->same_plan, OF_LANE(x, lane), node, number, ahead);
    return ahead[at];
#else
    return core_draw(x->plan, OF_LANE(x, lane), node, number);
#endif
}

FC_CORE_DEVICE uint32_t core_cycle_of(const core_plan *plan, uint64_t trial) {
    const uint64_t cycle = trial >> plan->trial_bits;
    return cycle < FC_CORE_NEVER ? (uint32_t)cycle : FC_CORE_NEVER;
}

FC_CORE_DEVICE void core_count_generated(const core_networks *x, uint32_t lane, uint32_t r,
                                         fc_core_cursor *cursor, const fc_core_message *message,
                                         uint64_t due) {
    ++cursor->counted;
    cursor->counted_due = due;
#ifdef FC_CORE_FREQUENT
    if (x->plan->sorts == 1) /* they are counted at the end of a stretch */
        return;
#endif
    FC_OWN_ADD(TALLY(lane, r).generated, 1);
    FC_OWN_ADD(TALLY(lane, r).generated_flits, message->flits);
}

/* Messages of a node generated before a cycle that have not been counted. */
FC_CORE_DEVICE void core_count_waiting(const core_networks *x, uint32_t lane, uint32_t r,
                                       uint32_t node, uint32_t until) {
    const core_plan *plan = x->plan;
    fc_core_cursor *cursor = CURSOR(x, node, lane);
    while (core_cycle_of(plan, cursor->counted_due) < until) {
        const fc_core_message message =
            core_draw(plan, OF_LANE(x, lane), node, cursor->counted + 1);
        core_count_generated(x, lane, r, cursor, &message, cursor->counted_due + message.gap);
    }
}

FC_CORE_DEVICE void core_delivered(const core_networks *x, uint32_t lane, uint32_t r,
                                   const fc_core_header *header, uint32_t when) {
    const core_plan *plan = x->plan;
    fc_core_tally *tally = &TALLY(lane, r);
    fc_core_node *node = NODE_SUMS(x, header->source, lane);
    const uint32_t latency = when - header->born - 1, wait = header->started - header->born;
    FC_OWN_ADD(tally->messages, 1);
    FC_OWN_ADD(tally->latency, latency);
    FC_OWN_ADD(tally->source_wait, wait);
    FC_OWN_ADD(tally->routers, header->routers);
    FC_OWN_ADD(tally->flits, header->flits);
    FC_OWN_ADD(tally->flit_routers, (uint32_t)header->flits * header->routers);
    if (header->destination == plan->hot_node) {
        FC_OWN_ADD(tally->messages_hot, 1);
        FC_OWN_ADD(tally->latency_hot, latency);
    }
    FC_SHARED_ADD(node->messages, 1);
    FC_SHARED_ADD(node->latency, latency);
    FC_SHARED_ADD(node->source_wait, wait);
    if (OF_LANE(x, lane)->histogram)
        FC_SHARED_ADD(OF_LANE(x, lane)->histogram[fc_histogram_bin(latency)], 1);
#ifndef __CUDACC__
    if (x->observer)
        x->observer(x->observer_context, lane, header, latency);
#endif
}

/* A tail has left its last router: it is counted when it is in its node. */
FC_CORE_DEVICE void core_deliver(const core_networks *x, uint32_t lane, uint32_t r,
                                 const fc_core_header *header, uint32_t when, uint32_t until) {
    const core_plan *plan = x->plan;
    if (when < until) {
        core_delivered(x, lane, r, header, when);
        return;
    }
    fc_core_late *late = &LATES(x, r, lane)[LATE_COUNT(x, r, lane)++];
    late->header = *header;
    late->when = when;
}

FC_CORE_DEVICE void core_count_late(const core_networks *x, uint32_t lane, uint32_t r,
                                    uint32_t until) {
    const core_plan *plan = x->plan;
    fc_core_late *late = LATES(x, r, lane);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < LATE_COUNT(x, r, lane); ++i) {
        if (late[i].when < until)
            core_delivered(x, lane, r, &late[i].header, late[i].when);
        else
            late[kept++] = late[i];
    }
    LATE_COUNT(x, r, lane) = kept;
}
