#include "simulators/ensemble/ensemble.h"

#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "simulators/ensemble/core_builds.h"
#include "simulators/ensemble/cuda_library.h"
#include "simulators/ensemble/ensemble_plan.h"
#include "simulators/router/arrivals.h"

/* What a GPU does at once: long enough for what it takes to begin, short enough for a user who
 * stops it. */
enum { MOST_STOPS = 1024, MOST_TALLIES = 1 << 17, MOST_CYCLES = 1 << 15 };

struct fc_ensemble {
    fc_ensemble_plan *plan;
    fc_core_advance advance;      /* NULL: a GPU does */
    const fc_cuda_functions *gpu; /* NULL: a processor does */
    fc_cuda *cuda;
    uint32_t lanes, used; /* of which have a replication */
    uint32_t word;        /* bytes of a lane's word */
    fc_core core;
    fc_core_lane *lane;
    fc_histogram **histogram; /* lanes */
    /* Cycles at whose start the sums are wanted, which a GPU simulates at once. */
    uint32_t stop[MOST_STOPS];
    uint32_t stops, next;   /* of which are behind: 0, the GPU has not begun */
    fc_core_tally *tallies; /* stops x lanes */
    uint32_t *crossed;      /* stops x outputs, of the first lane */
    const uint32_t *now;    /* of the last stop taken; NULL: as in the state */
    uint32_t room;          /* stops that there is memory for */
    bool read;              /* what a GPU has counted is up to date here */
    /* What it takes to do again on the processor what a GPU did not finish. */
    const fc_scenario *scenario;
    const fc_router_network *network;
    const fc_traffic *traffic;
    uint64_t cleared; /* the cycle of the last fc_ensemble_clear_detail */
    char trouble[200];
    fc_ensemble **part; /* that took over, each with part_lanes of the lanes; NULL: none */
    uint32_t parts, part_lanes;
};

/* Where a lane of a GPU is simulated since the processor took over. */
#define PART(e, lane) ((e)->part[(lane) / (e)->part_lanes])
#define PART_LANE(e, lane) ((lane) % (e)->part_lanes)

/* ---- builds ---- */

bool fc_ensemble_runs(fc_ensemble_build build) {
#ifdef FC_CORE_X86
    if (build == FC_ENSEMBLE_AVX2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    if (build == FC_ENSEMBLE_AVX512 || build == FC_ENSEMBLE_WIDE)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512vbmi2");
#endif
    return build <= FC_ENSEMBLE_PLAIN;
}

fc_ensemble_build fc_ensemble_best(const fc_scenario *scenario, const fc_router_network *network,
                                   uint32_t replications) {
    const bool wide = replications > FC_CORE_LANES && fc_ensemble_word(scenario, network) == 32;
    fc_ensemble_build best = FC_ENSEMBLE_PLAIN;
    for (fc_ensemble_build build = best; build < FC_ENSEMBLE_BUILDS; ++build) {
        if (fc_ensemble_runs(build) && (wide || build != FC_ENSEMBLE_WIDE))
            best = build;
    }
    return best;
}

uint32_t fc_ensemble_lanes(fc_ensemble_build build) {
    return build == FC_ENSEMBLE_SCALAR ? 1
           : build == FC_ENSEMBLE_WIDE ? FC_CORE_MOST_LANES
                                       : FC_CORE_LANES;
}

fc_status fc_ensemble_gpu(fc_error *error) {
    return fc_cuda_open(error) ? FC_OK : FC_ERROR_UNSUPPORTED;
}

static fc_core_advance advance_of(fc_ensemble_build build, bool wide) {
    switch (build) {
    case FC_ENSEMBLE_SCALAR:
        return wide ? fc_core_scalar_64 : fc_core_scalar_32;
#ifdef FC_CORE_X86
    case FC_ENSEMBLE_AVX2:
        return wide ? fc_core_avx2_64 : fc_core_avx2_32;
    case FC_ENSEMBLE_AVX512:
        return wide ? fc_core_avx512_64 : fc_core_avx512_32;
    case FC_ENSEMBLE_WIDE:
        return fc_core_wide_32;
#endif
    default:
        return wide ? fc_core_lanes_64 : fc_core_lanes_32;
    }
}

/* ---- life ---- */

/* What a processor's core has and a GPU keeps for itself. */
static bool allocate_core(fc_ensemble *e) {
    const fc_core_plan *p = &e->plan->core;
    const size_t lanes = e->lanes, mask = lanes * e->word, routers = p->routers;
    const size_t ins = lanes * routers * p->in_ports * p->channels;
    fc_core *c = &e->core;
    c->sent = fc_allocate_lines(routers * p->ring, mask);
    c->left = fc_allocate_lines(routers * p->ring, mask);
    c->injected = fc_allocate_lines(routers * p->ring, mask);
    c->channel = fc_allocate_lines(ins, sizeof *c->channel);
    c->front = fc_allocate_lines(ins, sizeof *c->front);
    c->queue = fc_allocate_lines(ins * p->places, sizeof *c->queue);
    c->record = fc_allocate(lanes * p->pool, sizeof *c->record);
    c->spare = fc_allocate(lanes * p->pool, sizeof *c->spare);
    c->pool = fc_allocate(lanes, sizeof *c->pool);
    c->ahead = fc_allocate(lanes * p->nodes * FC_CORE_AHEAD, sizeof *c->ahead);
    c->late = fc_allocate(lanes * routers * p->lates, sizeof *c->late);
    c->late_count = fc_allocate(lanes * routers, sizeof *c->late_count);
    return c->sent && c->left && c->injected && c->channel && c->front && c->queue && c->record &&
           c->spare && c->pool && c->ahead && c->late && c->late_count;
}

static bool allocate(fc_ensemble *e) {
    const fc_core_plan *p = &e->plan->core;
    const size_t lanes = e->lanes;
    fc_core *c = &e->core;
    c->state = fc_allocate_lines(p->routers * p->size, lanes * e->word);
    c->cursor = fc_allocate(lanes * p->nodes, sizeof *c->cursor);
    c->tally = fc_allocate(lanes, sizeof *c->tally);
    c->node = fc_allocate(lanes * p->nodes, sizeof *c->node);
    c->output = fc_allocate(lanes * p->outputs, sizeof *c->output);
    e->lane = fc_allocate(lanes, sizeof *e->lane);
    e->histogram = fc_allocate(lanes, sizeof *e->histogram);
    c->lane = e->lane;
    c->plan = p;
    return c->state && c->cursor && c->tally && c->node && c->output && e->lane && e->histogram &&
           (e->gpu || allocate_core(e));
}

/* Where a lane's word of a mask in a router's state is (core_rules.h). */
static size_t index_of(const fc_ensemble *e, uint32_t router, uint32_t at, uint32_t lane) {
    const fc_core_plan *p = &e->plan->core;
    return e->gpu ? ((size_t)lane * p->size + at) * p->routers + router
                  : ((size_t)router * p->size + at) * e->lanes + lane;
}

/* Where what a lane has for a node or an output is. */
static size_t place_of(const fc_ensemble *e, uint32_t number, uint32_t count, uint32_t lane) {
    return e->gpu ? (size_t)lane * count + number : (size_t)number * e->lanes + lane;
}

static void set(fc_ensemble *e, uint32_t router, uint32_t at, uint32_t lane, uint64_t value) {
    const size_t index = index_of(e, router, at, lane);
    if (e->word == 4)
        ((uint32_t *)e->core.state)[index] = (uint32_t)value;
    else
        ((uint64_t *)e->core.state)[index] = value;
}

static uint64_t get(const fc_ensemble *e, uint32_t router, uint32_t at, uint32_t lane) {
    const size_t index = index_of(e, router, at, lane);
    return e->word == 4 ? ((const uint32_t *)e->core.state)[index]
                        : ((const uint64_t *)e->core.state)[index];
}

static void start_node(fc_ensemble *e, uint32_t router, uint32_t k, uint32_t lane) {
    const fc_core_plan *p = &e->plan->core;
    const uint32_t node = p->router[router].first_sender + k;
    fc_core_cursor *cursor = &e->core.cursor[place_of(e, node, p->nodes, lane)];
    uint64_t due = UINT64_MAX / 2;
    if (e->plan->sends[node] && lane < e->used) {
        fc_random first = fc_message_stream(e->lane[lane].seed, e->lane[lane].replication, node, 0);
        due = fc_message_gap(e->plan->law[e->plan->own_laws ? node : 0], &first) - 1;
    }
    *cursor = (fc_core_cursor){.due = due, .counted_due = due, .next = 1};
    const uint64_t cycle = due >> p->trial_bits;
    set(e, router, p->at_born + k, lane, cycle < FC_CORE_NEVER ? cycle : FC_CORE_NEVER);
}

static void start_router(fc_ensemble *e, uint32_t r, uint32_t lane) {
    enum { AT_FREE = 0, AT_NODE_FREE = 5 }; /* as in core_rules.h */
    const fc_core_plan *p = &e->plan->core;
    const fc_core_router *router = &p->router[r];
    uint64_t open = router->link_bits;
    for (uint32_t k = 0; k < router->receivers; ++k)
        open |= p->ejection << (router->links_out + k) * p->channels;
    for (uint32_t k = 0; k < router->senders; ++k)
        start_node(e, r, k, lane);
    set(e, r, AT_FREE, lane, open);
    set(e, r, AT_NODE_FREE, lane, router->node_bits);
    for (uint32_t plane = 0; plane < p->count_planes; ++plane) {
        const bool one = p->buffer >> plane & 1;
        set(e, r, p->at_credit + plane, lane, one ? router->link_bits : 0);
        set(e, r, p->at_node_credit + plane, lane, one ? router->node_bits : 0);
    }
}

static fc_status choose_build(fc_ensemble *e, const fc_scenario *scenario,
                              const fc_router_network *network, fc_ensemble_build build,
                              fc_error *error) {
    e->word = fc_ensemble_word(scenario, network) / 8;
    if (build != FC_ENSEMBLE_GPU) {
        e->lanes = fc_ensemble_lanes(build);
        e->advance = advance_of(build, e->word == 8);
        return FC_OK;
    }
    const fc_core_plan *p = &e->plan->core;
    e->lanes = e->used;
    if (!p->image && p->pattern == FC_CORE_OTHER)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the GPU draws destinations of uniform, hot-spot, matrix and permutations "
                       "only");
    e->gpu = fc_cuda_open(error);
    return e->gpu ? FC_OK : FC_ERROR_UNSUPPORTED;
}

/* The processor simulates all lanes from the start to where they are. */
static fc_status take_over(fc_ensemble *e, const char *problem, fc_error *error) {
    const fc_ensemble_build build = fc_ensemble_best(e->scenario, e->network, e->used);
    snprintf(e->trouble, sizeof e->trouble, "%s", problem);
    e->gpu->stop(e->cuda);
    e->cuda = NULL;
    e->part_lanes = fc_ensemble_lanes(build);
    e->part = fc_allocate((e->used + e->part_lanes - 1) / e->part_lanes, sizeof *e->part);
    if (!e->part)
        return fc_fail_memory(error);
    fc_status status = FC_OK;
    for (uint32_t first = 0; status == FC_OK && first < e->used; first += e->part_lanes) {
        const uint32_t left = e->used - first;
        const uint32_t count = left < e->part_lanes ? left : e->part_lanes;
        fc_ensemble **part = &e->part[e->parts];
        status = fc_ensemble_create(e->scenario, e->network, e->traffic, e->lane[0].seed,
                                    e->lane[0].replication + first, count, build, error, part);
        if (status != FC_OK)
            break;
        ++e->parts;
        for (uint32_t lane = 0; lane < count; ++lane) {
            fc_histogram *histogram = e->histogram[first + lane];
            if (histogram)
                fc_histogram_clear(histogram);
            fc_ensemble_set_histogram(*part, lane, e->cleared ? NULL : histogram);
        }
        if (e->cleared) {
            status = fc_ensemble_run(*part, e->cleared, error);
            if (status == FC_OK)
                status = fc_ensemble_clear_detail(*part, error);
            for (uint32_t lane = 0; status == FC_OK && lane < count; ++lane)
                fc_ensemble_set_histogram(*part, lane, e->histogram[first + lane]);
        }
        if (status == FC_OK && e->core.time > fc_ensemble_time(*part))
            status = fc_ensemble_run(*part, e->core.time, error);
    }
    return status;
}

static fc_status start_gpu(fc_ensemble *e, fc_error *error) {
    const fc_cuda_job job = {.plan = &e->plan->core,
                             .tables = e->plan->tables,
                             .table_bytes = e->plan->table_bytes,
                             .word_bits = 8 * e->word,
                             .networks = e->lanes,
                             .core = e->core,
                             .laws = e->plan->own_laws ? e->plan->core.nodes : 1};
    const char *problem = e->gpu->start(&job, &e->cuda);
    return problem ? take_over(e, problem, error) : FC_OK;
}

fc_status fc_ensemble_create(const fc_scenario *scenario, const fc_router_network *network,
                             const fc_traffic *traffic, uint64_t seed, uint32_t first,
                             uint32_t count, fc_ensemble_build build, fc_error *error,
                             fc_ensemble **ensemble) {
    fc_ensemble *e = fc_allocate(1, sizeof *e);
    if (!e)
        return fc_fail_memory(error);
    e->used = count;
    e->scenario = scenario;
    e->network = network;
    e->traffic = traffic;
    fc_status status = fc_ensemble_plan_create(scenario, network, traffic, error, &e->plan);
    if (status == FC_OK)
        status = choose_build(e, scenario, network, build, error);
    if (status == FC_OK && !allocate(e))
        status = fc_fail_memory(error);
    for (uint32_t lane = 0; status == FC_OK && lane < e->lanes; ++lane) {
        e->lane[lane] = (fc_core_lane){.seed = seed,
                                       .replication = first + lane,
                                       .own_laws = e->plan->own_laws,
                                       .law = e->plan->law};
        for (uint32_t r = 0; r < e->plan->core.routers; ++r)
            start_router(e, r, lane);
    }
    if (status == FC_OK && e->gpu)
        status = start_gpu(e, error);
    if (status != FC_OK) {
        fc_ensemble_free(e);
        return status;
    }
    *ensemble = e;
    return FC_OK;
}

void fc_ensemble_free(fc_ensemble *e) {
    if (!e)
        return;
    if (e->gpu)
        e->gpu->stop(e->cuda);
    for (uint32_t i = 0; i < e->parts; ++i)
        fc_ensemble_free(e->part[i]);
    fc_release(e->part);
    fc_core *c = &e->core;
    void *const blocks[] = {
        c->state,  c->sent,  c->left,   c->injected, c->channel,   c->front,   c->queue,
        c->record, c->spare, c->pool,   c->cursor,   c->ahead,     c->late,    c->late_count,
        c->tally,  c->node,  c->output, e->lane,     e->histogram, e->tallies, e->crossed};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        fc_release(blocks[i]);
    fc_ensemble_plan_free(e->plan);
    fc_release(e);
}

/* ---- running ---- */

static fc_status run_parts(fc_ensemble *e, uint64_t until, fc_error *error) {
    fc_status status = FC_OK;
    for (uint32_t i = 0; i < e->parts && status == FC_OK; ++i)
        status = fc_ensemble_run(e->part[i], until, error);
    e->core.time = (uint32_t)until;
    return status;
}

bool fc_ensemble_expect(fc_ensemble *e, const uint32_t *until, uint32_t count) {
    const uint32_t stops = e->stops + count;
    if (!e->gpu || e->part || stops > MOST_STOPS)
        return false;
    if (e->stops &&
        ((size_t)stops * e->lanes > MOST_TALLIES || until[count - 1] - e->core.time > MOST_CYCLES))
        return false;
    memcpy(&e->stop[e->stops], until, count * sizeof *until);
    e->stops = stops;
    return true;
}

/* The GPU simulates up to the last stop. */
static const char *run_gpu(fc_ensemble *e) {
    const fc_core_plan *p = &e->plan->core;
    e->read = false;
    e->now = NULL;
    if (e->stops > e->room) {
        fc_release(e->tallies);
        fc_release(e->crossed);
        e->tallies = fc_allocate((size_t)e->stops * e->lanes, sizeof *e->tallies);
        e->crossed = fc_allocate((size_t)e->stops * p->outputs, sizeof *e->crossed);
        e->room = e->tallies && e->crossed ? e->stops : 0;
        if (!e->room)
            return "there is not enough memory for what the GPU counts";
    }
    return e->gpu->run(e->cuda, e->stop, e->stops, e->tallies, e->crossed);
}

/* What was counted up to the next stop. */
static void take_stop(fc_ensemble *e) {
    memcpy(e->core.tally, &e->tallies[(size_t)e->next * e->lanes],
           e->lanes * sizeof *e->core.tally);
    e->now = &e->crossed[(size_t)e->next * e->plan->core.outputs];
    e->core.time = e->stop[e->next++];
    if (e->next == e->stops)
        e->next = e->stops = 0;
}

fc_status fc_ensemble_run(fc_ensemble *e, uint64_t until, fc_error *error) {
    if (e->gpu && !e->part) {
        const uint32_t end = (uint32_t)until;
        if (e->stops == 0)
            fc_ensemble_expect(e, &end, 1);
        const char *problem = e->stop[e->next] != end
                                  ? "the GPU was asked for other cycles than it was told to expect"
                              : e->next == 0 ? run_gpu(e)
                                             : NULL;
        if (!problem) {
            take_stop(e);
            return FC_OK;
        }
        e->stops = e->next = 0;
        const fc_status status = take_over(e, problem, error);
        if (status != FC_OK)
            return status;
    }
    if (e->part)
        return run_parts(e, until, error);
    memset(e->core.tally, 0, e->lanes * sizeof *e->core.tally);
    e->advance(&e->core, (uint32_t)until);
    for (uint32_t lane = 0; lane < e->lanes; ++lane) {
        if (e->histogram[lane])
            e->histogram[lane]->total += e->core.tally[lane].messages;
    }
    return FC_OK;
}

const char *fc_ensemble_trouble(const fc_ensemble *e) {
    return e->part ? e->trouble : NULL;
}

uint64_t fc_ensemble_time(const fc_ensemble *e) {
    return e->core.time;
}

void fc_ensemble_set_histogram(fc_ensemble *e, uint32_t lane, fc_histogram *histogram) {
    e->histogram[lane] = histogram;
    e->lane[lane].histogram = histogram ? histogram->count : NULL;
    if (e->part)
        fc_ensemble_set_histogram(PART(e, lane), PART_LANE(e, lane), histogram);
}

fc_status fc_ensemble_read_histogram(fc_ensemble *e, uint32_t lane, fc_error *error) {
    fc_histogram *histogram = e->histogram[lane];
    if (!e->gpu || e->part || !histogram)
        return FC_OK;
    const char *problem = e->gpu->histogram(e->cuda, lane, histogram->count);
    if (problem)
        return take_over(e, problem, error);
    histogram->total = 0;
    for (size_t bin = 0; bin < FC_HISTOGRAM_BINS; ++bin)
        histogram->total += histogram->count[bin];
    return FC_OK;
}

void fc_ensemble_observe(fc_ensemble *e, fc_core_observer observer, void *context) {
    e->core.observer = observer;
    e->core.observer_context = context;
}

/* ---- what a lane has seen ---- */

fc_status fc_ensemble_read(fc_ensemble *e, fc_error *error) {
    if (!e->gpu || e->part || e->read)
        return FC_OK;
    const char *problem = e->gpu->read(e->cuda);
    e->read = true;
    return problem ? take_over(e, problem, error) : FC_OK;
}

const fc_core_tally *fc_ensemble_tally(const fc_ensemble *e, uint32_t lane) {
    if (e->part)
        return fc_ensemble_tally(PART(e, lane), PART_LANE(e, lane));
    return &e->core.tally[lane];
}

static uint32_t router_of_output(const fc_core_plan *p, uint32_t output) {
    uint32_t low = 0, high = p->routers;
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        *(p->output_first[middle] <= output ? &low : &high) = middle;
    }
    return low;
}

static uint32_t count_of_output(const fc_ensemble *e, uint32_t at, uint32_t lane, uint32_t output) {
    if (e->part)
        return count_of_output(PART(e, lane), at, PART_LANE(e, lane), output);
    const fc_core_plan *p = &e->plan->core;
    const uint32_t r = router_of_output(p, output);
    return (uint32_t)get(e, r, at + output - p->output_first[r], lane);
}

uint32_t fc_ensemble_crossed(const fc_ensemble *e, uint32_t lane, uint32_t output) {
    if (e->now && lane == 0 && !e->part)
        return e->now[output];
    return count_of_output(e, e->plan->core.at_crossed, lane, output);
}

uint32_t fc_ensemble_granted(const fc_ensemble *e, uint32_t lane, uint32_t output) {
    return count_of_output(e, e->plan->core.at_granted, lane, output);
}

uint32_t fc_ensemble_injected(const fc_ensemble *e, uint32_t lane, uint32_t node) {
    if (e->part)
        return fc_ensemble_injected(PART(e, lane), PART_LANE(e, lane), node);
    const fc_core_plan *p = &e->plan->core;
    const uint32_t r = p->node_router[node];
    return (uint32_t)get(e, r, p->at_injected + node - p->router[r].first_sender, lane);
}

const fc_core_node *fc_ensemble_node(const fc_ensemble *e, uint32_t lane, uint32_t node) {
    if (e->part)
        return fc_ensemble_node(PART(e, lane), PART_LANE(e, lane), node);
    return &e->core.node[place_of(e, node, e->plan->core.nodes, lane)];
}

const fc_core_output *fc_ensemble_output(const fc_ensemble *e, uint32_t lane, uint32_t output) {
    if (e->part)
        return fc_ensemble_output(PART(e, lane), PART_LANE(e, lane), output);
    return &e->core.output[place_of(e, output, e->plan->core.outputs, lane)];
}

fc_status fc_ensemble_clear_detail(fc_ensemble *e, fc_error *error) {
    const fc_core_plan *p = &e->plan->core;
    fc_status status = FC_OK;
    e->cleared = e->core.time;
    for (uint32_t i = 0; i < e->parts && status == FC_OK; ++i)
        status = fc_ensemble_clear_detail(e->part[i], error);
    memset(e->core.node, 0, (size_t)e->lanes * p->nodes * sizeof *e->core.node);
    memset(e->core.output, 0, (size_t)e->lanes * p->outputs * sizeof *e->core.output);
    const char *problem = e->gpu && !e->part ? e->gpu->clear(e->cuda) : NULL;
    return problem ? take_over(e, problem, error) : status;
}
