/* One class at a time: walk all its paths, then add the products of its flows into each channel.
 * Only channels that stand for an orbit are looked at, but all classes and all their paths. */
#include "models/closed/closed_overlap.h"

#include <string.h>
#include "base/memory.h"
#include "models/closed/closed_geometry.h"
#include "network/destinations.h"

typedef struct walker {
    const fc_closed_paths *paths;
    fc_closed_geometry numbers;
    fc_geometry *geometry;
    fc_traffic *traffic;
    fc_hop *hops;
    int32_t *port_of; /* [channel of the whole network][input], -1 if not looked at */
    double *flow;     /* per port: of the present class */
    double *total;    /* per port: of all classes */
} walker;

/* The port numbers follow the order in which closed_paths.c lists the inputs of a channel. */
static void number_ports(walker *w) {
    const fc_closed_paths *p = w->paths;
    const uint32_t inputs = w->numbers.ports;
    for (size_t i = 0; i < (size_t)w->numbers.channels * inputs; ++i)
        w->port_of[i] = -1;
    for (size_t c = 0; c < p->channels; ++c) {
        const fc_closed_channel *channel = &p->channel[c];
        for (uint32_t n = 0; n < channel->ports; ++n) {
            const uint32_t port = channel->first_port + n;
            w->port_of[(size_t)channel->representative * inputs + p->port_input[port]] =
                (int32_t)port;
        }
    }
}

static void enter(walker *w, uint32_t channel, uint32_t input, double part) {
    const int32_t port = w->port_of[(size_t)channel * w->numbers.ports + input];
    if (port >= 0)
        w->flow[port] += part;
}

static void walk(walker *w, uint32_t from, uint32_t to, double share) {
    const fc_geometry *g = w->geometry;
    uint32_t ties;
    const uint32_t rising = fc_route_rising(g, from, to, &ties);
    const double part = share / (double)(1u << __builtin_popcount(ties));
    for (uint32_t set = ties;; set = (set - 1) & ties) {
        const size_t count = fc_route_hops(g, from, to, rising ^ set, w->hops);
        uint32_t input = w->numbers.ports - 1;
        for (size_t i = 0; i < count; ++i) {
            const fc_hop *hop = &w->hops[i];
            const uint32_t d = hop->dimension,
                           high = fc_digit(g, to, d) > fc_digit(g, hop->node, d);
            enter(w, fc_closed_channel_index(&w->numbers, hop->node, d, hop->rising, high), input,
                  part);
            input = (d * 2 + hop->rising) * 2 + high;
        }
        enter(w, fc_closed_ejection(&w->numbers, to), input, part);
        if (set == 0)
            break;
    }
}

static void add_products(walker *w, fc_closed_overlap *overlap) {
    const fc_closed_paths *p = w->paths;
    for (size_t c = 0; c < p->channels; ++c) {
        const uint32_t ports = p->channel[c].ports;
        const double *flow = &w->flow[p->channel[c].first_port];
        float *value = &overlap->value[overlap->first[c]];
        for (uint32_t i = 0; i < ports; ++i) {
            if (flow[i] == 0.0)
                continue;
            for (uint32_t o = 0; o < ports; ++o)
                value[i * ports + o] += (float)(flow[i] * flow[o]);
        }
    }
    for (size_t i = 0; i < p->ports; ++i)
        w->total[i] += w->flow[i];
}

static void normalise(const walker *w, fc_closed_overlap *overlap) {
    const fc_closed_paths *p = w->paths;
    for (size_t c = 0; c < p->channels; ++c) {
        const uint32_t ports = p->channel[c].ports;
        const double *total = &w->total[p->channel[c].first_port];
        float *value = &overlap->value[overlap->first[c]];
        for (uint32_t i = 0; i < ports; ++i) {
            for (uint32_t o = 0; o < ports; ++o, ++value)
                *value = *value > 0.0f ? (float)(*value / (total[i] * total[o])) : 0.0f;
        }
    }
}

static void sum_classes(walker *w, fc_closed_overlap *overlap) {
    number_ports(w);
    for (uint32_t q = 0; q < w->geometry->nodes; ++q) {
        memset(w->flow, 0, w->paths->ports * sizeof *w->flow);
        for (uint32_t d = 0; d < w->geometry->nodes; ++d) {
            const double share = fc_traffic_share(w->traffic, q, d);
            if (share > 0.0) {
                walk(w, q, d, share);
                walk(w, d, q, share);
            }
        }
        add_products(w, overlap);
    }
    normalise(w, overlap);
}

static bool allocate(walker *w, fc_closed_overlap *overlap) {
    const fc_closed_paths *p = w->paths;
    overlap->first = fc_allocate(p->channels + 1, sizeof *overlap->first);
    if (!overlap->first)
        return false;
    for (size_t c = 0; c < p->channels; ++c)
        overlap->first[c + 1] =
            overlap->first[c] + (size_t)p->channel[c].ports * p->channel[c].ports;
    overlap->value = fc_allocate(overlap->first[p->channels], sizeof *overlap->value);
    w->port_of = fc_allocate((size_t)w->numbers.channels * w->numbers.ports, sizeof *w->port_of);
    w->flow = fc_allocate(2 * p->ports, sizeof *w->flow);
    w->hops = fc_allocate(fc_geometry_diameter(w->geometry) + 1, sizeof *w->hops);
    if (!overlap->value || !w->port_of || !w->flow || !w->hops)
        return false;
    w->total = w->flow + p->ports;
    return true;
}

fc_status fc_closed_overlap_create(const fc_torus *torus, const fc_closed_paths *paths,
                                   fc_error *error, fc_closed_overlap *overlap) {
    walker w = {.paths = paths};
    *overlap = (fc_closed_overlap){0};
    fc_closed_geometry_fill(&w.numbers, torus);
    fc_status status = fc_geometry_create(torus, error, &w.geometry);
    if (status == FC_OK)
        status = fc_traffic_create(torus, w.geometry, error, &w.traffic);
    if (status == FC_OK && !allocate(&w, overlap))
        status = fc_fail_memory(error);
    if (status == FC_OK)
        sum_classes(&w, overlap);
    else
        fc_closed_overlap_release(overlap);
    fc_release(w.port_of);
    fc_release(w.flow);
    fc_release(w.hops);
    fc_traffic_free(w.traffic);
    fc_geometry_free(w.geometry);
    return status;
}

void fc_closed_overlap_release(fc_closed_overlap *overlap) {
    fc_release(overlap->first);
    fc_release(overlap->value);
    *overlap = (fc_closed_overlap){0};
}
