#include "simulators/router/router_team.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include "base/memory.h"
#include "base/progress.h"
#include "simulators/router/sources.h"

/* Routers of a part at least: with fewer the barrier costs more than the part gains. */
enum { LEAST_ROUTERS = 256 };
/* Records of messages: addresses are reserved for all, memory is taken as they are used. */
enum { MESSAGES_MOST = 1 << 26, MESSAGES_BLOCK = 1024 };

typedef struct item {
    uint64_t when, event;
} item;
typedef struct box { /* from one part to another */
    item *items;
    uint32_t count, room;
} box;
enum { FLITS, CREDITS, RETURNED, KINDS };

struct fc_router_team {
    uint32_t parts;
    fc_router *part[FC_TEAM_MOST];
    uint8_t *part_of_router;
    box *boxes; /* 2 x parts x parts x KINDS: those being filled and those being emptied */
    uint32_t filling;
    atomic_uint fresh; /* records of messages never used yet */
    /* Of a run; changed between cycles, by the last thread that comes to the barrier. */
    uint32_t threads;
    uint64_t time, until;
    bool over;
    fc_status status;
    fc_error error;
    _Alignas(64) atomic_uint arrived;
    _Alignas(64) atomic_uint turn;
    atomic_uint asleep;
    pthread_mutex_t lock;
    pthread_cond_t wake;
};

typedef struct member {
    fc_router_team *team;
    uint32_t number;
    uint32_t turn; /* before the first cycle */
    pthread_t thread;
    double seconds; /* of processor time it took */
} member;

/* ---- what belongs where ---- */

uint32_t fc_team_size(const fc_router_network *network, const fc_routed *routed, unsigned threads) {
    if (routed->requests.count || routed->given || routed->profile || routed->workload ||
        routed->arbitration == FC_OLDEST_FIRST || network->whole_queue ||
        routed->decision == FC_AHEAD_BY_ONE || network->ports)
        return 1;
    const uint32_t most = network->routers / LEAST_ROUTERS;
    uint32_t parts = threads < FC_TEAM_MOST ? threads : FC_TEAM_MOST;
    parts = parts < most ? parts : most;
    return parts ? parts : 1;
}

static uint32_t part_of_node(const fc_router *e, uint32_t node) {
    return e->team->part_of_router[e->network->input_router[e->network->node_input[node]]];
}

const fc_router *fc_team_part_of(const fc_router *e, uint32_t node) {
    return e->team->part[part_of_node(e, node)];
}

/* ---- boxes ---- */

static box *box_of(fc_router_team *team, uint32_t filling, uint32_t from, uint32_t to,
                   uint32_t kind) {
    return &team->boxes[((filling * team->parts + from) * team->parts + to) * KINDS + kind];
}

static void put(fc_router *e, uint32_t to, uint32_t kind, uint64_t when, uint64_t event) {
    box *b = box_of(e->team, e->team->filling, e->own.part, to, kind);
    if (b->count == b->room) {
        const uint32_t room = b->room ? 2 * b->room : 256;
        item *grown = fc_reallocate(b->items, room, sizeof *grown);
        if (!grown) {
            e->status = FC_ERROR_MEMORY;
            return;
        }
        b->items = grown;
        b->room = room;
    }
    b->items[b->count++] = (item){when, event};
}

void fc_team_send_flit(fc_router *e, uint64_t when, uint64_t event) {
    const uint32_t input = (uint32_t)event / e->virtual_channels;
    put(e, e->team->part_of_router[e->network->input_router[input]], FLITS, when, event);
}

void fc_team_send_credit(fc_router *e, uint64_t when, uint32_t channel) {
    const uint32_t output = channel / e->output_stride;
    put(e, e->team->part_of_router[e->network->output_router[output]], CREDITS, when, channel);
}

bool fc_team_return(fc_router *e, uint32_t message) {
    const uint32_t home = part_of_node(e, e->message[message].course.source);
    if (e->team->part[home] == e)
        return false;
    put(e, home, RETURNED, 0, message);
    return true;
}

/* Takes over what the others have sent. */
static void empty_boxes(fc_router_team *team, uint32_t number, uint32_t filled) {
    fc_router *e = team->part[number];
    for (uint32_t from = 0; from < team->parts; ++from) {
        box *b = box_of(team, filled, from, number, 0);
        for (uint32_t i = 0; i < b[FLITS].count; ++i)
            fc_wheel_add(&e->flits, b[FLITS].items[i].when, b[FLITS].items[i].event);
        for (uint32_t i = 0; i < b[CREDITS].count; ++i)
            fc_wheel_add(&e->credits, b[CREDITS].items[i].when, b[CREDITS].items[i].event);
        for (uint32_t i = 0; i < b[RETURNED].count; ++i)
            fc_router_finish_message(e, (uint32_t)b[RETURNED].items[i].event);
        for (uint32_t kind = 0; kind < KINDS; ++kind)
            b[kind].count = 0;
    }
}

static bool boxes_empty(const fc_router_team *team) {
    uint64_t count = 0;
    for (size_t i = 0; i < (size_t)2 * team->parts * team->parts * KINDS; ++i)
        count += team->boxes[i].count;
    return count == 0;
}

bool fc_team_more_messages(fc_router *e) {
    const uint32_t first = atomic_fetch_add(&e->team->fresh, MESSAGES_BLOCK);
    if (first >= MESSAGES_MOST)
        return false;
    for (uint32_t i = 0; i < MESSAGES_BLOCK; ++i)
        fc_free_list_give(&e->free, FC_RECORDS(e->message), first + MESSAGES_BLOCK - 1 - i);
    return true;
}

/* ---- running ---- */

/* The cycle to simulate next: that after an idle stretch if all parts are idle. */
static void plan(fc_router_team *team) {
    uint64_t next = UINT64_MAX;
    uint32_t inside = 0; /* what entered in one part may leave in another: only the sum counts */
    bool idle = true;
    for (uint32_t p = 0; p < team->parts; ++p) {
        const fc_router *e = team->part[p];
        if (e->status != FC_OK)
            team->status = e->status;
        inside += e->in_network;
    }
    for (uint32_t p = 0; inside == 0 && idle && p < team->parts; ++p) {
        idle = fc_router_idle(team->part[p]);
        const uint64_t due = fc_sources_next(team->part[p]);
        next = due < next ? due : next;
    }
    if (inside == 0 && idle && boxes_empty(team) && next > team->time)
        team->time = next < team->until ? next : team->until;
    team->over = team->time >= team->until || team->status != FC_OK;
}

static void end_cycle(fc_router_team *team) {
    team->filling ^= 1;
    ++team->time;
    if (team->time % FC_ROUTER_PATIENCE == 0)
        team->status = fc_router_find_deadlock(team->part[0], &team->error);
    plan(team);
}

/* A thread waits a little while for the others, which is all it takes if each has a core, and then
 * sleeps, so that it is woken at once where they have not. */
static void await_turn(fc_router_team *team, uint32_t turn) {
    enum { LOOKS = 4000 };
    for (uint32_t i = 0; i < LOOKS; ++i) {
        if (atomic_load_explicit(&team->turn, memory_order_acquire) != turn)
            return;
    }
    pthread_mutex_lock(&team->lock);
    atomic_fetch_add(&team->asleep, 1);
    while (atomic_load(&team->turn) == turn)
        pthread_cond_wait(&team->wake, &team->lock);
    atomic_fetch_sub(&team->asleep, 1);
    pthread_mutex_unlock(&team->lock);
}

static void let_go(fc_router_team *team, uint32_t turn) {
    atomic_store(&team->turn, turn + 1);
    if (atomic_load(&team->asleep)) {
        pthread_mutex_lock(&team->lock);
        pthread_cond_broadcast(&team->wake);
        pthread_mutex_unlock(&team->lock);
    }
}

static void pass_barrier(fc_router_team *team) {
    const uint32_t turn = atomic_load_explicit(&team->turn, memory_order_acquire);
    if (atomic_fetch_add(&team->arrived, 1) + 1 < team->threads) {
        await_turn(team, turn);
        return;
    }
    end_cycle(team);
    atomic_store(&team->arrived, 0);
    let_go(team, turn);
}

/* With n threads, each simulates every n-th part; all parts if no other thread could be started. */
static void *run_parts(void *argument) {
    member *m = argument;
    fc_router_team *team = m->team;
    const double start = fc_clock_thread();
    if (m->number)
        await_turn(team, m->turn);
    while (!team->over) {
        for (uint32_t p = m->number; p < team->parts; p += team->threads) {
            team->part[p]->time = team->time;
            empty_boxes(team, p, team->filling ^ 1);
            fc_router_step(team->part[p]);
        }
        pass_barrier(team);
    }
    m->seconds = fc_clock_thread() - start;
    return NULL;
}

/* What was counted in the parts, in the first of them. */
static void gather(fc_router_team *team) {
    fc_router *all = team->part[0];
    for (uint32_t p = 0; p < team->parts; ++p)
        empty_boxes(team, p, team->filling ^ 1);
    for (uint32_t p = 1; p < team->parts; ++p) {
        fc_router *e = team->part[p];
        double *to = (double *)&all->sums;
        const double *from = (const double *)&e->sums;
        for (size_t i = 0; i < sizeof all->sums / sizeof *to; ++i)
            to[i] += from[i];
        e->sums = (fc_router_sums){0};
        all->hops += e->hops;
        all->messages_alive += e->messages_alive;
        e->hops = 0;
        e->messages_alive = 0;
        if (all->histogram)
            fc_histogram_merge(all->histogram, e->histogram);
        fc_histogram_clear(e->histogram);
        e->time = team->time;
    }
    all->time = team->time;
}

fc_status fc_team_run(fc_router *engine, uint64_t until, fc_error *error) {
    fc_router_team *team = engine->team;
    member members[FC_TEAM_MOST];
    team->time = engine->time;
    team->until = until;
    plan(team);
    const uint32_t turn = atomic_load(&team->turn);
    assert(team->parts > 0);
    for (uint32_t p = 0; p < team->parts; ++p)
        members[p] = (member){.team = team, .number = p, .turn = turn};
    uint32_t threads = 1;
    while (!team->over && threads < team->parts &&
           pthread_create(&members[threads].thread, NULL, run_parts, &members[threads]) == 0)
        ++threads;
    team->threads = threads;
    let_go(team, turn);
    run_parts(&members[0]);
    for (uint32_t t = 1; t < threads; ++t) {
        pthread_join(members[t].thread, NULL);
        engine->helper_seconds += members[t].seconds;
    }
    gather(team);
    if (team->status == FC_ERROR_MEMORY)
        return fc_fail_memory(error);
    if (team->status != FC_OK && error)
        *error = team->error;
    return team->status;
}

/* ---- life ---- */

/* Ranges of routers with about as many ports each. */
static void divide_routers(fc_router_team *team, const fc_router_network *network) {
    for (uint32_t r = 0; r < network->routers; ++r)
        team->part_of_router[r] =
            (uint8_t)((uint64_t)network->input_first[r] * team->parts / network->inputs);
}

static void set_own(fc_router *e, uint32_t number) {
    const fc_router_network *network = e->network;
    const uint8_t *part = e->team->part_of_router;
    uint32_t first = 0, end;
    while (part[first] != number)
        ++first;
    for (end = first; end < network->routers && part[end] == number;)
        ++end;
    const uint32_t in = network->input_first[first] * e->virtual_channels;
    const uint32_t out = network->output_first[first] * e->output_stride;
    const uint32_t in_end = network->input_first[end] * e->virtual_channels;
    uint32_t awake = UINT32_MAX, awake_end = 0;
    for (uint32_t node = 0; node < network->nodes; ++node) {
        if (part_of_node(e, node) != number)
            continue;
        awake = node / 64 < awake ? node / 64 : awake;
        awake_end = node / 64 + 1;
    }
    e->own = (struct fc_own){.part = number,
                             .in = in,
                             .ins = in_end - in,
                             .out = out,
                             .outs = network->output_first[end] * e->output_stride - out,
                             .ready = in / 64,
                             .ready_end = (in_end + 63) / 64,
                             .awake = awake < awake_end ? awake : 0,
                             .awake_end = awake_end};
}

/* The arrays in which an engine keeps what only it knows. */
static fc_status create_part(fc_router *first, uint32_t number, fc_error *error) {
    fc_router *e = fc_allocate(1, sizeof *e);
    if (!e)
        return fc_fail_memory(error);
    *e = *first;
    e->flits = e->credits = e->asking = e->moving = (fc_wheel){0};
    e->ready = NULL;
    e->sources = NULL;
    e->free = fc_free_list_make();
    first->team->part[number] = e;
    set_own(e, number);
    const fc_router_network *network = e->network;
    const uint32_t inputs = e->own.ins / e->virtual_channels;
    const uint32_t outputs = e->own.outs / e->output_stride;
    e->ready = fc_allocate(first->own.ready_end, sizeof *e->ready);
    e->node_awake = fc_allocate(network->nodes / 64 + 1, sizeof *e->node_awake);
    e->contested = fc_allocate(e->own.outs, sizeof *e->contested);
    e->winner = fc_allocate((size_t)inputs * e->ports_per_input, sizeof *e->winner);
    e->claim = fc_allocate(e->own.ins, sizeof *e->claim);
    e->histogram = fc_allocate(1, sizeof *e->histogram);
    if (!e->ready || !e->node_awake || !e->contested || !e->winner || !e->claim || !e->histogram)
        return fc_fail_memory(error);
    return fc_router_create_wheels(e, inputs + outputs, inputs + outputs, inputs + outputs, error);
}

static void free_part(fc_router *e) {
    fc_sources_free(e->sources);
    fc_wheel_free(&e->flits);
    fc_wheel_free(&e->credits);
    fc_wheel_free(&e->asking);
    fc_wheel_free(&e->moving);
    void *const blocks[] = {e->ready,  e->node_awake, e->contested,
                            e->winner, e->claim,      e->histogram};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        fc_release(blocks[i]);
    fc_release(e);
}

void fc_team_free(fc_router *engine) {
    fc_router_team *team = engine->team;
    if (!team)
        return;
    for (uint32_t p = 1; p < team->parts; ++p) {
        if (team->part[p])
            free_part(team->part[p]);
    }
    const size_t boxes = (size_t)2 * team->parts * team->parts * KINDS;
    for (size_t i = 0; team->boxes && i < boxes; ++i)
        fc_release(team->boxes[i].items);
    fc_release(team->boxes);
    fc_release(team->part_of_router);
    if (engine->message)
        munmap(engine->message, (size_t)MESSAGES_MOST * sizeof *engine->message);
    engine->message = NULL;
    engine->team = NULL;
    pthread_cond_destroy(&team->wake);
    pthread_mutex_destroy(&team->lock);
    fc_release(team);
}

static fc_status reserve_messages(fc_router *engine, fc_error *error) {
    void *messages =
        mmap(NULL, (size_t)MESSAGES_MOST * sizeof *engine->message, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (messages == MAP_FAILED)
        return fc_fail_memory(error);
    engine->message = messages;
    return FC_OK;
}

fc_status fc_team_create(fc_router *engine, uint32_t parts, const fc_traffic *traffic,
                         uint64_t seed, uint32_t replication, fc_error *error) {
    fc_router_team *team = fc_allocate(1, sizeof *team);
    if (!team)
        return fc_fail_memory(error);
    engine->team = team;
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->wake, NULL);
    team->parts = parts;
    team->part[0] = engine;
    team->part_of_router = fc_allocate(engine->network->routers, sizeof *team->part_of_router);
    team->boxes = fc_allocate((size_t)2 * parts * parts * KINDS, sizeof *team->boxes);
    if (!team->part_of_router || !team->boxes)
        return fc_fail_memory(error);
    divide_routers(team, engine->network);
    fc_status status = reserve_messages(engine, error);
    for (uint32_t p = 1; status == FC_OK && p < parts; ++p)
        status = create_part(engine, p, error);
    set_own(engine, 0);
    for (uint32_t p = 0; status == FC_OK && p < parts; ++p)
        status = fc_open_sources_create(team->part[p], traffic, seed, replication, error);
    return status;
}
