/* Lengths and records of messages: part of core_rules.h, included once for each build. */

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
