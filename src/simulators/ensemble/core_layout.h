/* Where the parts of a router's state are in the kernels of core_frequent.h, which includes this
 * file once for each. */

/* A thread has registers for the outputs that input channels want and took last, as numbers in
 * three planes, and for the masks between stages. */
#ifndef FC_CORE_FEW_REGISTERS
enum { NUMBER_REGISTERS = 3, STAGE_REGISTERS = 1 };
#else
enum { NUMBER_REGISTERS = 0, STAGE_REGISTERS = 0 };
#endif
/* Of small networks with single flits there are so many on a multiprocessor that shared memory is
 * scarce and registers are not: they have the places in queues, too, which are a power of two, and
 * the cursors of nodes. */
#ifdef FC_CORE_NARROW
enum { PLACE_REGISTERS = 4, CURSOR_WORDS = 0, DRAWN_WORDS = 2 };
#elif defined(FC_CORE_FEW_REGISTERS)
enum { PLACE_REGISTERS = 0, CURSOR_WORDS = 0, DRAWN_WORDS = 3 };
#else
enum { PLACE_REGISTERS = 0, CURSOR_WORDS = sizeof(fc_core_cursor) / 4, DRAWN_WORDS = 3 };
#endif

struct core_plan : fc_core_plan {
    static constexpr uint32_t channels = 4, in_ports = 5, out_ports = 5, slots = 1, dimensions = 2;
    static constexpr uint32_t routing = 1, allocation = 1, per_channel = 0, o1turn = 0;
    static constexpr uint32_t count_planes = 4, held_planes = 2;
#ifdef FC_CORE_FREE /* any virtual channel may be taken */
    static constexpr uint32_t kinds = 1, kind_planes = 0;
#else
    static constexpr uint32_t kinds = 2, kind_planes = 1;
#endif
#ifdef FC_CORE_SINGLE /* every flit is a header and a tail */
    static constexpr uint32_t left_planes = 0, sorts = 1, granted = 0;
#else
    static constexpr uint32_t left_planes = 5, granted = out_ports;
#endif
#ifdef FC_CORE_FEW_REGISTERS
    static constexpr uint32_t drawn = 2, turns = 2; /* there is no room for more */
#else
    static constexpr uint32_t drawn = 3, turns = out_ports;
#endif
    static constexpr uint32_t low_bits = 0x11111;
    /* in registers, behind the single masks */
    static constexpr uint32_t at_count = 8, at_left = at_count + count_planes,
                              at_credit = at_left + left_planes, at_held = at_credit + count_planes,
                              at_kind = at_held + held_planes, at_turn = at_kind + kind_planes,
                              at_port_turn = at_turn + turns, at_slot = at_port_turn + turns,
                              at_slot_turn = at_slot, at_born = at_slot + 1,
                              at_injected = at_born + 1;
    static constexpr uint32_t at_want = at_injected + 1, at_last = at_want + NUMBER_REGISTERS,
                              at_fresh = at_last + NUMBER_REGISTERS,
                              at_given = at_fresh + STAGE_REGISTERS,
                              at_first = at_given + STAGE_REGISTERS,
                              at_end = at_first + PLACE_REGISTERS, size = at_end + PLACE_REGISTERS;
    /* Outputs to nodes need no credits, and five ports leave bits for the node's flits. */
    static constexpr uint32_t at_node_credit = at_credit, at_node_left = at_left;
    /* in shared memory; an odd number of words for each router, so that neighbours do not wait for
     * each other */
    static constexpr uint32_t near_want = 0,
                              near_last = near_want + (NUMBER_REGISTERS ? 0 : out_ports),
                              near_fresh = near_last + (NUMBER_REGISTERS ? 0 : out_ports),
                              near_given = near_fresh + (STAGE_REGISTERS ? 0 : 1),
                              at_granted = near_given + (STAGE_REGISTERS ? 0 : 1),
                              at_waited = at_granted + granted,
                              at_offer = at_waited + out_ports, /* a byte for each channel */
        at_inputs = at_offer + out_ports * channels / 4,        /* a core_channel for each */
        at_drawn = at_inputs + (PLACE_REGISTERS ? 0 : in_ports * channels / 2), /* core_drawn.h */
        near_size = (at_drawn + DRAWN_WORDS * drawn) | 1;
};
