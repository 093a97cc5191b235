/* Simulates networks of routers drawn at random, for the calibration of router-queueing.
 *
 *     validate_routers FILE SEED COUNT SECONDS [--threads N] [--fixed-loads | --short [TEXT...]]
 *
 * adds a line to FILE for each network: the network, its traffic, the simulated saturation load and
 * its half width, and at four loads the rate, the mean latency, its half width, the 99th percentile
 * and its half width. The loads are drawn between 15 and 95 % of the saturation load: fixed ones
 * would tell a calibration, by their ratio to the model's saturation load, what it cannot know.
 * Networks to be scored have 25, 55, 80 and 90 % (--fixed-loads). With --short the saturation load
 * is not searched for (0 in the table): loads are shares of the model's, each simulated for a few
 * thousand cycles, so that the same time gives 20 times as many networks; with TEXTs, only networks
 * that have one of them. Stops after SECONDS; networks of FILE are not simulated again. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/pool.h"
#include "design_router.h"
#include "registry/method.h"
#include "suite.h"

enum { LOADS = 4 };
static const double bounds[LOADS + 1] = {0.15, 0.4, 0.7, 0.85, 0.95};
static const double fixed[LOADS] = {0.25, 0.55, 0.8, 0.9};
/* How long a simulation may be, and how precise it is to be. */
typedef struct run_length {
    double cycles, precision, seconds;
    int replications;
} run_length;
static const run_length usual = {60000, 0.02, 6, 8}, longer = {240000, 0.02, 6, 8};
static const run_length doubt = {20000, 0.02, 6, 8};
static const run_length briefly = {12000, 0.03, 0.8, 4}, bursts = {40000, 0.03, 0.8, 4};
/* shares of the model's saturation load in short simulations */
static const double short_from[LOADS] = {0.2, 0.5, 0.75, 0.9},
                    short_to[LOADS] = {0.5, 0.75, 0.95, 1.1};

typedef struct study {
    FILE *stream;
    uint64_t seed;
    bool fixed_loads, is_short;
    char **texts; /* of --short */
    int text_count;
    char *known;
    double deadline; /* seconds of the clock */
    pthread_mutex_t lock;
    size_t done, refused;
} study;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

typedef struct drawn_network {
    char network[320], traffic[320];
} drawn_network;

/* NULL: not a network that Flitcast accepts. */
static fc_scenario *scenario_of(const drawn_network *drawn, double rate, const run_length *run) {
    char text[1024];
    const int length = snprintf(text, sizeof text,
                                "network: {%s}\ntraffic: {%s, rate: %.9g}\n"
                                "simulation: {precision: %g, max_cycles: %g, max_seconds: %g, "
                                "seed: 2027, replications: %d}\n",
                                drawn->network, drawn->traffic, rate, run->precision, run->cycles,
                                run->seconds, run->replications);
    fc_scenario *scenario;
    return fc_scenario_read_text(text, (size_t)length, "drawn", NULL, 0, NULL, &scenario) == FC_OK
               ? scenario
               : NULL;
}

/* ---- the saturation load ---- */

static bool find_saturation(const drawn_network *drawn, double guess, const run_length *length,
                            double *load, double *half_width) {
    fc_scenario *scenario = scenario_of(drawn, guess, length);
    if (!scenario)
        return false;
    const fc_run_settings run = {.threads = 1};
    const fc_saturation_settings settings = {.simulate = true};
    fc_saturation *found;
    size_t count;
    const fc_status status = fc_saturate(scenario, &settings, &run, NULL, &found, &count);
    fc_scenario_free(scenario);
    if (status != FC_OK)
        return false;
    const fc_saturation *last = &found[count - 1];
    *load = last->load;
    *half_width = 0.5 * (last->high - last->low);
    fc_saturation_free(found);
    return isfinite(*load) && *load > 0;
}

typedef struct measured {
    double rate, latency, latency_half, p99, p99_half;
} measured;

static bool simulate(const drawn_network *drawn, double rate, const run_length *length,
                     measured *m) {
    fc_scenario *scenario = scenario_of(drawn, rate, length);
    const fc_run_settings run = {.threads = 1};
    fc_result *result;
    *m = (measured){rate, NAN, NAN, NAN, NAN};
    if (!scenario)
        return false;
    const fc_status status = fc_simulate(scenario, &run, NULL, &result);
    fc_scenario_free(scenario);
    if (status != FC_OK)
        return false;
    const fc_metric *mean = fc_result_metric(result, "latency");
    const fc_metric *tail = fc_result_metric(result, "latency_p99");
    const bool settled = result->outcome != FC_OUTCOME_SATURATED && mean;
    if (settled)
        *m = (measured){rate, mean->value, mean->half_width, tail ? tail->value : (double)NAN,
                        tail ? tail->half_width : (double)NAN};
    fc_result_free(result);
    return settled;
}

/* A network that a search in short runs called saturated too early carries more in longer ones: one
 * that is hardly slower just below the load found than without load is looked at again. */
static bool is_doubtful(const drawn_network *drawn, double load) {
    measured light, near;
    return simulate(drawn, 0.1 * load, &doubt, &light) &&
           simulate(drawn, 0.96 * load, &doubt, &near) && near.latency < 1.6 * light.latency;
}

/* ---- networks ---- */

/* The saturation load, and the latencies at shares of it. */
static bool measure(const study *all, const drawn_network *drawn, fc_random *random, double *load,
                    double *half_width, measured *at) {
    bool usable = find_saturation(drawn, 0.02, &usual, load, half_width);
    if (usable && is_doubtful(drawn, *load)) {
        double again, again_half;
        if (find_saturation(drawn, *load, &longer, &again, &again_half) && again > *load) {
            *load = again;
            *half_width = again_half;
        }
    }
    for (int i = 0; i < LOADS && usable; ++i) {
        const double drawn_share = bounds[i] + (bounds[i + 1] - bounds[i]) * fc_random_unit(random);
        const double share = all->fixed_loads ? fixed[i] : drawn_share;
        usable = simulate(drawn, share * *load, &usual, &at[i]) || i > 0;
    }
    return usable;
}

/* Below the first load that did not settle, if there is one. */
static bool measure_shortly(const drawn_network *drawn, fc_random *random, measured *at) {
    const fc_model *model = fc_model_find("router-queueing", NULL);
    /* bursts take longer to average out */
    const run_length *length = strstr(drawn->traffic, "on-off") ? &bursts : &briefly;
    fc_scenario *scenario = scenario_of(drawn, 1e-4, length);
    double limit = NAN, most = INFINITY;
    if (!scenario)
        return false;
    const bool usable = model->covers(scenario, NULL) == FC_OK &&
                        model->saturation(scenario, NULL, &limit) == FC_OK && isfinite(limit) &&
                        limit > 0;
    fc_scenario_free(scenario);
    for (int i = 0; i < LOADS && usable; ++i) {
        const double share = short_from[i] + (short_to[i] - short_from[i]) * fc_random_unit(random);
        const double rate = fmin(limit * share, most);
        if (!simulate(drawn, rate, length, &at[i])) {
            limit = rate;
            most = rate * (0.5 + 0.4 * fc_random_unit(random));
        }
    }
    return usable;
}

static bool is_wanted(const study *all, const drawn_network *drawn) {
    bool wanted = all->text_count == 0;
    for (int i = 0; i < all->text_count; ++i)
        wanted |= strstr(drawn->network, all->texts[i]) || strstr(drawn->traffic, all->texts[i]);
    return wanted;
}

static void put_network(study *all, const char *key, double load, double half_width,
                        const measured *at) {
    fprintf(all->stream, "%s,%.7g,%.3g", key, load, half_width);
    for (int i = 0; i < LOADS; ++i)
        fprintf(all->stream, ",%.7g,%.7g,%.3g,%.5g,%.3g", at[i].rate, at[i].latency,
                at[i].latency_half, at[i].p99, at[i].p99_half);
    fputc('\n', all->stream);
    fflush(all->stream);
}

static fc_status do_network(void *context, size_t index) {
    study *all = context;
    if (now() > all->deadline)
        return FC_OK;
    fc_random random = fc_random_stream(all->seed, (uint32_t)index, 0);
    drawn_network drawn;
    router_draw(&random, drawn.network, drawn.traffic);
    char key[700];
    snprintf(key, sizeof key, "\"%s\",\"%s\"", drawn.network, drawn.traffic);
    if ((all->known && strstr(all->known, key)) || !is_wanted(all, &drawn))
        return FC_OK;
    double load = 0, half_width = 0;
    measured at[LOADS];
    const bool usable = all->is_short ? measure_shortly(&drawn, &random, at)
                                      : measure(all, &drawn, &random, &load, &half_width, at);
    pthread_mutex_lock(&all->lock);
    if (usable)
        put_network(all, key, load, half_width, at);
    all->done += usable;
    all->refused += !usable;
    pthread_mutex_unlock(&all->lock);
    return FC_OK;
}

static char *read_known(const char *path) {
    FILE *stream = fopen(path, "r");
    if (!stream)
        return NULL;
    char *text = NULL;
    size_t room = 0;
    const ssize_t length = getdelim(&text, &room, '\0', stream);
    fclose(stream);
    if (length < 0) {
        free(text);
        return NULL;
    }
    return text;
}

int main(int argc, char **argv) {
    if (argc < 5) {
        fprintf(stderr, "usage: validate_routers FILE SEED COUNT SECONDS [--threads N] "
                        "[--fixed-loads | --short [TEXT...]]\n");
        return 2;
    }
    study all = {.seed = strtoull(argv[2], NULL, 10), .known = read_known(argv[1])};
    const size_t count = strtoul(argv[3], NULL, 10);
    fc_run_settings pool = {0};
    for (int i = 5; i < argc; ++i) {
        all.fixed_loads |= strcmp(argv[i], "--fixed-loads") == 0;
        if (strcmp(argv[i], "--threads") == 0 && i + 1 < argc)
            pool.threads = (unsigned)strtoul(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--short") == 0) {
            all.is_short = true;
            all.texts = argv + i + 1;
            all.text_count = argc - i - 1;
            break;
        }
    }
    all.deadline = now() + strtod(argv[4], NULL);
    all.stream = fopen(argv[1], "a");
    if (!all.stream)
        suite_stop(argv[1], "cannot be written");
    pthread_mutex_init(&all.lock, NULL);
    fc_pool_run(&pool, NULL, count, do_network, &all);
    fprintf(stderr, "%zu networks simulated, %zu not possible\n", all.done, all.refused);
    pthread_mutex_destroy(&all.lock);
    free(all.known);
    return fclose(all.stream) == 0 ? 0 : 1;
}
