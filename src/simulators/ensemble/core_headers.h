/* What headers do in a cycle: they follow the channels that they were given, find their outputs and
 * ask for channels. Part of core_rules.h, included once for each build. */
#ifndef FC_CORE_FREQUENT
/* Messages at the front that have been given channels of links go ahead of their flits into the
 * next routers. */
FC_CORE_DEVICE void core_pass_headers(const core_networks *x, const core_state *own, uint32_t r,
                                      mask headers, mask given) {
    const core_plan *plan = x->plan;
#ifndef __CUDACC__
    const FC_WORD channels = ((FC_WORD)1 << plan->channels) - 1;
    mask known[FC_CORE_PORTS]; /* input channels of the next routers */
#ifdef FC_CORE_ROWS /* listed long before it is read: it is written and read in other pieces */
    listed_bit list[FC_LANES * FC_WORD_BITS + 64];
    const uint32_t count = core_has_rows(plan) ? list_bits(headers, list) : 0;
#endif
    for (uint32_t o = 0; o < ROUTER(r)->links_out; ++o) {
        const fc_core_end to = TO(r, o);
        core_state *state = STATE_OF(to.router);
        const mask entered = (given >> (o * plan->channels) & channels) << to.shift;
        known[o] = STATE(AT_KNOWN);
        STATE(AT_KNOWN) |= entered;
        STATE(AT_QUEUED) |= entered & known[o];
    }
#else
    (void)given;
#endif
#ifdef FC_CORE_ROWS
    if (core_has_rows(plan)) {
        core_pass_rows(x, own, r, list, count, known);
        return;
    }
#endif
    EACH_BIT(headers, lane, i) {
        const core_state *state = own;
        const uint32_t word = FRONT_WORD(x, lane, r, i), o = OUTPUT_OF(word);
        const fc_core_end to = TO(r, o);
        uint32_t at = to.shift;
        FC_UNROLL
        for (uint32_t p = 0; p < plan->held_planes; ++p)
            at += (uint32_t)(LANE(STATE(plan->at_held + p), lane) >> i & 1) << p;
#ifdef __CUDACC__
        core_enter(x, lane, to.router, at, MESSAGE_OF(word));
#else
        core_put(x, lane, to.router, at, MESSAGE_OF(word), LANE(known[o], lane) >> at & 1);
#endif
    }
    EACH_BIT_END
}
#endif

/* Messages of several lengths: those that were given a channel count their flits from now on. */
FC_CORE_DEVICE void core_set_lengths(const core_networks *x, core_state *state, uint32_t r,
                                     mask given) {
    const core_plan *plan = x->plan;
    EACH_BIT(given, lane, i) {
        const uint32_t message = MESSAGE_OF(FRONT(x, lane, r, i));
        core_set_planes(plan, state, plan->at_left, lane, i, RECORD(x, lane, message).flits);
    }
    EACH_BIT_END
}

/* What headers of a router are given in a cycle. */
typedef struct core_grants {
    mask headers;  /* that are given a channel */
    mask channels; /* that are given */
    mask held[3];  /* headers that are given a channel with this bit in its number */
} core_grants;

/* Input channels that may take virtual channel v of a link. */
FC_CORE_DEVICE mask core_may_take(const core_plan *plan, const core_state *state, uint32_t v) {
    mask may = STATE(AT_FREE) & 0;
    FC_UNROLL
    for (uint32_t kind = 0; kind < plan->kinds; ++kind) {
        mask of_kind = ~(STATE(AT_FREE) & 0);
        FC_UNROLL
        for (uint32_t p = 0; p < plan->kind_planes; ++p)
            of_kind &= kind >> p & 1 ? STATE(plan->at_kind + p) : ~STATE(plan->at_kind + p);
        may |= of_kind & (0 - (FC_WORD)(plan->kind_channels[kind] >> v & 1));
    }
    return may;
}

/* Input channels whose last channel had a number below v. */
FC_CORE_DEVICE mask core_held_below(const core_plan *plan, const core_state *state, uint32_t v) {
    mask below = STATE(AT_FREE) & 0;
    FC_UNROLL
    for (uint32_t p = 0; p < plan->held_planes; ++p) {
        const mask plane = STATE(plan->at_held + p);
        below = v >> p & 1 ? below | ~plane : below & ~plane;
    }
    return below;
}

/* Headers ask for channels of one output: each channel that was free offers itself to one of them,
 * in turn, and each header takes one of its offers, in turn. */
FC_CORE_DEVICE void core_give_channels(const core_networks *x, core_state *state, uint32_t r,
                                       uint32_t o, bool link, mask headers, mask free_before,
                                       core_grants *grants) {
    const core_plan *plan = x->plan;
    const uint32_t first = o * plan->channels;
    const mask same = headers & LAST(o); /* took this output last time, too */
    mask given[8], taken = headers & 0, count = taken;
    LOAD_OFFER_TURNS(o);
    FC_UNROLL
    for (uint32_t v = 0; v < plan->channels; ++v) {
        mask asking = if_bit(free_before, first + v, headers);
        if (plan->kinds > 1 && link)
            asking &= core_may_take(plan, state, v);
        given[v] = first_in_turn(asking, OFFER_TURN(first + v));
    }
    mask offers[8];
    FC_UNROLL
    for (uint32_t v = 0; v < plan->channels; ++v) {
        offers[v] = given[v];
        given[v] &= same & core_held_below(plan, state, v) & ~taken;
        taken |= given[v];
    }
    FC_UNROLL
    for (uint32_t v = 0; v < plan->channels; ++v) {
        const mask rest = offers[v] & ~taken;
        taken |= rest;
        given[v] |= rest;
        SET_OFFER_TURN(first + v, given[v]);
        count += some(given[v]);
        grants->channels |= some(given[v]) & ((FC_WORD)1 << (first + v));
        FC_UNROLL
        for (uint32_t p = 0; p < plan->held_planes; ++p)
            grants->held[p] |= v >> p & 1 ? given[v] : given[v] & 0;
    }
    STORE_OFFER_TURNS(o);
    COUNT_GRANTED(o, count);
    (void)count;
    grants->headers |= taken;
    NOTE_LAST(o, taken);
#if defined(FC_CORE_FREQUENT) && !defined(FC_CORE_SINGLE)
    /* output and channel are known: there is no memory for them */
    if (!link)
        return;
    const fc_core_end to = TO(r, o);
    EACH_BIT(taken, lane, i) {
        const uint32_t v = ((given[1] | given[3]) >> i & 1) | ((given[2] | given[3]) >> i & 1) << 1;
        core_enter(x, lane, to.router, to.shift + v, FRONT(x, lane, r, i));
    }
    EACH_BIT_END
#else
    (void)r;
#endif
}

#if defined(FC_CORE_FREQUENT) && !defined(FC_CORE_SINGLE)
/* The same for one header: all channels offer themselves to it. */
FC_CORE_DEVICE void core_give_channel(const core_networks *x, core_state *state, uint32_t r,
                                      uint32_t o, bool link, mask header, mask free_before,
                                      core_grants *grants) {
    const core_plan *plan = x->plan;
    const uint32_t i = index_of(header), first = o * plan->channels;
    uint32_t offers = free_before >> first & ((1u << plan->channels) - 1);
    if (plan->kinds > 1 && link)
        offers &= plan->kind_channels[STATE(plan->at_kind) & header ? 1 : 0];
    if (!offers)
        return;
    const uint32_t held = (STATE(plan->at_held) >> i & 1) | (STATE(plan->at_held + 1) >> i & 1)
                                                                << 1;
    const uint32_t above = header & LAST(o) ? offers & 14u << held : 0;
    const uint32_t v = index_of(above ? above : offers);
    LOAD_OFFER_TURNS(o);
    offer_turns = (offer_turns & ~(255u << v * 8)) | (i + 1) << v * 8;
    STORE_OFFER_TURNS(o);
    COUNT_GRANTED(o, 0xffffffffu);
    NOTE_LAST(o, header);
    grants->headers |= header;
    grants->channels |= 1u << (first + v);
    grants->held[0] |= v & 1 ? header : 0;
    grants->held[1] |= v & 2 ? header : 0;
    if (link) {
        const fc_core_end to = TO(r, o);
        core_enter(x, 0, to.router, to.shift + v, FRONT(x, 0, r, i));
    }
}
#endif

/* Headers that ask are given channels of those that were free. */
FC_CORE_DEVICE mask core_allocate(const core_networks *x, core_state *state, uint32_t r,
                                  mask asking, mask free_before, const core_moment *m) {
    const core_plan *plan = x->plan;
    const fc_core_router *router = ROUTER(r);
    const FC_WORD channels = ((FC_WORD)1 << plan->channels) - 1;
    core_grants grants;
    grants.headers = grants.channels = asking & 0;
    FC_UNROLL
    for (uint32_t p = 0; p < 3; ++p)
        grants.held[p] = grants.headers;
#ifdef __CUDACC__
    uint32_t todo = 0;
#endif
    FC_UNROLL
    for (uint32_t o = 0; o < LINKS_OUT(router) + RECEIVERS(router); ++o) {
        const mask open = some(free_before & (FC_WORD)(channels << (o * plan->channels)));
        const mask headers = asking & WANT(o) & open;
#ifdef __CUDACC__ /* outputs one after the other, not those of each thread after another's */
        todo |= headers ? 1u << o : 0;
    }
    for (; todo; todo &= todo - 1) {
        const uint32_t o = index_of(todo);
        const mask headers = asking & WANT(o);
#if defined(FC_CORE_FREQUENT) && !defined(FC_CORE_SINGLE)
        if (!(headers & (headers - 1))) {
            core_give_channel(x, state, r, o, o < router->links_out, headers, free_before, &grants);
            continue;
        }
#endif
        core_give_channels(x, state, r, o, o < router->links_out, headers, free_before, &grants);
    }
#else
        if (any(headers))
            core_give_channels(x, state, r, o, o < router->links_out, headers, free_before,
                               &grants);
    }
#endif
    const mask given = grants.headers;
    if (!any(given))
        return given;
    STATE(AT_FREE) &= ~grants.channels;
    STATE(AT_ASKING) &= ~given;
    GIVEN |= given;
    mask ends = given & 0; /* headers that go to nodes */
    (void)ends;
    FC_UNROLL
    for (uint32_t o = 0; o < LINKS_OUT(router) + RECEIVERS(router); ++o) {
        const mask want = WANT(o);
        KEEP_LAST(o, given, want);
        if (o >= router->links_out)
            ends |= want;
    }
    SET_LASTS(given);
    FC_UNROLL
    for (uint32_t p = 0; p < plan->held_planes; ++p)
        STATE(plan->at_held + p) = pick(given, grants.held[p], STATE(plan->at_held + p));
    if (plan->sorts == 1)
        SET_LENGTH(plan->at_left, given);
    else
        core_set_lengths(x, state, r, given);
#ifndef FC_CORE_FREQUENT
    core_pass_headers(x, state, r, given & ~ends, grants.channels);
#endif
    return given;
}

#ifndef FC_CORE_FREQUENT
/* How long headers waited for a channel. first: those that ask for the first time. */
FC_CORE_DEVICE void core_count_waits(const core_networks *x, const core_state *state, uint32_t r,
                                     mask first, mask asking, mask given, uint32_t time) {
    const core_plan *plan = x->plan;
    const mask begin = first & ~given, end = given & ~first;
    (void)plan, (void)state, (void)asking;
    if (any(begin)) {
        EACH_BIT(begin, lane, i) ASKED(x, lane, r, i) = time;
        EACH_BIT_END
    }
    if (any(end)) {
        EACH_BIT(end, lane, i) {
            const uint32_t o = OUTPUT(x, lane, r, i);
            fc_core_output *output = &x->output[AT(plan->output_first[r] + o, lane)];
            FC_OWN_ADD(output->waited, time - ASKED(x, lane, r, i));
        }
        EACH_BIT_END
    }
}
#endif

FC_CORE_DEVICE void core_headers(const core_networks *x, core_state *state, uint32_t r, mask fresh,
                                 mask free_before, const core_moment *m) {
    const core_plan *plan = x->plan;
    core_look_at_headers(x, state, r, fresh);
    const mask first = plan->routing ? FRESH : fresh;
    const mask asking = STATE(AT_ASKING) | first;
    FRESH = fresh;
    STATE(AT_ASKING) = asking;
    if (any(asking)) {
        const mask given = core_allocate(x, state, r, asking, free_before, m);
        core_count_waits(x, state, r, first, asking, given, m->time);
    }
}
