/* Studies of several scenarios in one call: side by side where that is faster. */
#include "base/c_locale.h"
#include "base/memory.h"
#include "base/status.h"
#include "studies/side_by_side.h"

/* Of each scenario; the message that is passed on does not depend on the threads. */
struct outcome {
    fc_status status;
    fc_error error;
};

/* The first failure in the order of the scenarios. */
static fc_status first_failure(const struct outcome *outcomes, size_t count, fc_status status,
                               fc_error *error) {
    for (size_t i = 0; i < count; ++i) {
        if (outcomes[i].status != FC_OK)
            return fc_fail(error, outcomes[i].status, "%s",
                           outcomes[i].error.text[0] ? outcomes[i].error.text
                                                     : fc_status_text(outcomes[i].status));
    }
    return status == FC_OK
               ? FC_OK
               : fc_fail(error, status, "%s",
                         status == FC_ERROR_CANCELLED ? "stopped" : fc_status_text(status));
}

/* ---- curves ---- */

struct curves {
    const fc_scenario *const *scenarios;
    const fc_curve_settings *wanted;
    struct outcome *outcomes;
    fc_curve **curves;
};

static fc_status draw(void *context, size_t index, const fc_run_settings *settings) {
    const struct curves *all = context;
    struct outcome *outcome = &all->outcomes[index];
    outcome->status = fc_curve_run(all->scenarios[index], all->wanted, settings, &outcome->error,
                                   &all->curves[index]);
    return outcome->status;
}

fc_status fc_curve_run_all(const fc_scenario *const *scenarios, size_t count,
                           const fc_curve_settings *curve, const fc_run_settings *settings,
                           fc_error *error, fc_curve **curves) {
    FC_IN_C_LOCALE;
    fc_curve_settings wanted = *curve;
    if (count > 1)
        wanted.update = NULL;
    struct curves all = {scenarios, &wanted, fc_allocate(count, sizeof *all.outcomes), curves};
    if (!all.outcomes)
        return fc_fail_memory(error);
    for (size_t i = 0; i < count; ++i)
        curves[i] = NULL;
    fc_status status = fc_side_by_side(scenarios, count, "curves", settings, draw, &all);
    status = first_failure(all.outcomes, count, status, error);
    for (size_t i = 0; i < count && status != FC_OK; ++i) {
        fc_curve_free(curves[i]);
        curves[i] = NULL;
    }
    fc_release(all.outcomes);
    return status;
}

/* ---- saturation loads ---- */

struct searches {
    const fc_scenario *const *scenarios;
    const fc_saturation_settings *wanted;
    struct outcome *outcomes;
    fc_saturation **found;
};

static fc_status search(void *context, size_t index, const fc_run_settings *settings) {
    const struct searches *all = context;
    struct outcome *outcome = &all->outcomes[index];
    outcome->status = fc_saturate(all->scenarios[index], all->wanted, settings, &outcome->error,
                                  &all->found[index]);
    return outcome->status;
}

fc_status fc_saturate_all(const fc_scenario *const *scenarios, size_t count,
                          const fc_saturation_settings *saturate, const fc_run_settings *settings,
                          fc_error *error, fc_saturation **saturations) {
    FC_IN_C_LOCALE;
    struct searches all = {scenarios, saturate, fc_allocate(count, sizeof *all.outcomes),
                           saturations};
    if (!all.outcomes)
        return fc_fail_memory(error);
    for (size_t i = 0; i < count; ++i)
        saturations[i] = NULL;
    fc_status status = fc_side_by_side(scenarios, count, "networks", settings, search, &all);
    status = first_failure(all.outcomes, count, status, error);
    for (size_t i = 0; i < count && status != FC_OK; ++i) {
        fc_saturation_free(saturations[i]);
        saturations[i] = NULL;
    }
    fc_release(all.outcomes);
    return status;
}
