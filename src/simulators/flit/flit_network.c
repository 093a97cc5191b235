/* Wiring a network of links and virtual channels, and running it. */
#include "base/memory.h"
#include "simulators/flit/flit.h"
#include "simulators/flit/flit_closed.h"

/* ---- numbering ----
 *
 * Links in the order in which they are visited (flit_cycle.c): into nodes, dimensions from the one
 * routed last to the one routed first, out of nodes. Virtual channels link by link; then, in open
 * networks, the sources behind the injection channels; in closed ones, the sinks behind the
 * channels into nodes (a source there is itself the virtual channel of its node link). */

static uint32_t number_ring(fc_flit *engine, uint32_t start, uint32_t dimension, bool rising,
                            uint32_t next) {
    const fc_geometry *geometry = engine->geometry;
    const uint32_t radix = geometry->radix[dimension], stride = geometry->stride[dimension];
    for (uint32_t step = 0; step < radix; ++step) {
        const uint32_t digit = rising ? radix - 1 - step : step;
        const uint32_t channel =
            fc_channel_number(geometry, start + digit * stride, dimension, rising);
        engine->link_of_channel[channel] = next;
        engine->channel_of_link[next - engine->network_link_first] = channel;
        ++next;
    }
    return next;
}

/* Rounded up to a whole number of words of the bitmaps. */
static uint32_t whole_words(uint32_t links) {
    return (links + 63) / 64 * 64;
}

static void add_stretch(fc_flit *engine, uint32_t first, uint32_t second, uint32_t words) {
    engine->stretch[engine->stretch_count++] = (fc_stretch){
        .first = first / 64, .second = second == FC_NONE ? FC_NONE : second / 64, .count = words};
}

/* Splits links [first, end) into two halves visited side by side, if the distance between them is a
 * multiple of `apart`, so that neither depends on the other. */
static void add_halves(fc_flit *engine, uint32_t first, uint32_t end, uint32_t apart) {
    const uint32_t words = (end - first) / 64, half = words / 2;
    if (half == 0 || half * 64 % apart != 0) {
        add_stretch(engine, first, FC_NONE, words);
        return;
    }
    add_stretch(engine, first, first + half * 64, half);
    if (words % 2)
        add_stretch(engine, first + 2 * half * 64, FC_NONE, 1);
}

/* Each kind of link, dimension and direction starts a word of the bitmaps. */
static void number_links(fc_flit *engine) {
    const fc_geometry *geometry = engine->geometry;
    const uint32_t nodes = geometry->nodes, room = whole_words(nodes);
    engine->node_link_first = 64; /* link 0 belongs to the channels that represent "none" */
    engine->network_link_first = engine->node_link_first + room;
    for (uint32_t channel = 0; channel < geometry->channels; ++channel)
        engine->link_of_channel[channel] = FC_NONE;
    for (uint32_t i = 0; i < geometry->slots * room; ++i)
        engine->channel_of_link[i] = FC_NONE;
    add_halves(engine, engine->node_link_first, engine->network_link_first, 1);
    uint32_t next = engine->network_link_first;
    for (uint32_t i = geometry->dimensions; i-- > 0;) {
        const uint32_t dimension = geometry->order[i], family = next;
        for (int rising = 0; rising < 2; ++rising) {
            if (!geometry->bidirectional && (rising != 0) != geometry->rising)
                continue;
            uint32_t link = next;
            for (uint32_t node = 0; node < nodes; ++node) {
                if (fc_digit(geometry, node, dimension) == 0)
                    link = number_ring(engine, node, dimension, rising != 0, link);
            }
            next += room;
        }
        if (geometry->bidirectional)
            add_stretch(engine, family, family + room, room / 64);
        else
            add_halves(engine, family, next, geometry->radix[dimension]);
    }
    engine->network_link_end = next;
}

static uint32_t channels_of(const fc_flit *engine, uint32_t link) {
    const uint32_t nodes = engine->geometry->nodes;
    if (link - engine->node_link_first < nodes)
        return (uint32_t)engine->torus->ejection_channels;
    if (link < engine->network_link_first)
        return 0;
    if (link < engine->network_link_end)
        return engine->channel_of_link[link - engine->network_link_first] == FC_NONE
                   ? 0
                   : engine->rule.channels;
    return engine->sending ? 1 : (uint32_t)engine->torus->injection_channels;
}

static uint32_t bits_for(int64_t count) {
    uint32_t bits = 1;
    while ((int64_t)1 << bits < count)
        ++bits;
    return bits;
}

static void count_parts(fc_flit *engine) {
    const fc_torus *torus = engine->torus;
    const uint32_t nodes = engine->geometry->nodes;
    uint32_t bits = bits_for(engine->rule.channels);
    if (bits_for(torus->ejection_channels) > bits)
        bits = bits_for(torus->ejection_channels);
    if (!engine->sending && bits_for(torus->injection_channels) > bits)
        bits = bits_for(torus->injection_channels);
    engine->channel_bits = bits;
    engine->ejection_first = engine->node_link_first << bits;
    engine->ejection_span = nodes << bits;
    if (engine->sending) {
        const uint32_t links[] = {1, engine->geometry->slots * engine->rule.channels, 2, 3};
        engine->sources_per_node = links[torus->node_links];
        engine->link_count = engine->network_link_end + nodes * engine->sources_per_node;
        engine->source_first = engine->network_link_end << bits;
        engine->source_span = nodes * engine->sources_per_node << bits;
        engine->sink_first = engine->link_count << bits;
        engine->sink_span = engine->ejection_span;
        engine->vc_count = engine->sink_first + engine->sink_span;
    } else {
        engine->sources_per_node = (uint32_t)torus->injection_channels;
        engine->link_count = engine->network_link_end + nodes;
        engine->injection_first = engine->network_link_end << bits;
        engine->injection_span = nodes << bits;
        engine->source_first = engine->link_count << bits;
        engine->source_span = engine->injection_span;
        engine->sink_first = engine->ejection_first;
        engine->sink_span = engine->ejection_span;
        engine->vc_count = engine->source_first + engine->source_span;
    }
    const uint32_t end = whole_words(engine->link_count);
    engine->word_count = end / 64;
    add_halves(engine, engine->network_link_end, end, 1);
}

static bool allocate_numbers(fc_flit *engine) {
    const fc_geometry *geometry = engine->geometry;
    const size_t room = (size_t)geometry->slots * whole_words(geometry->nodes);
    engine->link_of_channel = fc_allocate(geometry->channels, sizeof *engine->link_of_channel);
    engine->channel_of_link = fc_allocate(room, sizeof *engine->channel_of_link);
    return engine->link_of_channel && engine->channel_of_link;
}

static bool allocate_parts(fc_flit *engine) {
    /* Sources and sinks that are not on a link have a record and bits as if they were: departures
     * look at those of whatever lies behind, and never find them able to send. */
    const uint32_t links = (engine->vc_count >> engine->channel_bits) + 1, words = links / 64 + 1;
    engine->vc = fc_allocate(engine->vc_count, sizeof *engine->vc);
    engine->header = fc_allocate(engine->vc_count, sizeof *engine->header);
    engine->link = fc_allocate(links, sizeof *engine->link);
    engine->waiting = fc_allocate(engine->link_count, sizeof *engine->waiting);
    engine->active = fc_allocate(words, sizeof *engine->active);
    engine->pending = fc_allocate(words, sizeof *engine->pending);
    engine->done = fc_allocate(words, sizeof *engine->done);
    engine->moved = fc_allocate(engine->link_count, sizeof *engine->moved);
    engine->listed = fc_allocate(engine->link_count, sizeof *engine->listed);
    engine->node = fc_allocate(engine->geometry->nodes, sizeof *engine->node);
    return engine->vc && engine->header && engine->link && engine->waiting && engine->active &&
           engine->pending && engine->done && engine->moved && engine->listed && engine->node;
}

uint32_t fc_flit_link_from(const fc_flit *engine, uint32_t link, uint32_t *dimension,
                           bool *rising) {
    const uint32_t channel = engine->channel_of_link[link - engine->network_link_first];
    fc_channel_end(engine->geometry, channel, dimension, rising);
    return channel / engine->geometry->slots;
}

/* The node at which flits in the buffer of a virtual channel of this link choose their next
 * channel, and the order of requests from there. */
static void find_next(const fc_flit *engine, uint32_t link, uint32_t *next, uint32_t *rank,
                      uint32_t *straight) {
    const fc_geometry *geometry = engine->geometry;
    const uint32_t node_ranks = geometry->channels * engine->rule.channels;
    *next = FC_NO_NODE;
    *straight = FC_NONE;
    *rank = 0;
    if (link >= engine->network_link_end) {
        const uint32_t offset = link - engine->network_link_end;
        *next = engine->sending ? offset / engine->sources_per_node : offset;
        *rank = node_ranks + (engine->sending ? offset % engine->sources_per_node : 0);
    } else if (channels_of(engine, link) > 0 && link >= engine->network_link_first) {
        uint32_t dimension;
        bool rising;
        const uint32_t from = fc_flit_link_from(engine, link, &dimension, &rising);
        *next = fc_geometry_neighbour(geometry, from, dimension, rising);
        *rank = fc_channel_number(geometry, from, dimension, rising) * engine->rule.channels;
        if (*next != FC_NO_NODE)
            *straight =
                engine->link_of_channel[fc_channel_number(geometry, *next, dimension, rising)];
    }
}

static void wire_channels(fc_flit *engine) {
    const int64_t buffer = engine->torus->buffer;
    engine->capacity = buffer == FC_INFINITE ? UINT32_MAX : (uint32_t)buffer;
    for (uint32_t i = 0; i < engine->vc_count; ++i) {
        engine->vc[i] = (fc_vc){.previous = FC_FROM_NOWHERE, .next = FC_TO_NOWHERE};
        engine->header[i] = (fc_vc_header){.front = FC_NONE,
                                           .entering = FC_NONE,
                                           .queue_first = FC_NONE,
                                           .queue_last = FC_NONE,
                                           .node = FC_NO_NODE,
                                           .wait_next = FC_NONE,
                                           .wanted = FC_NONE};
    }
    engine->vc[FC_TO_NOWHERE].count = UINT32_MAX;
    for (uint32_t link = 0; link < engine->link_count; ++link) {
        const uint32_t channels = channels_of(engine, link);
        const uint64_t all = channels == 64 ? UINT64_MAX : ((uint64_t)1 << channels) - 1;
        uint32_t node, rank, straight;
        find_next(engine, link, &node, &rank, &straight);
        /* Channel 0 has the first turn; what comes finds room. */
        engine->link[link].sent = 63;
        engine->link[link].room = engine->sending ? 0 : all;
        engine->waiting[link] = (fc_link_waiting){
            .idle = all, .open = all, .first = FC_NONE, .last = FC_NONE, .channels = channels};
        for (uint32_t i = 0; i < channels; ++i) {
            fc_vc_header *header = &engine->header[(link << engine->channel_bits) + i];
            header->node = node;
            header->rank = rank + i;
            header->straight = straight;
        }
    }
}

fc_status fc_flit_create(const fc_torus_network *network, uint64_t seed, uint32_t replication,
                         fc_error *error, fc_flit **engine) {
    const fc_torus *torus = network->torus;
    fc_flit *made = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    made->torus = torus;
    made->geometry = network->geometry;
    made->traffic = network->traffic;
    made->sending = torus->kind == FC_CLOSED;
    made->same_cycle = torus->handover == FC_SAME_CYCLE;
    made->rule = fc_channel_rule_make(torus);
    made->free_messages = made->free_entries = fc_free_list_make();
    fc_status status = allocate_numbers(made) ? FC_OK : fc_fail_memory(error);
    if (status == FC_OK) {
        number_links(made);
        count_parts(made);
        status = allocate_parts(made) ? FC_OK : fc_fail_memory(error);
    }
    if (status == FC_OK) {
        wire_channels(made);
        status = made->sending ? fc_closed_create(made, seed, replication, error)
                               : fc_open_create(made, seed, replication, error);
    }
    if (status != FC_OK) {
        fc_flit_free(made);
        return status;
    }
    *engine = made;
    return FC_OK;
}

void fc_flit_free(fc_flit *engine) {
    if (!engine)
        return;
    fc_open_free(engine->open);
    fc_closed_free(engine->closed);
    fc_release(engine->link_of_channel);
    fc_release(engine->channel_of_link);
    fc_release(engine->vc);
    fc_release(engine->header);
    fc_release(engine->link);
    fc_release(engine->waiting);
    fc_release(engine->active);
    fc_release(engine->pending);
    fc_release(engine->done);
    fc_release(engine->moved);
    fc_release(engine->listed);
    fc_release(engine->node);
    fc_release(engine->message);
    fc_release(engine->entry);
    fc_release(engine);
}

/* ---- messages ---- */

static bool grow_messages(fc_flit *engine) {
    enum { FIRST_MESSAGES = 1024 };
    fc_message *grown =
        fc_free_list_grow(&engine->free_messages, FC_RECORDS(engine->message), FIRST_MESSAGES);
    if (grown)
        engine->message = grown;
    else
        engine->status = FC_ERROR_MEMORY;
    return grown != NULL;
}

uint32_t fc_flit_new_message(fc_flit *engine) {
    if (engine->free_messages.first == FC_NONE && !grow_messages(engine))
        return FC_NONE;
    const uint32_t message = fc_free_list_take(&engine->free_messages, FC_RECORDS(engine->message));
    engine->message[message] =
        (fc_message){.number = engine->messages_made++, .next = FC_NONE, .transaction = FC_NONE};
    ++engine->messages_alive;
    return message;
}

void fc_flit_free_message(fc_flit *engine, uint32_t message) {
    fc_free_list_give(&engine->free_messages, FC_RECORDS(engine->message), message);
    --engine->messages_alive;
}

/* ---- running ---- */

static bool has_work(const fc_flit *engine) {
    if (engine->listed_count)
        return true;
    for (uint32_t word = 0; word < engine->word_count; ++word) {
        if (engine->active[word])
            return true;
    }
    return false;
}

static void run_cycle(fc_flit *engine) {
    engine->endpoints->begin_cycle(engine);
    fc_flit_allocate(engine);
    fc_flit_move(engine);
    if (engine->moved_count)
        engine->progressed = engine->time;
    ++engine->time;
#ifdef FC_CHECKS
    if (engine->status == FC_OK) /* a cycle cut short by a failed allocation keeps no invariant */
        fc_flit_check(engine);
#endif
}

/* Before their 32 bits overflow. */
static void add_crossings(fc_flit *engine) {
    for (uint32_t link = 0; link < engine->link_count; ++link) {
        engine->waiting[link].crossed += engine->link[link].crossed;
        engine->link[link].crossed = 0;
    }
}

fc_status fc_flit_run(fc_flit *engine, uint64_t until, fc_error *error) {
    enum { LOOK_EVERY = 1 << 16 };
    uint64_t look = engine->time + LOOK_EVERY;
    while (engine->time < until && engine->status == FC_OK) {
        run_cycle(engine);
        if (engine->time >= look) {
            const fc_status status = fc_flit_find_deadlock(engine, error);
            if (status != FC_OK)
                return status;
            look = engine->time + LOOK_EVERY;
            add_crossings(engine);
        }
        if (engine->moved_count == 0 && !has_work(engine)) {
            /* Nothing can change before the endpoints act: skip to that cycle. */
            const uint64_t event = engine->endpoints->next_event(engine);
            if (event > engine->time)
                engine->time = event < until ? event : until;
        }
    }
    if (engine->status != FC_OK)
        return fc_fail_memory(error);
    add_crossings(engine);
    if (engine->closed)
        fc_closed_settle(engine);
    return fc_flit_find_deadlock(engine, error);
}

uint64_t fc_flit_hops(const fc_flit *engine) {
    uint64_t hops = engine->hops_before;
    for (uint32_t link = engine->network_link_first; link < engine->network_link_end; ++link)
        hops += engine->waiting[link].crossed;
    return hops;
}

void fc_flit_clear_detail(fc_flit *engine) {
    engine->hops_before = fc_flit_hops(engine);
    for (uint32_t link = 0; link < engine->link_count; ++link) {
        engine->waiting[link].crossed = 0;
        engine->waiting[link].granted = 0;
        engine->waiting[link].waited = 0;
    }
    for (uint32_t node = 0; node < engine->geometry->nodes; ++node)
        engine->node[node] = (fc_flit_node){0};
    if (engine->closed)
        fc_closed_clear_detail(engine);
}
