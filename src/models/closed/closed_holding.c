/* A message of L flits leaves channel i when its header has advanced L-1 channels further, so it
 * holds i for the sum of L header times from there on (ones below the root: the node accepts a flit
 * per cycle), and L-1 flits of the companion channel's share. With the sums from the root on a
 * stack that is one subtraction, whatever L is. The variance adds those of the waits in the same
 * range and twice the covariance of successive ones. */
#include "models/closed/closed_holding.h"

#include <string.h>
#include "base/memory.h"

typedef struct fc_holding_step {
    double head, sum_heads; /* the header's time here; from the root up to here */
    double sum_variances;   /* of the waits, root to here */
    double sum_covariances; /* of the waits here and one step down, root to here */
    double sum_companions;  /* of the use of companion channels, root to here */
    double flow[FC_MESSAGES];
    uint32_t edge;
    fc_holding holding[FC_MESSAGES]; /* of the channel held at this step */
} fc_holding_step;

fc_status fc_holding_sums_create(const fc_closed_paths *paths, const fc_closed_work *work,
                                 fc_holding_sums *sums) {
    *sums = (fc_holding_sums){.paths = paths, .work = work};
    sums->block = fc_allocate(5 * paths->edges, sizeof *sums->block);
    sums->edge = fc_allocate(paths->edges, sizeof *sums->edge);
    sums->link_request = fc_allocate(paths->links, sizeof *sums->link_request);
    sums->visit = fc_allocate(paths->visits, sizeof *sums->visit);
    sums->step = fc_allocate(paths->deepest + 2, sizeof *sums->step);
    if (!sums->block || !sums->edge || !sums->link_request || !sums->visit || !sums->step) {
        fc_holding_sums_release(sums);
        return FC_ERROR_MEMORY;
    }
    double **const parts[] = {&sums->header, &sums->companion, &sums->variance, &sums->wait,
                              &sums->correlation};
    for (size_t i = 0; i < 5; ++i)
        *parts[i] = sums->block + i * paths->edges;
    fc_holding_step *root = &sums->step[0];
    root->head = root->sum_heads = 1.0;
    for (size_t t = 0; t < FC_MESSAGES; ++t) {
        for (size_t j = 0; j < work->types; ++j) {
            const double flits = (double)work->flits[t][j];
            root->holding[t].time += work->share[j] * flits;
            root->holding[t].square += work->share[j] * flits * flits;
            root->holding[t].last += work->share[j];
        }
    }
    return FC_OK;
}

void fc_holding_sums_release(fc_holding_sums *sums) {
    fc_release(sums->block);
    fc_release(sums->edge);
    fc_release(sums->link_request);
    fc_release(sums->visit);
    fc_release(sums->step);
    *sums = (fc_holding_sums){0};
}

static fc_holding holding_at(const fc_holding_sums *s, size_t depth, size_t message,
                             double companion) {
    const fc_closed_work *w = s->work;
    const fc_holding_step *here = &s->step[depth];
    fc_holding mean = {0};
    for (size_t j = 0; j < w->types; ++j) {
        const size_t flits = w->flits[message][j];
        double time, last, extra = 0.0;
        if (flits > depth + 1) { /* the header is in the node before the last flit leaves here */
            time = here->sum_heads + (double)(flits - depth - 1);
            last = 1.0;
            extra =
                here->sum_variances + 2.0 * (here->sum_covariances - s->step[1].sum_covariances);
        } else {
            const size_t low = depth + 1 - flits, lowest = low > 0 ? low : 1;
            time = here->sum_heads - (low > 0 ? s->step[low - 1].sum_heads : 0.0);
            last = s->step[low].head;
            extra = here->sum_variances - s->step[lowest - 1].sum_variances +
                    2.0 * (here->sum_covariances - s->step[lowest].sum_covariances);
        }
        if (flits > 1) {
            time += (double)(flits - 1) * companion;
            last += companion;
        }
        mean.time += w->share[j] * time;
        mean.square += w->share[j] * (time * time + extra);
        mean.last += w->share[j] * last;
    }
    return mean;
}

static void step_to(fc_holding_sums *s, const fc_closed_vertex *vertex) {
    const uint32_t e = vertex->edge;
    fc_holding_step *here = &s->step[vertex->depth];
    const fc_holding_step *down = here - 1;
    here->edge = e;
    here->head = s->header[e];
    here->sum_heads = down->sum_heads + here->head;
    here->sum_variances = down->sum_variances + s->variance[e];
    here->sum_covariances =
        vertex->depth < 2 ? 0.0 : down->sum_covariances + s->wait[e] * s->correlation[down->edge];
    here->sum_companions = down->sum_companions + s->companion[e];
}

static void add(fc_holding *sum, double weight, fc_holding holding) {
    sum->time += weight * holding.time;
    sum->square += weight * holding.square;
    sum->last += weight * holding.last;
}

/* The header's way, and the tail after it: every flit but the header is delayed anew by each
 * companion channel. */
static double travel_time(const fc_holding_sums *s, size_t depth, size_t message) {
    return s->step[depth].sum_heads +
           (s->work->mean_flits[message] - 1.0) * (1.0 + s->step[depth].sum_companions);
}

void fc_holding_sums_links(fc_holding_sums *s, double *network_fixed, double *leaf_request,
                           double *leaf_reply) {
    const fc_closed_paths *p = s->paths;
    memset(s->link_request, 0, p->links * sizeof *s->link_request);
    memset(s->visit, 0, p->visits * sizeof *s->visit);
    memset(network_fixed, 0, p->orbits * sizeof *network_fixed);
    for (size_t i = 0; i < p->orbits; ++i) {
        const fc_closed_tree *tree = &p->tree[i];
        const fc_closed_vertex *vertex = &p->vertex[tree->first_vertex];
        size_t n = tree->first_leaf;
        for (size_t v = 0; v < tree->vertices; ++v, ++vertex) {
            step_to(s, vertex);
            if (!vertex->leaf)
                continue;
            const fc_closed_leaf *leaf = &p->leaf[n];
            const size_t depth = vertex->depth;
            const uint32_t link = p->edge[vertex->edge].link;
            const double copies = p->orbit_size[i] / p->link[link].copies;
            const fc_holding request = holding_at(s, depth, FC_REQUEST, 0.0);
            const fc_holding reply = holding_at(s, depth, FC_REPLY, 0.0);
            add(&s->link_request[link], copies * leaf->request, request);
            add(&s->visit[leaf->visit], leaf->reply, reply);
            const double there = travel_time(s, depth, FC_REQUEST);
            const double back = travel_time(s, depth, FC_REPLY);
            network_fixed[leaf->source] +=
                p->orbit_size[i] / p->orbit_size[leaf->source] * leaf->request * there;
            network_fixed[i] += leaf->reply * back;
            if (leaf_request) {
                leaf_request[n] = there;
                leaf_reply[n] = back;
            }
            ++n;
        }
    }
}

/* The vertex at this depth is left: what went through it entered the channel one step down. */
static void leave(fc_holding_sums *s, size_t depth) {
    fc_holding_step *here = &s->step[depth], *down = here - 1;
    fc_edge_load *edge = &s->edge[here->edge];
    for (size_t t = 0; t < FC_MESSAGES; ++t) {
        const double flow = here->flow[t];
        const fc_holding *holding = &down->holding[t];
        edge->flow += flow;
        edge->busy += flow * holding->time;
        edge->square += flow * holding->square;
        edge->last += flow * holding->last;
        edge->flits += flow * s->work->mean_flits[t];
        down->flow[t] += flow;
        here->flow[t] = 0.0;
    }
}

void fc_holding_sums_edges(fc_holding_sums *s, const double *throughput) {
    const fc_closed_paths *p = s->paths;
    memset(s->edge, 0, p->edges * sizeof *s->edge);
    for (size_t i = 0; i < p->orbits; ++i) {
        const fc_closed_tree *tree = &p->tree[i];
        const fc_closed_leaf *leaf = &p->leaf[tree->first_leaf];
        const fc_closed_vertex *vertex = &p->vertex[tree->first_vertex];
        size_t top = 0;
        for (size_t v = 0; v < tree->vertices; ++v, ++vertex) {
            const size_t depth = vertex->depth;
            for (; top >= depth; --top)
                leave(s, top);
            top = depth;
            step_to(s, vertex);
            fc_holding_step *here = &s->step[depth];
            if (vertex->leaf) {
                here->flow[FC_REQUEST] =
                    p->orbit_size[i] * leaf->request * throughput[leaf->source];
                here->flow[FC_REPLY] = p->orbit_size[i] * leaf->reply * throughput[i];
                ++leaf;
            } else {
                for (size_t t = 0; t < FC_MESSAGES; ++t)
                    here->holding[t] = holding_at(s, depth, t, s->companion[vertex->edge]);
            }
        }
        for (; top > 0; --top)
            leave(s, top);
        s->step[0].flow[0] = s->step[0].flow[1] = 0.0;
    }
    for (size_t e = 0; e < p->edges; ++e) {
        const double scale = 1.0 / p->edge[e].copies;
        fc_edge_load *edge = &s->edge[e];
        edge->flow *= scale;
        edge->busy *= scale;
        edge->square *= scale;
        edge->last *= scale;
        edge->flits *= scale;
    }
}
