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

/* Counts the messages on a warp's list that are in their nodes by the end of the stretch; routers
 * keep the others. */
CORE_SELDOM void core_count_arrivals(const core_plan *plan, const fc_core *all, uint32_t n,
                                     const core_arrival *list, uint32_t count, uint32_t until) {
    core_networks network;
    const core_networks *x = &network;
    const uint32_t r = threadIdx.x, thread = r % 32, first = r - thread;
    const uint32_t threads = plan->routers - first < 32 ? plan->routers - first : 32;
    bool late = false;
    network.plan = plan;
    network.all = all;
    network.n = n;
    __syncwarp();
    for (uint32_t i = thread; i < count && thread < threads; i += threads) {
        const uint32_t number = list[i].message & 0xffffff, when = list[i].when;
        if (when < until) {
            const fc_core_header header = RECORD(x, 0, number);
            core_give_record(x, 0, number);
            core_delivered(x, 0, r, &header, when);
        } else {
            late = true;
        }
    }
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
