#include "slotted_rings_reference.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void *need(void *block) {
    if (block == NULL)
        abort();
    return block;
}

static uint32_t local_rings(const reference *model) {
    return model->M * model->G;
}

reference *reference_create(const fc_rings *rings, uint64_t seed, uint32_t replication) {
    reference *model = need(calloc(1, sizeof *model));
    model->levels = (uint32_t)rings->levels;
    model->L = (uint32_t)rings->local;
    model->M = model->levels == 3 ? (uint32_t)rings->middle : 1;
    model->G = (uint32_t)rings->global;
    assert(model->G > 0);
    model->N = model->L * model->M * model->G;
    model->P_L = rings->share_local;
    model->P_M = rings->share_middle;
    model->gap = 1.0 / (model->N * rings->rate);
    const uint32_t middle_rings = model->levels == 3 ? model->G : 0;
    model->ring_count = local_rings(model) + middle_rings + 1;
    model->rings = need(calloc(model->ring_count, sizeof *model->rings));
    for (uint32_t r = 0; r < model->ring_count; ++r) {
        reference_ring *ring = &model->rings[r];
        if (r < local_rings(model))
            *ring = (reference_ring){.level = 0, .index = r, .nodes = model->L + 1};
        else if (r < model->ring_count - 1)
            *ring = (reference_ring){
                .level = 1, .index = r - local_rings(model), .nodes = model->M + 1};
        else
            *ring = (reference_ring){.level = 2, .index = 0, .nodes = model->G};
        ring->slots = need(calloc(ring->nodes, sizeof *ring->slots));
        ring->queues = need(calloc(ring->nodes, sizeof *ring->queues));
    }
    model->arrivals = fc_random_stream(seed, replication, 0);
    model->destinations = fc_random_stream(seed, replication, 1);
    model->next_arrival = model->gap * fc_random_exponential(&model->arrivals);
    return model;
}

void reference_free(reference *model) {
    for (uint32_t r = 0; r < model->ring_count; ++r) {
        reference_ring *ring = &model->rings[r];
        for (uint32_t node = 0; node < ring->nodes; ++node) {
            reference_queue *queue = &ring->queues[node];
            for (size_t i = 0; i < queue->count; ++i)
                free(queue->packets[queue->first + i]);
            free(queue->packets);
            free(ring->slots[node]);
        }
        free(ring->slots);
        free(ring->queues);
    }
    free(model->rings);
    free(model);
}

static void join(reference_queue *queue, reference_packet *packet, uint64_t now) {
    if (queue->first + queue->count == queue->room) {
        queue->room = 2 * queue->room + 8;
        queue->packets = need(realloc(queue->packets, queue->room * sizeof *queue->packets));
    }
    packet->joined = now;
    queue->packets[queue->first + queue->count++] = packet;
}

/* Another ring or station of the same group, equally likely. */
static uint32_t other(reference *model, uint32_t count, uint32_t own) {
    const uint32_t draw = fc_random_below(&model->destinations, count - 1);
    return draw < own ? draw : draw + 1;
}

static uint32_t destination_for(reference *model, uint32_t source) {
    const uint32_t ring = source / model->L, group = ring / model->M;
    const double draw = fc_random_unit(&model->destinations);
    if (draw < model->P_L)
        return ring * model->L + other(model, model->L, source % model->L);
    uint32_t target;
    if (model->levels == 3 && draw < model->P_L + model->P_M) {
        target = group * model->M + other(model, model->M, ring % model->M);
    } else {
        target = other(model, model->G, group) * model->M;
        if (model->levels == 3)
            target += fc_random_below(&model->destinations, model->M);
    }
    return target * model->L + fc_random_below(&model->destinations, model->L);
}

static void generate(reference *model) {
    while (model->next_arrival < (double)(model->now + 1)) {
        const uint32_t source = fc_random_below(&model->arrivals, model->N);
        reference_packet *packet = need(malloc(sizeof *packet));
        packet->born = model->now;
        packet->destination = destination_for(model, source);
        join(&model->rings[source / model->L].queues[1 + source % model->L], packet, model->now);
        ++model->generated;
        model->next_arrival += model->gap * fc_random_exponential(&model->arrivals);
    }
}

/* Whether the packet leaves the ring at this node. */
static bool leaves(const reference *model, const reference_ring *ring, uint32_t node,
                   const reference_packet *packet) {
    const uint32_t target = packet->destination / model->L, group = target / model->M;
    if (ring->level == 0)
        return target == ring->index ? node == 1 + packet->destination % model->L : node == 0;
    if (ring->level == 1)
        return group == ring->index ? node == 1 + target % model->M : node == 0;
    return node == group;
}

/* The queue on the other side of a crossing. */
static reference_queue *across(reference *model, const reference_ring *ring, uint32_t node) {
    reference_ring *middle = &model->rings[local_rings(model)];
    reference_ring *global = &model->rings[model->ring_count - 1];
    if (ring->level == 0)
        return model->levels == 2
                   ? &global->queues[ring->index]
                   : &middle[ring->index / model->M].queues[1 + ring->index % model->M];
    if (ring->level == 1)
        return node == 0 ? &global->queues[ring->index]
                         : &model->rings[ring->index * model->M + node - 1].queues[0];
    return model->levels == 2 ? &model->rings[node].queues[0] : &middle[node].queues[0];
}

/* In the order of fc_ring_queue: station, up into middle and global, down into middle and local. */
static int queue_kind(const reference_ring *ring, uint32_t node) {
    if (ring->level == 0)
        return node == 0 ? 4 : 0;
    if (ring->level == 1)
        return node == 0 ? 3 : 1;
    return 2;
}

static void visit(reference *model, reference_ring *ring, uint32_t node) {
    reference_packet *packet = ring->slots[node];
    const int kind = queue_kind(ring, node);
    if (packet != NULL && leaves(model, ring, node, packet)) {
        ring->slots[node] = NULL;
        if (kind == 0) {
            const uint64_t latency = model->now + 1 - packet->born;
            ++model->delivered;
            model->latency += latency;
            fc_histogram_add(&model->latencies, latency);
            free(packet);
        } else {
            join(across(model, ring, node), packet, model->now);
        }
    }
    reference_queue *queue = &ring->queues[node];
    if (ring->slots[node] != NULL || queue->count == 0)
        return;
    reference_packet *head = queue->packets[queue->first];
    if (kind != 0 && head->joined == model->now)
        return;
    ++queue->first;
    --queue->count;
    ring->slots[node] = head;
    ++model->sent[kind];
    model->waited[kind] += model->now - head->joined;
}

void reference_tick(reference *model) {
    generate(model);
    for (uint32_t r = 0; r < model->ring_count; ++r) {
        reference_ring *ring = &model->rings[r];
        reference_packet *last = ring->slots[ring->nodes - 1];
        memmove(ring->slots + 1, ring->slots, (ring->nodes - 1) * sizeof *ring->slots);
        ring->slots[0] = last;
    }
    for (uint32_t r = 0; r < model->ring_count; ++r) {
        reference_ring *ring = &model->rings[r];
        for (uint32_t node = 0; node < ring->nodes; ++node) {
            visit(model, ring, node);
            model->occupied[ring->level] += ring->slots[node] != NULL;
        }
    }
    ++model->now;
}
