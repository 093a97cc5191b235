/* The next messages of a node, drawn before they are needed. Drawing takes hundreds of
 * instructions, and the threads of a warp would do it one after the other: so, when one of them has
 * none left, all that have room draw one. That its record is free is seen now, too: nothing waits
 * for it. */

/* In shared memory. */
__device__ static __forceinline__ uint32_t *core_drawn(const core_state *state, uint32_t number) {
    return state->near + core_plan::at_drawn + number % core_plan::drawn * DRAWN_WORDS;
}

#ifdef FC_CORE_NARROW
/* 51 bits of the gap, of which FC_CORE_NEVER cycles are left at least if a gap has more (is_small),
 * 6 of the destination, 2 of the directions and 5 of the routers. */
__device__ static __forceinline__ void core_keep_drawn(const fc_core_message *m, uint32_t *drawn) {
    const uint64_t most = ((uint64_t)1 << 51) - 1, gap = m->gap < most ? m->gap : most;
    drawn[0] = (uint32_t)gap;
    drawn[1] = (uint32_t)(gap >> 32) | (uint32_t)m->destination << 19 | (uint32_t)m->choice << 25 |
               (uint32_t)m->routers << 27;
}

__device__ static __forceinline__ fc_core_message core_kept_drawn(const uint32_t *drawn) {
    fc_core_message m;
    m.gap = drawn[0] | (uint64_t)(drawn[1] & 0x7ffff) << 32;
    m.destination = (uint16_t)(drawn[1] >> 19 & 63);
    m.choice = (uint16_t)(drawn[1] >> 25 & 3);
    m.flits = 1;
    m.routers = (uint8_t)(drawn[1] >> 27);
    return m;
}
#else
/* The gap, and the rest in one word. */
__device__ static __forceinline__ void core_keep_drawn(const fc_core_message *m, uint32_t *drawn) {
    drawn[0] = (uint32_t)m->gap;
    drawn[1] = (uint32_t)(m->gap >> 32);
    drawn[2] = m->destination | (uint32_t)m->choice << 10 | (uint32_t)m->flits << 12 |
               (uint32_t)m->routers << 20;
}

__device__ static __forceinline__ fc_core_message core_kept_drawn(const uint32_t *drawn) {
    fc_core_message m;
    m.gap = drawn[0] | (uint64_t)drawn[1] << 32;
    m.destination = (uint16_t)(drawn[2] & 1023);
    m.choice = (uint16_t)(drawn[2] >> 10 & 3);
    m.flits = (uint8_t)(drawn[2] >> 12);
    m.routers = (uint8_t)(drawn[2] >> 20);
    return m;
}
#endif

__device__ static __forceinline__ void core_draw_together(const core_networks *x, core_state *state,
                                                          uint32_t r, uint32_t time) {
    const uint32_t due = STATE(core_plan::at_born);
    if (!__any_sync(WHOLE_WARP, state->stock == 0 && due <= time))
        return;
    if (state->stock < core_plan::drawn && due < FC_CORE_NEVER) {
        const uint32_t number = CURSOR(x, r, 0)->next + state->stock++;
        const uint32_t record = r * FC_CUDA_RECORDS + number % FC_CUDA_RECORDS;
        const uint32_t used = RECORD(x, 0, record).flits;
        const fc_core_message m = core_draw(x->plan, OF_LANE(x, 0), r, number);
        state->used |= used;
        core_keep_drawn(&m, core_drawn(state, number));
    }
}

__device__ static __forceinline__ fc_core_message core_take_drawn(const core_networks *x,
                                                                  uint32_t number) {
    --x->mine->stock;
    return core_kept_drawn(core_drawn(x->mine, number));
}
