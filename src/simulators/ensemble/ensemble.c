#include "simulators/ensemble/ensemble.h"

#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "simulators/ensemble/ensemble_state.h"
#include "simulators/arrivals.h"

/* ---- builds ---- */

bool fc_ensemble_runs(fc_ensemble_build build) {
#ifdef FC_CORE_X86
    if (build == FC_ENSEMBLE_AVX2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    if (build == FC_ENSEMBLE_AVX512 || build == FC_ENSEMBLE_WIDE)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512vbmi2");
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
    c->front = fc_allocate_lines(ins * (p->places + 1), sizeof *c->front);
    c->queue = c->front ? c->front + ins : NULL;
    c->record = fc_allocate(lanes * p->pool, sizeof *c->record);
    c->spare = fc_allocate(lanes * p->pool, sizeof *c->spare);
    c->pool = fc_allocate(lanes, sizeof *c->pool);
    c->ahead = fc_allocate(lanes * p->nodes * FC_CORE_AHEAD, sizeof *c->ahead);
    c->late = fc_allocate(lanes * routers * p->lates, sizeof *c->late);
    c->late_count = fc_allocate(lanes * routers, sizeof *c->late_count);
    return c->sent && c->left && c->injected && c->channel && c->front && c->record && c->spare &&
           c->pool && c->ahead && c->late && c->late_count;
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

/* Where a lane is simulated: in an ensemble that took over from a GPU, in one that is shared, or
 * here. *lane becomes its number there. */
static fc_ensemble *home_of(const fc_ensemble *e, uint32_t *lane) {
    if (e->part) {
        fc_ensemble *part = e->part[*lane / e->part_lanes];
        *lane %= e->part_lanes;
        return part;
    }
    return e->seat ? fc_lane_seat_home(e->seat, lane) : (fc_ensemble *)e;
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

/* plan: that of the lane; NULL: it is empty. */
static void start_node(fc_ensemble *e, uint32_t router, uint32_t k, uint32_t lane,
                       const fc_ensemble_plan *plan) {
    const fc_core_plan *p = &e->plan->core;
    const uint32_t node = p->router[router].first_sender + k;
    fc_core_cursor *cursor = &e->core.cursor[place_of(e, node, p->nodes, lane)];
    uint64_t due = UINT64_MAX / 2;
    if (plan && plan->sends[node]) {
        fc_random first = fc_message_stream(e->lane[lane].seed, e->lane[lane].replication, node, 0);
        due = fc_message_gap(plan->law[plan->own_laws ? node : 0], &first) - 1;
        due += (uint64_t)e->core.time << p->trial_bits;
    }
    *cursor = (fc_core_cursor){.due = due, .counted_due = due, .next = 1};
    const uint64_t cycle = due >> p->trial_bits;
    set(e, router, p->at_born + k, lane, cycle < FC_CORE_NEVER ? cycle : FC_CORE_NEVER);
}

static void start_router(fc_ensemble *e, uint32_t r, uint32_t lane, const fc_ensemble_plan *plan) {
    enum { AT_FREE = 0, AT_NODE_FREE = 5 }; /* as in core_rules.h */
    const fc_core_plan *p = &e->plan->core;
    const fc_core_router *router = &p->router[r];
    uint64_t open = router->link_bits;
    for (uint32_t k = 0; k < router->receivers; ++k)
        open |= p->ejection << (router->links_out + k) * p->channels;
    for (uint32_t k = 0; k < router->senders; ++k)
        start_node(e, r, k, lane, plan);
    set(e, r, AT_FREE, lane, open);
    set(e, r, AT_NODE_FREE, lane, router->node_bits);
    for (uint32_t plane = 0; plane < p->count_planes; ++plane) {
        const bool one = p->buffer >> plane & 1;
        set(e, r, p->at_credit + plane, lane, one ? router->link_bits : 0);
        set(e, r, p->at_node_credit + plane, lane, one ? router->node_bits : 0);
    }
}

static void start_lane(fc_ensemble *e, uint32_t lane, const fc_ensemble_plan *plan, uint64_t seed,
                       uint32_t replication) {
    const fc_ensemble_plan *drawn = plan ? plan : e->plan;
    e->lane[lane] = (fc_core_lane){
        .seed = seed, .replication = replication, .own_laws = drawn->own_laws, .law = drawn->law};
    for (uint32_t r = 0; r < e->plan->core.routers; ++r)
        start_router(e, r, lane, plan);
}

/* Column `lane` of rows of words. */
static void clear_words(const fc_ensemble *e, void *words, size_t rows, uint32_t lane) {
    for (size_t row = 0; row < rows; ++row)
        memset((char *)words + (row * e->lanes + lane) * e->word, 0, e->word);
}

/* All that the lane's last replication has left in the arrays of a processor's core. Records,
 * queues and messages drawn ahead are read only after they were written. */
static void clear_lane(fc_ensemble *e, uint32_t lane) {
    const fc_core_plan *p = &e->plan->core;
    fc_core *c = &e->core;
    const size_t ins = p->in_ports * p->channels;
    clear_words(e, c->state, (size_t)p->routers * p->size, lane);
    clear_words(e, c->sent, (size_t)p->routers * p->ring, lane);
    clear_words(e, c->left, (size_t)p->routers * p->ring, lane);
    clear_words(e, c->injected, (size_t)p->routers * p->ring, lane);
    for (uint32_t r = 0; r < p->routers; ++r) {
        memset(&c->channel[((size_t)r * e->lanes + lane) * ins], 0, ins * sizeof *c->channel);
        c->late_count[(size_t)r * e->lanes + lane] = 0;
    }
    c->pool[lane] = (fc_core_pool){0};
    c->tally[lane] = (fc_core_tally){0};
    fc_ensemble_clear_lane_detail(e, lane);
    fc_ensemble_set_histogram(e, lane, NULL);
}

void fc_ensemble_start_lane(fc_ensemble *e, uint32_t lane, const fc_ensemble_plan *plan,
                            uint64_t seed, uint32_t replication) {
    clear_lane(e, lane);
    start_lane(e, lane, plan, seed, replication);
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
    if (e->gpu)
        e->gpu->stop(e->cuda);
    e->cuda = NULL;
    fc_lane_seat_leave(e->seat);
    e->seat = NULL;
    e->now = NULL;
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
    for (uint32_t lane = 0; status == FC_OK && lane < e->lanes; ++lane)
        start_lane(e, lane, lane < e->used ? e->plan : NULL, seed, first + lane);
    if (status == FC_OK && e->gpu)
        status = start_gpu(e, error);
    if (status != FC_OK) {
        fc_ensemble_free(e);
        return status;
    }
    *ensemble = e;
    return FC_OK;
}

fc_status fc_ensemble_create_shared(const fc_scenario *scenario, const fc_router_network *network,
                                    const fc_traffic *traffic, uint64_t seed, uint32_t count,
                                    fc_lane_pool *pool, fc_error *error, fc_ensemble **ensemble) {
    fc_ensemble *e = fc_allocate(1, sizeof *e);
    if (!e)
        return fc_fail_memory(error);
    e->used = e->lanes = count;
    e->scenario = scenario;
    e->network = network;
    e->traffic = traffic;
    e->core.tally = fc_allocate(count, sizeof *e->core.tally);
    e->lane = fc_allocate(count, sizeof *e->lane);
    e->histogram = fc_allocate(count, sizeof *e->histogram);
    fc_status status = e->core.tally && e->lane && e->histogram
                           ? fc_ensemble_plan_create(scenario, network, traffic, error, &e->plan)
                           : fc_fail_memory(error);
    for (uint32_t lane = 0; lane < count && status == FC_OK; ++lane)
        e->lane[lane] = (fc_core_lane){.seed = seed, .replication = lane};
    if (status == FC_OK)
        status = fc_lane_seat_take(pool, e, error, &e->seat);
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
    fc_lane_seat_leave(e->seat);
    if (e->gpu)
        e->gpu->stop(e->cuda);
    for (uint32_t i = 0; i < e->parts; ++i)
        fc_ensemble_free(e->part[i]);
    fc_release(e->part);
    fc_core *c = &e->core;
    void *const blocks[] = {c->state,  c->sent,   c->left,       c->injected, c->channel,
                            c->front,  c->record, c->spare,      c->pool,     c->cursor,
                            c->ahead,  c->late,   c->late_count, c->tally,    c->node,
                            c->output, e->lane,   e->histogram,  e->tallies,  e->crossed};
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
    if ((!e->gpu && !e->seat) || e->part || stops > MOST_STOPS)
        return false;
    const uint32_t cycles = e->gpu ? MOST_CYCLES : SHARED_CYCLES / e->plan->core.routers;
    if (e->stops &&
        ((size_t)stops * e->lanes > MOST_TALLIES || until[count - 1] - e->core.time > cycles))
        return false;
    memcpy(&e->stop[e->stops], until, count * sizeof *until);
    e->stops = stops;
    return true;
}

/* The GPU, or the lanes that are shared, simulate up to the last stop. */
static const char *run_stops(fc_ensemble *e) {
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
            return "there is not enough memory for what is counted";
    }
    if (e->seat) {
        fc_lane_seat_run(e->seat, e->stop, e->stops, e->tallies, e->crossed);
        return NULL;
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
    if ((e->gpu || e->seat) && !e->part) {
        const uint32_t end = (uint32_t)until;
        if (e->stops == 0)
            fc_ensemble_expect(e, &end, 1);
        const char *problem = e->stop[e->next] != end
                                  ? "other cycles were asked for than had been announced"
                              : e->next == 0 ? run_stops(e)
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

double fc_ensemble_take_seconds(fc_ensemble *e) {
    return e->seat ? fc_lane_seat_take_seconds(e->seat) : 0;
}

const char *fc_ensemble_trouble(const fc_ensemble *e) {
    return e->part ? e->trouble : NULL;
}

uint64_t fc_ensemble_time(const fc_ensemble *e) {
    return e->core.time;
}

void fc_ensemble_set_histogram(fc_ensemble *e, uint32_t lane, fc_histogram *histogram) {
    uint32_t there = lane;
    fc_ensemble *home = home_of(e, &there);
    e->histogram[lane] = histogram;
    if (home != e)
        fc_ensemble_set_histogram(home, there, histogram);
    else
        e->lane[lane].histogram = histogram ? histogram->count : NULL;
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
    const fc_ensemble *home = e->part ? home_of(e, &lane) : e;
    return &home->core.tally[lane];
}

static uint32_t router_of_output(const fc_core_plan *p, uint32_t output) {
    uint32_t low = 0, high = p->routers;
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        *(p->output_first[middle] <= output ? &low : &high) = middle;
    }
    return low;
}

/* at: of the counters in a router's state. */
static uint32_t count_of_output(const fc_ensemble *e, uint32_t at, uint32_t lane, uint32_t output) {
    const fc_core_plan *p = &e->plan->core;
    const uint32_t r = router_of_output(p, output);
    const fc_ensemble *home = home_of(e, &lane);
    return (uint32_t)get(home, r, at + output - p->output_first[r], lane);
}

uint32_t fc_ensemble_crossed(const fc_ensemble *e, uint32_t lane, uint32_t output) {
    if (e->now && lane == 0)
        return e->now[output];
    return count_of_output(e, e->plan->core.at_crossed, lane, output);
}

void fc_ensemble_copy_crossed(const fc_ensemble *e, uint32_t lane, uint32_t *crossed) {
    const fc_core_plan *p = &e->plan->core;
    for (uint32_t r = 0; r < p->routers; ++r) {
        const uint32_t ports = p->router[r].links_out + p->router[r].receivers;
        for (uint32_t port = 0; port < ports; ++port)
            crossed[p->output_first[r] + port] = (uint32_t)get(e, r, p->at_crossed + port, lane);
    }
}

uint32_t fc_ensemble_granted(const fc_ensemble *e, uint32_t lane, uint32_t output) {
    return count_of_output(e, e->plan->core.at_granted, lane, output);
}

uint32_t fc_ensemble_injected(const fc_ensemble *e, uint32_t lane, uint32_t node) {
    const fc_core_plan *p = &e->plan->core;
    const uint32_t r = p->node_router[node];
    const fc_ensemble *home = home_of(e, &lane);
    return (uint32_t)get(home, r, p->at_injected + node - p->router[r].first_sender, lane);
}

const fc_core_node *fc_ensemble_node(const fc_ensemble *e, uint32_t lane, uint32_t node) {
    const fc_ensemble *home = home_of(e, &lane);
    return &home->core.node[place_of(home, node, home->plan->core.nodes, lane)];
}

const fc_core_output *fc_ensemble_output(const fc_ensemble *e, uint32_t lane, uint32_t output) {
    const fc_ensemble *home = home_of(e, &lane);
    return &home->core.output[place_of(home, output, home->plan->core.outputs, lane)];
}

void fc_ensemble_clear_lane_detail(fc_ensemble *e, uint32_t lane) {
    const fc_core_plan *p = &e->plan->core;
    for (uint32_t n = 0; n < p->nodes; ++n)
        e->core.node[place_of(e, n, p->nodes, lane)] = (fc_core_node){0};
    for (uint32_t o = 0; o < p->outputs; ++o)
        e->core.output[place_of(e, o, p->outputs, lane)] = (fc_core_output){0};
}

fc_status fc_ensemble_clear_detail(fc_ensemble *e, fc_error *error) {
    fc_status status = FC_OK;
    e->cleared = e->core.time;
    for (uint32_t i = 0; i < e->parts && status == FC_OK; ++i)
        status = fc_ensemble_clear_detail(e->part[i], error);
    for (uint32_t i = 0; !e->part && i < e->lanes; ++i) {
        uint32_t lane = i;
        fc_ensemble *home = home_of(e, &lane);
        fc_ensemble_clear_lane_detail(home, lane);
    }
    const char *problem = e->gpu && !e->part ? e->gpu->clear(e->cuda) : NULL;
    return problem ? take_over(e, problem, error) : status;
}
