/* The networks, interfaces and memories of a chip.
 *
 * Rules of a cycle, in this order:
 *   1. places that were freed credit_delay cycles ago are known again at the beginning of the link;
 *   2. processors begin the transfers that are due: each becomes requests in the queue of its tile;
 *   3. a tile gives the first of its requests a free channel into its router; a memory that is free
 *      takes the first request of its queue, and from `latency` cycles after the request came its
 *      data are given a free channel into the router. `at_once` parts are served at a time;
 *   4. every link carries one flit of one of its channels that has a flit and a place for it; the
 *      channels take turns, flit by flit (or as `link_turns` says). With `crossbar: per-link`, the
 *      buffers behind a link send on one flit in a cycle. Data leave a memory with a `bandwidth`
 *      only as far as that allows, the networks first in turn;
 *   5. headers that have come to a router are given free channels of their next link, the inputs of
 *      the router in turn (or as `arbitration` says). What has come to its tile is taken; requests
 *      of its channels in turn, while there is room in the memory's queue.
 * The request of a write has its data; those of a tile wait for the bandwidth of its memory as
 * well, and the reply is one flit. A multicast is a write to the last tile of every column (or row)
 * of its rectangle; what it leaves at the tiles before costs them nothing. A flit that crosses a
 * link in cycle t can leave the buffer at its end in cycle t + delay, a header (rule 5 precedes the
 * next cycle's 4) one cycle later.
 *
 * A packet goes along one dimension, then along the other, and then into its tile; to the own tile
 * it goes through the router as well. Requests and data have channels of their own, in each
 * dimension as many before the dateline as on the link that crosses it and behind it. A packet may
 * change among those at every hop and takes the one with the most places. So no circle of packets
 * can wait for each other, and data always come.
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

/* The first member of a set that is at least `from`; `end` if there is none below it. */
static uint32_t next_in(const uint64_t *set, uint32_t from, uint32_t end) {
    if (from >= end)
        return end;
    uint32_t word = from / 64;
    uint64_t rest = set[word] & UINT64_MAX << from % 64;
    while (!rest) {
        if (++word > (end - 1) / 64)
            return end;
        rest = set[word];
    }
    const uint32_t bit = 64 * word + (uint32_t)__builtin_ctzll(rest);
    return bit < end ? bit : end;
}

#define FOR_EACH_IN(set, from, end, bit)                                                           \
    for (uint32_t bit = next_in((set), (from), (end)); (bit) < (end);                              \
         (bit) = next_in((set), (bit) + 1, (end)))

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

/* NULL: none. interface: of the tile, or the tile itself. */
static const fc_chip_memory *memory_at(const fc_chip_run *run, uint32_t interface) {
    const fc_chip *chip = run->chip;
    const uint8_t memory = chip->memory_of[interface % chip->tiles];
    return memory == UINT8_MAX ? NULL : &chip->memories.memory[memory];
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

/* Whether on this link the packet crosses the dateline of the dimension or is behind it. */
static uint8_t half_on(const fc_chip_part *part, const fc_chip_link *link) {
    if (link->kind == FC_CHIP_EJECT)
        return part->behind;
    return (uint8_t)(link->crosses || (part->behind && part->along == link->kind));
}

/* The group of channels that a packet takes on a link. */
static uint32_t group_on(const fc_chip_part *part, const fc_chip_link *link) {
    return (part->stage == FC_PART_REPLY ? 2U : 0U) + half_on(part, link);
}

static fc_chip_flit *first_flit(const fc_chip_run *run, uint32_t channel) {
    return &run->flits[channel * run->slots + (run->channel[channel].first & (run->slots - 1))];
}

static uint16_t bit_of(const fc_chip_run *run, uint32_t channel) {
    return (uint16_t)(1U << (channel - run->channel[channel].link * run->channels));
}

/* The first flit of a buffer is another one. */
static void see_front(fc_chip_run *run, uint32_t channel) {
    const fc_chip_channel *of = &run->channel[channel];
    const fc_chip_flit *flit = first_flit(run, channel);
    const uint32_t link = of->link;
    if (run->links[link].kind == FC_CHIP_EJECT) {
        if (of->count)
            put(run->ends, link);
    } else if (of->count && flit->index == 0) {
        run->links[link].heads |= bit_of(run, channel);
        put(run->fronts, link);
    }
}

/* Gives the packet a free channel of the link; false: there is none. from: see fc_chip_channel */
static bool take_channel(fc_chip_run *run, uint32_t link, uint32_t number, uint32_t from) {
    const fc_chip *chip = run->chip;
    fc_chip_part *part = &run->parts[number];
    const uint8_t half = half_on(part, &run->links[link]);
    const bool reply = part->stage == FC_PART_REPLY;
    const uint32_t requests = (uint32_t)chip->request_channels;
    const uint32_t count = reply ? (uint32_t)chip->reply_channels : requests;
    const uint32_t first = link * run->channels + (reply ? 2 * requests : 0) + half * count;
    const bool fixed = chip->channel_choice == FC_CHANNEL_FIXED;
    uint32_t best = FC_CHIP_NONE;
    for (uint32_t c = first; c < first + count; ++c) {
        if (run->channel[c].owner == FC_CHIP_NONE && !(fixed && c != first + number % count) &&
            (best == FC_CHIP_NONE || run->channel[c].places > run->channel[best].places))
            best = c;
    }
    if (best == FC_CHIP_NONE)
        return false;
    run->channel[best].owner = number;
    run->channel[best].from = from;
    if (from != FC_CHIP_NONE)
        run->channel[from].to = best;
    run->links[link].owned |= bit_of(run, best);
    run->links[link].dry &= (uint16_t)~bit_of(run, best);
    part->along = run->links[link].kind;
    part->behind = half;
    put(run->busy_links, link);
    return true;
}

static void free_channel(fc_chip_run *run, uint32_t channel) {
    run->channel[channel].owner = FC_CHIP_NONE;
    run->links[run->channel[channel].link].owned &= (uint16_t)~bit_of(run, channel);
}

/* A channel has a place again. */
static void end_full(fc_chip_run *run, uint32_t channel) {
    const uint32_t link = run->channel[channel].link;
    run->links[link].full &= (uint16_t)~bit_of(run, channel);
    put(run->busy_links, link);
}

/* A flit of the owner of a channel has come. */
static void end_dry(fc_chip_run *run, uint32_t channel) {
    const uint32_t link = run->channel[channel].link;
    run->links[link].dry &= (uint16_t)~bit_of(run, channel);
    put(run->busy_links, link);
}

static void return_place(fc_chip_run *run, uint32_t channel) {
    const uint64_t delay = (uint64_t)run->chip->credit_delay;
    run->returned[run->returned_last++ & (run->returned_room - 1)] = channel;
    ++run->returns[(run->time + delay) % (delay + 1)];
}

/* Takes the first flit out of a buffer. */
static fc_chip_flit take_flit(fc_chip_run *run, uint32_t channel) {
    fc_chip_channel *of = &run->channel[channel];
    const fc_chip_flit flit = *first_flit(run, channel);
    ++of->first;
    --of->count;
    return_place(run, channel);
    see_front(run, channel);
    return flit;
}

/* ---- rules 1 to 3 ---- */

static void know_places(fc_chip_run *run) {
    uint32_t *count = &run->returns[run->time % ((uint64_t)run->chip->credit_delay + 1)];
    for (; *count; --*count) {
        const uint32_t number = run->returned[run->returned_first++ & (run->returned_room - 1)];
        ++run->channel[number].places;
        end_full(run, number);
        assert(run->channel[number].places <= (uint32_t)run->chip->buffer); /* I2 */
    }
}

/* When a processor asks for its next part. */
void fc_chip_find_due(fc_chip_run *run, fc_chip_processor_state *state) {
    state->due = UINT64_MAX;
    if (state->next == state->end)
        return;
    const fc_noc_trace *trace = &run->chip->trace;
    const fc_noc_transfer *next = &trace->transfers[run->parts[state->next].transfer];
    const uint32_t after = next->after;
    if (run->chip->replay == FC_REPLAY_OPEN || after == FC_NOC_NO_BARRIER)
        state->due = next->time;
    else if (fc_noc_pass(trace, run->transfers_left, run->barrier_end, run->passed, after))
        state->due = run->barrier_end[after] + (uint64_t)run->chip->barrier_delay +
                     (next->time - trace->barriers[after].ended);
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
            const uint32_t interface = fc_chip_interface_of(run, part->network, part->source);
            assert(part->stage == FC_PART_WAITING); /* I3 */
            part->stage = FC_PART_REQUEST;
            run->asked_at[part->transfer] = run->time;
            enqueue(run, &run->interfaces[interface].asked, state->next);
            put(run->busy_tiles, interface);
            ++run->under_way;
            ++state->next;
            fc_chip_find_due(run, state);
        }
        if (state->due < run->soonest)
            run->soonest = state->due;
    }
}

static void queue_at_memory(fc_chip_run *run, uint32_t number) {
    fc_chip_part *part = &run->parts[number];
    const uint32_t interface = fc_chip_interface_of(run, part->network, part->home);
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
    part->sent = 0;
    part->along = FC_CHIP_INJECT;
    part->behind = 0;
    if (take_channel(run, interface * FC_CHIP_KINDS + FC_CHIP_INJECT, asked->first, FC_CHIP_NONE))
        dequeue(run, asked);
}

static void serve(fc_chip_run *run, uint32_t interface, fc_chip_service *service) {
    fc_chip_queue *requests = &run->interfaces[interface].requests;
    if (service->part == FC_CHIP_NONE && requests->count && run->time >= service->free) {
        service->part = dequeue(run, requests);
        service->sending = false;
        fc_chip_part *part = &run->parts[service->part];
        assert(part->stage == FC_PART_MEMORY); /* I3 */
        part->stage = FC_PART_REPLY;
        part->sent = 0;
        part->along = FC_CHIP_INJECT;
        part->behind = 0;
        service->begin = part->arrived + (uint64_t)memory_at(run, interface)->latency;
    }
    if (service->part != FC_CHIP_NONE && !service->sending && run->time >= service->begin)
        service->sending = take_channel(run, interface * FC_CHIP_KINDS + FC_CHIP_INJECT,
                                        service->part, FC_CHIP_NONE);
}

static int64_t at_once(const fc_chip_run *run, uint32_t interface) {
    const fc_chip_memory *memory = memory_at(run, interface);
    return memory ? memory->at_once : 0;
}

static void work_at_tiles(fc_chip_run *run) {
    FOR_EACH_IN(run->busy_tiles, 0, run->interface_count, interface) {
        fc_chip_interface *at = &run->interfaces[interface];
        bool waiting = false;
        send_request(run, interface);
        for (int64_t s = 0; s < at_once(run, interface); ++s) {
            serve(run, interface, &at->services[s]);
            waiting |= at->services[s].part != FC_CHIP_NONE && !at->services[s].sending;
        }
        if (!at->asked.count && !at->requests.count && !waiting)
            drop(run->busy_tiles, interface);
    }
}

/* ---- rule 4 ---- */

/* Of the memory of a tile, as of this cycle: unused bandwidth is kept for a few flits. */
static fc_chip_allowance *allowance_of(fc_chip_run *run, uint32_t tile) {
    enum { KEPT_FLITS = 8 };
    const fc_chip_memory *memory = memory_at(run, tile);
    fc_chip_allowance *allowance =
        &run->allowances[memory->shared ? run->chip->tiles + run->chip->memory_of[tile] : tile];
    const double most = (double)(KEPT_FLITS * run->chip->flit_bytes);
    allowance->bytes += (double)(run->time - allowance->at) * memory->bandwidth;
    if (allowance->bytes > most)
        allowance->bytes = most;
    allowance->at = run->time;
    return allowance;
}

/* Whether a flit of data (not a header) may leave the memory of a tile. */
static bool read_flit(fc_chip_run *run, uint32_t tile) {
    const double flit = (double)run->chip->flit_bytes;
    if (!memory_at(run, tile) || memory_at(run, tile)->bandwidth == 0)
        return true;
    fc_chip_allowance *allowance = allowance_of(run, tile);
    if (allowance->bytes < flit)
        return false;
    allowance->bytes -= flit;
    return true;
}

static void write_flit(fc_chip_run *run, uint32_t tile) {
    if (memory_at(run, tile) && memory_at(run, tile)->bandwidth > 0)
        allowance_of(run, tile)->bytes -= (double)run->chip->flit_bytes;
}

/* The last flit of a packet has left its tile. */
static void leave_tile(fc_chip_run *run, uint32_t link, uint32_t part) {
    const uint32_t interface = link / FC_CHIP_KINDS;
    fc_chip_interface *at = &run->interfaces[interface];
    fc_chip_service *service = at->services;
    while (service->part != part)
        ++service;
    service->part = FC_CHIP_NONE;
    service->free = run->time + 1 + (uint64_t)memory_at(run, interface)->gap;
    if (at->requests.count)
        put(run->busy_tiles, interface);
}

/* The flit that the owner of a channel sends now; false: it has none, or there is no place. */
static bool next_flit(fc_chip_run *run, const fc_chip_channel *channel, fc_chip_flit *flit) {
    assert(channel->places > 0); /* I2 */
    if (channel->from == FC_CHIP_NONE) {
        fc_chip_part *part = &run->parts[channel->owner];
        const uint16_t tile = part->stage == FC_PART_REPLY ? part->home : part->source;
        if (part->sent > 0 && !read_flit(run, tile))
            return false;
        *flit = (fc_chip_flit){.part = channel->owner, .index = part->sent++};
        return true;
    }
    fc_chip_link *input = &run->links[channel->from / run->channels];
    const fc_chip_flit *first = first_flit(run, channel->from);
    if (run->channel[channel->from].count == 0)
        run->links[channel->link].dry |= bit_of(run, (uint32_t)(channel - run->channel));
    if (run->channel[channel->from].count == 0 || first->ready > run->time ||
        first->part != channel->owner ||
        (run->chip->crossbar == FC_CROSSBAR_LINK && input->passed_on > run->time))
        return false;
    input->passed_on = run->time + 1;
    *flit = take_flit(run, channel->from);
    return true;
}

/* Whether a packet keeps its channel into the tile until the tile has taken it. */
static bool held_until_taken(const fc_chip_run *run, const fc_chip_link *link,
                             const fc_chip_part *part) {
    return link->kind == FC_CHIP_EJECT && part->stage == FC_PART_REQUEST &&
           run->chip->tile_handover == FC_HANDOVER_TAKEN;
}

static void carry(fc_chip_run *run, uint32_t link, uint32_t number, fc_chip_flit flit) {
    const fc_chip *chip = run->chip;
    fc_chip_link *over = &run->links[link];
    fc_chip_channel *channel = &run->channel[number];
    const fc_chip_part *part = &run->parts[flit.part];
    const uint32_t flits = part->stage == FC_PART_REPLY ? part->back : part->there;
    const bool between = over->kind < FC_CHIP_INJECT;
    assert(over->sent_at <= run->time);              /* I1 */
    assert(channel->places > 0);                     /* I2 */
    assert(channel->count < (uint32_t)chip->buffer); /* I2 */
    flit.ready = run->time + (uint64_t)(between ? chip->link_delay : chip->node_delay);
    run->flits[number * run->slots + ((channel->first + channel->count) & (run->slots - 1))] = flit;
    if (--channel->places == 0)
        over->full |= bit_of(run, number);
    if (channel->count++ == 0) {
        see_front(run, number);
        if (channel->to != FC_CHIP_NONE)
            end_dry(run, channel->to);
    }
    over->amid = flit.index + 1 < flits;
    over->sent_at = run->time + 1;
    ++over->carried;
    run->hops += between;
    if (flit.index + 1 < flits)
        return;
    if (channel->from == FC_CHIP_NONE && part->stage == FC_PART_REPLY)
        leave_tile(run, link, flit.part);
    if (!held_until_taken(run, over, part))
        free_channel(run, number);
}

/* The first channel of a set that can sends a flit; false: none can. */
static bool send_one(fc_chip_run *run, uint32_t link, uint32_t set) {
    for (; set; set &= set - 1) {
        const uint32_t turn = (uint32_t)__builtin_ctz(set);
        const uint32_t channel = link * run->channels + turn;
        fc_chip_flit flit;
        if (!next_flit(run, &run->channel[channel], &flit))
            continue;
        run->links[link].last = (uint8_t)turn;
        carry(run, link, channel, flit);
        return true;
    }
    return false;
}

/* The channels of a link in turn, from the one after the last that sent; with turns of packets that
 * one first, unless its packet has ended. */
static void use_link(fc_chip_run *run, uint32_t link) {
    const fc_chip_link *over = &run->links[link];
    const bool again = run->chip->link_turns == FC_TURNS_PACKET && over->amid;
    const uint32_t set = over->owned & ~(uint32_t)(over->full | over->dry);
    const uint32_t ahead = set & UINT32_MAX << over->last << !again;
    if (!send_one(run, link, ahead))
        send_one(run, link, set & ~ahead);
    if (!(over->owned & ~(over->full | over->dry)))
        drop(run->busy_links, link);
}

/* Another network is first in every cycle. */
static void use_links(fc_chip_run *run) {
    const uint32_t networks = (uint32_t)run->chip->networks.count;
    const uint32_t links = run->link_count / networks;
    for (uint32_t i = 0; i < networks; ++i) {
        const uint32_t first = (uint32_t)((run->time + i) % networks) * links;
        FOR_EACH_IN(run->busy_links, first, first + links, link)
        use_link(run, link);
    }
}

/* ---- rule 5 ---- */

static void finish_part(fc_chip_run *run, uint32_t number) {
    fc_chip_part *part = &run->parts[number];
    assert(part->stage == FC_PART_REPLY); /* I3 */
    part->stage = FC_PART_DONE;
    run->ended = run->time;
    ++run->delivered;
    --run->under_way;
    if (--run->parts_left[part->transfer])
        return;
    const fc_noc_transfer *done = &run->chip->trace.transfers[part->transfer];
    const uint64_t latency = run->time - run->asked_at[part->transfer];
    if (run->latencies)
        fc_histogram_add(run->latencies, latency);
    run->latency_sum += (double)latency;
    run->transfers_done += 1;
    run->barrier_end[done->barrier] = run->time;
    if (--run->transfers_left[done->barrier] == 0 && run->chip->replay == FC_REPLAY_CLOSED)
        fc_chip_find_due(run, &run->processors[done->processor]);
}

/* Takes the first flit of a request into a tile; false: there is no room for its last one. */
static bool take_request(fc_chip_run *run, uint32_t channel, fc_chip_flit flit) {
    const fc_chip_part *part = &run->parts[flit.part];
    const uint32_t interface = fc_chip_interface_of(run, part->network, part->home);
    const bool last = flit.index + 1 == part->there;
    if (last &&
        run->interfaces[interface].requests.count >= (uint32_t)memory_at(run, interface)->queue)
        return false;
    if (flit.index > 0)
        write_flit(run, part->home);
    take_flit(run, channel);
    if (!last)
        return true;
    if (run->channel[channel].owner == flit.part)
        free_channel(run, channel);
    queue_at_memory(run, flit.part);
    return true;
}

static bool take_at_tile(fc_chip_run *run, uint32_t channel) {
    const fc_chip_flit flit = *first_flit(run, channel);
    const fc_chip_part *part = &run->parts[flit.part];
    if (part->stage == FC_PART_REQUEST)
        return take_request(run, channel, flit);
    if (flit.index > 0)
        write_flit(run, part->source);
    take_flit(run, channel);
    if (flit.index + 1 == part->back)
        finish_part(run, flit.part);
    return true;
}

/* What has come to a tile; the channels in turn, from the one after the last whose request was
 * taken. */
static void work_at_end(fc_chip_run *run, uint32_t link) {
    fc_chip_link *into = &run->links[link];
    const uint32_t first = link * run->channels,
                   requests = 2 * (uint32_t)run->chip->request_channels;
    bool left = false;
    uint32_t turn = into->taken;
    for (uint32_t i = 0; i < run->channels; ++i) {
        turn = turn + 1 == run->channels ? 0 : turn + 1;
        const uint32_t channel = first + turn;
        if (run->channel[channel].count && first_flit(run, channel)->ready <= run->time &&
            take_at_tile(run, channel) && turn < requests)
            into->taken = (uint8_t)turn;
        left |= run->channel[channel].count > 0;
    }
    if (!left)
        drop(run->ends, link);
}

/* A header that has come to a router waits for its next link. */
static void meet_header(fc_chip_run *run, fc_chip_link *link, uint32_t channel) {
    const fc_chip_part *part = &run->parts[first_flit(run, channel)->part];
    const uint32_t next = fc_chip_interface_of(run, part->network, link->end) * FC_CHIP_KINDS +
                          (uint32_t)next_kind(run->chip, part, link->end);
    const uint32_t input = link->kind * FC_CHIP_CHANNELS_MAX + channel % run->channels;
    fc_chip_link *over = &run->links[next];
    over->waiting[group_on(part, over)] |= (uint64_t)1 << input;
    put(run->turns, next);
    link->heads &= (uint16_t)~bit_of(run, channel);
}

static void meet_headers(fc_chip_run *run) {
    FOR_EACH_IN(run->fronts, 0, run->link_count, number) {
        fc_chip_link *link = &run->links[number];
        for (uint32_t set = link->heads; set; set &= set - 1) {
            const uint32_t channel = number * run->channels + (uint32_t)__builtin_ctz(set);
            if (first_flit(run, channel)->ready <= run->time)
                meet_header(run, link, channel);
        }
        if (!link->heads)
            drop(run->fronts, number);
    }
}

/* The channel of an input of the router that a link leaves. */
static uint32_t input_channel(const fc_chip_run *run, uint32_t link, uint32_t input) {
    const fc_chip_interface *at = &run->interfaces[link / FC_CHIP_KINDS];
    return at->inputs[input / FC_CHIP_CHANNELS_MAX] * run->channels + input % FC_CHIP_CHANNELS_MAX;
}

/* The input of a set that goes first. */
static uint32_t choose_input(const fc_chip_run *run, uint32_t link, uint64_t set, uint32_t last) {
    if (run->chip->arbitration == FC_ARBITRATION_ROUND_ROBIN) {
        const uint64_t behind = set & UINT64_MAX << last << 1;
        return (uint32_t)__builtin_ctzll(behind ? behind : set);
    }
    uint32_t best = (uint32_t)__builtin_ctzll(set);
    if (run->chip->arbitration == FC_ARBITRATION_LOWEST)
        return best;
    for (uint64_t rest = set & (set - 1); rest; rest &= rest - 1) {
        const uint32_t input = (uint32_t)__builtin_ctzll(rest);
        if (first_flit(run, input_channel(run, link, input))->ready <
            first_flit(run, input_channel(run, link, best))->ready)
            best = input;
    }
    return best;
}

/* Gives free channels of a link to the headers that wait for it. */
static void grant(fc_chip_run *run, uint32_t link) {
    fc_chip_link *over = &run->links[link];
    uint64_t left = 0;
    for (uint32_t group = 0; group < FC_CHIP_GROUPS; ++group) {
        for (uint64_t set = over->waiting[group]; set;) {
            const uint32_t input = choose_input(run, link, set, over->granted[group]);
            const uint32_t channel = input_channel(run, link, input);
            const uint64_t bit = (uint64_t)1 << input;
            if (take_channel(run, link, first_flit(run, channel)->part, channel)) {
                over->waiting[group] &= ~bit;
                over->granted[group] = (uint8_t)input;
            } else if (run->chip->channel_choice == FC_CHANNEL_FREE) {
                break;
            }
            set &= ~bit;
        }
        left |= over->waiting[group];
    }
    if (!left)
        drop(run->turns, link);
}

/* ---- a run ---- */

void fc_chip_run_advance(fc_chip_run *run, uint64_t until) {
    while (run->time < until && !fc_chip_run_done(run)) {
        if (run->under_way == 0 && run->soonest > run->time &&
            run->returned_first == run->returned_last) {
            run->time = run->soonest < until ? run->soonest : until;
            continue;
        }
        know_places(run);
        ask(run);
        work_at_tiles(run);
        use_links(run);
        FOR_EACH_IN(run->ends, 0, run->link_count, link)
        work_at_end(run, link);
        meet_headers(run);
        FOR_EACH_IN(run->turns, 0, run->link_count, link)
        grant(run, link);
        ++run->time;
    }
}
