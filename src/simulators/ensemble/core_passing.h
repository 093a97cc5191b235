/* Messages of one flit go ahead with it: part of core_rules.h for the kernels of core_frequent.h.
 */

__device__ static __forceinline__ void core_pass_headers(const core_networks *x, core_state *state,
                                                         uint32_t r, const uint32_t *chosen) {
    _Pragma("unroll") for (uint32_t o = 0; o < FREQUENT_LINKS; ++o) {
        if (o >= x->router.links_out || !chosen[o])
            continue;
        const fc_core_end to = TO(r, o);
        const uint32_t i = index_of(chosen[o]);
        const uint32_t v = core_number(&STATE(core_plan::at_held), core_plan::held_planes, i);
        const uint32_t entry = FRONT(x, 0, r, i);
#ifdef FC_CORE_NARROW
        const uint32_t end = core_place(x, &STATE(core_plan::at_end), o * core_plan::channels + v);
        SET_QUEUE(x, 0, to.router, to.shift + v, end, (entry & 255) | MESSAGE_OF(entry) << 8);
#else
        core_enter(x, 0, to.router, to.shift + v, entry);
#endif
    }
}

#ifdef FC_CORE_NARROW
/* Queues after flits have passed and been sent. */
__device__ static __forceinline__ void core_move_places(const core_networks *x, core_state *state,
                                                        uint32_t passed, uint32_t sent) {
    ADD_PLANES(core_plan::at_first, PLACE_REGISTERS, passed);
    ADD_PLANES(core_plan::at_end, PLACE_REGISTERS, sent & (uint32_t)x->router.link_bits);
}
#endif
