/* What a node does in a cycle: its messages begin to leave and arrive. Part of core_rules.h,
 * included once for each build. */
/* The next message of a node begins to leave by input channel i. */
FC_CORE_DEVICE void core_begin_message(const core_networks *x, core_state *state, uint32_t lane,
                                       uint32_t r, uint32_t i, uint32_t time) {
    const core_plan *plan = x->plan;
    const fc_core_router *router = ROUTER(r);
    const uint32_t k = SENDERS(router) == 1 ? 0 : i / plan->channels - router->links_in;
    const uint32_t node = router->first_sender + k;
    fc_core_cursor *cursor = CURSOR(x, node, lane);
    const fc_core_message message = core_next_message(x, lane, node, cursor->next);
    const uint32_t number = core_take_record(x, lane, node, cursor->next);
    fc_core_header *header = &RECORD(x, lane, number);
    header->born = core_cycle_of(plan, cursor->due);
    header->started = time;
    header->source = (uint16_t)node;
    header->destination = (uint16_t)message.destination;
    header->flits = (uint8_t)message.flits;
    header->routers = message.routers;
    header->choice = message.choice;
    core_enter(x, lane, r, i, ENTRY_OF(number, message.destination, message.choice));
    cursor->due += message.gap;
    if (++cursor->next > cursor->counted + 1)
        core_count_generated(x, lane, r, cursor, &message, cursor->due);
    LANE(STATE(plan->at_born + k), lane) = core_cycle_of(plan, cursor->due);
    if (plan->sorts > 1)
        core_set_planes(plan, state, plan->at_node_left, lane, i + NODE_SHIFT, message.flits);
}

FC_CORE_DEVICE void core_begin_messages(const core_networks *x, core_state *state, uint32_t r,
                                        mask begun, uint32_t time) {
    EACH_RARE_BIT(begun, lane, i) core_begin_message(x, state, lane, r, i, time);
    EACH_RARE_BIT_END
}

/* Messages that are due take free slots, each with one of the channels that have a place. Returns
 * those that are still to begin: of one length and one at a time they need not begin at once, and
 * words that are written lane by lane should not be read as vectors soon. */
FC_CORE_DEVICE mask core_fill_slots(const core_networks *x, core_state *state, uint32_t r,
                                    uint32_t k, mask placed, uint32_t time) {
    const core_plan *plan = x->plan;
    const uint32_t port = ROUTER(r)->links_in + k;
    const FC_WORD all = (((FC_WORD)1 << plan->channels) - 1) << (port * plan->channels);
    mask later = placed & 0;
    FC_UNROLL
    for (uint32_t s = 0; s < plan->slots; ++s) {
        const uint32_t slot = plan->at_slot + k * plan->slots + s;
        const mask due = not_after(STATE(plan->at_born + k), time) & ~some(STATE(slot));
        const mask room = STATE(AT_NODE_FREE) & placed & all & due;
        if (!any(room))
            continue;
        const mask bit = first_in_turn(room, STATE(AT_NODE_TURN));
        const mask turn = (STATE(AT_NODE_TURN) & ~all) | (-(bit << 1) & all);
        STATE(AT_NODE_TURN) = pick(some(bit), turn, STATE(AT_NODE_TURN));
        STATE(slot) |= bit;
        STATE(AT_NODE_FREE) &= ~bit;
        NOTE_NEW(bit);
        if (plan->sorts == 1)
            SET_LENGTH(plan->at_node_left, bit << NODE_SHIFT);
        if (plan->sorts == 1 && plan->slots == 1)
            later = bit;
        else
            core_begin_messages(x, state, r, bit, time);
    }
    return later;
}

/* Headers that leave a node after the cycle in which they took their slot. */
FC_CORE_DEVICE void core_note_start(const core_networks *x, mask leaving, uint32_t r,
                                    uint32_t time) {
    const core_plan *plan = x->plan;
    EACH_BIT(leaving, lane, i) {
        const core_channel *channel = &CHANNELS_OF(x, lane, r)[i];
        uint32_t last = FRONT(x, lane, r, i);
        if (channel->first != channel->end)
            last = QUEUE(x, lane, r, i, (channel->end ? channel->end : plan->places) - 1u);
        RECORD(x, lane, MESSAGE_OF(last)).started = time;
    }
    EACH_BIT_END
}

/* One flit of one of the slots, in turn. Returns the channel it takes. */
FC_CORE_DEVICE mask core_send(const core_plan *plan, core_state *state, uint32_t k, mask placed) {
    const uint32_t slot = plan->at_slot + k * plan->slots;
    const uint32_t turn = plan->at_slot_turn + k * plan->slots;
    if (plan->slots == 1)
        return STATE(slot) & placed;
    mask sent = placed & 0, passed = sent;
    FC_UNROLL
    for (uint32_t s = 0; s < plan->slots; ++s) /* those whose turn it is */
        sent |= STATE(slot + s) & placed & STATE(turn + s) & ~some(sent);
    FC_UNROLL
    for (uint32_t s = 0; s < plan->slots; ++s)
        sent |= STATE(slot + s) & placed & ~some(sent);
    const mask moved = some(sent);
    FC_UNROLL
    for (uint32_t s = 0; s < plan->slots; ++s) {
        STATE(turn + s) = pick(moved, passed, STATE(turn + s));
        passed |= some(STATE(slot + s) & sent);
    }
    return sent;
}

#ifdef FC_CORE_SINGLE
/* A message of one flit leaves in the cycle in which it takes a channel: no slot is ever taken. */
FC_CORE_DEVICE mask core_step_nodes(const core_networks *x, core_state *state, uint32_t r,
                                    uint32_t time) {
    const core_plan *plan = x->plan;
    const mask all = (FC_WORD)ROUTER(r)->node_bits;
    mask placed, unfinished, bit = 0;
    ANY_PLANE(plan->at_node_credit, plan->count_planes, placed);
    placed &= all;
    if (placed && STATE(plan->at_born) <= time) {
        bit = first_in_turn(placed, STATE(AT_NODE_TURN));
        STATE(AT_NODE_TURN) = (STATE(AT_NODE_TURN) & ~all) | (-(bit << 1) & all);
        ++STATE(plan->at_injected);
        SUBTRACT_PLANES(plan->at_node_credit, plan->count_planes, bit, unfinished);
    }
    SET_INJECTED(r, time, bit);
    return bit;
}
#else
/* Returns the messages that take a slot and are still to begin. */
FC_CORE_DEVICE mask core_step_nodes(const core_networks *x, core_state *state, uint32_t r,
                                    uint32_t time) {
    const core_plan *plan = x->plan;
    const fc_core_router *router = ROUTER(r);
    mask all = STATE(AT_NODE_FREE) & 0, begun = all, placed, unfinished;
    mask work = ~STATE(AT_NODE_FREE) & (FC_WORD)router->node_bits;
    FC_UNROLL
    for (uint32_t k = 0; k < SENDERS(router); ++k)
        work |= not_after(STATE(plan->at_born + k), time);
    if (!any(work)) {
        SET_INJECTED(r, time, all);
        return begun;
    }
    ANY_PLANE(plan->at_node_credit, plan->count_planes, placed);
    FC_UNROLL
    for (uint32_t k = 0; k < SENDERS(router); ++k) {
        begun |= core_fill_slots(x, state, r, k, placed, time);
        const mask sent = core_send(plan, state, k, placed);
        STATE(plan->at_injected + k) -= some(sent);
        all |= sent;
    }
    SUBTRACT_PLANES(plan->at_node_credit, plan->count_planes, all, unfinished);
    SUBTRACT_PLANES(plan->at_node_left, plan->left_planes, all << NODE_SHIFT, unfinished);
    const mask tails = all & ~(unfinished >> NODE_SHIFT), leaving = NEW_ONES(all);
    if (plan->slots > 1 && any(leaving))
        core_note_start(x, leaving, r, time);
    FORGET_NEW(all);
    STATE(AT_NODE_FREE) |= tails;
    FC_UNROLL
    for (uint32_t s = 0; s < SENDERS(router) * plan->slots; ++s)
        STATE(plan->at_slot + s) &= ~tails;
    SET_INJECTED(r, time, all);
    return begun;
}
#endif
