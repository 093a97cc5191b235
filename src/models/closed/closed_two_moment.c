/* Our own: the closed system of adve-vernon with the variability of holding times, the arrival
 * theorem at channels, and the queue that builds up behind a blocked predecessor.
 *
 * Differences to the published model (docs/theory/torus_closed.md derives them):
 *  C1 two moments of the time a message holds a channel: the waits ahead of it vary, and so does
 *     the residual that others see. A wait is mostly a residual holding time; its second moment is
 *     taken from the inverse Gaussian with the holding time's two moments.
 *  C2 a customer does not meet itself at a channel (closed_overlap.c).
 *  C3 the wait for a channel in two cases: at random (B), or directly behind a message that came
 *     from the same input (A), during whose wait and passage the other inputs have queued up.
 *  C4 node link: residuals from C1; replies come out of the memory no closer than it is busy.
 *  C5 processor: geometric service is memoryless, exact mean value analysis.
 *  C6 every flit of the tail is delayed by each companion channel, not one flit.
 *
 * closed-refined is the same but for the rate in case A; it came after closed-two-moment had been
 * frozen with its check values.
 *
 * Valid: single-flit buffers, the high-low rule. No constant is fitted. Weak at the knee with
 * many outstanding requests, where the backlog fluctuates slowly: network times 15-40 % too small
 * while efficiency is within 3 %. Measured accuracy: docs/validation/closed.md. */
#include <math.h>
#include "base/memory.h"
#include "models/closed/closed_correction.h"
#include "models/closed/closed_fewer.h"
#include "models/closed/closed_holding.h"
#include "models/closed/closed_overlap.h"
#include "models/closed/closed_result.h"
#include "models/closed/closed_traits.h"
#include "queueing/fixed_point.h"
#include "registry/method.h"
#include "scenario/scenario.h"

/* Denominators of the form 1 - utilisation are not taken below this. */
static const double LEAST_IDLE = 0.05;
static const double MOST_VARIABLE = 8.0; /* squared coefficient of variation, at most */

typedef struct model {
    const fc_torus *torus;
    fc_closed_paths *paths;
    fc_closed_stations *stations;
    fc_holding_sums sums;
    fc_closed_overlap overlap;
    bool per_channel;
    bool refined; /* closed-refined */
    /* The unknowns: wait, probability of waiting, correlation per edge; use, variability per
     * channel. */
    double *unknowns;
    size_t unknown_count;
    double residual;                       /* of the last evaluation */
    double *link_busy, *link_flow;         /* per link: time share found on arrival; messages */
    double *channel_flow, *channel_waited; /* per channel: messages; share that had to wait */
    double *channel_wait;
    double *link_replies; /* per link: time share of replies */
    fc_holding *reply;    /* per link: scratch */
    double *block;
} model;

typedef struct unknowns {
    double *wait, *waited, *correlation, *use, *variability;
} unknowns;

static unknowns lay_out(const model *m, double *x) {
    const size_t edges = m->paths->edges;
    return (unknowns){.wait = x,
                      .waited = x + edges,
                      .correlation = x + 2 * edges,
                      .use = x + 3 * edges,
                      .variability = x + 3 * edges + m->paths->channels};
}

/* ---- C1: variance of a wait ---- */

/* E[residual^2] / E[residual]^2 for an inverse Gaussian of squared coefficient of variation z. */
static double residual_ratio(double z) {
    return 4.0 / 3.0 * (1.0 + 3.0 * z + 3.0 * z * z) / ((1.0 + z) * (1.0 + z));
}

static void unpack(model *m, const unknowns *x) {
    const fc_closed_paths *p = m->paths;
    fc_holding_sums *s = &m->sums;
    for (size_t e = 0; e < p->edges; ++e) {
        const fc_closed_edge *edge = &p->edge[e];
        const int32_t other = edge->from >= 0 ? p->channel[edge->from].companion : FC_CLOSED_NONE;
        const double wait = x->wait[e], waited = fmin(1.0, x->waited[e]);
        const double z = fmin(MOST_VARIABLE, x->variability[edge->to]);
        s->companion[e] = other >= 0 ? x->use[other] : 0.0;
        s->header[e] = 1.0 + s->companion[e] + wait;
        s->wait[e] = wait;
        s->variance[e] =
            waited > 0.0 ? wait * wait * fmax(0.0, residual_ratio(z) / waited - 1.0) : 0.0;
        s->correlation[e] = x->correlation[e];
    }
}

/* ---- C4: node links ---- */

/* The part of the residual of replies that another reply sees: two replies leave the memory at
 * least D apart, and those that would come closer come exactly then, so that lambda (S^2 - D^2) / 2
 * is left of lambda S^2 / 2. `mean`: of the holding time of replies. */
static double reply_spacing(const fc_closed_work *w, fc_holding mean) {
    double squares = 0.0, held[FC_REQUEST_TYPES_MAX];
    for (size_t a = 0; a < w->types; ++a) {
        held[a] = (double)w->flits[FC_REPLY][a] + mean.time - w->mean_flits[FC_REPLY];
        squares += w->share[a] * held[a] * held[a];
    }
    const double rest = fmax(0.0, mean.square - squares);
    double seen = 0.0;
    for (size_t a = 0; a < w->types; ++a) {
        for (size_t b = 0; b < w->types; ++b) {
            const double busy = fmax((double)w->flits[FC_REQUEST][b], w->memory_busy[a]);
            const double apart = fmax(0.0, busy + w->memory_reply[b] - w->memory_reply[a]);
            const double left = 1.0 - apart * apart / (held[a] * held[a]);
            if (left > 0.0)
                seen += w->share[a] * w->share[b] * left * (held[a] * held[a] + rest);
        }
    }
    return seen / (squares + rest);
}

/* Sums over the replies of each link, weighted by the throughputs of the sweep before. */
static void sum_replies(model *m) {
    const fc_closed_paths *p = m->paths;
    for (size_t l = 0; l < p->links; ++l)
        m->reply[l] = (fc_holding){0};
    for (size_t i = 0; i < p->orbits; ++i) {
        const fc_closed_tree *tree = &p->tree[i];
        const double flow = p->orbit_size[i] * m->stations->throughput[i];
        for (size_t y = tree->first_visit; y < tree->first_visit + tree->visits; ++y) {
            fc_holding *sum = &m->reply[p->visit[y].link];
            sum->time += flow * m->sums.visit[y].time;
            sum->square += flow * m->sums.visit[y].square;
            sum->last += flow * p->visit[y].reply; /* the weight */
        }
    }
}

static void prepare_links(model *m) {
    const fc_closed_paths *p = m->paths;
    fc_closed_stations *s = m->stations;
    sum_replies(m);
    for (size_t l = 0; l < p->links; ++l) {
        const fc_holding *request = &m->sums.link_request[l], *sum = &m->reply[l];
        const double requests = s->link_request_share[l], replies = sum->last;
        s->link_request_residual[l] = 0.5 * request->square;
        s->link_hold[FC_REQUEST][l] = requests > 0.0 ? request->time / requests : 0.0;
        s->link_hold[FC_REPLY][l] = 0.0;
        s->link_spacing[l] = 1.0;
        if (replies > 0.0) {
            const fc_holding mean = {.time = sum->time / replies, .square = sum->square / replies};
            s->link_hold[FC_REPLY][l] = mean.time;
            s->link_spacing[l] = reply_spacing(&s->work, mean);
        }
    }
    for (size_t y = 0; y < p->visits; ++y)
        s->visit_residual[y] = 0.5 * m->sums.visit[y].square;
}

/* Messages per link, and the mean over them of the probability to find it busy. */
static void find_link_load(model *m) {
    const fc_closed_paths *p = m->paths;
    const fc_closed_stations *s = m->stations;
    const double own = 1.0 / s->work.outstanding;
    double *found = m->link_busy, *flow = m->link_flow, *replies = m->link_replies;
    for (size_t l = 0; l < p->links; ++l)
        found[l] = flow[l] = replies[l] = 0.0;
    for (size_t i = 0; i < p->orbits; ++i) {
        const fc_closed_tree *tree = &p->tree[i];
        for (size_t y = tree->first_visit; y < tree->first_visit + tree->visits; ++y) {
            const uint32_t l = p->visit[y].link;
            replies[l] +=
                p->orbit_size[i] / p->link[l].copies * s->throughput[i] * m->sums.visit[y].time;
        }
    }
    for (size_t i = 0; i < p->orbits; ++i) {
        const fc_closed_tree *tree = &p->tree[i];
        const double x = s->throughput[i];
        for (size_t y = tree->first_visit; y < tree->first_visit + tree->visits; ++y) {
            const uint32_t l = p->visit[y].link;
            const double part = p->orbit_size[i] / p->link[l].copies * x * p->visit[y].reply;
            const double requests = s->throughput[p->link[l].owner] * m->sums.link_request[l].time;
            const double busy = requests + replies[l] - own * x * m->sums.visit[y].time;
            found[l] += part * fmin(1.0, busy);
            flow[l] += part;
        }
    }
    for (size_t l = 0; l < p->links; ++l) {
        const double x = s->throughput[p->link[l].owner];
        const double part = x * s->link_request_share[l];
        const double busy = (1.0 - own) * x * m->sums.link_request[l].time + replies[l];
        found[l] += part * fmin(1.0, busy);
        flow[l] += part;
        found[l] = flow[l] > 0.0 ? found[l] / flow[l] : 0.0;
    }
}

/* ---- C3: channels ---- */

typedef struct input { /* of the channel at hand */
    uint32_t edge;
    double flow, busy, square, hold, last, wait;
} input;

typedef struct outcome { /* of one case */
    double wait, waited;
} outcome;

enum { INPUTS_MAX = 4 * FC_LIST_MAX + 1 };

/* Share of the messages of input i that come to the front directly behind one that also went to
 * this channel; `share` receives the part of the input's messages that does. */
static double behind_own(const model *m, uint32_t e, double *share) {
    const fc_closed_edge *edge = &m->paths->edge[e];
    const double flow = m->sums.edge[e].flow;
    if (edge->from < 0) {
        *share = m->link_flow[edge->link] > 0.0 ? flow / m->link_flow[edge->link] : 0.0;
        return m->link_busy[edge->link] * (m->per_channel ? 1.0 : *share);
    }
    const double all = m->channel_flow[edge->from];
    *share = all > 0.0 ? flow / all : 0.0;
    return m->channel_waited[edge->from] * *share;
}

/* B: the channel is not held by a message of the same input. Others hold it, and others wait for
 * it, behind inputs other than ours: while ours does not hold it nobody waits behind ours. */
static outcome at_random(const input *in, uint32_t count, uint32_t self, const float *overlap,
                         double own) {
    double squares = 0.0;
    for (uint32_t o = 0; o < count; ++o)
        squares += in[o].square;
    const double free = fmax(LEAST_IDLE, 1.0 - (1.0 - own * (double)overlap[self]) * in[self].busy);
    outcome result = {0};
    for (uint32_t o = 0; o < count; ++o) {
        if (o == self)
            continue;
        const double seen = (1.0 - own * (double)overlap[o]) / free;
        const double behind = squares - in[o].square;
        const double others = behind > 0.0 ? fmax(0.0, behind - in[self].square) / behind : 0.0;
        result.wait += seen * (0.5 * in[o].square + in[o].flow * in[o].wait * others * in[o].hold);
        result.waited += seen * in[o].busy;
    }
    result.waited = fmin(1.0, result.waited);
    return result;
}

/* A: directly behind the predecessor. Each other input had its wait and passage to come up. During
 * the passage no other input streams into the channel, so headers come up the faster there, by
 * 1 / (1 - its time share); closed-two-moment takes that for the wait too, but then the others do
 * stream into it, that is what the predecessor waits for: closed-refined. */
static outcome behind_predecessor(const input *in, uint32_t count, uint32_t self,
                                  const float *overlap, double own, bool refined) {
    const double tail = fmax(0.0, in[self].last - 1.0);
    outcome result = {.wait = tail};
    double nobody = 1.0 - fmin(1.0, tail);
    for (uint32_t o = 0; o < count; ++o) {
        if (o == self)
            continue;
        const double rate = (1.0 - own * (double)overlap[o]) * in[o].flow;
        const double faster = 1.0 / fmax(LEAST_IDLE, 1.0 - in[o].busy);
        const double wait = refined ? in[self].wait : in[self].wait * faster;
        const double none = exp(-rate * (wait + in[self].hold * faster));
        result.wait += (1.0 - none) * in[o].hold;
        nobody *= none;
    }
    result.waited = 1.0 - nobody;
    return result;
}

static void evaluate_channel(model *m, size_t c, const unknowns *x, const unknowns *image) {
    const fc_closed_paths *p = m->paths;
    const fc_closed_channel *channel = &p->channel[c];
    const double own = 1.0 / m->stations->work.outstanding;
    input in[INPUTS_MAX];
    double flow = 0.0, busy = 0.0, square = 0.0, flits = 0.0;
    for (uint32_t n = 0; n < channel->ports; ++n) {
        const uint32_t e = p->port_edge[channel->first_port + n];
        const fc_edge_load *load = &m->sums.edge[e];
        const bool used = load->flow > 0.0;
        in[n] = (input){.edge = e,
                        .flow = load->flow,
                        .busy = load->busy,
                        .square = load->square,
                        .hold = used ? load->busy / load->flow : 0.0,
                        .last = used ? load->last / load->flow : 1.0,
                        .wait = x->wait[e]};
        flow += load->flow;
        busy += load->busy;
        square += load->square;
        flits += load->flits;
    }
    image->use[c] = flits;
    image->variability[c] =
        busy > 0.0 ? fmin(MOST_VARIABLE, fmax(0.0, square * flow / (busy * busy) - 1.0)) : 0.0;
    const float *overlap = &m->overlap.value[m->overlap.first[c]];
    for (uint32_t n = 0; n < channel->ports; ++n, overlap += channel->ports) {
        const uint32_t e = in[n].edge;
        double share;
        const double behind = behind_own(m, e, &share);
        const outcome a = behind_predecessor(in, channel->ports, n, overlap, own, m->refined);
        const outcome b = at_random(in, channel->ports, n, overlap, own);
        image->wait[e] = (1.0 - behind) * b.wait + behind * a.wait;
        image->waited[e] = (1.0 - behind) * b.waited + behind * a.waited;
        image->correlation[e] =
            p->edge[e].from < 0 ? 0.0 : fmax(0.0, (share - behind) * (a.wait - b.wait));
    }
}

/* Messages over each channel, and the share of them that had to wait for it. */
static void find_channel_flows(model *m, const unknowns *x) {
    const fc_closed_paths *p = m->paths;
    for (size_t c = 0; c < p->channels; ++c) {
        double flow = 0.0, waited = 0.0;
        for (uint32_t n = 0; n < p->channel[c].ports; ++n) {
            const uint32_t e = p->port_edge[p->channel[c].first_port + n];
            flow += m->sums.edge[e].flow;
            waited += m->sums.edge[e].flow * fmin(1.0, x->waited[e]);
        }
        m->channel_flow[c] = flow;
        m->channel_waited[c] = flow > 0.0 ? waited / flow : 0.0;
    }
}

static void evaluate(void *context, const double *values, double *image_values) {
    model *m = context;
    const unknowns x = lay_out(m, (double *)values), image = lay_out(m, image_values);
    unpack(m, &x);
    fc_holding_sums_links(&m->sums, m->stations->network_fixed, NULL, NULL);
    prepare_links(m);
    fc_closed_stations_solve(m->stations, fc_closed_tolerance(m->residual));
    fc_holding_sums_edges(&m->sums, m->stations->throughput);
    find_link_load(m);
    find_channel_flows(m, &x);
    for (size_t c = 0; c < m->paths->channels; ++c)
        evaluate_channel(m, c, &x, &image);
    m->residual = fc_closed_distance(values, image_values, m->unknown_count);
}

/* ---- set-up and result ---- */

static fc_status prepare(model *m, const fc_torus *torus, fc_error *error) {
    m->torus = torus;
    m->per_channel = torus->node_links == FC_LINK_PER_CHANNEL;
    m->residual = 1.0;
    fc_status status = fc_closed_paths_create(torus, error, &m->paths);
    if (status == FC_OK)
        status = fc_closed_overlap_create(torus, m->paths, error, &m->overlap);
    if (status != FC_OK)
        return status;
    const fc_closed_paths *p = m->paths;
    if (fc_closed_stations_create(torus, p, &m->stations) != FC_OK ||
        fc_holding_sums_create(p, &m->stations->work, &m->sums) != FC_OK)
        return fc_fail_memory(error);
    m->unknown_count = 3 * p->edges + 2 * p->channels;
    m->block = fc_allocate(2 * m->unknown_count + 3 * p->links + 3 * p->channels, sizeof *m->block);
    m->reply = fc_allocate(p->links, sizeof *m->reply);
    if (!m->block || !m->reply)
        return fc_fail_memory(error);
    m->unknowns = m->block; /* the last image follows them: see solve */
    m->link_busy = m->block + 2 * m->unknown_count;
    m->link_flow = m->link_busy + p->links;
    m->link_replies = m->link_flow + p->links;
    m->channel_flow = m->link_replies + p->links;
    m->channel_waited = m->channel_flow + p->channels;
    m->channel_wait = m->channel_waited + p->channels;
    return FC_OK;
}

static void release(model *m) {
    fc_holding_sums_release(&m->sums);
    fc_closed_overlap_release(&m->overlap);
    fc_closed_stations_free(m->stations);
    fc_closed_paths_free(m->paths);
    fc_release(m->reply);
    fc_release(m->block);
}

static void average_waits(model *m, const unknowns *x) {
    const fc_closed_paths *p = m->paths;
    for (size_t c = 0; c < p->channels; ++c) {
        double sum = 0.0;
        for (uint32_t n = 0; n < p->channel[c].ports; ++n) {
            const uint32_t e = p->port_edge[p->channel[c].first_port + n];
            sum += m->sums.edge[e].flow * x->wait[e];
        }
        m->channel_wait[c] = m->channel_flow[c] > 0.0 ? sum / m->channel_flow[c] : 0.0;
    }
}

static fc_status report(model *m, fc_fixed_point_info info, fc_error *error, fc_result *result) {
    double *image = m->unknowns + m->unknown_count;
    const double outstanding = (double)m->torus->outstanding;
    evaluate(m, m->unknowns, image); /* leaves the state of the iterate returned */
    if (m->stations->work.outstanding < outstanding)
        fc_closed_stations_obey_little(m->stations, outstanding);
    const unknowns x = lay_out(m, image);
    average_waits(m, &x);
    fc_closed_solution solution = {.torus = m->torus,
                                   .paths = m->paths,
                                   .stations = m->stations,
                                   .channel_use = x.use,
                                   .channel_wait = m->channel_wait,
                                   .info = info};
    if (!m->refined)
        solution.hot_errors = "nobody compared them with simulations";
    double *leaves = NULL;
    if (m->torus->destinations.pattern == FC_HOT_SPOT) {
        leaves = fc_allocate(2 * m->paths->leaves, sizeof *leaves);
        if (!leaves)
            return fc_fail_memory(error);
        solution.leaf_request = leaves;
        solution.leaf_reply = leaves + m->paths->leaves;
        fc_holding_sums_links(&m->sums, m->stations->network_fixed, leaves,
                              leaves + m->paths->leaves);
    }
    const fc_status status = fc_closed_report(&solution, error, result);
    fc_release(leaves);
    return status;
}

/* All requests, or else as many as the equations settle for; then the residual stays that of all
 * requests, which says that they did not. */
static fc_status find_solution(model *m, fc_fixed_point_info *info, fc_result *result) {
    const fc_fixed_point_settings settings = fc_fixed_point_default();
    fc_status status =
        fc_fixed_point_solve(evaluate, m, m->unknown_count, &settings, m->unknowns, info);
    if (status != FC_OK || info->converged)
        return status;
    info->converged = fc_closed_settled(info, m->unknowns, m->unknown_count);
    if (info->converged)
        return FC_OK;
    fc_closed_fewer fewer = {.map = evaluate,
                             .context = m,
                             .size = m->unknown_count,
                             .unknowns = m->unknowns,
                             .stations = m->stations};
    const double of_all = info->residual;
    status = fc_closed_fewer_solve(&fewer, info);
    if (status != FC_OK || !info->converged)
        return status;
    if (isfinite(of_all))
        info->residual = fmax(of_all, info->residual);
    if (fewer.requests < (double)m->torus->outstanding)
        fc_result_note(result,
                       "uncertain: the network limits the processors, and the model's equations "
                       "settle for at most %.0f requests per processor; the throughput is theirs, "
                       "the times follow from it by Little's law; simulate it",
                       fewer.requests);
    else
        fc_result_note(result,
                       "uncertain: the model's equations settle to %.2g cycles only; simulate it",
                       info->residual);
    return FC_OK;
}

static fc_status solve_as(bool refined, const fc_scenario *scenario, fc_error *error,
                          fc_result *result) {
    model m = {.refined = refined};
    fc_status status = prepare(&m, scenario->parameters, error);
    if (status == FC_OK) {
        fc_fixed_point_info info;
        if (find_solution(&m, &info, result) != FC_OK)
            status = fc_fail_memory(error);
        else
            status = report(&m, info, error, result);
    }
    release(&m);
    return status;
}

static fc_status solve(const fc_scenario *scenario, void *prepared, fc_error *error,
                       fc_result *result) {
    (void)prepared;
    return solve_as(false, scenario, error, result);
}

static fc_status solve_refined(const fc_scenario *scenario, void *prepared, fc_error *error,
                               fc_result *result) {
    (void)prepared;
    return solve_as(true, scenario, error, result);
}

const fc_model fc_model_closed_two_moment = {
    .info = {.name = "closed-two-moment",
             .kind = FC_MODEL,
             .family = "torus",
             .title = "closed wormhole network, single-flit buffers, holding times in two moments",
             .source = "ours",
             .validity = "closed traffic, wormhole, dimension order, single-flit buffers, high-low "
                         "rule; torus, unidirectional torus or mesh",
             .revision = 2},
    .suits = fc_closed_suits,
    .covers = fc_closed_single_flit_covers,
    .unlike = fc_closed_unlike,
    .solve = solve,
};

static fc_status traits_of(const fc_scenario *scenario, void *prepared, const fc_result *solved,
                           fc_error *error, fc_traits **traits) {
    (void)prepared;
    return fc_closed_traits(scenario, solved, error, traits);
}

static const fc_correction correction = {.weights = "data/closed.weights",
                                         .names = &fc_closed_trait_names,
                                         .revision = FC_CLOSED_TRAITS_REVISION,
                                         .traits = traits_of,
                                         .apply = fc_closed_correct,
                                         .without = fc_closed_uncorrected};

const fc_model fc_model_closed_refined = {
    .info = {.name = "closed-refined",
             .kind = FC_MODEL,
             .family = "torus",
             .title = "closed-two-moment, with the queue behind a waiting predecessor refined",
             .source = "ours",
             .validity = "closed traffic, wormhole, dimension order, single-flit buffers, high-low "
                         "rule; torus, unidirectional torus or mesh",
             .revision = 2},
    .suits = fc_closed_suits,
    .covers = fc_closed_single_flit_covers,
    .solve = solve_refined,
    .correction = &correction,
};
