/* Invariants, all under the pool's lock:
 *  L1  A table begins to run only when all its seats wait for cycles: so it does not run while a
 *      seat does not wait.
 *  L2  Seats and lanes of a table are changed only while it does not run.
 *  L3  Threads that compute, `computing`, are at most `threads`; one that waits is not counted. */
#include "simulators/ensemble/lane_pool.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include "base/memory.h"
#include "base/progress.h"
#include "simulators/ensemble/ensemble_state.h"

/* An ensemble and the points that share it. */
typedef struct table {
    struct table *next;
    fc_ensemble *ensemble;
    fc_lane_seat *seat[FC_CORE_MOST_LANES];
    uint32_t seats, waiting;
    uint32_t taken; /* lanes: a bit for each, also of those who are about to sit down */
    atomic_uint free_lanes;
    double end; /* cycles that it has simulated, at least when a seat last had what it wanted */
    bool running;
    atomic_uint arriving;  /* that are about to sit down: it stops for them as soon as it can */
    pthread_cond_t paused; /* it does not run any more */
} table;

struct fc_lane_seat {
    fc_lane_pool *pool;
    table *table;
    const fc_ensemble *point;
    uint32_t first, lanes; /* of the table's */
    uint32_t origin;       /* cycle of the table at which its time began */
    bool waiting;
    /* what it waits for */
    const uint32_t *stop;
    uint32_t stops, done;
    fc_core_tally *tallies;
    uint32_t *crossed;
    fc_core_tally sum[FC_CORE_MOST_LANES]; /* since the last stop */
    double seconds;                        /* see fc_lane_seat_take_seconds */
    pthread_cond_t wake;
};

struct fc_lane_pool {
    pthread_mutex_t lock;
    unsigned threads, computing;
    size_t points;
    pthread_cond_t vacant; /* fewer than `threads` compute */
    atomic_uint starting;  /* threads that wait to begin: they come before tables with free lanes */
    table *tables;
};

/* ---- threads ---- */

fc_lane_pool *fc_lane_pool_create(unsigned threads, size_t points) {
    fc_lane_pool *pool = fc_allocate(1, sizeof *pool);
    if (!pool)
        return NULL;
    pool->threads = threads;
    pool->points = points;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->vacant, NULL);
    return pool;
}

void fc_lane_pool_free(fc_lane_pool *pool) {
    if (!pool)
        return;
    assert(!pool->tables);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->vacant);
    fc_release(pool);
}

static void start_computing(fc_lane_pool *pool) {
    while (pool->computing == pool->threads)
        pthread_cond_wait(&pool->vacant, &pool->lock);
    ++pool->computing; /* L3 */
}

static void stop_computing(fc_lane_pool *pool) {
    --pool->computing;
    pthread_cond_signal(&pool->vacant);
}

void fc_lane_pool_end(fc_lane_pool *pool) {
    pthread_mutex_lock(&pool->lock);
    stop_computing(pool);
    pthread_mutex_unlock(&pool->lock);
}

/* ---- tables ---- */

/* The rest of what can make points differ is in their plans. */
static bool can_share(const fc_traffic *traffic) {
    return traffic->image || traffic->pattern == fc_patterns[FC_UNIFORM] ||
           traffic->pattern == fc_patterns[FC_HOT_SPOT];
}

fc_ensemble_build fc_lane_pool_build(const fc_lane_pool *pool, const fc_scenario *scenario,
                                     const fc_router_network *network, const fc_traffic *traffic,
                                     uint32_t replications) {
    /* What each thread has to do, at most. */
    const size_t all = (pool->points + pool->threads - 1) / pool->threads * replications;
    const fc_ensemble_build build =
        fc_ensemble_best(scenario, network, all < UINT32_MAX ? (uint32_t)all : UINT32_MAX);
    const bool gains = 2 * replications <= fc_ensemble_lanes(build) && all > replications;
    return gains && can_share(traffic) ? build : FC_ENSEMBLE_SCALAR;
}

/* Whether two plans differ in loads alone. */
static bool same_shape(const fc_ensemble_plan *a, const fc_ensemble_plan *b) {
    return memcmp(&a->core, &b->core, offsetof(fc_core_plan, router)) == 0 &&
           a->table_bytes == b->table_bytes && memcmp(a->tables, b->tables, a->table_bytes) == 0;
}

/* The first of so many free lanes beside each other; or as many as the table has. */
static uint32_t find_lanes(const table *t, uint32_t lanes) {
    const uint32_t wanted = (1u << lanes) - 1;
    uint32_t first = 0;
    while (first + lanes <= t->ensemble->lanes && (t->taken >> first & wanted))
        ++first;
    return first + lanes <= t->ensemble->lanes ? first : t->ensemble->lanes;
}

/* Of the last point of a table, which has been simulated a little further than `end`. */
static const double latest_end = FC_CORE_NEVER - SHARED_CYCLES;

/* NULL: there is no table where the point can sit. */
static table *find_table(const fc_lane_pool *pool, const fc_ensemble *point) {
    table *t = pool->tables;
    while (t && !(find_lanes(t, point->used) < t->ensemble->lanes &&
                  t->end + point->scenario->simulation.max_cycles < latest_end &&
                  same_shape(t->ensemble->plan, point->plan)))
        t = t->next;
    return t;
}

static fc_status add_table(fc_lane_pool *pool, const fc_ensemble *point, fc_error *error,
                           table **made) {
    const fc_ensemble_build build =
        fc_lane_pool_build(pool, point->scenario, point->network, point->traffic, point->used);
    table *t = fc_allocate(1, sizeof *t);
    const fc_status status = t ? fc_ensemble_create(point->scenario, point->network, point->traffic,
                                                    0, 0, 0, build, error, &t->ensemble)
                               : fc_fail_memory(error);
    if (status != FC_OK) {
        fc_release(t);
        return status;
    }
    pthread_cond_init(&t->paused, NULL);
    atomic_store(&t->free_lanes, t->ensemble->lanes);
    t->next = pool->tables;
    pool->tables = t;
    *made = t;
    return FC_OK;
}

static void remove_table(fc_lane_pool *pool, table *t) {
    table **link = &pool->tables;
    while (*link != t)
        link = &(*link)->next;
    *link = t->next;
    pthread_cond_destroy(&t->paused);
    fc_ensemble_free(t->ensemble);
    fc_release(t);
}

/* The table's plan draws destinations by the traffic of a point that is there. */
static void take_traffic(table *t) {
    t->ensemble->plan->core.traffic = t->seat[0]->point->traffic;
}

/* Somebody should sit down first. */
static bool has_to_wait(const fc_lane_pool *pool, const table *t) {
    return atomic_load(&t->arriving) > 0 || (atomic_load(&pool->starting) > 0 && t->free_lanes > 0);
}

static bool can_run(const fc_lane_pool *pool, const table *t) {
    return t->seats > 0 && t->waiting == t->seats && !t->running && !has_to_wait(pool, t);
}

/* Somebody who waits at the table has to run it. */
static void wake_one(const fc_lane_pool *pool, table *t) {
    if (can_run(pool, t))
        pthread_cond_signal(&t->seat[0]->wake);
}

void fc_lane_pool_begin(fc_lane_pool *pool) {
    pthread_mutex_lock(&pool->lock);
    atomic_fetch_add(&pool->starting, 1);
    start_computing(pool);
    atomic_fetch_sub(&pool->starting, 1);
    for (table *t = pool->tables; t; t = t->next)
        wake_one(pool, t);
    pthread_mutex_unlock(&pool->lock);
}

/* ---- cycles ---- */

static void add_tally(fc_core_tally *sum, const fc_core_tally *tally) {
    uint64_t *to = (uint64_t *)(void *)sum;
    const uint64_t *from = (const uint64_t *)(const void *)tally;
    for (size_t i = 0; i < sizeof *sum / sizeof *to; ++i)
        to[i] += from[i];
    sum->hops = tally->hops; /* from the start */
}

/* What a seat has seen up to here. Returns whether that is all it waits for. */
static bool note_stop(const fc_ensemble *ensemble, fc_lane_seat *seat) {
    for (uint32_t i = 0; i < seat->lanes; ++i)
        add_tally(&seat->sum[i], &ensemble->core.tally[seat->first + i]);
    if (seat->origin + seat->stop[seat->done] != ensemble->core.time)
        return false;
    memcpy(&seat->tallies[(size_t)seat->done * seat->lanes], seat->sum,
           seat->lanes * sizeof *seat->sum);
    memset(seat->sum, 0, seat->lanes * sizeof *seat->sum);
    fc_ensemble_copy_crossed(ensemble, seat->first,
                             &seat->crossed[(size_t)seat->done * ensemble->plan->core.outputs]);
    return ++seat->done == seat->stops;
}

/* Until a seat has what it waits for, or somebody should sit down first. */
static void run_table(const fc_lane_pool *pool, table *t) {
    bool done = false;
    while (!done && !has_to_wait(pool, t)) {
        uint32_t until = UINT32_MAX;
        for (uint32_t i = 0; i < t->seats; ++i) {
            const uint32_t stop = t->seat[i]->origin + t->seat[i]->stop[t->seat[i]->done];
            until = stop < until ? stop : until;
        }
        fc_ensemble_run(t->ensemble, until, NULL); /* a processor's does not fail */
        for (uint32_t i = 0; i < t->seats; ++i)
            done |= note_stop(t->ensemble, t->seat[i]);
    }
}

/* By the thread of a seat, which computes. Its time is shared out by lanes. */
static void run_for_all(fc_lane_pool *pool, fc_lane_seat *mine) {
    table *t = mine->table;
    uint32_t lanes = 0;
    t->running = true;
    pthread_mutex_unlock(&pool->lock);
    const double start = fc_clock_thread();
    run_table(pool, t);
    const double seconds = fc_clock_thread() - start;
    pthread_mutex_lock(&pool->lock);
    t->running = false;
    for (uint32_t i = 0; i < t->seats; ++i)
        lanes += t->seat[i]->lanes;
    mine->seconds -= seconds;
    for (uint32_t i = 0; i < t->seats; ++i) {
        fc_lane_seat *seat = t->seat[i];
        seat->seconds += seconds * seat->lanes / lanes;
        if (seat->done < seat->stops)
            continue;
        seat->waiting = false;
        --t->waiting;
        pthread_cond_signal(&seat->wake);
    }
    pthread_cond_broadcast(&t->paused);
}

void fc_lane_seat_run(fc_lane_seat *seat, const uint32_t *stop, uint32_t stops,
                      fc_core_tally *tallies, uint32_t *crossed) {
    fc_lane_pool *pool = seat->pool;
    table *t = seat->table;
    pthread_mutex_lock(&pool->lock);
    seat->stop = stop;
    seat->stops = stops;
    seat->done = 0;
    seat->tallies = tallies;
    seat->crossed = crossed;
    seat->waiting = true;
    ++t->waiting;
    while (seat->waiting) {
        if (can_run(pool, t)) { /* L1 */
            run_for_all(pool, seat);
            continue;
        }
        stop_computing(pool);
        while (seat->waiting && !can_run(pool, t))
            pthread_cond_wait(&seat->wake, &pool->lock);
        start_computing(pool);
    }
    t->end = (double)t->ensemble->core.time;
    pthread_mutex_unlock(&pool->lock);
}

/* ---- seats ---- */

/* Lanes are reserved at once; the point sits down when the table does not run. */
static void sit_down(fc_lane_pool *pool, table *t, fc_lane_seat *seat) {
    seat->table = t;
    seat->first = find_lanes(t, seat->lanes);
    t->taken |= ((1u << seat->lanes) - 1) << seat->first;
    atomic_fetch_sub(&t->free_lanes, seat->lanes);
    atomic_fetch_add(&t->arriving, 1);
    if (t->running) {
        stop_computing(pool);
        while (t->running)
            pthread_cond_wait(&t->paused, &pool->lock);
        start_computing(pool);
    }
    seat->origin = t->ensemble->core.time;
    t->seat[t->seats++] = seat;
    take_traffic(t);
    for (uint32_t i = 0; i < seat->lanes; ++i) /* L2 */
        fc_ensemble_start_lane(t->ensemble, seat->first + i, seat->point->plan,
                               seat->point->lane[i].seed, seat->point->lane[i].replication);
    atomic_fetch_sub(&t->arriving, 1);
}

fc_status fc_lane_seat_take(fc_lane_pool *pool, fc_ensemble *point, fc_error *error,
                            fc_lane_seat **taken) {
    fc_lane_seat *seat = fc_allocate(1, sizeof *seat);
    if (!seat)
        return fc_fail_memory(error);
    *seat = (fc_lane_seat){.pool = pool, .point = point, .lanes = point->used};
    pthread_cond_init(&seat->wake, NULL);
    pthread_mutex_lock(&pool->lock);
    table *t = find_table(pool, point);
    const fc_status status = t ? FC_OK : add_table(pool, point, error, &t);
    if (status == FC_OK)
        sit_down(pool, t, seat);
    pthread_mutex_unlock(&pool->lock);
    if (status != FC_OK) {
        pthread_cond_destroy(&seat->wake);
        fc_release(seat);
        return status;
    }
    *taken = seat;
    return FC_OK;
}

void fc_lane_seat_leave(fc_lane_seat *seat) {
    if (!seat)
        return;
    fc_lane_pool *pool = seat->pool;
    table *t = seat->table;
    pthread_mutex_lock(&pool->lock);
    assert(!t->running); /* L1 */
    for (uint32_t i = 0; i < seat->lanes; ++i)
        fc_ensemble_start_lane(t->ensemble, seat->first + i, NULL, 0, 0);
    t->taken &= ~(((1u << seat->lanes) - 1) << seat->first);
    atomic_fetch_add(&t->free_lanes, seat->lanes);
    uint32_t at = 0;
    while (t->seat[at] != seat)
        ++at;
    t->seat[at] = t->seat[--t->seats];
    if (t->seats > 0) {
        take_traffic(t);
        wake_one(pool, t);
    } else if (t->taken == 0) {
        remove_table(pool, t);
    }
    pthread_mutex_unlock(&pool->lock);
    pthread_cond_destroy(&seat->wake);
    fc_release(seat);
}

fc_ensemble *fc_lane_seat_home(const fc_lane_seat *seat, uint32_t *lane) {
    *lane += seat->first;
    return seat->table->ensemble;
}

double fc_lane_seat_take_seconds(fc_lane_seat *seat) {
    const double seconds = seat->seconds;
    seat->seconds = 0;
    return seconds;
}
