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

static void number_links(fc_flit *engine) {
    const fc_geometry *geometry = engine->geometry;
    uint32_t next = geometry->nodes;
    engine->network_link_first = next;
    for (uint32_t i = geometry->dimensions; i-- > 0;) {
        const uint32_t dimension = geometry->order[i];
        for (int rising = 0; rising < 2; ++rising) {
            engine->family[dimension][rising] = FC_NONE;
            if (!geometry->bidirectional && (rising != 0) != geometry->rising)
                continue;
            engine->family[dimension][rising] = next;
            next += geometry->nodes;
        }
    }
    engine->network_link_end = next;
}

static uint32_t channels_of(const fc_flit *engine, uint32_t link) {
    if (link < engine->network_link_first)
        return (uint32_t)engine->torus->ejection_channels;
    if (link < engine->network_link_end)
        return engine->rule.channels;
    return engine->sending ? 1 : (uint32_t)engine->torus->injection_channels;
}

static void count_parts(fc_flit *engine) {
    const fc_torus *torus = engine->torus;
    const uint32_t nodes = engine->geometry->nodes;
    const uint32_t ejection = nodes * (uint32_t)torus->ejection_channels;
    const uint32_t network =
        (engine->network_link_end - engine->network_link_first) * engine->rule.channels;
    engine->ejection_count = ejection;
    if (engine->sending) {
        engine->sources_per_node = torus->node_links == FC_LINK_PER_CHANNEL
                                       ? engine->geometry->slots * engine->rule.channels
                                       : 1;
        engine->source_first = ejection + network;
        engine->source_count = nodes * engine->sources_per_node;
        engine->link_count = engine->network_link_end + engine->source_count;
        engine->sink_first = engine->source_first + engine->source_count;
        engine->sink_count = ejection;
        engine->vc_count = engine->sink_first + engine->sink_count;
    } else {
        engine->sources_per_node = (uint32_t)torus->injection_channels;
        engine->link_count = engine->network_link_end + nodes;
        engine->injection_first = ejection + network;
        engine->injection_count = nodes * engine->sources_per_node;
        engine->source_first = engine->injection_first + engine->injection_count;
        engine->source_count = engine->injection_count;
        engine->sink_first = 0;
        engine->sink_count = ejection;
        engine->vc_count = engine->source_first + engine->source_count;
    }
    engine->word_count = (engine->link_count + 63) / 64;
}

static bool allocate_parts(fc_flit *engine) {
    engine->vc = fc_allocate(engine->vc_count, sizeof *engine->vc);
    engine->header = fc_allocate(engine->vc_count, sizeof *engine->header);
    engine->link = fc_allocate(engine->link_count, sizeof *engine->link);
    engine->waiting = fc_allocate(engine->link_count, sizeof *engine->waiting);
    engine->active = fc_allocate(engine->word_count, sizeof *engine->active);
    engine->pending = fc_allocate(engine->word_count, sizeof *engine->pending);
    engine->done = fc_allocate(engine->word_count, sizeof *engine->done);
    engine->moved = fc_allocate(engine->link_count, sizeof *engine->moved);
    engine->listed = fc_allocate(engine->link_count, sizeof *engine->listed);
    engine->node = fc_allocate(engine->geometry->nodes, sizeof *engine->node);
    return engine->vc && engine->header && engine->link && engine->waiting && engine->active &&
           engine->pending && engine->done && engine->moved && engine->listed && engine->node;
}

uint32_t fc_flit_link_place(const fc_flit *engine, uint32_t link, uint32_t *dimension,
                            bool *rising) {
    const fc_geometry *geometry = engine->geometry;
    const uint32_t family = (link - engine->network_link_first) / geometry->nodes;
    const uint32_t offset = (link - engine->network_link_first) % geometry->nodes;
    const uint32_t back = geometry->bidirectional ? family / 2 : family;
    *dimension = geometry->order[geometry->dimensions - 1 - back];
    *rising = geometry->bidirectional ? family % 2 != 0 : geometry->rising;
    return *rising ? geometry->nodes - 1 - offset : offset;
}

/* Where flits in the buffer of a virtual channel of this link choose their next channel, and the
 * order of requests from there. */
static void place_link(const fc_flit *engine, uint32_t link, uint32_t *place, uint32_t *rank) {
    const fc_geometry *geometry = engine->geometry;
    const uint32_t node_ranks = geometry->channels * engine->rule.channels;
    *place = FC_NO_NODE;
    *rank = 0;
    if (link >= engine->network_link_end) {
        const uint32_t offset = link - engine->network_link_end;
        *place = engine->sending ? offset / engine->sources_per_node : offset;
        *rank = node_ranks + (engine->sending ? offset % engine->sources_per_node : 0);
    } else if (link >= engine->network_link_first) {
        uint32_t dimension;
        bool rising;
        const uint32_t node = fc_flit_link_place(engine, link, &dimension, &rising);
        *place = fc_geometry_neighbour(geometry, node, dimension, rising);
        *rank = fc_channel_number(geometry, node, dimension, rising) * engine->rule.channels;
    }
}

static void wire_channels(fc_flit *engine) {
    const int64_t buffer = engine->torus->buffer;
    const uint32_t capacity = buffer == FC_INFINITE ? UINT32_MAX : (uint32_t)buffer;
    uint32_t channel = 0;
    for (uint32_t i = 0; i < engine->vc_count; ++i) {
        engine->vc[i] =
            (fc_vc){.capacity = UINT32_MAX, .previous = FC_NONE, .next = FC_NONE, .link = FC_NONE};
        engine->header[i] = (fc_vc_header){.front = FC_NONE,
                                           .entering = FC_NONE,
                                           .queue_first = FC_NONE,
                                           .queue_last = FC_NONE,
                                           .place = FC_NO_NODE,
                                           .wait_next = FC_NONE,
                                           .wanted = FC_NONE};
    }
    for (uint32_t link = 0; link < engine->link_count; ++link) {
        const uint32_t channels = channels_of(engine, link);
        const uint64_t all = channels == 64 ? UINT64_MAX : ((uint64_t)1 << channels) - 1;
        uint32_t place, rank;
        place_link(engine, link, &place, &rank);
        engine->link[link] = (fc_link){.first = channel, .channels = channels};
        engine->waiting[link] =
            (fc_link_waiting){.idle = all, .open = all, .first = FC_NONE, .last = FC_NONE};
        for (uint32_t i = 0; i < channels; ++i, ++channel) {
            const bool swallows = channel - engine->sink_first < engine->sink_count ||
                                  channel - engine->source_first < engine->source_count;
            engine->vc[channel].link = link;
            engine->vc[channel].index = i;
            engine->vc[channel].capacity = swallows ? UINT32_MAX : capacity;
            engine->header[channel].place = place;
            engine->header[channel].rank = rank + i;
        }
    }
}

fc_status fc_flit_create(const fc_torus *torus, uint64_t seed, uint32_t replication,
                         fc_error *error, fc_flit **engine) {
    fc_flit *made = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    made->torus = torus;
    made->sending = torus->kind == FC_CLOSED;
    made->same_cycle = torus->handover == FC_SAME_CYCLE;
    made->rule = fc_channel_rule_make(torus);
    made->message_free = made->entry_free = FC_NONE;
    fc_status status = fc_geometry_create(torus, error, &made->geometry);
    if (status == FC_OK)
        status = fc_traffic_create(torus, made->geometry, error, &made->traffic);
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
    fc_traffic_free(engine->traffic);
    fc_geometry_free(engine->geometry);
    fc_release(engine);
}

/* ---- messages ---- */

static bool grow_messages(fc_flit *engine) {
    const uint32_t old = engine->message_room, room = old ? 2 * old : 1024;
    fc_message *grown =
        old < UINT32_MAX / 2 ? fc_reallocate(engine->message, room, sizeof *grown) : NULL;
    if (!grown) {
        engine->status = FC_ERROR_MEMORY;
        return false;
    }
    for (uint32_t i = old; i < room; ++i)
        grown[i].next = i + 1 < room ? i + 1 : FC_NONE;
    engine->message = grown;
    engine->message_free = old;
    engine->message_room = room;
    return true;
}

uint32_t fc_flit_new_message(fc_flit *engine) {
    if (engine->message_free == FC_NONE && !grow_messages(engine))
        return FC_NONE;
    const uint32_t message = engine->message_free;
    engine->message_free = engine->message[message].next;
    engine->message[message] =
        (fc_message){.number = engine->messages_made++, .next = FC_NONE, .transaction = FC_NONE};
    ++engine->messages_alive;
    return message;
}

void fc_flit_free_message(fc_flit *engine, uint32_t message) {
    engine->message[message].next = engine->message_free;
    engine->message_free = message;
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
    if (engine->closed)
        fc_closed_settle(engine);
    return fc_flit_find_deadlock(engine, error);
}

uint64_t fc_flit_hops(const fc_flit *engine) {
    uint64_t hops = engine->hops_before;
    for (uint32_t link = engine->network_link_first; link < engine->network_link_end; ++link)
        hops += engine->link[link].crossed;
    return hops;
}

void fc_flit_clear_detail(fc_flit *engine) {
    engine->hops_before = fc_flit_hops(engine);
    for (uint32_t link = 0; link < engine->link_count; ++link) {
        engine->link[link].crossed = 0;
        engine->waiting[link].granted = 0;
        engine->waiting[link].waited = 0;
    }
    for (uint32_t node = 0; node < engine->geometry->nodes; ++node)
        engine->node[node] = (fc_flit_node){0};
    if (engine->closed)
        fc_closed_clear_detail(engine);
}
