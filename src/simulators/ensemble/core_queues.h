/* Where messages are while they are under way: part of core_rules.h, included once for each build.
 */

/* ---- lengths and records of messages ---- */

/* Of input channel i: a counter in planes becomes a message's flits; of several, the one length
 * that messages have. */
FC_CORE_DEVICE void core_set_planes(const core_plan *plan, core_state *state, uint32_t at,
                                    uint32_t lane, uint32_t i, uint32_t flits) {
    (void)lane;
    FC_UNROLL
    for (uint32_t p = 0; p < plan->left_planes; ++p) {
        FC_WORD *plane = &LANE(STATE(at + p), lane);
        *plane = (*plane & ~((FC_WORD)1 << i)) | (FC_WORD)(flits >> p & 1) << i;
    }
}
#define SET_LENGTH(at, set)                                                                        \
    do {                                                                                           \
        FC_UNROLL                                                                                  \
        for (uint32_t k_ = 0; k_ < plan->left_planes; ++k_)                                        \
            STATE((at) + k_) =                                                                     \
                plan->flits[0] >> k_ & 1 ? STATE((at) + k_) | (set) : STATE((at) + k_) & ~(set);   \
    } while (0)

/* A record for message `number` of a node. */
FC_CORE_DEVICE uint32_t core_take_record(const core_networks *x, uint32_t lane, uint32_t node,
                                         uint32_t number) {
    const core_plan *plan = x->plan;
#ifdef __CUDACC__ /* threads do not share a stack: a ring for each node */
    const uint32_t message = node * FC_CUDA_RECORDS + number % FC_CUDA_RECORDS;
    CHECK_RECORD(RECORD(x, lane, message).flits);
    return message;
#else
    fc_core_pool *pool = &x->pool[lane];
    (void)node;
    (void)number;
    return pool->spare ? x->spare[(size_t)lane * plan->pool + --pool->spare] : pool->used++;
#endif
}

FC_CORE_DEVICE void core_give_record(const core_networks *x, uint32_t lane, uint32_t message) {
    const core_plan *plan = x->plan;
#ifdef __CUDACC__
    RECORD(x, lane, message).flits = 0;
#else
    x->spare[(size_t)lane * plan->pool + x->pool[lane].spare++] = message;
#endif
}

/* ---- queues of input channels ---- */

FC_CORE_DEVICE void core_push(const core_networks *x, uint32_t lane, uint32_t r, uint32_t i,
                              uint32_t entry) {
    const core_plan *plan = x->plan;
    core_channel *channel = &CHANNELS_OF(x, lane, r)[i];
    QUEUE(x, lane, r, i, channel->end) = entry;
    channel->end = (uint8_t)(channel->end + 1u == plan->places ? 0 : channel->end + 1);
}

FC_CORE_DEVICE uint32_t core_pull(const core_networks *x, uint32_t lane, uint32_t r, uint32_t i) {
    const core_plan *plan = x->plan;
    core_channel *channel = &CHANNELS_OF(x, lane, r)[i];
    const uint32_t entry = QUEUE(x, lane, r, i, channel->first);
    channel->first = (uint8_t)(channel->first + 1u == plan->places ? 0 : channel->first + 1);
    return entry;
}

/* A message comes to the front and finds its output. Its header may still be on its way. */
FC_CORE_DEVICE void core_come_to_front(const core_networks *x, core_state *state, uint32_t lane,
                                       uint32_t r, uint32_t i, uint32_t entry) {
    const core_plan *plan = x->plan;
    const FC_WORD bit = (FC_WORD)1 << i;
    uint32_t kind;
    const uint32_t output = core_route(x, r, lane, entry, &kind);
    SET_FRONT(x, lane, r, i, entry, output);
    LANE(STATE_AT(plan->at_want + output), lane) |= bit;
    if (plan->kinds == 1)
        return;
    FC_UNROLL
    for (uint32_t p = 0; p < plan->kind_planes; ++p) {
        FC_WORD *plane = &LANE(STATE(plan->at_kind + p), lane);
        *plane = (*plane & ~bit) | (FC_WORD)(kind >> p & 1) << i;
    }
}

/* A message enters an input channel of a router, ahead of its flits. On a GPU the router is another
 * thread's, which looks at the message when the header is there. */
FC_CORE_DEVICE void core_enter(const core_networks *x, uint32_t lane, uint32_t r, uint32_t i,
                               uint32_t entry) {
#ifdef __CUDACC__
    core_push(x, lane, r, i, entry);
#else
    const core_plan *plan = x->plan;
    core_state *state = STATE_OF(r);
    const FC_WORD bit = (FC_WORD)1 << i;
    if (LANE(STATE(AT_KNOWN), lane) & bit) {
        core_push(x, lane, r, i, entry);
        LANE(STATE(AT_QUEUED), lane) |= bit;
    } else {
        LANE(STATE(AT_KNOWN), lane) |= bit;
        core_come_to_front(x, state, lane, r, i, entry);
    }
#endif
}

/* Headers that have just come; on a GPU they find their outputs now. */
FC_CORE_DEVICE void core_look_at_headers(const core_networks *x, core_state *state, uint32_t r,
                                         mask fresh) {
#ifdef __CUDACC__
    EACH_BIT(fresh, lane, i)
    core_come_to_front(x, state, lane, r, i, core_pull(x, lane, r, i));
    EACH_BIT_END
#else
    (void)x, (void)state, (void)r, (void)fresh;
#endif
}

/* Tails have left: the messages behind them, if they are there, come to the front. */
FC_CORE_DEVICE void core_look_behind(const core_networks *x, core_state *state, uint32_t r,
                                     mask tails) {
#ifdef __CUDACC__
    (void)x, (void)state, (void)r, (void)tails;
#else
    const core_plan *plan = x->plan;
    const mask behind = tails & STATE(AT_QUEUED);
    STATE(AT_KNOWN) &= behind | ~tails;
    if (!any(behind))
        return;
    EACH_BIT(behind, lane, i) {
        core_come_to_front(x, state, lane, r, i, core_pull(x, lane, r, i));
        core_channel *channel = &CHANNELS_OF(x, lane, r)[i];
        const uint32_t empty = channel->first == channel->end;
        LANE(STATE(AT_QUEUED), lane) &= ~((FC_WORD)empty << i);
        channel->first &= (uint8_t)(empty - 1); /* the first places stay in near caches */
        channel->end &= (uint8_t)(empty - 1);
    }
    EACH_BIT_END
#endif
}
