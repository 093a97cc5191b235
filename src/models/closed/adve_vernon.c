/* V. S. Adve and M. K. Vernon, Performance Analysis of Mesh Interconnection Networks with
 * Deterministic Routing, University of Wisconsin-Madison, Technical Report 1001b, July 1993.
 *
 * Approximate mean value analysis of processors that send up to N_out requests each to memories
 * across a wormhole network with single-flit buffers. Implemented: equations (1)-(9) here,
 * (10)-(23) in closed_stations.c, (24)-(26) in adve_vernon_first.c; any number of dimensions,
 * torus, unidirectional torus and mesh.
 *
 * Assumes that headers arrive at a channel at random, independently of its state; that flit k
 * follows the header k-1 channels behind; that a link is shared with its companion channel in
 * proportion to that channel's use. Holding times enter by their means only.
 *
 * Readings that the print leaves open or has wrong, each settled on the published tables (see
 * docs/theory/torus_closed.md): the factor r_node[k] in (12); the leading tau in (14); tau for
 * tau-1 in (18); no negative residual in (23); the link into the node contends like any channel;
 * E <= 1 holds inside the iteration; ties at half a ring go either way.
 *
 * Valid: single-flit buffers, the high-low rule. Measured accuracy: docs/validation/closed.md. */
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "models/closed/adve_vernon_first.h"
#include "models/closed/adve_vernon_sweep.h"
#include "models/closed/closed_result.h"
#include "queueing/fixed_point.h"
#include "registry/method.h"
#include "scenario/scenario.h"

/* Denominators of the form 1 - utilisation never fall below this: beyond, the iterate is far from
 * any solution and only its direction matters. */
static const double LEAST_IDLE = 0.02;

/* What one edge means for the channel it leads to. */
typedef struct edge_terms {
    double load;     /* residual work and waiting headers, as seen from other inputs */
    double residual; /* the first part of it */
    double own;      /* wait behind the last flit of a predecessor from the same input */
    double busy;     /* time share of the channel it causes */
    double demand;   /* sum over messages of F times holding time */
    double share;    /* sum of F */
    double tail[FC_MESSAGES][FC_REQUEST_TYPES_MAX]; /* mean time of the last flit */
} edge_terms;

typedef struct model {
    const fc_torus *torus;
    fc_closed_paths *paths;
    fc_closed_stations *stations;
    fc_flit_times sums;
    fc_first_waits first;
    bool per_channel;
    edge_terms *edge;
    double *gain[FC_MESSAGES];    /* [link][k] */
    double *headers[FC_MESSAGES]; /* per link, several links only */
    double *channel_use, *channel_wait, *channel_own;
    double *unknowns;
    double residual; /* of the last evaluation */
    size_t unknown_count;
    double *block;
} model;

/* ---- the unknowns: waits per edge, use per channel, and the terms of (24) per link ---- */

static size_t terms_per_link(const model *m) {
    return m->per_channel ? 2 + FC_MESSAGES * m->stations->work.types : 0;
}

static void unpack(model *m, const double *x) {
    const fc_closed_paths *p = m->paths;
    const double *use = x + p->edges, *terms = use + p->channels;
    for (size_t e = 0; e < p->edges; ++e) {
        const int32_t from = p->edge[e].from;
        const int32_t other = from >= 0 ? p->channel[from].companion : FC_CLOSED_NONE;
        m->sums.companion[e] = other >= 0 ? use[other] : 0.0;
        const bool by_class = from < 0 && m->per_channel;
        m->sums.header[e] = 1.0 + m->sums.companion[e] + (by_class ? 0.0 : x[e]);
    }
    for (size_t l = 0; m->per_channel && l < p->links; ++l) {
        fc_first_terms *to = &m->first.terms[l];
        to->idle = *terms++;
        to->queue = *terms++;
        for (size_t t = 0; t < FC_MESSAGES; ++t) {
            for (size_t j = 0; j < m->stations->work.types; ++j)
                to->tail[t][j] = *terms++;
        }
    }
}

/* ---- node links (equations (10), (13)) ---- */

/* Residual seen while flit k passes: half its time and all of the later flits, mean over types. */
static void flit_gains(const fc_closed_work *w, size_t message, size_t longest, const double *mean,
                       double *gain, double *hold) {
    memset(gain, 0, longest * sizeof *gain);
    *hold = 0.0;
    for (size_t j = 0; j < w->types; ++j) {
        double rest = 0.0;
        for (size_t k = w->flits[message][j]; k-- > 0;) {
            gain[k] += w->share[j] * (0.5 * mean[k] + rest);
            rest += mean[k];
        }
        *hold += w->share[j] * rest;
    }
}

static double dot(const double *a, const double *b, size_t from, size_t to) {
    double sum = 0.0;
    for (size_t i = from; i < to; ++i)
        sum += a[i] * b[i];
    return sum;
}

static void prepare_links(model *m) {
    const fc_closed_paths *p = m->paths;
    fc_closed_stations *s = m->stations;
    const size_t longest = m->sums.longest;
    double mean[longest];
    for (size_t l = 0; l < p->links; ++l) {
        const double shares[FC_MESSAGES] = {s->link_request_share[l], s->link_reply_share[l]};
        for (size_t t = 0; t < FC_MESSAGES; ++t) {
            const double *flits = &m->sums.link_flits[t][l * longest];
            for (size_t k = 0; k < longest; ++k)
                mean[k] = shares[t] > 0.0 ? flits[k] / shares[t] : 1.0;
            double *gain = &m->gain[t][l * longest];
            flit_gains(&s->work, t, longest, mean, gain, &s->link_hold[t][l]);
            if (m->per_channel)
                m->first.rest[t][l] = s->link_hold[t][l] - mean[0];
        }
        const double *requests = &m->sums.link_flits[FC_REQUEST][l * longest];
        s->link_request_residual[l] =
            dot(requests, &m->gain[FC_REQUEST][l * longest], m->per_channel, longest);
        if (m->per_channel)
            m->first.residual[l] = s->link_request_residual[l];
    }
    double *residual = m->per_channel ? m->first.visit_residual : s->visit_residual;
    fc_flit_times_visits(&m->sums, m->gain[FC_REPLY], m->per_channel, residual);
}

/* Holding times from the second flit on by type, for the busy probabilities of (24)-(26). */
static void prepare_rests(model *m) {
    const fc_closed_paths *p = m->paths;
    const fc_closed_work *w = &m->stations->work;
    const size_t longest = m->sums.longest;
    for (size_t j = 0; j < w->types; ++j) {
        for (size_t l = 0; l < p->links; ++l) {
            const double *requests = &m->sums.link_flits[FC_REQUEST][l * longest];
            double sum = 0.0;
            for (size_t k = 1; k < w->flits[FC_REQUEST][j]; ++k)
                sum += requests[k];
            m->first.request_rest[j][l] = sum;
            for (size_t k = 0; k < longest; ++k)
                m->gain[FC_REPLY][l * longest + k] = k < w->flits[FC_REPLY][j];
        }
        fc_flit_times_visits(&m->sums, m->gain[FC_REPLY], true, m->first.visit_rest[j]);
    }
}

/* ---- channels (equations (6)-(9)) ---- */

static double edge_flow(const model *m, size_t e, size_t message) {
    const size_t which = message == FC_REQUEST ? FC_FLOW_REQUEST : FC_FLOW_REPLY;
    return m->sums.edge_weight[e * FC_SUMS + which];
}

/* Time shares of the header on the channel (or node link) the edge leaves. */
static double edge_header(const model *m, size_t e, size_t message) {
    const fc_closed_edge *edge = &m->paths->edge[e];
    if (edge->from < 0 && m->per_channel)
        return m->headers[message][edge->link];
    return edge_flow(m, e, message) * m->sums.header[e];
}

static void evaluate_edge(model *m, const double *use, size_t e) {
    const fc_closed_work *w = &m->stations->work;
    const fc_closed_edge *edge = &m->paths->edge[e];
    const int32_t companion = m->paths->channel[edge->to].companion;
    const double shared = companion >= 0 ? use[companion] : 0.0;
    const size_t longest = m->sums.longest;
    const double *flits = &m->sums.edge_flits[e * longest * FC_SUMS];
    const double *weight = &m->sums.edge_weight[e * FC_SUMS];
    edge_terms *to = &m->edge[e];
    double waiting = 0.0, own = 0.0, others = 0.0;
    *to = (edge_terms){0};
    for (size_t t = 0; t < FC_MESSAGES; ++t) {
        const double share = weight[2 * t], flow = weight[2 * t + 1];
        double mean[longest], part[longest], total = 0.0;
        for (size_t k = 0; k < longest; ++k) {
            const double extra = k > 0 ? shared : 0.0;
            mean[k] = share > 0.0 ? flits[k * FC_SUMS + 2 * t] / share + extra : 1.0;
            part[k] = flits[k * FC_SUMS + 2 * t + 1] + flow * extra;
        }
        for (size_t j = 0; j < w->types; ++j) {
            const size_t last = w->flits[t][j] - 1;
            double rest = 0.0, busy = 0.0;
            for (size_t k = last + 1; k-- > 0;) {
                to->residual += w->share[j] * part[k] * (0.5 * mean[k] + rest);
                rest += mean[k];
                busy += part[k];
            }
            total += w->share[j] * rest;
            own += w->share[j] * part[last] * 0.5 * mean[last];
            others += w->share[j] * (busy - part[last]);
            to->busy += w->share[j] * busy;
            to->tail[t][j] = mean[last];
        }
        waiting += edge_header(m, e, t) * total;
        to->demand += share * total;
        to->share += share;
    }
    to->own = own / fmax(LEAST_IDLE, 1.0 - others);
    to->load = to->residual + waiting;
}

/* The terms of (24)-(26) for the link that feeds this channel by the edge. Messages of the other
 * inputs wait behind each other (second line of (26)) and behind the predecessor (first line). */
static void first_terms(model *m, const fc_closed_channel *channel, uint32_t e, double *image) {
    const fc_closed_paths *p = m->paths;
    const edge_terms *own = &m->edge[e];
    double residual = 0.0, blocked = 0.0, demand = 0.0, pressure = 0.0;
    for (uint32_t n = 0; n < channel->ports; ++n) {
        const uint32_t o = p->port_edge[channel->first_port + n];
        const edge_terms *other = &m->edge[o];
        if (o == e || other->share <= 0.0)
            continue;
        residual += other->residual;
        demand += other->demand;
        pressure += other->busy * other->busy / other->share;
    }
    for (uint32_t n = 0; n < channel->ports; ++n) {
        const uint32_t o = p->port_edge[channel->first_port + n];
        const edge_terms *other = &m->edge[o];
        if (o == e || other->share <= 0.0)
            continue;
        blocked += other->demand * (pressure - other->busy * other->busy / other->share);
    }
    const uint32_t l = p->edge[e].link;
    const double headers = m->headers[FC_REQUEST][l] + m->headers[FC_REPLY][l];
    *image++ = (residual + blocked) / fmax(LEAST_IDLE, 1.0 - own->busy);
    *image++ = own->share > 0.0 ? (own->busy + headers) / own->share * demand : 0.0;
    for (size_t t = 0; t < FC_MESSAGES; ++t) {
        for (size_t j = 0; j < m->stations->work.types; ++j)
            *image++ = fmax(0.0, own->tail[t][j] - 1.0);
    }
}

static void evaluate_channels(model *m, double *image) {
    const fc_closed_paths *p = m->paths;
    const fc_closed_work *w = &m->stations->work;
    double *use = image + p->edges, *terms = use + p->channels;
    for (size_t c = 0; c < p->channels; ++c) {
        const fc_closed_channel *channel = &p->channel[c];
        double load = 0.0, flits = 0.0;
        for (uint32_t n = 0; n < channel->ports; ++n) {
            const uint32_t e = p->port_edge[channel->first_port + n];
            load += m->edge[e].load;
            flits += edge_flow(m, e, FC_REQUEST) * w->mean_flits[FC_REQUEST] +
                     edge_flow(m, e, FC_REPLY) * w->mean_flits[FC_REPLY];
        }
        use[c] = flits;
        for (uint32_t n = 0; n < channel->ports; ++n) {
            const uint32_t e = p->port_edge[channel->first_port + n];
            if (p->edge[e].from < 0 && m->per_channel) {
                image[e] = 0.0;
                first_terms(m, channel, e, terms + p->edge[e].link * terms_per_link(m));
            } else {
                image[e] = fmax(0.0, load - m->edge[e].load) + m->edge[e].own;
            }
        }
    }
}

static void evaluate(void *context, const double *x, double *image) {
    model *m = context;
    unpack(m, x);
    fc_flit_times_links(&m->sums, m->stations->network_fixed);
    prepare_links(m);
    if (m->per_channel)
        prepare_rests(m);
    fc_closed_stations_solve(m->stations, fc_closed_tolerance(m->residual));
    fc_flit_times_edges(&m->sums, m->stations->throughput);
    if (m->per_channel)
        fc_first_waits_headers(&m->first, m->stations, m->headers);
    for (size_t e = 0; e < m->paths->edges; ++e)
        evaluate_edge(m, x + m->paths->edges, e);
    evaluate_channels(m, image);
    m->residual = fc_closed_distance(x, image, m->unknown_count);
}

/* ---- set-up and result ---- */

static fc_status prepare(model *m, const fc_torus *torus, fc_error *error) {
    m->torus = torus;
    m->residual = 1.0;
    m->per_channel = torus->node_links == FC_LINK_PER_CHANNEL;
    const fc_status status = fc_closed_paths_create(torus, error, &m->paths);
    if (status != FC_OK)
        return status;
    const fc_closed_paths *p = m->paths;
    if (fc_closed_stations_create(torus, p, &m->stations) != FC_OK)
        return fc_fail_memory(error);
    fc_closed_stations *s = m->stations;
    s->processor_residual = fc_closed_published_residual(&s->work);
    if (fc_flit_times_create(p, &s->work, &m->sums) != FC_OK)
        return fc_fail_memory(error);
    if (m->per_channel) {
        if (fc_first_waits_create(p, &s->work, &m->first) != FC_OK)
            return fc_fail_memory(error);
        s->update = fc_first_waits_update;
        s->update_context = &m->first;
        s->link_extra = m->first.link_wait;
        s->visit_extra = m->first.visit_wait;
    }
    m->unknown_count = p->edges + p->channels + p->links * terms_per_link(m);
    const size_t gains = p->links * s->work.longest;
    m->edge = fc_allocate(p->edges, sizeof *m->edge);
    m->block = fc_allocate(2 * m->unknown_count + 2 * gains + 2 * p->links + 2 * p->channels,
                           sizeof *m->block);
    if (!m->edge || !m->block)
        return fc_fail_memory(error);
    double *next = m->block;
    m->unknowns = next;
    next += 2 * m->unknown_count; /* the last image too: see solve */
    m->gain[0] = next;
    m->gain[1] = next + gains;
    next += 2 * gains;
    m->headers[0] = next;
    m->headers[1] = next + p->links;
    m->channel_wait = next + 2 * p->links;
    m->channel_own = m->channel_wait + p->channels;
    return FC_OK;
}

static void release(model *m) {
    fc_flit_times_release(&m->sums);
    fc_first_waits_release(&m->first);
    fc_closed_stations_free(m->stations);
    fc_closed_paths_free(m->paths);
    fc_release(m->edge);
    fc_release(m->block);
}

/* Per channel: the mean wait for it, and R(c,i) of section 4.8, the time on it of messages from the
 * node that it leaves. */
static void average_times(model *m) {
    const fc_closed_paths *p = m->paths;
    for (size_t c = 0; c < p->channels; ++c) {
        double sum = 0.0, flow = 0.0;
        m->channel_own[c] = 0.0;
        for (uint32_t n = 0; n < p->channel[c].ports; ++n) {
            const uint32_t e = p->port_edge[p->channel[c].first_port + n];
            const double here = edge_flow(m, e, FC_REQUEST) + edge_flow(m, e, FC_REPLY);
            if (p->edge[e].from < 0 && here > 0.0)
                m->channel_own[c] = m->edge[e].busy / here;
            for (size_t t = 0; t < FC_MESSAGES; ++t) {
                sum += edge_header(m, e, t) - edge_flow(m, e, t) * (1.0 + m->sums.companion[e]);
                flow += edge_flow(m, e, t);
            }
        }
        m->channel_wait[c] = flow > 0.0 ? fmax(0.0, sum / flow) : 0.0;
    }
}

static fc_status report(model *m, fc_fixed_point_info info, fc_error *error, fc_result *result) {
    fc_closed_solution solution = {.torus = m->torus,
                                   .paths = m->paths,
                                   .stations = m->stations,
                                   .channel_use = m->channel_use,
                                   .channel_wait = m->channel_wait,
                                   .channel_own = m->channel_own,
                                   .hot_errors =
                                       "they were more than 15 % off in 33 and 19 of 56 simulated "
                                       "networks, by up to +432 % and -73 %; simulate them",
                                   .info = info};
    double *leaves = NULL;
    if (m->torus->destinations.pattern == FC_HOT_SPOT) {
        leaves = fc_allocate(2 * m->paths->leaves, sizeof *leaves);
        if (!leaves)
            return fc_fail_memory(error);
        fc_flit_times_leaves(&m->sums, m->stations, leaves, leaves + m->paths->leaves);
        solution.leaf_request = leaves;
        solution.leaf_reply = leaves + m->paths->leaves;
    }
    const fc_status status = fc_closed_report(&solution, error, result);
    fc_release(leaves);
    return status;
}

enum { LARGE = 200 }; /* orbits of nodes: beyond 28x28 */

/* In large networks waits first grow far beyond the solution where each step may raise them by
 * half, and hundreds of evaluations go by until they are back: they start with smaller steps and a
 * full mixing. Where that does not converge they start again as all others do. */
static fc_status find_solution(model *m, fc_fixed_point_info *info) {
    static const fc_fixed_point_stage gentle = {
        .memory = 20, .mixing = 1, .first = 10, .iterations = 300, .patience = 100};
    const fc_fixed_point_settings settings = fc_fixed_point_default();
    uint64_t before = 0;
    if (m->paths->orbits > LARGE) {
        fc_fixed_point_settings first = settings;
        first.stages = &gentle;
        first.stage_count = 1;
        first.grow = 1.2;
        const fc_status status =
            fc_fixed_point_solve(evaluate, m, m->unknown_count, &first, m->unknowns, info);
        if (status != FC_OK || info->converged)
            return status;
        before = info->iterations;
        memset(m->unknowns, 0, m->unknown_count * sizeof *m->unknowns);
        fc_closed_stations_start(m->stations, m->stations->work.outstanding);
    }
    const fc_status status =
        fc_fixed_point_solve(evaluate, m, m->unknown_count, &settings, m->unknowns, info);
    info->iterations += before;
    return status;
}

static fc_status solve(const fc_scenario *scenario, void *prepared, fc_error *error,
                       fc_result *result) {
    (void)prepared;
    model m = {0};
    fc_status status = prepare(&m, scenario->parameters, error);
    if (status == FC_OK) {
        fc_fixed_point_info info;
        status = find_solution(&m, &info);
        if (status != FC_OK) {
            status = fc_fail_memory(error);
        } else {
            double *image = m.unknowns + m.unknown_count;
            evaluate(&m, m.unknowns, image); /* leaves the state of the iterate returned */
            m.channel_use = image + m.paths->edges;
            average_times(&m);
            status = report(&m, info, error, result);
        }
    }
    release(&m);
    return status;
}

const fc_model fc_model_adve_vernon = {
    .info = {.name = "adve-vernon",
             .kind = FC_MODEL,
             .family = "torus",
             .title = "closed wormhole network, single-flit buffers, mean value analysis",
             .source = "V. S. Adve and M. K. Vernon, Technical Report 1001b, University of "
                       "Wisconsin-Madison, 1993",
             .validity = "closed traffic, wormhole, dimension order, single-flit buffers, high-low "
                         "rule; torus, unidirectional torus or mesh"},
    .suits = fc_closed_suits,
    .covers = fc_closed_single_flit_covers,
    .unlike = fc_closed_unlike,
    .solve = solve,
};
