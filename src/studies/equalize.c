/* Networks at equal cost (fc_equalize): wires are shared out among fewer or more of them, so that
 * the flits of each network are as wide as the same bisection, wires or pins allow. A message keeps
 * its bytes, and so has more or fewer flits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/c_locale.h"
#include "base/status.h"
#include "scenario/routed.h"
#include "scenario/scenario.h"
#include "scenario/torus.h"
#include "scenario/patterns/traffic_readers.h"

enum { SETTINGS_MOST = 4, VALUE_SIZE = 2048 };

static const char *const names[] = {"bisection", "wires", "pins", NULL};

const char *const *fc_equality_names(void) {
    return names;
}

/* What the settings of a network are written into. */
typedef struct rescaled {
    fc_setting settings[SETTINGS_MOST];
    char values[SETTINGS_MOST][VALUE_SIZE];
    size_t count;
} rescaled;

static double amount_of(const fc_counts *counts, fc_equality equal) {
    switch (equal) {
    case FC_EQUAL_BISECTION:
        return counts->bisection;
    case FC_EQUAL_WIRES:
        return counts->cables;
    case FC_EQUAL_PINS:
        return counts->ports / counts->routers;
    }
    return (double)NAN;
}

static FILE *begin(rescaled *to, const char *key) {
    to->settings[to->count] = (fc_setting){key, to->values[to->count], NULL};
    return fmemopen(to->values[to->count++], VALUE_SIZE, "w");
}

static fc_status put_number(rescaled *to, const char *key, double number) {
    FILE *stream = begin(to, key);
    if (!stream)
        return FC_ERROR_MEMORY;
    fprintf(stream, "%.15g", number);
    return fclose(stream) == 0 ? FC_OK : FC_ERROR_MEMORY;
}

/* Whole flits of as many bytes. */
static int64_t flits_of(int64_t flits, double ratio) {
    const double exact = (double)flits * ratio;
    return exact > 1 ? (int64_t)ceil(exact * (1 - 1e-12)) : 1;
}

static fc_status put_requests(rescaled *to, const fc_requests *requests, double ratio) {
    fc_requests made = *requests;
    for (size_t i = 0; i < made.count; ++i) {
        made.types[i].flits = flits_of(made.types[i].flits, ratio);
        made.types[i].reply_flits = flits_of(made.types[i].reply_flits, ratio);
    }
    FILE *stream = begin(to, "traffic.requests");
    if (!stream)
        return FC_ERROR_MEMORY;
    fc_requests_write(&made, stream);
    return fclose(stream) == 0 ? FC_OK : FC_ERROR_MEMORY;
}

static fc_status put_lengths(rescaled *to, const fc_lengths *lengths, double ratio) {
    fc_lengths made = *lengths;
    for (size_t i = 0; i < made.count; ++i)
        made.flits[i] = flits_of(made.flits[i], ratio);
    FILE *stream = begin(to, "traffic.message_mix");
    if (!stream)
        return FC_ERROR_MEMORY;
    fc_lengths_write(&made, stream);
    return fclose(stream) == 0 ? FC_OK : FC_ERROR_MEMORY;
}

static const fc_requests *requests_of(const fc_scenario *scenario, const fc_routed *routed) {
    const fc_torus *torus = scenario->family == &fc_torus_family ? scenario->parameters : NULL;
    return torus && torus->kind == FC_CLOSED ? &torus->requests : &routed->requests;
}

/* width: of the new flits, over the old ones */
static fc_status rescale_workload(const fc_scenario *scenario, const fc_workload *workload,
                                  double width, fc_error *error, rescaled *to) {
    const double bytes = (double)workload->flit_bytes * width;
    if (workload->of_trace)
        return fc_scenario_fail_key(scenario, "traffic.trace", error,
                                    "a trace says how many flits its messages have: they cannot be "
                                    "made wider or narrower");
    if (bytes < 1 || fabs(bytes - round(bytes)) > 1e-9 * bytes)
        return fc_scenario_fail_key(scenario, "traffic.workload", error,
                                    "flits of %lld bytes become %.4g bytes wide; a workload takes "
                                    "whole bytes: choose another traffic.flit_bytes",
                                    (long long)workload->flit_bytes, bytes);
    const bool of_network = fc_scenario_has(scenario, "network.flit_bytes");
    const fc_status status =
        put_number(to, of_network ? "network.flit_bytes" : "traffic.flit_bytes", round(bytes));
    return status == FC_OK ? put_number(to, "traffic.packet_flits",
                                        (double)flits_of(workload->packet_flits, 1 / width))
                           : status;
}

static fc_status rescale(const fc_scenario *scenario, double width, fc_error *error, rescaled *to) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    const fc_requests *requests = requests_of(scenario, routed);
    const double bytes = scenario->units.flit_bytes;
    fc_status status = FC_OK;
    if (width == 1)
        return FC_OK;
    if (fc_scenario_has(scenario, "traffic.classes"))
        return fc_scenario_fail_key(scenario, "traffic.classes", error,
                                    "classes of messages are not rescaled; give each network its "
                                    "own lengths");
    if (routed->workload)
        return rescale_workload(scenario, routed->workload, width, error, to);
    if (bytes > 0)
        status = put_number(to, "network.flit_bytes", bytes * width);
    if (status == FC_OK && requests->count)
        status = put_requests(to, requests, 1 / width);
    else if (status == FC_OK && routed->lengths.count)
        status = put_lengths(to, &routed->lengths, 1 / width);
    else if (status == FC_OK)
        status = put_number(to, "traffic.message_flits",
                            (double)flits_of(routed->message_flits, 1 / width));
    return status == FC_ERROR_MEMORY ? fc_fail_memory(error) : status;
}

static void describe(const fc_scenario *const *scenarios, size_t i, fc_equality equal,
                     const fc_counts *counts, fc_equalized *how) {
    const char *bound =
        equal == FC_EQUAL_BISECTION && counts->bisection_bound == FC_AT_MOST    ? "at most "
        : equal == FC_EQUAL_BISECTION && counts->bisection_bound == FC_AT_LEAST ? "at least "
                                                                                : "";
    const char *what = equal == FC_EQUAL_BISECTION ? "flits per cycle across its bisection"
                       : equal == FC_EQUAL_WIRES   ? "cables between its routers"
                                                   : "ports a router";
    int used = snprintf(how->text, sizeof how->text, "Equal %s: %.60s has %s%.6g %s", names[equal],
                        fc_scenario_name(scenarios[i]), bound, how->amount, what);
    if (i == 0 || used < 0 || (size_t)used >= sizeof how->text)
        return;
    if (how->width == 1)
        snprintf(how->text + used, sizeof how->text - (size_t)used,
                 ", as many as %.60s: its flits stay as they are", fc_scenario_name(scenarios[0]));
    else
        snprintf(how->text + used, sizeof how->text - (size_t)used,
                 ": flits %.4g times as wide as those of %.60s, messages of %.4g flits, not %.4g",
                 how->width, fc_scenario_name(scenarios[0]), how->flits, how->flits_before);
}

static fc_status count_all(const fc_scenario *const *scenarios, size_t count, fc_equality equal,
                           fc_error *error, fc_counts *counts) {
    fc_status status = FC_OK;
    for (size_t i = 0; i < count && status == FC_OK; ++i) {
        if (!fc_scenario_routed(scenarios[i]))
            return fc_fail(error, FC_ERROR_UNSUPPORTED,
                           "%.100s: a %s counts packets, which cannot be made narrower",
                           fc_scenario_name(scenarios[i]), fc_scenario_family(scenarios[i]));
        status = fc_scenario_counts(scenarios[i], error, &counts[i]);
        if (status == FC_OK && !(amount_of(&counts[i], equal) > 0))
            return fc_fail(error, FC_ERROR_UNSUPPORTED, "%.100s: its %s is not known",
                           fc_scenario_name(scenarios[i]), names[equal]);
    }
    return status;
}

fc_status fc_equalize(const fc_scenario *const *scenarios, size_t count, fc_equality equal,
                      fc_error *error, fc_scenario **made, fc_equalized *how) {
    FC_IN_C_LOCALE;
    fc_counts counts[FC_EQUALIZED_MOST];
    if (count > FC_EQUALIZED_MOST)
        return fc_fail(error, FC_ERROR_INPUT, "at most %d networks can be compared at equal %s",
                       FC_EQUALIZED_MOST, names[equal]);
    fc_status status = count_all(scenarios, count, equal, error, counts);
    size_t done = 0;
    for (; done < count && status == FC_OK; ++done) {
        const fc_units first = fc_scenario_units(scenarios[0]);
        const fc_units own = fc_scenario_units(scenarios[done]);
        const double sized =
            own.flit_bytes > 0 && first.flit_bytes > 0 ? first.flit_bytes / own.flit_bytes : 1;
        rescaled to = {.count = 0};
        how[done] = (fc_equalized){.amount = amount_of(&counts[done], equal),
                                   .flits_before = own.message_flits};
        how[done].width = amount_of(&counts[0], equal) / how[done].amount;
        status = rescale(scenarios[done], how[done].width * sized, error, &to);
        if (status == FC_OK)
            status = fc_scenario_with(scenarios[done], to.settings, to.count, error, &made[done]);
        if (status != FC_OK)
            break;
        how[done].flits = fc_scenario_units(made[done]).message_flits;
        how[done].flit_bytes = fc_scenario_units(made[done]).flit_bytes;
        describe(scenarios, done, equal, &counts[done], &how[done]);
    }
    while (status != FC_OK && done > 0)
        fc_scenario_free(made[--done]);
    return status;
}
