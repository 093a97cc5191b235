/* The networks, interfaces and memories of a chip.
 *
 * Rules of a cycle, in this order:
 *   1. places that were freed credit_delay cycles ago are known again at the beginning of the link;
 *   2. processors ask for the reads that are due: each becomes requests in the queue of its tile;
 *   3. a tile gives the first of its requests a free channel into its router, or, if it has the
 *      data itself, puts it straight into the queue of its memory; a memory that is free takes the
 *      first request of its queue, and from `latency` cycles after the request came its data are
 *      given a free channel into the router. One part is served at a time;
 *   4. every link carries one flit of one of its channels that has a flit and a place for it; the
 *      channels take turns, flit by flit;
 *   5. headers that have come to a router are given a free channel of their next link, channels of
 *      lower-numbered links first; what has come to its tile is taken. A request waits there while
 *      the memory's queue is full.
 * A flit that crosses a link in cycle t can leave the buffer at its end in cycle t + delay, a
 * header (rule 5 precedes the next cycle's 4) one cycle later.
 *
 * A packet goes along one dimension, then along the other, and then into its tile. Requests and
 * data have channels of their own; both have as many before the wrap-around link of a dimension as
 * on it and behind it. A packet may change among those at every hop and takes the one with the most
 * places. So no circle of packets can wait for each other, and data always come.
 *
 * Invariants:
 *   I1  a link carries at most one flit in a cycle
 *   I2  0 <= places <= buffer, and the flits in a buffer are at most `buffer`
 *   I3  every part passes its stages once, in order
 *   I4  the flits of a packet leave its tile, and come to their end, in order */
#include "simulators/chip/chip_network.h"

#include <assert.h>
#include "base/memory.h"
#include "base/status.h"

/* ---- sets and queues ---- */

static void put(uint64_t *set, uint32_t bit) {
    set[bit / 64] |= (uint64_t)1 << bit % 64;
}

static void drop(uint64_t *set, uint32_t bit) {
    set[bit / 64] &= ~((uint64_t)1 << bit % 64);
}

#define FOR_EACH_IN(set, size, bit)                                                                \
    for (uint32_t word_ = 0; word_ < ((size) + 63) / 64; ++word_)                                  \
        for (uint64_t rest_ = (set)[word_];                                                        \
             rest_ && ((bit) = 64 * word_ + (uint32_t)__builtin_ctzll(rest_), true);               \
             rest_ &= rest_ - 1)

static void enqueue(fc_chip_run *run, fc_chip_queue *queue, uint32_t part) {
    run->parts[part].next = FC_CHIP_NONE;
    if (queue->count++)
        run->parts[queue->last].next = part;
    else
        queue->first = part;
    queue->last = part;
}

static uint32_t dequeue(const fc_chip_run *run, fc_chip_queue *queue) {
    const uint32_t part = queue->first;
    queue->first = run->parts[part].next;
    --queue->count;
    return part;
}

static uint32_t interface_of(const fc_chip_run *run, uint32_t network, uint32_t tile) {
    return network * run->chip->tiles + tile;
}

static const fc_chip_memory *memory_at(const fc_chip_run *run, uint32_t interface) {
    const fc_chip *chip = run->chip;
    return &chip->memories.memory[chip->memory_of[interface % chip->tiles]];
}

/* ---- routes and channels ---- */

/* The tile that the packet under way goes to. */
static uint32_t target_of(const fc_chip_part *part) {
    return part->stage == FC_PART_REPLY ? part->source : part->home;
}

/* The kind of the link that a packet takes out of the router of a tile. */
static int next_kind(const fc_chip *chip, const fc_chip_part *part, uint32_t tile) {
    const uint32_t target = target_of(part);
    const bool row = tile % chip->columns != target % chip->columns;
    const bool column = tile / chip->columns != target / chip->columns;
    if (row && (!column || !chip->networks.network[part->network].rows_first))
        return FC_CHIP_ALONG_ROW;
    return column ? FC_CHIP_ALONG_COLUMN : FC_CHIP_EJECT;
}

/* Whether on this link the packet is on or behind the wrap-around link of the dimension. */
static uint8_t half_on(const fc_chip_part *part, const fc_chip_link *link) {
    if (link->kind == FC_CHIP_EJECT)
        return part->behind;
    return (uint8_t)(link->wraps || (part->behind && part->along == link->kind));
}

static void clear_front(fc_chip_run *run, uint32_t channel) {
    const fc_chip_channel *of = &run->channel[channel];
    const fc_chip_flit *flit = &run->flits[channel * run->slots + (of->first & (run->slots - 1))];
    const bool eject = run->links[channel / run->channels].kind == FC_CHIP_EJECT;
    if (of->count && (eject || flit->index == 0))
        put(run->fronts, channel);
    else
        drop(run->fronts, channel);
}

/* Gives the packet a free channel of the link; false: there is none. from: see fc_chip_channel */
static bool take_channel(fc_chip_run *run, uint32_t link, uint32_t number, uint32_t from) {
    fc_chip_part *part = &run->parts[number];
    const uint8_t half = half_on(part, &run->links[link]);
    const bool reply = part->stage == FC_PART_REPLY;
    const uint32_t requests = (uint32_t)run->chip->request_channels;
    const uint32_t count = reply ? (uint32_t)run->chip->reply_channels : requests;
    const uint32_t first = link * run->channels + (reply ? 2 * requests : 0) + half * count;
    uint32_t best = FC_CHIP_NONE;
    for (uint32_t c = first; c < first + count; ++c) {
        if (run->channel[c].owner == FC_CHIP_NONE &&
            (best == FC_CHIP_NONE || run->channel[c].places > run->channel[best].places))
            best = c;
    }
    if (best == FC_CHIP_NONE)
        return false;
    run->channel[best].owner = number;
    run->channel[best].from = from;
    part->along = run->links[link].kind;
    part->behind = half;
    put(run->busy_links, link);
    return true;
}

static void return_place(fc_chip_run *run, uint32_t channel) {
    const uint64_t delay = (uint64_t)run->chip->credit_delay;
    run->returned[run->returned_last++ & (run->returned_room - 1)] = channel;
    ++run->returns[(run->time + delay) % (delay + 1)];
}

/* Takes the first flit out of a buffer. */
static fc_chip_flit take_flit(fc_chip_run *run, uint32_t channel) {
    fc_chip_channel *of = &run->channel[channel];
    const fc_chip_flit flit = run->flits[channel * run->slots + (of->first & (run->slots - 1))];
    ++of->first;
    --of->count;
    return_place(run, channel);
    clear_front(run, channel);
    return flit;
}

/* ---- rules 1 to 3 ---- */

static void know_places(fc_chip_run *run) {
    uint32_t *count = &run->returns[run->time % ((uint64_t)run->chip->credit_delay + 1)];
    for (; *count; --*count) {
        fc_chip_channel *channel =
            &run->channel[run->returned[run->returned_first++ & (run->returned_room - 1)]];
        ++channel->places;
        assert(channel->places <= (uint32_t)run->chip->buffer); /* I2 */
    }
}

/* When a processor asks for its next read. */
static void find_due(fc_chip_run *run, fc_chip_processor_state *state) {
    state->due = UINT64_MAX;
    if (state->next == state->end)
        return;
    const fc_noc_trace *trace = &run->chip->trace;
    const fc_noc_read *read = &trace->reads[run->parts[state->next].read];
    const uint32_t previous = trace->barriers[read->barrier].previous;
    if (run->chip->replay == FC_REPLAY_OPEN || previous == FC_NOC_NO_BARRIER) {
        state->due = read->time;
    } else if (run->reads_left[previous] == 0) {
        state->due = run->barrier_end[previous] + (uint64_t)run->chip->barrier_delay +
                     (read->time - trace->barriers[previous].ended);
    }
    if (state->due < run->soonest)
        run->soonest = state->due;
}

static void ask(fc_chip_run *run) {
    if (run->time < run->soonest)
        return;
    run->soonest = UINT64_MAX;
    for (uint32_t p = 0; p < run->chip->trace.processor_count; ++p) {
        fc_chip_processor_state *state = &run->processors[p];
        while (state->due <= run->time) {
            fc_chip_part *part = &run->parts[state->next];
            const uint32_t interface = interface_of(run, part->network, part->source);
            assert(part->stage == FC_PART_WAITING); /* I3 */
            part->stage = FC_PART_REQUEST;
            run->asked_at[part->read] = run->time;
            enqueue(run, &run->interfaces[interface].asked, state->next);
            put(run->busy_tiles, interface);
            ++run->under_way;
            ++state->next;
            find_due(run, state);
        }
        if (state->due < run->soonest)
            run->soonest = state->due;
    }
}

static void queue_at_memory(fc_chip_run *run, uint32_t number) {
    fc_chip_part *part = &run->parts[number];
    const uint32_t interface = interface_of(run, part->network, part->home);
    assert(part->stage == FC_PART_REQUEST); /* I3 */
    part->stage = FC_PART_MEMORY;
    part->arrived = run->time;
    enqueue(run, &run->interfaces[interface].requests, number);
    put(run->busy_tiles, interface);
}

static void send_request(fc_chip_run *run, uint32_t interface) {
    fc_chip_queue *asked = &run->interfaces[interface].asked;
    if (!asked->count)
        return;
    fc_chip_part *part = &run->parts[asked->first];
    if (part->home == part->source) {
        queue_at_memory(run, dequeue(run, asked));
        return;
    }
    part->sent = 0;
    part->along = FC_CHIP_INJECT;
    part->behind = 0;
    if (take_channel(run, interface * FC_CHIP_KINDS + FC_CHIP_INJECT, asked->first, FC_CHIP_NONE))
        dequeue(run, asked);
}

static void serve(fc_chip_run *run, uint32_t interface) {
    fc_chip_interface *at = &run->interfaces[interface];
    if (at->serving == FC_CHIP_NONE && at->requests.count && run->time >= at->free) {
        at->serving = dequeue(run, &at->requests);
        at->sending = false;
        fc_chip_part *part = &run->parts[at->serving];
        assert(part->stage == FC_PART_MEMORY); /* I3 */
        part->stage = FC_PART_REPLY;
        part->sent = 0;
        part->along = FC_CHIP_INJECT;
        part->behind = 0;
        at->begin = part->arrived + (uint64_t)memory_at(run, interface)->latency;
    }
    if (at->serving != FC_CHIP_NONE && !at->sending && run->time >= at->begin)
        at->sending = take_channel(run, interface * FC_CHIP_KINDS + FC_CHIP_INJECT, at->serving,
                                   FC_CHIP_NONE);
}

static void work_at_tiles(fc_chip_run *run) {
    uint32_t interface = 0;
    FOR_EACH_IN(run->busy_tiles, run->interface_count, interface) {
        const fc_chip_interface *at = &run->interfaces[interface];
        send_request(run, interface);
        serve(run, interface);
        if (!at->asked.count && !at->requests.count && (at->serving == FC_CHIP_NONE || at->sending))
            drop(run->busy_tiles, interface);
    }
}

/* ---- rule 4 ---- */

/* The last flit of a packet has left its tile. */
static void leave_tile(fc_chip_run *run, uint32_t link) {
    const uint32_t interface = link / FC_CHIP_KINDS;
    fc_chip_interface *at = &run->interfaces[interface];
    at->serving = FC_CHIP_NONE;
    at->free = run->time + 1 + (uint64_t)memory_at(run, interface)->gap;
    if (at->requests.count)
        put(run->busy_tiles, interface);
}

/* The flit that the owner of a channel sends now; false: it has none, or there is no place. */
static bool next_flit(fc_chip_run *run, const fc_chip_channel *channel, fc_chip_flit *flit) {
    if (channel->places == 0)
        return false;
    if (channel->from == FC_CHIP_NONE) {
        *flit = (fc_chip_flit){.part = channel->owner, .index = run->parts[channel->owner].sent++};
        return true;
    }
    const fc_chip_channel *before = &run->channel[channel->from];
    const fc_chip_flit *first =
        &run->flits[channel->from * run->slots + (before->first & (run->slots - 1))];
    if (before->count == 0 || first->ready > run->time || first->part != channel->owner)
        return false;
    *flit = take_flit(run, channel->from);
    return true;
}

static void carry(fc_chip_run *run, uint32_t link, uint32_t number, fc_chip_flit flit) {
    const fc_chip *chip = run->chip;
    fc_chip_link *over = &run->links[link];
    fc_chip_channel *channel = &run->channel[number];
    const fc_chip_part *part = &run->parts[flit.part];
    const uint32_t flits = part->stage == FC_PART_REPLY ? part->flits : 1;
    const bool between = over->kind < FC_CHIP_INJECT;
    assert(over->sent_at <= run->time);              /* I1 */
    assert(channel->places > 0);                     /* I2 */
    assert(channel->count < (uint32_t)chip->buffer); /* I2 */
    flit.ready = run->time + (uint64_t)(between ? chip->link_delay : chip->node_delay);
    run->flits[number * run->slots + ((channel->first + channel->count) & (run->slots - 1))] = flit;
    --channel->places;
    if (channel->count++ == 0)
        clear_front(run, number);
    over->sent_at = run->time + 1;
    ++over->carried;
    run->hops += between;
    if (flit.index + 1 < flits)
        return;
    channel->owner = FC_CHIP_NONE;
    if (channel->from == FC_CHIP_NONE && part->stage == FC_PART_REPLY)
        leave_tile(run, link);
}

/* The channels of a link in turn, from the one after the last that sent. */
static void use_link(fc_chip_run *run, uint32_t link) {
    fc_chip_link *over = &run->links[link];
    const uint32_t first = link * run->channels;
    bool owned = false;
    uint32_t turn = over->last;
    for (uint32_t i = 0; i < run->channels; ++i) {
        turn = turn + 1 == run->channels ? 0 : turn + 1;
        fc_chip_flit flit;
        if (run->channel[first + turn].owner == FC_CHIP_NONE)
            continue;
        owned = true;
        if (!next_flit(run, &run->channel[first + turn], &flit))
            continue;
        over->last = (uint8_t)turn;
        carry(run, link, first + turn, flit);
        break;
    }
    if (!owned)
        drop(run->busy_links, link);
}

/* ---- rule 5 ---- */

static void finish_part(fc_chip_run *run, uint32_t number) {
    fc_chip_part *part = &run->parts[number];
    assert(part->stage == FC_PART_REPLY); /* I3 */
    part->stage = FC_PART_DONE;
    run->ended = run->time;
    ++run->delivered;
    --run->under_way;
    if (--run->parts_left[part->read])
        return;
    const fc_noc_read *read = &run->chip->trace.reads[part->read];
    const uint64_t latency = run->time - run->asked_at[part->read];
    if (run->latencies)
        fc_histogram_add(run->latencies, latency);
    run->latency_sum += (double)latency;
    run->reads_done += 1;
    run->barrier_end[read->barrier] = run->time;
    if (--run->reads_left[read->barrier] == 0 && run->chip->replay == FC_REPLAY_CLOSED)
        find_due(run, &run->processors[read->processor]);
}

static void take_at_tile(fc_chip_run *run, uint32_t channel, const fc_chip_flit *flit) {
    const fc_chip_part *part = &run->parts[flit->part];
    const bool last = flit->index + 1 == part->flits;
    if (part->stage == FC_PART_REQUEST) {
        const uint32_t interface = interface_of(run, part->network, part->home);
        if (run->interfaces[interface].requests.count >= (uint32_t)run->chip->memory_queue)
            return;
        queue_at_memory(run, take_flit(run, channel).part);
        return;
    }
    const uint32_t number = take_flit(run, channel).part;
    if (last)
        finish_part(run, number);
}

static void work_at_fronts(fc_chip_run *run) {
    uint32_t channel = 0;
    FOR_EACH_IN(run->fronts, run->link_count * run->channels, channel) {
        const fc_chip_channel *of = &run->channel[channel];
        const fc_chip_flit *flit =
            &run->flits[channel * run->slots + (of->first & (run->slots - 1))];
        if (flit->ready > run->time)
            continue;
        const fc_chip_link *link = &run->links[channel / run->channels];
        if (link->kind == FC_CHIP_EJECT) {
            take_at_tile(run, channel, flit);
            continue;
        }
        const fc_chip_part *part = &run->parts[flit->part];
        const uint32_t next = interface_of(run, part->network, link->end) * FC_CHIP_KINDS +
                              (uint32_t)next_kind(run->chip, part, link->end);
        if (take_channel(run, next, flit->part, channel))
            drop(run->fronts, channel); /* until the next header is the first */
    }
}

/* ---- a run ---- */

void fc_chip_run_advance(fc_chip_run *run, uint64_t until) {
    while (run->time < until && !fc_chip_run_done(run)) {
        if (run->under_way == 0 && run->soonest > run->time &&
            run->returned_first == run->returned_last) {
            run->time = run->soonest < until ? run->soonest : until;
            continue;
        }
        uint32_t link = 0;
        know_places(run);
        ask(run);
        work_at_tiles(run);
        FOR_EACH_IN(run->busy_links, run->link_count, link)
        use_link(run, link);
        work_at_fronts(run);
        ++run->time;
    }
}

/* ---- making one ---- */

/* Tile, and whether the link to it wraps around. */
static void join(const fc_chip *chip, uint32_t network, uint32_t tile, fc_chip_link *link) {
    const bool falling = chip->networks.network[network].falling;
    const bool row = link->kind == FC_CHIP_ALONG_ROW;
    const uint32_t side = row ? chip->columns : chip->rows, step = row ? 1 : chip->columns;
    const uint32_t at = row ? tile % chip->columns : tile / chip->columns;
    link->end = tile;
    if (link->kind >= FC_CHIP_INJECT)
        return;
    link->wraps = at == (falling ? 0 : side - 1);
    const uint32_t to = falling ? (at + side - 1) % side : (at + 1) % side;
    link->end = tile - at * step + to * step;
}

static uint32_t parts_of(const fc_chip *chip, const fc_noc_read *read) {
    return (uint32_t)((read->bytes + (uint64_t)chip->packet_bytes - 1) /
                      (uint64_t)chip->packet_bytes);
}

static void cut_read(fc_chip_run *run, uint32_t number, uint32_t *next) {
    const fc_chip *chip = run->chip;
    const fc_noc_read *read = &chip->trace.reads[number];
    const fc_noc_processor *from = &chip->trace.processors[read->processor];
    run->parts_left[number] = parts_of(chip, read);
    for (uint64_t left = read->bytes; left > 0;) {
        const uint64_t bytes =
            left < (uint64_t)chip->packet_bytes ? left : (uint64_t)chip->packet_bytes;
        const uint64_t flit = (uint64_t)chip->flit_bytes;
        run->parts[(*next)++] =
            (fc_chip_part){.read = number,
                           .flits = 1 + (uint32_t)((bytes + flit - 1) / flit),
                           .source = (uint16_t)fc_chip_tile_at(chip, from->x, from->y),
                           .home = (uint16_t)fc_chip_tile_at(chip, read->x, read->y),
                           .network = read->network};
        left -= bytes;
    }
}

static void fill_trace(fc_chip_run *run) {
    const fc_noc_trace *trace = &run->chip->trace;
    uint32_t next = 0;
    for (uint32_t b = 0; b < trace->barrier_count; ++b)
        run->reads_left[b] = trace->barriers[b].reads;
    run->soonest = UINT64_MAX;
    for (uint32_t p = 0; p < trace->processor_count; ++p) {
        fc_chip_processor_state *state = &run->processors[p];
        state->next = next;
        for (uint32_t i = 0; i < trace->processors[p].count; ++i)
            cut_read(run, trace->processors[p].first + i, &next);
        state->end = next;
        find_due(run, state);
    }
}

static void fill_links(fc_chip_run *run) {
    const uint32_t channels = run->link_count * run->channels;
    for (uint32_t l = 0; l < run->link_count; ++l) {
        const uint32_t interface = l / FC_CHIP_KINDS;
        run->links[l].kind = (uint8_t)(l % FC_CHIP_KINDS);
        join(run->chip, interface / run->chip->tiles, interface % run->chip->tiles, &run->links[l]);
    }
    for (uint32_t c = 0; c < channels; ++c)
        run->channel[c] = (fc_chip_channel){
            .owner = FC_CHIP_NONE, .from = FC_CHIP_NONE, .places = (uint32_t)run->chip->buffer};
    for (uint32_t i = 0; i < run->interface_count; ++i)
        run->interfaces[i].serving = FC_CHIP_NONE;
}

static bool make_room(fc_chip_run *run) {
    const fc_noc_trace *trace = &run->chip->trace;
    const size_t channels = (size_t)run->link_count * run->channels;
    while (run->slots < (uint32_t)run->chip->buffer)
        run->slots *= 2;
    /* In a cycle every link frees at most one place and every channel into a tile one more. */
    const size_t delay = (size_t)run->chip->credit_delay + 1;
    while (run->returned_room < delay * (run->link_count + channels / FC_CHIP_KINDS))
        run->returned_room *= 2;
    run->parts = fc_allocate(run->part_count, sizeof *run->parts);
    run->parts_left = fc_allocate(trace->read_count, sizeof *run->parts_left);
    run->asked_at = fc_allocate(trace->read_count, sizeof *run->asked_at);
    run->processors = fc_allocate(trace->processor_count, sizeof *run->processors);
    run->barrier_end = fc_allocate(trace->barrier_count, sizeof *run->barrier_end);
    run->reads_left = fc_allocate(trace->barrier_count, sizeof *run->reads_left);
    run->interfaces = fc_allocate(run->interface_count, sizeof *run->interfaces);
    run->links = fc_allocate(run->link_count, sizeof *run->links);
    run->channel = fc_allocate(channels, sizeof *run->channel);
    run->flits = fc_allocate(channels * run->slots, sizeof *run->flits);
    run->returned = fc_allocate(run->returned_room, sizeof *run->returned);
    run->returns = fc_allocate(delay, sizeof *run->returns);
    run->busy_links = fc_allocate(run->link_count / 64 + 1, sizeof *run->busy_links);
    run->fronts = fc_allocate(channels / 64 + 1, sizeof *run->fronts);
    run->busy_tiles = fc_allocate(run->interface_count / 64 + 1, sizeof *run->busy_tiles);
    return run->parts && run->parts_left && run->asked_at && run->processors && run->barrier_end &&
           run->reads_left && run->interfaces && run->links && run->channel && run->flits &&
           run->returned && run->returns && run->busy_links && run->fronts && run->busy_tiles;
}

fc_status fc_chip_run_create(const fc_chip *chip, fc_error *error, fc_chip_run **created) {
    fc_chip_run *run = fc_allocate(1, sizeof *run);
    if (!run)
        return fc_fail_memory(error);
    run->chip = chip;
    run->slots = run->returned_room = 1;
    run->channels = 2 * (uint32_t)(chip->request_channels + chip->reply_channels);
    run->interface_count = (uint32_t)chip->networks.count * chip->tiles;
    run->link_count = run->interface_count * FC_CHIP_KINDS;
    uint64_t parts = 0;
    for (uint32_t i = 0; i < chip->trace.read_count; ++i)
        parts += parts_of(chip, &chip->trace.reads[i]);
    run->part_count = (uint32_t)parts;
    fc_status status = FC_OK;
    if (parts > FC_NOC_READS_MAX)
        status = fc_fail(error, FC_ERROR_UNSUPPORTED,
                         "the reads of %.200s are %llu packets; at most %d are simulated",
                         chip->trace.file, (unsigned long long)parts, FC_NOC_READS_MAX);
    else if (!make_room(run))
        status = fc_fail_memory(error);
    if (status != FC_OK) {
        fc_chip_run_free(run);
        return status;
    }
    fill_links(run);
    fill_trace(run);
    *created = run;
    return FC_OK;
}

void fc_chip_run_free(fc_chip_run *run) {
    if (!run)
        return;
    void *const blocks[] = {run->parts,       run->parts_left, run->asked_at,   run->processors,
                            run->barrier_end, run->reads_left, run->interfaces, run->links,
                            run->channel,     run->flits,      run->returned,   run->returns,
                            run->busy_links,  run->fronts,     run->busy_tiles, run};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        fc_release(blocks[i]);
}
