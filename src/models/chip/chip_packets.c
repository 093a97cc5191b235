/* chip-packets: how long a trace takes on a chip (our own model).
 *
 * The trace is played with packets that move as wholes. A link is taken for as many cycles as the
 * packet has flits, by the packets in the order in which their headers come; one that waits keeps
 * nothing else busy, as if every router had room for it. A memory serves the requests in the order
 * it chooses, with its latency, gap and bandwidth: from the sides of the dateline and the inputs of
 * its router in turn. What is left out are buffers and virtual channels, but for a share of the
 * links that is lost where packets wait.
 *
 * Valid for every chip and trace. Accuracy: docs/validation/silicon.md. */
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "registry/chip_barriers.h"
#include "registry/accuracy.h"
#include "registry/method.h"
#include "scenario/families/chip.h"
#include "workloads/due_heap.h"

/* Links out of a router, and into and out of the tile. */
enum { ROW, COLUMN, INJECT, EJECT, KINDS };
#define NONE UINT32_MAX

/* Where it is: on its way to the data, in their tile, served there, on the way back, in the tile
 * that asked. */
enum { REQUESTED, COME, SERVED, ON_ITS_WAY, BACK };
/* Requests that come to a tile by different links, or before and behind the dateline, take turns.
 */
enum { SIDES = 2, QUEUES = SIDES * EJECT };

typedef struct packet {
    uint32_t transfer;
    uint32_t there, back; /* flits, the header included */
    uint16_t source, home;
    uint16_t at; /* tile */
    uint8_t stage;
    uint8_t along;   /* kind of the link that it took last */
    bool behind;     /* the dateline of this dimension */
    uint32_t next;   /* in a queue of the memory */
    uint64_t ready;  /* cycle from which its data can leave */
    uint64_t spread; /* cycles from its header to its last flit */
} packet;

/* A memory in one network. */
typedef struct memory_port {
    uint32_t first[QUEUES], last[QUEUES];
    uint32_t waiting;                   /* in all queues */
    uint8_t side, input[SIDES];         /* whose turn was last */
    uint64_t free[FC_CHIP_AT_ONCE_MAX]; /* cycle from which the next data may leave */
} memory_port;

typedef struct play {
    const fc_chip *chip;
    packet *packets;
    uint32_t packet_count, link_count;
    uint32_t *packets_left;   /* of each transfer */
    uint32_t *next;           /* of each processor: packet that it asks for next */
    uint32_t *transfers_left; /* of each barrier */
    uint64_t *barrier_end;
    bool *passed;
    uint64_t *link_free; /* cycle from which it is; link: (network x tile) x kind */
    memory_port *ports;  /* network x tile */
    double *memory_free; /* of each tile: until then its bandwidth is used up */
    fc_due_heap due;     /* packets, behind them processors, behind them ports */
    uint64_t ended;
    bool no_memory;
} play;

static void push(play *p, uint64_t time, uint64_t order) {
    p->no_memory |= !fc_due_push(&p->due, time, order);
}

/* ---- processors ---- */

/* When a processor asks for its next packet, unless it waits for a barrier. */
static void find_due(play *p, uint32_t processor) {
    const fc_noc_trace *trace = &p->chip->trace;
    const uint32_t next = p->next[processor];
    if (next == p->packet_count ||
        trace->transfers[p->packets[next].transfer].processor != processor)
        return;
    const fc_noc_transfer *transfer = &trace->transfers[p->packets[next].transfer];
    const uint32_t after = transfer->after;
    if (p->chip->replay == FC_REPLAY_OPEN || after == FC_NOC_NO_BARRIER)
        push(p, transfer->time, p->packet_count + processor);
    else if (fc_noc_pass(trace, p->transfers_left, p->barrier_end, p->passed, after))
        push(p,
             p->barrier_end[after] + (uint64_t)p->chip->barrier_delay + transfer->time -
                 trace->barriers[after].ended,
             p->packet_count + processor);
}

/* Where packets wait, a link stands idle for this share of the time in which they cross it:
 * channels are held by packets that wait further on. Fitted to the traces of
 * docs/validation/silicon.md. */
static const double lost = 0.08;

static uint32_t link_of(const play *p, const packet *moved, uint32_t kind) {
    const uint32_t network = p->chip->trace.transfers[moved->transfer].network;
    return (network * p->chip->tiles + moved->at) * KINDS + kind;
}

/* Takes a link from `time` on, or later; returns the cycle in which the header is behind it. One
 * flit alone passes data that wait. */
static uint64_t cross(play *p, const packet *moved, uint32_t kind, uint64_t time) {
    uint64_t *free = &p->link_free[link_of(p, moved, kind)];
    const uint32_t flits = moved->stage > COME ? moved->back : moved->there;
    const uint64_t start = flits > 1 && *free > time ? *free : time;
    *free = (*free > start ? *free : start) + flits;
    if (start > time && kind < INJECT)
        *free += (uint64_t)(lost * flits);
    return start + (uint64_t)(kind < INJECT ? p->chip->link_delay : p->chip->node_delay) +
           (kind != EJECT);
}

/* ---- memories ---- */

/* Bandwidth of a tile's memory for some flits from `time` on; returns when they are through. */
static double use_memory(play *p, uint32_t tile, uint64_t time, uint32_t flits) {
    const uint8_t number = p->chip->memory_of[tile];
    const double bandwidth = number == UINT8_MAX ? 0 : p->chip->memories.memory[number].bandwidth;
    if (bandwidth == 0)
        return (double)time + flits;
    p->memory_free[tile] =
        fmax(p->memory_free[tile], (double)time) + flits * (double)p->chip->flit_bytes / bandwidth;
    return p->memory_free[tile];
}

/* Cycles from the header of a packet that leaves a memory to its last flit. */
static uint64_t spread_from(play *p, uint32_t tile, uint64_t begin, uint32_t flits) {
    if (flits == 1)
        return 0;
    const double through = use_memory(p, tile, begin, flits - 1);
    return (uint64_t)fmax(ceil(through) - (double)begin, flits - 1);
}

static void ask(play *p, uint32_t processor, uint64_t time) {
    const uint32_t number = p->next[processor]++;
    packet *asked = &p->packets[number];
    asked->at = asked->source;
    asked->along = INJECT;
    asked->spread = spread_from(p, asked->source, time, asked->there);
    push(p, cross(p, asked, INJECT, time), number);
    find_due(p, processor);
}

static uint32_t port_of(const play *p, const packet *at) {
    return link_of(p, at, 0) / KINDS;
}

static void wake(play *p, uint32_t port, uint64_t time) {
    push(p, time, (uint64_t)p->packet_count + p->chip->trace.processor_count + port);
}

static void come(play *p, uint32_t number, uint64_t time) {
    packet *at = &p->packets[number];
    const uint32_t which = port_of(p, at);
    memory_port *port = &p->ports[which];
    const uint32_t queue = (at->behind ? (uint32_t)EJECT : 0) + at->along;
    if (at->there > 1)
        use_memory(p, at->home, time, at->there - 1);
    at->ready = time + at->spread +
                (uint64_t)p->chip->memories.memory[p->chip->memory_of[at->home]].latency;
    at->next = NONE;
    if (port->first[queue] == NONE)
        port->first[queue] = number;
    else
        p->packets[port->last[queue]].next = number;
    port->last[queue] = number;
    ++port->waiting;
    wake(p, which, time);
}

/* The request that is served next: the sides in turn, and the inputs of a side. */
static uint32_t take_turn(play *p, memory_port *port) {
    for (uint32_t s = 1; s <= SIDES; ++s) {
        const uint32_t side = (port->side + s) % SIDES;
        for (uint32_t i = 1; i <= EJECT; ++i) {
            const uint32_t input = (port->input[side] + i) % EJECT, queue = side * EJECT + input;
            const uint32_t number = port->first[queue];
            if (number == NONE)
                continue;
            port->first[queue] = p->packets[number].next;
            port->side = (uint8_t)side;
            port->input[side] = (uint8_t)input;
            --port->waiting;
            return number;
        }
    }
    return NONE;
}

/* The data of the next request leave as soon as the memory is free. */
static void serve(play *p, uint32_t which, uint64_t time) {
    memory_port *port = &p->ports[which];
    const fc_chip *chip = p->chip;
    const fc_chip_memory *memory = &chip->memories.memory[chip->memory_of[which % chip->tiles]];
    uint64_t *free = port->free;
    for (int64_t s = 1; s < memory->at_once; ++s)
        free = port->free[s] < *free ? &port->free[s] : free;
    if (*free > time || !port->waiting)
        return;
    const uint32_t number = take_turn(p, port);
    packet *served = &p->packets[number];
    const uint64_t begin = served->ready > time ? served->ready : time;
    served->spread = spread_from(p, served->home, begin, served->back);
    *free = begin + served->spread + 1 + (uint64_t)memory->gap;
    served->stage = SERVED;
    push(p, begin, number);
    wake(p, which, *free);
}

static void leave(play *p, uint32_t number, uint64_t time) {
    packet *served = &p->packets[number];
    served->stage = ON_ITS_WAY;
    served->along = INJECT;
    served->behind = false;
    push(p, cross(p, served, INJECT, time), number);
}

static void finish(play *p, uint32_t number, uint64_t time) {
    const packet *done = &p->packets[number];
    const fc_noc_transfer *transfer = &p->chip->trace.transfers[done->transfer];
    const uint64_t end = time + done->spread;
    if (done->back > 1)
        use_memory(p, done->source, time, done->back - 1);
    p->ended = end > p->ended ? end : p->ended;
    if (end > p->barrier_end[transfer->barrier])
        p->barrier_end[transfer->barrier] = end;
    if (--p->packets_left[done->transfer] == 0 && --p->transfers_left[transfer->barrier] == 0 &&
        p->chip->replay == FC_REPLAY_CLOSED)
        find_due(p, transfer->processor);
}

/* ---- routers ---- */

static uint32_t next_kind(const fc_chip *chip, uint32_t network, uint32_t at, uint32_t target) {
    const bool row = at % chip->columns != target % chip->columns;
    const bool column = at / chip->columns != target / chip->columns;
    if (row && (!column || !chip->networks.network[network].rows_first))
        return ROW;
    return column ? COLUMN : EJECT;
}

static void move(play *p, uint32_t number, uint64_t time) {
    packet *moved = &p->packets[number];
    const fc_chip *chip = p->chip;
    const uint32_t network = chip->trace.transfers[moved->transfer].network;
    const uint32_t kind = next_kind(chip, network, moved->at,
                                    moved->stage == ON_ITS_WAY ? moved->source : moved->home);
    const uint64_t arrival = cross(p, moved, kind, time);
    const bool falling = chip->networks.network[network].falling;
    const uint32_t column = moved->at % chip->columns, row = moved->at / chip->columns;
    if (kind != EJECT) {
        const uint32_t side = kind == ROW ? chip->columns : chip->rows;
        const uint32_t place = kind == ROW ? column : row, begin = falling ? side - 1 : 0;
        const uint32_t to = (place + (falling ? side - 1 : 1)) % side;
        moved->behind = (moved->behind && moved->along == kind) ||
                        (chip->dateline == FC_DATELINE_AFTER ? place : to) == begin;
        moved->along = (uint8_t)kind;
    }
    if (kind == ROW)
        moved->at = (uint16_t)fc_chip_tile_at(
            chip, (column + (falling ? chip->columns - 1 : 1)) % chip->columns, row);
    else if (kind == COLUMN)
        moved->at = (uint16_t)fc_chip_tile_at(chip, column,
                                              (row + (falling ? chip->rows - 1 : 1)) % chip->rows);
    else
        ++moved->stage;
    push(p, arrival, number);
}

/* ---- a play ---- */

static void cut_transfers(play *p) {
    const fc_noc_trace *trace = &p->chip->trace;
    uint32_t next = 0;
    for (uint32_t i = 0; i < trace->transfer_count; ++i) {
        const fc_noc_transfer *transfer = &trace->transfers[i];
        p->packets_left[i] = (uint32_t)fc_chip_packet_count(p->chip, transfer);
        if (i == trace->processors[transfer->processor].first)
            p->next[transfer->processor] = next;
        for (uint32_t k = 0; k < p->packets_left[i]; ++k) {
            const fc_chip_packet cut = fc_chip_packet_at(p->chip, transfer, k);
            p->packets[next++] = (packet){.transfer = i,
                                          .there = cut.there,
                                          .back = cut.back,
                                          .source = cut.source,
                                          .home = cut.home};
        }
    }
}

static fc_status prepare(play *p, const fc_chip *chip, fc_error *error) {
    const fc_noc_trace *trace = &chip->trace;
    p->chip = chip;
    const fc_status status = fc_chip_count_packets(chip, error, &p->packet_count);
    if (status != FC_OK)
        return status;
    p->link_count = (uint32_t)chip->networks.count * chip->tiles * KINDS;
    p->packets = fc_allocate(p->packet_count, sizeof *p->packets);
    p->packets_left = fc_allocate(trace->transfer_count, sizeof *p->packets_left);
    p->next = fc_allocate(trace->processor_count, sizeof *p->next);
    p->transfers_left = fc_allocate(trace->barrier_count, sizeof *p->transfers_left);
    p->barrier_end = fc_allocate(trace->barrier_count, sizeof *p->barrier_end);
    p->passed = fc_allocate(trace->barrier_count, sizeof *p->passed);
    p->link_free = fc_allocate(p->link_count, sizeof *p->link_free);
    p->ports = fc_allocate(p->link_count / KINDS, sizeof *p->ports);
    p->memory_free = fc_allocate(chip->tiles, sizeof *p->memory_free);
    if (!p->packets || !p->packets_left || !p->next || !p->transfers_left || !p->barrier_end ||
        !p->passed || !p->link_free || !p->ports || !p->memory_free)
        return fc_fail_memory(error);
    for (uint32_t i = 0; i < p->link_count / KINDS; ++i)
        memset(p->ports[i].first, UINT8_MAX, sizeof p->ports[i].first); /* NONE */
    cut_transfers(p);
    for (uint32_t b = 0; b < trace->barrier_count; ++b)
        p->transfers_left[b] = trace->barriers[b].transfers;
    return FC_OK;
}

static void clear(play *p) {
    void *const blocks[] = {p->packets,     p->packets_left, p->next,  p->transfers_left,
                            p->barrier_end, p->link_free,    p->ports, p->memory_free,
                            p->passed,      p->due.item};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        fc_release(blocks[i]);
}

static void take_event(play *p, uint64_t order, uint64_t time) {
    const uint32_t processors = p->chip->trace.processor_count;
    if (order >= p->packet_count + (uint64_t)processors)
        serve(p, (uint32_t)(order - p->packet_count - processors), time);
    else if (order >= p->packet_count)
        ask(p, (uint32_t)(order - p->packet_count), time);
    else if (p->packets[order].stage == COME)
        come(p, (uint32_t)order, time);
    else if (p->packets[order].stage == SERVED)
        leave(p, (uint32_t)order, time);
    else if (p->packets[order].stage == BACK)
        finish(p, (uint32_t)order, time);
    else
        move(p, (uint32_t)order, time);
}

static void run(play *p) {
    for (uint32_t processor = 0; processor < p->chip->trace.processor_count; ++processor) {
        if (p->chip->trace.processors[processor].count)
            find_due(p, processor);
    }
    while (p->due.count && !p->no_memory) {
        const fc_due due = fc_due_pop(&p->due);
        take_event(p, due.order, due.time);
    }
}

static fc_status solve(const fc_scenario *scenario, void *prepared, fc_error *error,
                       fc_result *result) {
    (void)prepared;
    play p = {.ended = 0};
    fc_status status = prepare(&p, scenario->parameters, error);
    if (status == FC_OK) {
        run(&p);
        if (p.no_memory)
            status = fc_fail_memory(error);
    }
    if (status == FC_OK) {
        fc_result_add(result, FC_METRIC_DURATION, (double)p.ended, NAN);
        fc_result_add_barriers(result, p.chip, p.barrier_end, p.transfers_left);
    }
    clear(&p);
    return status;
}

/* ---- measured accuracy ---- */

static bool within_two(double value, double of) {
    return value >= of / 2 && value <= 2 * of;
}

/* The traces of a Wormhole, by the description in examples/chips: scripts/silicon --model, and the
 * simulations of the same. */
static void measured(const fc_scenario *scenario, fc_result *result) {
    fc_accuracy *accuracy = &result->accuracy;
    const fc_chip *chip = scenario->parameters;
    const bool alike = chip->arbitration == FC_ARBITRATION_ROUND_ROBIN &&
                       chip->channel_choice == FC_CHANNEL_FREE && chip->reply_channels == 2 &&
                       within_two((double)chip->flit_bytes, 32) &&
                       within_two((double)chip->link_delay, 9) &&
                       within_two((double)chip->buffer, 13) && within_two(chip->tiles, 120);
    const uint32_t reads = chip->trace.transfer_count;
    if (!alike || reads < 64 || reads > 2048) {
        snprintf(accuracy->reason, sizeof accuracy->reason, "%s",
                 alike ? "the traces it was measured on have 128 to 1024 reads"
                       : "it was measured on traces of a Wormhole chip");
        return;
    }
    const bool closed = chip->replay == FC_REPLAY_CLOSED;
    accuracy->known = true;
    accuracy->cases = accuracy->networks = 36;
    accuracy->typical = closed ? 0.040 : 0.027;
    accuracy->worst = closed ? -0.178 : -0.082;
    accuracy->low = accuracy->high = (double)NAN;
    fc_accuracy_set_interval(result, closed ? -0.15 : -0.061, closed ? 0.085 : 0.062);
}

const fc_model fc_model_chip_packets = {
    .info = {.name = "chip-packets",
             .kind = FC_MODEL,
             .family = "chip",
             .title = "traces of a chip: packets that move as wholes",
             .source = "ours",
             .validity = "any chip and trace; buffers and virtual channels are not followed",
             .accuracy = "on traces of a real chip: docs/validation/silicon.md"},
    .solve = solve,
    .measured = measured,
};
