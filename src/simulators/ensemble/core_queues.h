/* Where messages are while they are under way: part of core_rules.h, included once for each build.
 */

#ifdef FC_CORE_NARROW /* by the router's own node; there is one queue for each bit of the planes   \
                       */
FC_CORE_DEVICE void core_push(const core_networks *x, uint32_t lane, uint32_t r, uint32_t i,
                              uint32_t entry) {
    core_state *state = STATE_OF(r);
    SET_QUEUE(x, lane, r, i, core_place(x, &state->own[core_plan::at_end], i), entry);
    ADD_PLANES(core_plan::at_end, PLACE_REGISTERS, 1u << i);
}

FC_CORE_DEVICE uint32_t core_pull(const core_networks *x, uint32_t lane, uint32_t r, uint32_t i) {
    return FRONT(x, lane, r, i);
}
#else
FC_CORE_DEVICE void core_push(const core_networks *x, uint32_t lane, uint32_t r, uint32_t i,
                              uint32_t entry) {
    const core_plan *plan = x->plan;
    core_channel *channel = &CHANNELS_OF(x, lane, r)[i];
    SET_QUEUE(x, lane, r, i, channel->end, entry);
    channel->end = (uint8_t)(channel->end + 1u == plan->places ? 0 : channel->end + 1);
}

FC_CORE_DEVICE uint32_t core_pull(const core_networks *x, uint32_t lane, uint32_t r, uint32_t i) {
    const core_plan *plan = x->plan;
    core_channel *channel = &CHANNELS_OF(x, lane, r)[i];
    const uint32_t entry = QUEUE(x, lane, r, i, channel->first);
    channel->first = (uint8_t)(channel->first + 1u == plan->places ? 0 : channel->first + 1);
    return entry;
}
#endif

/* The message at the front wants an output and, of its channels, those of a kind. now: 0, this
 * channel has another front, and nothing changes. */
FC_CORE_DEVICE void core_want(const core_plan *plan, core_state *state, uint32_t lane, uint32_t i,
                              uint32_t output, uint32_t kind, uint32_t now) {
    const FC_WORD bit = (FC_WORD)now << i;
    (void)lane;
#ifdef FC_CORE_FREQUENT
    (void)now;
    SET_WANT(i, output);
#else
    LANE(STATE_AT(plan->at_want + output), lane) |= bit;
#endif
    if (plan->kinds == 1)
        return;
    FC_UNROLL
    for (uint32_t p = 0; p < plan->kind_planes; ++p) {
        FC_WORD *plane = &LANE(STATE(plan->at_kind + p), lane);
        *plane = (*plane & ~bit) | (FC_WORD)(kind >> p & now) << i;
    }
}

#ifdef __CUDACC__
/* A message enters an input channel of another thread's router, which looks at it when its header
 * is there. */
FC_CORE_DEVICE void core_enter(const core_networks *x, uint32_t lane, uint32_t r, uint32_t i,
                               uint32_t entry) {
    core_push(x, lane, r, i, entry);
}
#else
/* A message goes into an input channel of a router, ahead of its flits, with the output it will
 * take there. known: 1, there is another one at the front. Without branches: it cannot be
 * foretold. */
FC_CORE_DEVICE void core_put(const core_networks *x, uint32_t lane, uint32_t r, uint32_t i,
                             uint32_t message, uint32_t known) {
    const core_plan *plan = x->plan;
    uint32_t kind;
    const uint32_t output = core_route(x, r, lane, message, &kind);
    core_channel *channel = &CHANNELS_OF(x, lane, r)[i];
    const uint32_t end = channel->end, next = end + 1u == plan->places ? 0 : end + 1;
    uint32_t *front = &FRONT_WORD(x, lane, r, i), *behind = &QUEUE(x, lane, r, i, end);
    const uint32_t destination = plan->destination_shift ? RECORD(x, lane, message).destination : 0;
    *(known ? behind : front) = WORD_OF(message, output, kind) | destination
                                                                     << plan->destination_shift;
    channel->end = (uint8_t)(known ? next : end);
    core_want(plan, STATE_OF(r), lane, i, output, kind, known ^ 1);
}

FC_CORE_DEVICE void core_enter(const core_networks *x, uint32_t lane, uint32_t r, uint32_t i,
                               uint32_t message) {
    const core_plan *plan = x->plan;
    core_state *state = STATE_OF(r);
    const FC_WORD bit = (FC_WORD)1 << i, known = LANE(STATE(AT_KNOWN), lane) & bit;
    LANE(STATE(AT_KNOWN), lane) |= bit;
    LANE(STATE(AT_QUEUED), lane) |= known;
    core_put(x, lane, r, i, message, known != 0);
}
#endif

/* Headers that have just come; on a GPU they find their outputs now. */
FC_CORE_DEVICE void core_look_at_headers(const core_networks *x, core_state *state, uint32_t r,
                                         mask fresh) {
#ifdef __CUDACC__
    const core_plan *plan = x->plan;
    CLEAR_WANTS(fresh);
    EACH_BIT(fresh, lane, i) {
        uint32_t kind;
        const uint32_t entry = core_pull(x, lane, r, i);
        const uint32_t output = core_route(x, r, lane, entry, &kind);
        SET_FRONT(x, lane, r, i, entry, output);
        core_want(plan, state, lane, i, output, kind, 1);
    }
    EACH_BIT_END
#else
    (void)x, (void)state, (void)r, (void)fresh;
#endif
}

/* Messages behind tails that have left. They are listed some time before the list is read: it is
 * written and read in other pieces. */
typedef struct core_behind {
    mask messages;
#ifdef FC_CORE_ROWS
    uint32_t count;
    listed_bit list[FC_LANES * FC_WORD_BITS + 64];
#endif
} core_behind;

FC_CORE_DEVICE void core_find_behind(const core_networks *x, core_state *state, mask tails,
                                     core_behind *behind) {
#ifdef __CUDACC__
    (void)x, (void)state, (void)tails, (void)behind;
#else
    behind->messages = tails & STATE(AT_QUEUED);
    STATE(AT_KNOWN) &= behind->messages | ~tails;
#ifdef FC_CORE_ROWS
    behind->count = core_has_rows(x->plan) ? list_bits(behind->messages, behind->list) : 0;
#else
    (void)x;
#endif
#endif
}

/* They come to the front. */
FC_CORE_DEVICE void core_look_behind(const core_networks *x, core_state *state, uint32_t r,
                                     const core_behind *behind) {
#ifdef __CUDACC__
    (void)x, (void)state, (void)r, (void)behind;
#else
    const core_plan *plan = x->plan;
    if (!any(behind->messages))
        return;
#ifdef FC_CORE_ROWS
    if (core_has_rows(plan)) {
        core_look_behind_rows(x, state, r, behind->list, behind->count);
        return;
    }
#endif
    EACH_BIT(behind->messages, lane, i) {
        const uint32_t word = core_pull(x, lane, r, i);
        FRONT_WORD(x, lane, r, i) = word;
        core_want(plan, state, lane, i, OUTPUT_OF(word), KIND_OF(word), 1);
        core_channel *channel = &CHANNELS_OF(x, lane, r)[i];
        const uint32_t empty = channel->first == channel->end;
        LANE(STATE(AT_QUEUED), lane) &= ~((FC_WORD)empty << i);
        channel->first &= (uint8_t)(empty - 1); /* the first places stay in near caches */
        channel->end &= (uint8_t)(empty - 1);
    }
    EACH_BIT_END
#endif
}
