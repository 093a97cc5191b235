/* Which channels send a flit in a cycle: allocation of the crossbar, one choice for each input and
 * one for each output. Part of core_rules.h, included once for each build. */
/* The first channel of each port that has one in the set. */
FC_CORE_DEVICE mask ports_of(const core_plan *plan, mask set) {
    mask ports = set;
    FC_UNROLL
    for (uint32_t k = 1; k < plan->channels; ++k)
        ports |= set >> k;
    return ports & (FC_WORD)plan->low_bits;
}

/* Every output chooses an input, and of its channels one. port: the input's first channel. */
FC_CORE_DEVICE void core_choose(const core_plan *plan, const core_state *state, uint32_t outputs,
                                mask ready, mask *chosen, mask *port) {
    FC_UNROLL
    for (uint32_t o = 0; o < outputs; ++o) {
        const mask wanted = ready & WANT(o);
        mask bit = first_in_turn(wanted, TURN(o));
        if (!plan->per_channel) {
            port[o] = ports_of(plan, bit);
            const mask channels = (port[o] << plan->channels) - port[o];
            bit = first_in_turn(wanted & channels, STATE(AT_INDEX));
        }
        chosen[o] = bit;
    }
}

/* Every input takes one of its offers, in turn: the others are withdrawn. */
FC_CORE_DEVICE void core_take(const core_plan *plan, core_state *state, uint32_t outputs,
                              mask *chosen, mask *port) {
    mask used = chosen[0] & 0, later[FC_CORE_PORTS], before = used;
    FC_UNROLL
    for (uint32_t o = 0; o < outputs; ++o) {
        later[o] = port[o] & PORT_TURN(o) & ~used;
        used |= later[o];
    }
    FC_UNROLL
    for (uint32_t o = 0; o < outputs; ++o) {
        const mask first = port[o] & ~used;
        used |= first;
        port[o] = later[o] | first;
    }
    const mask channels = (used << plan->channels) - used;
    mask passed = used & 0;
    FC_UNROLL
    for (uint32_t o = 0; o < outputs; ++o) {
        chosen[o] &= some(port[o]);
        passed |= chosen[o];
        SET_PORT_TURN(o, (PORT_TURN(o) & ~used) | before);
        before |= port[o];
        SET_TURN(o, some(port[o]), -(port[o] << plan->channels));
    }
    /* Of each port used, the channels above the one that passed. */
    mask above = passed << 1 & ~(FC_WORD)plan->low_bits;
    FC_UNROLL
    for (uint32_t k = 1; k < plan->channels; ++k)
        above |= above << 1 & ~(FC_WORD)plan->low_bits;
    STATE(AT_INDEX) = (STATE(AT_INDEX) & ~channels) | (above & channels);
}

FC_CORE_DEVICE void core_tails_delivered(const core_networks *x, uint32_t r, mask tails,
                                         uint32_t time, uint32_t until) {
#ifdef FC_CORE_FREQUENT /* there is one */
    (void)time, (void)until;
    x->mine->arrival = MESSAGE_OF(FRONT(x, 0, r, index_of(tails)));
#else
    const core_plan *plan = x->plan;
    EACH_BIT(tails, lane, i) {
        const uint32_t number = MESSAGE_OF(FRONT(x, lane, r, i));
        const fc_core_header header = RECORD(x, lane, number);
        core_give_record(x, lane, number);
        core_deliver(x, lane, r, &header, time + plan->eject_delay, until);
    }
    EACH_BIT_END
#endif
}

/* The channels of an output over which its flits go. */
FC_CORE_DEVICE mask held_channel(const core_plan *plan, const core_state *state, mask bit) {
    mask number = bit & 0;
    FC_UNROLL
    for (uint32_t p = 0; p < plan->held_planes; ++p)
        number |= some(bit & STATE(plan->at_held + p)) & (FC_WORD)(1u << p);
    return (some(bit) & 1) << number;
}

/* Flits that are ready pass the crossbar. Returns the tails among them. */
FC_CORE_DEVICE mask core_switch(const core_networks *x, core_state *state, uint32_t r, mask ready,
                                uint32_t time, uint32_t until) {
    const core_plan *plan = x->plan;
    const fc_core_router *router = ROUTER(r);
    const uint32_t outputs = LINKS_OUT(router) + RECEIVERS(router);
    mask chosen[FC_CORE_PORTS], port[FC_CORE_PORTS];
    core_choose(plan, state, outputs, ready, chosen, port);
    if (plan->per_channel) {
        FC_UNROLL
        for (uint32_t o = 0; o < outputs; ++o)
            SET_TURN(o, some(chosen[o]), -(chosen[o] << 1));
    } else {
        core_take(plan, state, outputs, chosen, port);
    }
    mask passed = ready & 0, sent = passed, finished = passed, delivered = passed, unfinished;
    FC_UNROLL
    for (uint32_t o = 0; o < outputs; ++o)
        passed |= chosen[o];
#ifdef FC_CORE_SINGLE
    core_pass_headers(x, state, r, chosen);
#endif
    SUBTRACT_PLANES(plan->at_count, plan->count_planes, passed, unfinished);
    SUBTRACT_PLANES(plan->at_left, plan->left_planes, passed, unfinished);
    const mask tails = passed & ~unfinished;
    FC_UNROLL
    for (uint32_t o = 0; o < outputs; ++o) {
        const mask over = held_channel(plan, state, chosen[o]) << (o * plan->channels);
        const mask tail = chosen[o] & tails;
        COUNT_CROSSED(o, chosen[o]);
        FORGET_WANT(o, tail);
        sent |= over;
        finished |= over & some(tail);
        if (o >= router->links_out)
            delivered |= tail;
    }
    if (any(delivered)) {
#ifdef FC_CORE_ROWS
        for (uint32_t o = router->links_out; o < outputs && time + plan->eject_delay < until; ++o)
            core_arrive_rows(x, r, chosen[o] & tails, time);
        if (time + plan->eject_delay >= until)
#endif
            core_tails_delivered(x, r, delivered, time, until);
    }
    STATE(AT_BUSY) &= ~tails;
    STATE(AT_MOVING) &= ~tails;
    STATE(AT_FREE) |= finished;
    SUBTRACT_PLANES(plan->at_credit, plan->count_planes, sent & (FC_WORD)router->link_bits,
                    unfinished);
    SET_SENT(r, time, sent, passed);
#ifdef FC_CORE_NARROW
    core_move_places(x, state, passed, sent);
#endif
    return tails;
}

/* Input channels whose message holds a channel without credit. */
FC_CORE_DEVICE mask core_blocked(const core_plan *plan, const core_state *state,
                                 const fc_core_router *router) {
    mask credit, blocked = STATE(AT_FREE) & 0;
    ANY_PLANE(plan->at_credit, plan->count_planes, credit);
    const mask empty = ~credit & ~STATE(AT_FREE) & (FC_WORD)router->link_bits;
    if (!any(empty))
        return blocked;
    mask holding[8]; /* channel v, of whatever output */
    FC_UNROLL
    for (uint32_t v = 0; v < plan->channels; ++v) {
        holding[v] = ~(empty & 0);
        FC_UNROLL
        for (uint32_t p = 0; p < plan->held_planes; ++p)
            holding[v] &= v >> p & 1 ? STATE(plan->at_held + p) : ~STATE(plan->at_held + p);
    }
    FC_UNROLL
    for (uint32_t o = 0; o < LINKS_OUT(router); ++o) {
        mask without = empty & 0;
        FC_UNROLL
        for (uint32_t v = 0; v < plan->channels; ++v)
            without |= if_bit(empty, o * plan->channels + v, holding[v]);
        blocked |= WANT(o) & without;
    }
    return blocked;
}
