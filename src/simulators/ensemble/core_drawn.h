/* The next message of a node, drawn before it is needed. Drawing takes hundreds of instructions,
 * and the threads of a warp would do it one after the other: so, when one of them needs a message,
 * all that have none in store draw one. */

/* In shared memory: the gap, and the rest in one word, which is not 0 if there is a message. */
__device__ static __forceinline__ void core_draw_together(const core_networks *x, core_state *state,
                                                          uint32_t r, uint32_t time) {
    uint32_t *drawn = state->near + core_plan::at_drawn;
    const bool none = drawn[2] == 0;
    if (!__any_sync(__activemask(), none && STATE(core_plan::at_born) <= time))
        return;
    if (none && STATE(core_plan::at_born) < FC_CORE_NEVER) {
        const fc_core_message m =
            core_draw(x->plan, &x->lane[0], x->router.first_node, x->cursor[r].next);
        drawn[0] = (uint32_t)m.gap;
        drawn[1] = (uint32_t)(m.gap >> 32);
        drawn[2] = m.destination | (uint32_t)m.choice << 10 | (uint32_t)m.flits << 12 |
                   (uint32_t)m.routers << 20;
    }
}

__device__ static __forceinline__ fc_core_message core_take_drawn(const core_networks *x,
                                                                  uint32_t node, uint32_t number) {
    uint32_t *drawn = x->mine->near + core_plan::at_drawn;
    fc_core_message m;
    m.gap = drawn[0] | (uint64_t)drawn[1] << 32;
    m.destination = (uint16_t)(drawn[2] & 1023);
    m.choice = (uint16_t)(drawn[2] >> 10 & 3);
    m.flits = (uint8_t)(drawn[2] >> 12);
    m.routers = (uint8_t)(drawn[2] >> 20);
    drawn[2] = 0;
    return m;
}
