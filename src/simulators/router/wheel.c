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
    *wheel = (fc_wheel){.room = room, .slots = (uint32_t)slots};
    wheel->event = fc_allocate((size_t)(room * slots), sizeof *wheel->event);
    wheel->count = fc_allocate(slots, sizeof *wheel->count);
    return wheel->event && wheel->count ? FC_OK : fc_fail_memory(error);
}

void fc_wheel_free(fc_wheel *wheel) {
    fc_release(wheel->event);
    fc_release(wheel->count);
    *wheel = (fc_wheel){0};
}
