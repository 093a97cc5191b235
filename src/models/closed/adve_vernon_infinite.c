/* V. S. Adve and M. K. Vernon, Technical Report 1001b, University of Wisconsin-Madison, 1993: the
 * system of adve-vernon with infinite buffers, which the report solves but does not print (it
 * refers to Willick and Eager's model of Banyan networks).
 *
 * Every physical link, node link and link into a node is a queue served in order of arrival, a
 * message taking one cycle per flit; its header goes on after one cycle and the tail catches up at
 * the end. With a = sum F E[L], b = sum F E[L^2]/2 and v = sum F over the messages of class q over
 * link c,
 *
 *     w(c,q) = sum over q' of g(q') X_q' (a(c,q') w(c,q') + b(c,q')),    g = 1 - [q'=q] / N_out
 *     r_net[q] = sum over c of v(c,q) (w(c,q) + 1) + E[L_req] + E[L_rep] - 2
 *
 * and the node links, processors and memories of (10)-(23). The wait of class q is the total less
 * its own share, so one unknown per link, T(c) = sum X (a w + b), is enough:
 * w(c,q) = (T(c) - x b) / (1 + x a), x = X_q / N_out.
 *
 * Assumes that messages which arrive over one link do not queue for the next any less than others
 * (their spacing is ignored). Valid: infinite buffers; virtual channels do not matter then, but
 * several node links are one per virtual channel as in the finite network. No published number
 * checks it. Measured accuracy: docs/validation/closed.md. */
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "models/closed/closed_geometry.h"
#include "models/closed/closed_result.h"
#include "network/destinations.h"
#include "queueing/fixed_point.h"
#include "registry/method.h"
#include "scenario/scenario.h"

typedef struct crossing { /* of one class over one link of the whole network */
    uint32_t link;        /* orbit of physical links */
    float request, reply; /* sum of F */
} crossing;

typedef struct model {
    const fc_torus *torus;
    fc_closed_paths *paths;
    fc_closed_stations *stations;
    fc_fixed_point_settings settings;
    crossing *crossings;
    size_t *first; /* per class: of its crossings; one more at the end */
    size_t crossing_count;
    double square[FC_MESSAGES]; /* E[L^2] / 2 */
    double residual;
    double *unknowns; /* T per channel orbit; used for the smaller of a link's two */
    double *link_use, *link_flow, *link_wait;
    double *block;
} model;

/* The two virtual channels of a link stand for the same queue. */
static uint32_t link_of(const fc_closed_paths *p, uint32_t channel) {
    const int32_t orbit = p->orbit_of_channel[channel];
    const int32_t companion = p->channel[orbit].companion;
    return (uint32_t)(companion >= 0 && companion < orbit ? companion : orbit);
}

/* ---- set-up: who crosses which link ---- */

typedef struct walker {
    fc_geometry *geometry;
    fc_traffic *traffic;
    fc_closed_geometry numbers;
    fc_hop *hops;
    float *flow[FC_MESSAGES]; /* per link of the whole network, by its low channel / 2 */
} walker;

static void walk(walker *w, uint32_t from, uint32_t to, size_t message, double share) {
    uint32_t ties;
    const uint32_t rising = fc_route_rising(w->geometry, from, to, &ties);
    const float part = (float)(share / (double)(1u << __builtin_popcount(ties)));
    for (uint32_t set = ties;; set = (set - 1) & ties) {
        const size_t count = fc_route_hops(w->geometry, from, to, rising ^ set, w->hops);
        for (size_t i = 0; i < count; ++i) {
            const fc_hop *hop = &w->hops[i];
            w->flow[message][fc_closed_channel_index(&w->numbers, hop->node, hop->dimension,
                                                     hop->rising, 0)] += part;
        }
        w->flow[message][fc_closed_ejection(&w->numbers, to)] += part;
        if (set == 0)
            break;
    }
}

static bool list_class(model *m, walker *w, size_t orbit, size_t *room) {
    const uint32_t q = m->paths->node_of_orbit[orbit], channels = w->numbers.channels;
    memset(w->flow[0], 0, 2 * (size_t)channels * sizeof(float));
    for (uint32_t d = 0; d < w->geometry->nodes; ++d) {
        const double share = fc_traffic_share(w->traffic, q, d);
        if (share > 0.0) {
            walk(w, q, d, FC_REQUEST, share);
            walk(w, d, q, FC_REPLY, share);
        }
    }
    if (m->crossing_count + channels > *room) {
        const size_t more = *room * 2 + channels;
        crossing *larger = fc_reallocate(m->crossings, more, sizeof *larger);
        if (!larger)
            return false;
        m->crossings = larger;
        *room = more;
    }
    for (uint32_t c = 0; c < channels; ++c) {
        const float request = w->flow[FC_REQUEST][c], reply = w->flow[FC_REPLY][c];
        if (request > 0.0f || reply > 0.0f)
            m->crossings[m->crossing_count++] =
                (crossing){.link = link_of(m->paths, c), .request = request, .reply = reply};
    }
    m->first[orbit + 1] = m->crossing_count;
    return true;
}

static fc_status list_crossings(model *m, fc_error *error) {
    walker w = {0};
    fc_closed_geometry_fill(&w.numbers, m->torus);
    fc_status status = fc_geometry_create(m->torus, error, &w.geometry);
    if (status == FC_OK)
        status = fc_traffic_create(m->torus, w.geometry, error, &w.traffic);
    if (status == FC_OK) {
        w.hops = fc_allocate(fc_geometry_diameter(w.geometry) + 1, sizeof *w.hops);
        w.flow[0] = fc_allocate(2 * (size_t)w.numbers.channels, sizeof *w.flow[0]);
        m->first = fc_allocate(m->paths->orbits + 1, sizeof *m->first);
        bool done = w.hops && w.flow[0] && m->first;
        size_t room = 0;
        if (done)
            w.flow[1] = w.flow[0] + w.numbers.channels;
        for (size_t i = 0; i < m->paths->orbits && done; ++i)
            done = list_class(m, &w, i, &room);
        if (!done)
            status = fc_fail_memory(error);
    }
    fc_release(w.hops);
    fc_release(w.flow[0]);
    fc_traffic_free(w.traffic);
    fc_geometry_free(w.geometry);
    return status;
}

/* Node links: messages hold them for a cycle per flit. */
static void set_node_links(model *m) {
    const fc_closed_paths *p = m->paths;
    fc_closed_stations *s = m->stations;
    for (size_t t = 0; t < FC_MESSAGES; ++t) {
        for (size_t j = 0; j < s->work.types; ++j) {
            const double flits = (double)s->work.flits[t][j];
            m->square[t] += 0.5 * s->work.share[j] * flits * flits;
        }
    }
    for (size_t l = 0; l < p->links; ++l) {
        s->link_request_residual[l] = s->link_request_share[l] * m->square[FC_REQUEST];
        s->link_hold[FC_REQUEST][l] = s->work.mean_flits[FC_REQUEST];
        s->link_hold[FC_REPLY][l] = s->work.mean_flits[FC_REPLY];
    }
    for (size_t y = 0; y < p->visits; ++y)
        s->visit_residual[y] = p->visit[y].reply * m->square[FC_REPLY];
}

/* ---- the fixed point ---- */

typedef struct demand { /* of a crossing */
    double flits, squares, messages;
} demand;

static demand demand_of(const model *m, const crossing *c) {
    const fc_closed_work *w = &m->stations->work;
    const double request = (double)c->request, reply = (double)c->reply;
    return (demand){
        .flits = request * w->mean_flits[FC_REQUEST] + reply * w->mean_flits[FC_REPLY],
        .squares = request * m->square[FC_REQUEST] + reply * m->square[FC_REPLY],
        .messages = request + reply,
    };
}

static double class_wait(double total, demand d, double own) {
    return fmax(0.0, total - own * d.squares) / (1.0 + own * d.flits);
}

static void evaluate(void *context, const double *total, double *image) {
    model *m = context;
    const fc_closed_paths *p = m->paths;
    fc_closed_stations *s = m->stations;
    const double tails = s->work.mean_flits[FC_REQUEST] + s->work.mean_flits[FC_REPLY] - 2.0;
    for (size_t i = 0; i < p->orbits; ++i) {
        const double own = s->throughput[i] / s->work.outstanding;
        double time = tails + 2.0; /* the node links' cycles */
        for (size_t n = m->first[i]; n < m->first[i + 1]; ++n) {
            const demand d = demand_of(m, &m->crossings[n]);
            time += d.messages * (1.0 + class_wait(total[m->crossings[n].link], d, own));
        }
        s->network_fixed[i] = time;
    }
    fc_closed_stations_solve(s, fc_closed_tolerance(m->residual));
    memset(image, 0, p->channels * sizeof *image);
    memset(m->link_use, 0, 3 * p->channels * sizeof *m->link_use);
    for (size_t i = 0; i < p->orbits; ++i) {
        const double flow = p->orbit_size[i] * s->throughput[i];
        const double own = s->throughput[i] / s->work.outstanding;
        for (size_t n = m->first[i]; n < m->first[i + 1]; ++n) {
            const uint32_t c = m->crossings[n].link;
            const demand d = demand_of(m, &m->crossings[n]);
            const double wait = class_wait(total[c], d, own), part = flow / p->channel[c].copies;
            image[c] += part * (d.flits * wait + d.squares);
            m->link_use[c] += part * d.flits;
            m->link_flow[c] += part * d.messages;
            m->link_wait[c] += part * d.messages * wait;
        }
    }
    m->residual = fc_closed_distance(total, image, p->channels);
}

static fc_status prepare(model *m, const fc_torus *torus, fc_error *error) {
    m->torus = torus;
    m->residual = 1.0;
    fc_status status = fc_closed_paths_create(torus, error, &m->paths);
    if (status == FC_OK)
        status = list_crossings(m, error);
    if (status != FC_OK)
        return status;
    if (fc_closed_stations_create(torus, m->paths, &m->stations) != FC_OK)
        return fc_fail_memory(error);
    m->stations->processor_residual = fc_closed_published_residual(&m->stations->work);
    const size_t channels = m->paths->channels;
    m->block = fc_allocate(5 * channels, sizeof *m->block);
    if (!m->block)
        return fc_fail_memory(error);
    m->unknowns = m->block; /* an image follows */
    m->link_use = m->block + 2 * channels;
    m->link_flow = m->link_use + channels;
    m->link_wait = m->link_flow + channels;
    set_node_links(m);
    m->settings = fc_fixed_point_default();
    return FC_OK;
}

static void release(model *m) {
    fc_closed_stations_free(m->stations);
    fc_closed_paths_free(m->paths);
    fc_release(m->crossings);
    fc_release(m->first);
    fc_release(m->block);
}

static fc_status solve(const fc_scenario *scenario, void *prepared, fc_error *error,
                       fc_result *result) {
    (void)prepared;
    model m = {0};
    fc_status status = prepare(&m, scenario->parameters, error);
    if (status == FC_OK) {
        const size_t channels = m.paths->channels;
        fc_closed_solution solution = {.torus = m.torus,
                                       .paths = m.paths,
                                       .stations = m.stations,
                                       .channel_use = m.link_use,
                                       .channel_wait = m.link_wait,
                                       .by_link = true};
        if (fc_fixed_point_solve(evaluate, &m, channels, &m.settings, m.unknowns, &solution.info) !=
            FC_OK) {
            status = fc_fail_memory(error);
        } else {
            evaluate(&m, m.unknowns, m.unknowns + channels);
            for (size_t c = 0; c < channels; ++c)
                m.link_wait[c] = m.link_flow[c] > 0.0 ? m.link_wait[c] / m.link_flow[c] : 0.0;
            status = fc_closed_report(&solution, error, result);
        }
    }
    release(&m);
    return status;
}

static fc_status covers(const fc_scenario *scenario, fc_error *error) {
    const fc_torus *torus = scenario->parameters;
    const fc_status status = fc_closed_covers(scenario, error);
    if (status == FC_OK && torus->buffer != FC_INFINITE)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "adve-vernon-infinite needs infinite buffers (network.buffer: infinite)");
    return status;
}

const fc_model fc_model_adve_vernon_infinite = {
    .info = {.name = "adve-vernon-infinite",
             .kind = FC_MODEL,
             .family = "torus",
             .title = "closed wormhole network, infinite buffers, mean value analysis",
             .source = "V. S. Adve and M. K. Vernon, Technical Report 1001b, University of "
                       "Wisconsin-Madison, 1993",
             .validity = "closed traffic, wormhole, dimension order, infinite buffers; torus, "
                         "unidirectional torus or mesh"},
    .suits = fc_closed_suits,
    .covers = covers,
    .unlike = fc_closed_unlike,
    .solve = solve,
};
