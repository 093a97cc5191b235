/* Simulates networks drawn at random, for the calibrations.
 *
 *     fit_points FAMILY FILE SEED COUNT SECONDS [--threads N] [--fixed-loads] [TEXT...]
 *     fit_points FAMILY FILE SEED COUNT SECONDS [--threads N] [--search] --short [TEXT...]
 *
 * FAMILY is routers, routers-wide, torus, scouting, multistage or closed. Adds a line to FILE for
 * each network: the network, its traffic, the simulated saturation load and its half width, and at
 * four loads the rate, the mean latency, its half width, the 99th percentile and its half width.
 * (Multistage: the throughput instead of the percentile. Closed networks have no load: the
 * efficiency, the network time and, with a hot spot, the two response times, once.) The loads are
 * drawn between 15 and 95 % of the simulated saturation load: fixed ones would tell a calibration,
 * by their ratio to the model's saturation load, what it cannot know. Networks to be scored have
 * 25, 55, 80 and 90 % (--fixed-loads). With --short the loads are shares, 15 to 104 %, of the
 * forecast saturation load, each simulated for at most 12,000 cycles in each of four replications,
 * so that the same time gives 20 times as many networks; the simulated saturation load is 0 in the
 * table, or with --search that of a search in runs as short. With TEXTs, only networks that have
 * one of them. Stops after SECONDS; networks of FILE are not simulated again. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/pool.h"
#include "design_router.h"
#include "registry/method.h"
#include "suite.h"
#include "suite_points.h"

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
/* closed traffic with a hot node, which takes few of the requests */
static const run_length to_hot_node = {50000, 0.01, 4, 6},
                        briefly_to_hot_node = {25000, 0.015, 4, 4};
/* shares of the forecast saturation load in short simulations */
static const double short_from[LOADS] = {0.15, 0.45, 0.7, 0.86},
                    short_to[LOADS] = {0.45, 0.7, 0.9, 1.04};
/* What a search in short runs differs by from one in long ones, beside its bracket: about so much
 * on average (fit/README.md). */
static const double short_search = 0.025;

typedef struct family {
    const char *name;
    void (*draw)(fc_random *random, char *network, char *traffic);
    const char *metrics[DRAWN_METRICS];
    const char *model; /* whose forecast saturation load loads are shares of; NULL: the capacity */
    bool closed;
} family;
static const family families[] = {
    {"routers", router_draw, {"latency", "latency_p99"}, "router-queueing", false},
    {"routers-wide", router_draw_wide, {"latency", "latency_p99"}, "router-queueing", false},
    {"torus", suite_draw_open, {"latency", "latency_p99"}, "torus-sharing", false},
    {"scouting", suite_draw_scouting, {"latency", "latency_p99"}, "scouting-sharing", false},
    {"multistage", suite_draw_multistage, {"latency", "throughput"}, NULL, false},
    {"closed",
     suite_draw_closed,
     {"efficiency", "network_time", "response_time_hot", "response_time_cold"},
     NULL,
     true},
};
enum { FAMILIES = sizeof families / sizeof *families };

typedef struct study {
    FILE *stream;
    const family *of;
    uint64_t seed;
    bool fixed_loads, is_short, search;
    char **texts; /* of networks that are wanted */
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

/* NULL: not a network that Flitcast accepts. rate 0: closed. */
static fc_scenario *scenario_of(const drawn_network *drawn, double rate, const run_length *run) {
    char text[1024], load[48] = "";
    drawn_graph_write(drawn->network);
    if (rate > 0)
        snprintf(load, sizeof load, "%srate: %.9g", drawn->traffic[0] ? ", " : "", rate);
    const int length = snprintf(text, sizeof text,
                                "network: {%s}\ntraffic: {%s%s}\n"
                                "simulation: {precision: %g, max_cycles: %g, max_seconds: %g, "
                                "seed: 2027, replications: %d}\n",
                                drawn->network, drawn->traffic, load, run->precision, run->cycles,
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
    const fc_status status = fc_saturate(scenario, &settings, &run, NULL, &found);
    fc_scenario_free(scenario);
    if (status != FC_OK)
        return false;
    const fc_saturation *last = found;
    while (last[1].method[0])
        ++last;
    *load = last->load;
    *half_width = 0.5 * (last->high - last->low);
    fc_saturation_free(found);
    return isfinite(*load) && *load > 0;
}

static bool simulate(const family *of, const drawn_network *drawn, double rate,
                     const run_length *length, drawn_point *m) {
    fc_scenario *scenario = scenario_of(drawn, rate, length);
    const fc_run_settings run = {.threads = 1};
    fc_result *result;
    *m = drawn_point_at(rate);
    if (!scenario)
        return false;
    const fc_status status = fc_simulate(scenario, &run, NULL, &result);
    fc_scenario_free(scenario);
    if (status != FC_OK)
        return false;
    const bool settled =
        result->outcome != FC_OUTCOME_SATURATED && fc_result_metric(result, of->metrics[0]);
    for (int i = 0; i < DRAWN_METRICS && settled && of->metrics[i]; ++i) {
        const fc_metric *found = fc_result_metric(result, of->metrics[i]);
        m->value[i] = found ? found->value : (double)NAN;
        m->half[i] = found ? found->half_width : (double)NAN;
    }
    fc_result_free(result);
    return settled;
}

/* A network that a search in short runs called saturated too early carries more in longer ones: one
 * that is hardly slower just below the load found than without load is looked at again. */
static bool is_doubtful(const family *of, const drawn_network *drawn, double load) {
    drawn_point light, near;
    return simulate(of, drawn, 0.1 * load, &doubt, &light) &&
           simulate(of, drawn, 0.96 * load, &doubt, &near) && near.value[0] < 1.6 * light.value[0];
}

/* ---- networks ---- */

/* The saturation load, and the latencies at shares of it. */
static bool measure(const study *all, const drawn_network *drawn, fc_random *random, double *load,
                    double *half_width, drawn_point *at) {
    bool usable = find_saturation(drawn, 0.02, &usual, load, half_width);
    if (usable && is_doubtful(all->of, drawn, *load)) {
        double again, again_half;
        if (find_saturation(drawn, *load, &longer, &again, &again_half) && again > *load) {
            *load = again;
            *half_width = again_half;
        }
    }
    for (int i = 0; i < LOADS && usable; ++i) {
        const double drawn_share = bounds[i] + (bounds[i + 1] - bounds[i]) * fc_random_unit(random);
        const double share = all->fixed_loads ? fixed[i] : drawn_share;
        usable = simulate(all->of, drawn, share * *load, &usual, &at[i]) || i > 0;
    }
    return usable;
}

/* Takes a key and its value out of a network. */
static void remove_key(char *network, const char *key) {
    char *from = strstr(network, key);
    if (!from)
        return;
    const char *rest = strchr(from + 2, ',');
    memmove(from, rest ? rest : "", rest ? strlen(rest) + 1 : 1);
}

/* The forecast saturation load; where routing chooses by queues and no model has one, the larger of
 * those of its two kinds of path. NAN: none. */
static double forecast_saturation(const family *of, const drawn_network *drawn,
                                  const run_length *length, bool search, double *load,
                                  double *half_width) {
    static const char *const paths[] = {"minimal", "valiant"};
    const fc_run_settings run = {.threads = 1};
    const fc_saturation_settings settings = {.simulate = search};
    fc_scenario *scenario = scenario_of(drawn, 1e-4, length);
    fc_saturation *found;
    double forecast = NAN;
    if (scenario && fc_saturate(scenario, &settings, &run, NULL, &found) == FC_OK) {
        const fc_saturation *last = found;
        for (const fc_saturation *at = found; at->method[0]; last = at++)
            if (strcmp(at->method, of->model) == 0)
                forecast = at->load;
        if (search && isfinite(last->load)) {
            *load = last->load;
            *half_width = hypot(0.5 * (last->high - last->low), short_search * last->load);
        }
        fc_saturation_free(found);
    }
    fc_scenario_free(scenario);
    const bool detours = strstr(drawn->network, "ugal") || strstr(drawn->network, "progressive");
    for (size_t i = 0; i < 2 && detours && (i > 0 || !isfinite(forecast)); ++i) {
        drawn_network one = *drawn;
        remove_key(one.network, ", routing: ");
        remove_key(one.network, ", bias: ");
        remove_key(one.network, ", queues: ");
        remove_key(one.network, ", decision: ");
        if (i == 0)
            remove_key(one.network, ", intermediate: ");
        const size_t used = strlen(one.network);
        snprintf(one.network + used, sizeof one.network - used, ", routing: %s", paths[i]);
        const double other = forecast_saturation(of, &one, length, false, NULL, NULL);
        forecast = fmax(forecast, other); /* a number, if one of them is */
    }
    return forecast;
}

/* The load that short simulations are placed by and, if it is searched for, the saturation load by
 * short simulations. */
static bool find_shortly(const study *all, const drawn_network *drawn, const run_length *length,
                         double *forecast, double *load, double *half_width) {
    if (all->of->model) {
        *forecast = forecast_saturation(all->of, drawn, length, all->search, load, half_width);
    } else {
        fc_scenario *scenario = scenario_of(drawn, 1e-4, length);
        const fc_feature_list *features = scenario ? fc_features_of(scenario) : NULL;
        *forecast = features && features->capacity ? features->capacity(scenario) : (double)NAN;
        fc_scenario_free(scenario);
    }
    return isfinite(*forecast) && *forecast > 0;
}

/* Below the first load that did not settle, if there is one. */
static bool measure_shortly(const study *all, const drawn_network *drawn, fc_random *random,
                            double *load, double *half_width, drawn_point *at) {
    /* bursts take longer to average out */
    const run_length *length = strstr(drawn->traffic, "on-off") ? &bursts : &briefly;
    double limit, most = INFINITY;
    const bool usable = find_shortly(all, drawn, length, &limit, load, half_width);
    for (int i = 0; i < LOADS && usable; ++i) {
        const double share = short_from[i] + (short_to[i] - short_from[i]) * fc_random_unit(random);
        const double rate = fmin(limit * share, most);
        if (!simulate(all->of, drawn, rate, length, &at[i])) {
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
                        const drawn_point *at) {
    fprintf(all->stream, "%s,%.7g,%.3g", key, load, half_width);
    for (int i = 0; i < (all->of->closed ? 1 : LOADS); ++i) {
        fprintf(all->stream, ",%.7g,%.7g,%.3g", at[i].rate, at[i].value[0], at[i].half[0]);
        for (int k = 1; k < DRAWN_METRICS && all->of->metrics[k]; ++k)
            fprintf(all->stream, ",%.5g,%.3g", at[i].value[k], at[i].half[k]);
    }
    fputc('\n', all->stream);
    fflush(all->stream);
}

static const run_length *closed_length(const study *all, const drawn_network *drawn) {
    if (strstr(drawn->traffic, "hot-spot"))
        return all->is_short ? &briefly_to_hot_node : &to_hot_node;
    return all->is_short ? &briefly : &usual;
}

static fc_status do_network(void *context, size_t index) {
    study *all = context;
    if (now() > all->deadline)
        return FC_OK;
    fc_random random = fc_random_stream(all->seed, (uint32_t)index, 0);
    drawn_network drawn;
    all->of->draw(&random, drawn.network, drawn.traffic);
    char key[700];
    snprintf(key, sizeof key, "\"%s\",\"%s\"", drawn.network, drawn.traffic);
    if ((all->known && strstr(all->known, key)) || !is_wanted(all, &drawn))
        return FC_OK;
    double load = 0, half_width = 0;
    drawn_point at[LOADS];
    const bool usable =
        all->of->closed ? simulate(all->of, &drawn, 0, closed_length(all, &drawn), at)
        : all->is_short ? measure_shortly(all, &drawn, &random, &load, &half_width, at)
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
    if (argc < 6) {
        fprintf(stderr, "usage: fit_points FAMILY FILE SEED COUNT SECONDS [--threads N] "
                        "[--fixed-loads | [--search] --short] [TEXT...]\n");
        return 2;
    }
    const char *path = argv[2];
    study all = {.seed = strtoull(argv[3], NULL, 10), .known = read_known(path)};
    const size_t count = strtoul(argv[4], NULL, 10);
    fc_run_settings pool = {0};
    for (size_t i = 0; i < FAMILIES; ++i)
        if (strcmp(families[i].name, argv[1]) == 0)
            all.of = &families[i];
    if (!all.of)
        suite_stop(argv[1], "is no family");
    for (int i = 6; i < argc && all.text_count == 0; ++i) {
        if (strcmp(argv[i], "--threads") == 0 && i + 1 < argc)
            pool.threads = (unsigned)strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--fixed-loads") == 0)
            all.fixed_loads = true;
        else if (strcmp(argv[i], "--search") == 0)
            all.search = true;
        else if (strcmp(argv[i], "--short") == 0)
            all.is_short = true;
        else {
            all.texts = argv + i;
            all.text_count = argc - i;
        }
    }
    all.deadline = now() + strtod(argv[5], NULL);
    all.stream = fopen(path, "a");
    if (!all.stream)
        suite_stop(path, "cannot be written");
    pthread_mutex_init(&all.lock, NULL);
    fc_pool_run(&pool, NULL, count, do_network, &all);
    fprintf(stderr, "%zu networks simulated, %zu not possible\n", all.done, all.refused);
    pthread_mutex_destroy(&all.lock);
    free(all.known);
    return fclose(all.stream) == 0 ? 0 : 1;
}
