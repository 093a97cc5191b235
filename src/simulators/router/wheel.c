#include "simulators/router/wheel.h"

#include "base/memory.h"

fc_status fc_wheel_create(uint32_t room, uint32_t longest, fc_error *error, fc_wheel *wheel) {
    uint32_t slots = 2;
    while (slots <= longest)
        slots *= 2;
    *wheel = (fc_wheel){.room = room, .slots = slots};
    wheel->event = fc_allocate((size_t)room * slots, sizeof *wheel->event);
    wheel->count = fc_allocate(slots, sizeof *wheel->count);
    return wheel->event && wheel->count ? FC_OK : fc_fail_memory(error);
}

void fc_wheel_free(fc_wheel *wheel) {
    fc_release(wheel->event);
    fc_release(wheel->count);
    *wheel = (fc_wheel){0};
}
