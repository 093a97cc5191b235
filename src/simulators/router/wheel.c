#include "simulators/router/wheel.h"

#include "base/memory.h"

fc_status fc_wheel_create(uint32_t room, uint32_t longest, fc_error *error, fc_wheel *wheel) {
    const uint64_t most = (uint64_t)1 << 28;
    uint64_t slots = 2;
    while (slots <= longest)
        slots *= 2;
    if (slots * room > most)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the router simulator keeps track of at most 2^28 flits and credits on "
                       "their way; delays of up to %lu cycles on links that carry %lu flits a "
                       "cycle ask for more",
                       (unsigned long)longest, (unsigned long)room);
    *wheel = (fc_wheel){.room = room, .mask = (uint32_t)slots - 1};
    wheel->event = fc_allocate((size_t)(room * slots), sizeof *wheel->event);
    wheel->end = fc_allocate(slots, sizeof *wheel->end);
    if (!wheel->event || !wheel->end)
        return fc_fail_memory(error);
    for (size_t slot = 0; slot < slots; ++slot)
        wheel->end[slot] = wheel->event + slot * room;
    return FC_OK;
}

void fc_wheel_free(fc_wheel *wheel) {
    fc_release(wheel->event);
    fc_release(wheel->end);
    *wheel = (fc_wheel){0};
}
