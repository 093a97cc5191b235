#include "simulators/router/load_windows.h"

#include <math.h>
#include <stdio.h>
#include "base/memory.h"
#include "base/statistics.h"
#include "base/status.h"

/* As many windows as its share of the period. */
static size_t windows_of(const fc_profile *profile, size_t phase) {
    const uint64_t cycles = profile->phase[phase].cycles;
    const double share = (double)cycles / (double)profile->period;
    const double wanted = fmin(fmax(1, round(FC_LOAD_WINDOWS * share)), (double)cycles);
    return profile->count > FC_LOAD_WINDOWS ? 1 : (size_t)wanted;
}

fc_status fc_load_windows_create(const fc_profile *profile, fc_error *error,
                                 fc_load_windows **windows) {
    *windows = NULL;
    if (!profile)
        return FC_OK;
    fc_load_windows *made = fc_allocate(1, sizeof *made);
    size_t count = 0, next = 0;
    for (size_t i = 0; i < profile->count; ++i)
        count += windows_of(profile, i);
    if (made)
        made->list = fc_allocate(count, sizeof *made->list);
    if (!made || !made->list) {
        fc_load_windows_free(made);
        return fc_fail_memory(error);
    }
    uint64_t from = 0;
    for (size_t i = 0; i < profile->count; from += profile->phase[i++].cycles) {
        const size_t windows_here = windows_of(profile, i);
        for (size_t w = 0; w < windows_here; ++w)
            made->list[next++] =
                (fc_load_window){.from = from + profile->phase[i].cycles * w / windows_here,
                                 .until = from + profile->phase[i].cycles * (w + 1) / windows_here,
                                 .factor = profile->phase[i].factor};
    }
    made->profile = profile;
    made->count = count;
    *windows = made;
    return FC_OK;
}

void fc_load_windows_free(fc_load_windows *windows) {
    if (windows)
        fc_release(windows->list);
    fc_release(windows);
}

void fc_load_windows_clear(fc_load_windows *windows) {
    for (size_t i = 0; windows && i < windows->count; ++i) {
        fc_load_window *w = &windows->list[i];
        w->generated = w->arrived = w->latency = w->messages = 0;
        w->longest = 0;
    }
}

static fc_load_window *window_at(const fc_load_windows *windows, uint64_t cycle) {
    const uint64_t at = cycle % windows->profile->period;
    size_t low = 0, high = windows->count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (windows->list[middle].from <= at)
            low = middle;
        else
            high = middle;
    }
    return &windows->list[low];
}

void fc_load_windows_generated(fc_load_windows *windows, uint64_t cycle) {
    window_at(windows, cycle)->generated += 1;
}

void fc_load_windows_arrived(fc_load_windows *windows, uint64_t born, uint64_t latency, bool last) {
    fc_load_window *begun = window_at(windows, born);
    begun->messages += 1;
    begun->latency += (double)latency;
    begun->longest = latency > begun->longest ? latency : begun->longest;
    window_at(windows, born + latency + 1)->arrived += last;
}

/* ---- the report ---- */

/* Cycles before `end` that are in the window. */
static double cycles_before(const fc_load_window *window, uint64_t period, uint64_t end) {
    const uint64_t rest = end % period, length = window->until - window->from;
    const uint64_t begun = rest < window->from ? 0 : rest - window->from;
    return (double)(end / period * length + (begun < length ? begun : length));
}

enum { UNTIL, RATE, OFFERED, THROUGHPUT, LATENCY, HALF_WIDTH, LONGEST, COLUMNS };

static void fill_row(const fc_load_windows *const *windows, size_t replications, size_t number,
                     const fc_load_measured *measured, double *row) {
    const fc_load_window *first = &windows[0]->list[number];
    const uint64_t period = windows[0]->profile->period;
    fc_load_window sum = {0};
    fc_moments means = {0};
    for (size_t i = 0; i < replications; ++i) {
        const fc_load_window *own = &windows[i]->list[number];
        sum.generated += own->generated;
        sum.arrived += own->arrived;
        sum.latency += own->latency;
        sum.messages += own->messages;
        sum.longest = own->longest > sum.longest ? own->longest : sum.longest;
        if (own->messages > 0)
            fc_moments_add(&means, own->latency / own->messages);
    }
    const double cycles = cycles_before(first, period, measured->until) -
                          cycles_before(first, period, measured->from);
    const double node_cycles = cycles * (double)replications * measured->senders;
    row[UNTIL] = (double)first->until;
    row[RATE] = measured->rate * first->factor;
    row[OFFERED] = fc_mean(sum.generated, node_cycles);
    row[THROUGHPUT] = fc_mean(sum.arrived, node_cycles);
    row[LATENCY] = fc_mean(sum.latency, sum.messages);
    row[HALF_WIDTH] = fc_moments_half_width(&means);
    row[LONGEST] = (double)sum.longest;
}

void fc_load_windows_report(const fc_load_windows *const *windows, size_t replications,
                            const fc_load_measured *measured, fc_result *result) {
    static const char *const columns[COLUMNS] = {
        "until", "rate", "offered", "throughput", "latency", "half_width", "latency_max"};
    const size_t count = windows[0]->count;
    fc_table *table = fc_result_add_table(result, "profile", count, columns, COLUMNS);
    for (size_t w = 0; table && w < count; ++w) {
        snprintf(table->row_labels[w], FC_NAME_SIZE, "from %llu",
                 (unsigned long long)windows[0]->list[w].from);
        fill_row(windows, replications, w, measured, table->values + w * COLUMNS);
    }
}
