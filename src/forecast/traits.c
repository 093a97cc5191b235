#include "forecast/traits.h"

#include <string.h>
#include <math.h>
#include "base/memory.h"

static size_t count_of(const char *const *names) {
    size_t count = 0;
    while (names && names[count])
        ++count;
    return count;
}

fc_status fc_traits_create(const fc_trait_names *names, uint32_t lanes, uint32_t movements,
                           fc_error *error, fc_traits **traits) {
    fc_traits *made = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    made->lane_count = lanes;
    made->movement_count = movements;
    made->whole_inputs = count_of(names->whole);
    made->lane_inputs = count_of(names->lane);
    made->movement_inputs = count_of(names->movement);
    made->lanes = fc_allocate(lanes, sizeof *made->lanes);
    made->lane = fc_allocate(lanes, made->lane_inputs * sizeof *made->lane);
    made->movements = fc_allocate(movements, sizeof *made->movements);
    made->movement = fc_allocate(movements, made->movement_inputs * sizeof *made->movement);
    if (!made->lanes || !made->lane || !made->movements || !made->movement) {
        fc_traits_free(made);
        return fc_fail_memory(error);
    }
    for (uint32_t l = 0; l < lanes; ++l)
        made->lanes[l].copies = 1;
    *traits = made;
    return FC_OK;
}

bool fc_all_finite(const double *values, size_t count) {
    for (size_t i = 0; i < count; ++i)
        if (!isfinite(values[i]))
            return false;
    return true;
}

fc_status fc_traits_of_whole(const fc_trait_names *names, const double *values, double capacity,
                             fc_error *error, fc_traits **traits) {
    const fc_status status = fc_traits_create(names, 1, 0, error, traits);
    if (status != FC_OK)
        return status;
    fc_traits *made = *traits;
    for (size_t i = 0; i < made->whole_inputs; ++i)
        made->whole[i] = isfinite(values[i]) ? (float)values[i] : 0;
    made->link_count = 1;
    made->lanes[0].weight = 1;
    made->capacity = capacity;
    return FC_OK;
}

void fc_traits_free(fc_traits *traits) {
    if (!traits)
        return;
    fc_release(traits->lanes);
    fc_release(traits->lane);
    fc_release(traits->movements);
    fc_release(traits->movement);
    fc_release(traits->burst_context);
    fc_release(traits);
}
