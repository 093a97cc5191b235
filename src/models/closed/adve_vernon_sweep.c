/* One pass over a tree keeps on a stack, for the present vertex and everything downstream of it,
 * the time H of a header. Flit k of a message on a channel moves when the header moves k-1 channels
 * further down (equation (5)), so its time is the entry k-1 below the top of the stack; below the
 * root the stack is padded with ones, because the destination accepts a flit per cycle. */
#include "models/closed/adve_vernon_sweep.h"

#include <string.h>
#include "base/memory.h"
#include "base/wide_vectors.h"

/* The sums of an edge for a flit; no more aligned than their numbers. */
typedef double four
    __attribute__((vector_size(FC_SUMS * sizeof(double)), aligned(sizeof(double)), may_alias));

fc_status fc_flit_times_create(const fc_closed_paths *paths, const fc_closed_work *work,
                               fc_flit_times *sums) {
    const size_t longest = work->longest, depth = paths->deepest + 2;
    *sums = (fc_flit_times){.paths = paths, .work = work, .longest = longest};
    struct {
        double **part;
        size_t size;
    } const parts[] = {
        {&sums->header, paths->edges},
        {&sums->companion, paths->edges},
        {&sums->link_flits[FC_REQUEST], paths->links * longest},
        {&sums->link_flits[FC_REPLY], paths->links * longest},
        {&sums->edge_flits, paths->edges * longest * FC_SUMS},
        {&sums->edge_weight, paths->edges * FC_SUMS},
        {&sums->heads, depth + longest},
        {&sums->sum_heads, depth},
        {&sums->sum_companions, depth},
        {&sums->weights, depth * FC_SUMS},
    };
    size_t total = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i)
        total += parts[i].size;
    sums->block = fc_allocate(total, sizeof *sums->block);
    sums->held = fc_allocate(depth, sizeof *sums->held);
    if (!sums->block || !sums->held) {
        fc_flit_times_release(sums);
        return FC_ERROR_MEMORY;
    }
    double *next = sums->block;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i) {
        *parts[i].part = next;
        next += parts[i].size;
    }
    for (size_t i = 0; i <= longest; ++i)
        sums->heads[i] = 1.0; /* the padding, and the root */
    sums->heads += longest;
    sums->sum_heads[0] = 1.0;
    return FC_OK;
}

void fc_flit_times_release(fc_flit_times *sums) {
    fc_release(sums->block);
    fc_release(sums->held);
    sums->block = NULL;
    sums->held = NULL;
}

/* Mean over the request types of the time the tail needs to catch up: the rest of the flits, and
 * the flits of companion channels it meets on the last links (equation below (5)). */
static double catch_up(const fc_flit_times *s, size_t message, size_t hops) {
    const fc_closed_work *w = s->work;
    double sum = 0.0;
    for (size_t j = 0; j < w->types; ++j) {
        const size_t flits = w->flits[message][j];
        const size_t within = flits < 2 ? 0 : (flits - 2 < hops ? flits - 2 : hops);
        sum += w->share[j] * ((double)flits - 1.0 + s->sum_companions[within]);
    }
    return sum;
}

void fc_flit_times_links(fc_flit_times *s, double *network_fixed) {
    const fc_closed_paths *p = s->paths;
    const size_t longest = s->longest;
    memset(s->link_flits[0], 0, p->links * longest * sizeof(double));
    memset(s->link_flits[1], 0, p->links * longest * sizeof(double));
    memset(network_fixed, 0, p->orbits * sizeof(double));
    for (size_t i = 0; i < p->orbits; ++i) {
        const fc_closed_tree *tree = &p->tree[i];
        const fc_closed_leaf *leaf = &p->leaf[tree->first_leaf];
        const fc_closed_vertex *vertex = &p->vertex[tree->first_vertex];
        for (size_t v = 0; v < tree->vertices; ++v, ++vertex) {
            const size_t depth = vertex->depth;
            const double head = s->header[vertex->edge];
            s->heads[depth] = head;
            s->sum_heads[depth] = s->sum_heads[depth - 1] + head;
            if (!vertex->leaf) {
                s->sum_companions[depth] =
                    s->sum_companions[depth - 1] + s->companion[vertex->edge];
                continue;
            }
            const size_t link = p->edge[vertex->edge].link;
            const double copies = p->orbit_size[i] / p->link[link].copies;
            const double request = copies * leaf->request, reply = copies * leaf->reply;
            double *requests = &s->link_flits[FC_REQUEST][link * longest];
            double *replies = &s->link_flits[FC_REPLY][link * longest];
            for (size_t k = 0; k < longest; ++k) {
                const double time = (s->heads + depth)[-(ptrdiff_t)k];
                requests[k] += request * time;
                replies[k] += reply * time;
            }
            network_fixed[leaf->source] +=
                p->orbit_size[i] / p->orbit_size[leaf->source] * leaf->request *
                (s->sum_heads[depth] + catch_up(s, FC_REQUEST, depth - 1));
            network_fixed[i] +=
                leaf->reply * (s->sum_heads[depth] + catch_up(s, FC_REPLY, depth - 1));
            ++leaf;
        }
    }
}

void fc_flit_times_leaves(fc_flit_times *s, const fc_closed_stations *stations, double *request,
                          double *reply) {
    const fc_closed_paths *p = s->paths;
    for (size_t i = 0; i < p->orbits; ++i) {
        const fc_closed_tree *tree = &p->tree[i];
        const fc_closed_vertex *vertex = &p->vertex[tree->first_vertex];
        size_t n = tree->first_leaf;
        for (size_t v = 0; v < tree->vertices; ++v, ++vertex) {
            const size_t depth = vertex->depth;
            s->sum_heads[depth] = s->sum_heads[depth - 1] + s->header[vertex->edge];
            s->sum_companions[depth] = s->sum_companions[depth - 1] + s->companion[vertex->edge];
            if (!vertex->leaf)
                continue;
            request[n] = s->sum_heads[depth] + catch_up(s, FC_REQUEST, depth - 1);
            reply[n] = s->sum_heads[depth] + catch_up(s, FC_REPLY, depth - 1);
            if (stations->link_extra) {
                request[n] += stations->link_extra[p->edge[vertex->edge].link];
                reply[n] += stations->visit_extra[p->leaf[n].visit];
            }
            ++n;
        }
    }
}

void fc_flit_times_visits(fc_flit_times *s, const double *gain, bool skip_header,
                          double *visit_sum) {
    const fc_closed_paths *p = s->paths;
    const size_t longest = s->longest;
    memset(visit_sum, 0, p->visits * sizeof(double));
    for (size_t i = 0; i < p->orbits; ++i) {
        const fc_closed_tree *tree = &p->tree[i];
        const fc_closed_leaf *leaf = &p->leaf[tree->first_leaf];
        const fc_closed_vertex *vertex = &p->vertex[tree->first_vertex];
        for (size_t v = 0; v < tree->vertices; ++v, ++vertex) {
            const size_t depth = vertex->depth;
            s->heads[depth] = s->header[vertex->edge];
            if (!vertex->leaf)
                continue;
            const double *weight = &gain[p->edge[vertex->edge].link * longest];
            double sum = 0.0;
            for (size_t k = skip_header; k < longest; ++k)
                sum += weight[k] * (s->heads + depth)[-(ptrdiff_t)k];
            visit_sum[leaf->visit] += leaf->reply * sum;
            ++leaf;
        }
    }
}

/* The vertex at this depth is left: what went through it entered the channel one step down. */
FC_INLINE void leave(fc_flit_times *s, size_t depth) {
    const size_t longest = s->longest;
    double *from = &s->weights[depth * FC_SUMS], *to = from - FC_SUMS;
    double *weight = &s->edge_weight[(size_t)s->held[depth] * FC_SUMS];
    const four went = {from[0], from[1], from[2], from[3]};
    for (size_t n = 0; n < FC_SUMS; ++n) {
        weight[n] += from[n];
        to[n] += from[n];
        from[n] = 0.0;
    }
    four *sum = (four *)&s->edge_flits[(size_t)s->held[depth] * longest * FC_SUMS];
    const double *time = s->heads + depth - 1;
    for (size_t k = 0; k < longest; ++k)
        sum[k] += went * time[-(ptrdiff_t)k];
}

FC_INLINE void sum_tree_any(fc_flit_times *s, size_t orbit, const double *throughput) {
    const fc_closed_paths *p = s->paths;
    const fc_closed_tree *tree = &p->tree[orbit];
    const fc_closed_leaf *leaf = &p->leaf[tree->first_leaf];
    const fc_closed_vertex *vertex = &p->vertex[tree->first_vertex];
    const double copies = p->orbit_size[orbit], own = throughput[orbit];
    size_t top = 0;
    for (size_t v = 0; v < tree->vertices; ++v, ++vertex) {
        const size_t depth = vertex->depth;
        for (; top >= depth; --top)
            leave(s, top);
        top = depth;
        s->held[depth] = vertex->edge;
        s->heads[depth] = s->header[vertex->edge];
        if (vertex->leaf) {
            double *weight = &s->weights[depth * FC_SUMS];
            weight[FC_SHARE_REQUEST] = copies * leaf->request;
            weight[FC_FLOW_REQUEST] = copies * leaf->request * throughput[leaf->source];
            weight[FC_SHARE_REPLY] = copies * leaf->reply;
            weight[FC_FLOW_REPLY] = copies * leaf->reply * own;
            ++leaf;
        }
    }
    for (; top > 0; --top)
        leave(s, top);
    memset(s->weights, 0, FC_SUMS * sizeof(double));
}

FC_FOR_ALL(sum_tree, (fc_flit_times * s, size_t orbit, const double *throughput),
           (s, orbit, throughput))

void fc_flit_times_edges(fc_flit_times *s, const double *throughput) {
    const fc_closed_paths *p = s->paths;
    memset(s->edge_flits, 0, p->edges * s->longest * FC_SUMS * sizeof(double));
    memset(s->edge_weight, 0, p->edges * FC_SUMS * sizeof(double));
    for (size_t i = 0; i < p->orbits; ++i)
        sum_tree(s, i, throughput);
    for (size_t e = 0; e < p->edges; ++e) {
        const double scale = 1.0 / p->edge[e].copies;
        double *weight = &s->edge_weight[e * FC_SUMS];
        double *sum = &s->edge_flits[e * s->longest * FC_SUMS];
        for (size_t n = 0; n < FC_SUMS; ++n)
            weight[n] *= scale;
        for (size_t n = 0; n < s->longest * FC_SUMS; ++n)
            sum[n] *= scale;
    }
}
