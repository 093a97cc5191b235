/* Messages that have arrived and are still to be counted. That takes a read of far memory and a
 * dozen sums, and few routers of a warp receive one in the same cycle: so they are listed until
 * there are enough for all threads of the warp. */

enum {
    ARRIVALS = 32,      /* of a warp at most */
    ARRIVAL_WAIT = 256, /* cycles: a node's records are used again after FC_CUDA_RECORDS messages */
    NO_ARRIVAL = 0xffffffffu
};

/* message: its record's number, and above 24 bits the router's number in the warp. */
struct core_arrival {
    uint32_t message, when;
};

/* The sum of a number of each thread of a warp; of large numbers it has more than 32 bits. */
__device__ static __forceinline__ uint32_t sum_of_small(uint32_t number) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    for (uint32_t distance = 16; distance; distance /= 2)
        number += __shfl_xor_sync(WHOLE_WARP, number, distance);
    return number;
#else
    return __reduce_add_sync(WHOLE_WARP, number);
#endif
}
__device__ static __forceinline__ uint64_t sum_of_warp(uint32_t number) {
    return ((uint64_t)sum_of_small(number >> 16) << 16) + sum_of_small(number & 0xffff);
}

/* core_delivered for the messages that threads of a warp have. Of the sums of routers only their
 * sum is asked for: the first router of the warp has them all. */
__device__ static __forceinline__ void core_delivered_together(const core_networks *x, bool any,
                                                               const fc_core_header *header,
                                                               uint32_t when) {
    const core_plan *plan = x->plan;
    const uint32_t latency = any ? when - header->born - 1 : 0;
    const uint32_t wait = any ? header->started - header->born : 0;
    const uint32_t routers = any ? header->routers : 0, flits = any ? header->flits : 0;
    const bool hot = any && header->destination == plan->hot_node;
    if (any) {
        fc_core_node *node = NODE_SUMS(x, header->source, 0);
        FC_SHARED_ADD(node->messages, 1);
        FC_SHARED_ADD(node->latency, latency);
        FC_SHARED_ADD(node->source_wait, wait);
        if (OF_LANE(x, 0)->histogram)
            FC_SHARED_ADD(OF_LANE(x, 0)->histogram[fc_histogram_bin(latency)], 1);
    }
    fc_core_tally sum;
    sum.messages = (uint32_t)__popc(__ballot_sync(WHOLE_WARP, any));
    sum.latency = sum_of_warp(latency);
    sum.source_wait = sum_of_warp(wait);
    sum.routers = sum_of_small(routers);
    if (plan->sorts == 1) {
        sum.flits = sum.messages * plan->flits[0];
        sum.flit_routers = sum.routers * plan->flits[0];
    } else {
        sum.flits = sum_of_small(flits);
        sum.flit_routers = sum_of_small(flits * routers);
    }
    sum.messages_hot = (uint32_t)__popc(__ballot_sync(WHOLE_WARP, hot));
    sum.latency_hot = sum.messages_hot ? sum_of_warp(hot ? latency : 0) : 0;
    if (threadIdx.x % 32 == 0) {
        fc_core_tally *tally = &TALLY(0, threadIdx.x);
        FC_OWN_ADD(tally->messages, sum.messages);
        FC_OWN_ADD(tally->latency, sum.latency);
        FC_OWN_ADD(tally->source_wait, sum.source_wait);
        FC_OWN_ADD(tally->routers, sum.routers);
        FC_OWN_ADD(tally->flits, sum.flits);
        FC_OWN_ADD(tally->flit_routers, sum.flit_routers);
        if (sum.messages_hot) {
            FC_OWN_ADD(tally->messages_hot, sum.messages_hot);
            FC_OWN_ADD(tally->latency_hot, sum.latency_hot);
        }
    }
}

/* Counts the messages on a warp's list that are in their nodes by the end of the stretch; routers
 * keep the others. */
CORE_SELDOM void core_count_arrivals(const core_plan *plan, const fc_core *all, uint32_t n,
                                     const core_arrival *list, uint32_t count, uint32_t until) {
    core_networks network;
    const core_networks *x = &network;
    const uint32_t r = threadIdx.x, thread = r % 32;
    network.plan = plan;
    network.all = all;
    network.n = n;
    __syncwarp();
    const bool mine = thread < count && list[thread].when < until;
    const uint32_t when = mine ? list[thread].when : 0;
    fc_core_header header;
    if (mine) {
        const uint32_t number = list[thread].message & 0xffffff;
        header = RECORD(x, 0, number);
        core_give_record(x, 0, number);
    }
    core_delivered_together(x, mine, &header, when);
    const bool late = thread < count && !mine;
    if (__any_sync(WHOLE_WARP, late)) {
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t number = list[i].message & 0xffffff, when = list[i].when;
            if (when < until || list[i].message >> 24 != thread)
                continue;
            const fc_core_header header = RECORD(x, 0, number);
            core_give_record(x, 0, number);
            core_deliver(x, 0, r, &header, when, until);
        }
    }
    __syncwarp();
}

__device__ static __forceinline__ void core_count_listed(const core_networks *x, core_state *state,
                                                         uint32_t until) {
    core_count_arrivals(x->plan, x->all, x->n, x->arrivals, state->listed, until);
    state->listed = 0;
}

/* At the end of a cycle: a router's arrival, if there is one, goes onto the list. */
__device__ static __forceinline__ void
core_collect_arrival(const core_networks *x, core_state *state, const core_moment *m) {
    const uint32_t thread = threadIdx.x % 32;
    const uint32_t came = __ballot_sync(WHOLE_WARP, state->arrival != NO_ARRIVAL);
    const uint32_t count = (uint32_t)__popc(came);
    if (state->listed + count > ARRIVALS || (state->listed && m->time % ARRIVAL_WAIT == 0))
        core_count_listed(x, state, m->until);
    if (state->arrival != NO_ARRIVAL) {
        const uint32_t before = (uint32_t)__popc(came & ((1u << thread) - 1));
        core_arrival *arrival = &x->arrivals[state->listed + before];
        arrival->message = thread << 24 | state->arrival;
        arrival->when = m->time + x->plan->eject_delay;
        state->arrival = NO_ARRIVAL;
    }
    state->listed += count;
}
