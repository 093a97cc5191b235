#include "models/closed/closed_stations.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"

/* Cycles for network and memory in the first guess of a round trip. The solution does not depend on
 * it; it only has to be above 0, so that the first throughput is possible. */
static const double first_response = 30.0;
/* A relative error this small is lost in rounding. */
static const double forgotten = 1e-18;

/* The share of a processor that messages can take: beyond, the iterate is far from any solution. */
static const double busiest_handler = 0.98;

static const double FINEST = 1e-10; /* the tolerance to which the network's equations are solved */

static void fill_work(fc_closed_work *work, const fc_torus *torus) {
    *work = (fc_closed_work){.outstanding = (double)torus->outstanding,
                             .think = torus->think_time,
                             .processors = torus->processors,
                             .types = torus->requests.count};
    for (size_t j = 0; j < work->types; ++j) {
        const fc_request_type *type = &torus->requests.types[j];
        work->share[j] = type->share;
        work->flits[FC_REQUEST][j] = (size_t)type->flits;
        work->flits[FC_REPLY][j] = (size_t)type->reply_flits;
        work->memory_reply[j] = type->memory_reply;
        work->memory_busy[j] = type->memory_busy;
        work->mean_reply += type->share * type->memory_reply;
        for (size_t t = 0; t < FC_MESSAGES; ++t) {
            work->mean_flits[t] += type->share * (double)work->flits[t][j];
            if (work->flits[t][j] > work->longest)
                work->longest = work->flits[t][j];
        }
    }
}

static void share_messages(fc_closed_stations *s) {
    const fc_closed_paths *p = s->paths;
    for (size_t i = 0; i < p->orbits; ++i) {
        const fc_closed_tree *tree = &p->tree[i];
        for (size_t v = tree->first_vertex, l = tree->first_leaf;
             v < tree->first_vertex + tree->vertices; ++v) {
            if (!p->vertex[v].leaf)
                continue;
            const uint32_t link = p->edge[p->vertex[v].edge].link;
            const double copies = p->orbit_size[i] / p->link[link].copies;
            s->link_request_share[link] += copies * p->leaf[l].request;
            s->link_reply_share[link] += copies * p->leaf[l++].reply;
        }
    }
}

void fc_closed_stations_start(fc_closed_stations *s, double outstanding) {
    const fc_closed_paths *p = s->paths;
    s->work.outstanding = outstanding;
    for (size_t i = 0; i < p->orbits; ++i) {
        s->round_trip[i] = outstanding * s->work.think + first_response;
        s->throughput[i] = outstanding / s->round_trip[i];
        s->rest[i] = 0.0;
    }
    memset(s->link_wait, 0, p->links * sizeof *s->link_wait);
    memset(s->visit_wait, 0, p->visits * sizeof *s->visit_wait);
    memset(s->pair_work, 0, p->pairs * sizeof *s->pair_work);
}

/* The share of a sender's requests that a pair has. */
static void share_pairs(fc_closed_stations *s) {
    const fc_closed_paths *p = s->paths;
    for (size_t i = 0; i < p->orbits; ++i) {
        const fc_closed_tree *tree = &p->tree[i];
        for (size_t z = tree->first_pair; z < tree->first_pair + tree->pairs; ++z)
            s->pair_part[z] =
                p->orbit_size[i] / p->orbit_size[p->pair_source[z]] * p->pair_request[z];
    }
}

fc_status fc_closed_stations_create(const fc_torus *torus, const fc_closed_paths *paths,
                                    fc_closed_stations **stations) {
    fc_closed_stations *s = fc_allocate(1, sizeof *s);
    if (!s)
        return FC_ERROR_MEMORY;
    s->paths = paths;
    fill_work(&s->work, torus);
    const size_t classes = paths->orbits, links = paths->links, visits = paths->visits;
    double **const per_class[] = {&s->network_fixed, &s->throughput, &s->round_trip, &s->processor,
                                  &s->network,       &s->memory,     &s->rest,       &s->handling};
    double **const per_link[] = {
        &s->link_request_share, &s->link_reply_share, &s->link_request_residual,
        &s->link_hold[0],       &s->link_hold[1],     &s->link_spacing,
        &s->link_wait,          &s->link_residual,    &s->link_queue,
        &s->link_found};
    double **const per_visit[] = {&s->visit_residual, &s->visit_wait};
    double **const per_pair[] = {&s->pair_work, &s->pair_wait, &s->pair_flow, &s->pair_part};
    s->block =
        fc_allocate(classes * 8 + links * 10 + visits * 2 + paths->pairs * 4, sizeof(double));
    if (!s->block) {
        fc_release(s);
        return FC_ERROR_MEMORY;
    }
    double *next = s->block;
    for (size_t i = 0; i < 8; ++i, next += classes)
        *per_class[i] = next;
    for (size_t i = 0; i < 10; ++i, next += links)
        *per_link[i] = next;
    for (size_t i = 0; i < 2; ++i, next += visits)
        *per_visit[i] = next;
    for (size_t i = 0; i < 4; ++i, next += paths->pairs)
        *per_pair[i] = next;
    for (size_t i = 0; i < links; ++i)
        s->link_spacing[i] = 1.0;
    fc_closed_stations_start(s, s->work.outstanding);
    s->processor_residual = s->work.think;
    share_messages(s);
    share_pairs(s);
    *stations = s;
    return FC_OK;
}

void fc_closed_stations_free(fc_closed_stations *stations) {
    if (!stations)
        return;
    fc_release(stations->block);
    fc_release(stations);
}

/* Equations (10)-(12): total work found on arrival, less what the arriving customer caused itself.
 * The factor r_node[k] missing from (12) in print is part of the residuals. */
static void sweep_links(fc_closed_stations *s) {
    const fc_closed_paths *p = s->paths;
    const double own = 1.0 / s->work.outstanding;
    for (size_t l = 0; l < p->links; ++l) {
        s->link_residual[l] = s->link_queue[l] = 0.0;
        s->link_found[l] =
            s->throughput[p->link[l].owner] *
            (s->link_request_residual[l] +
             s->link_request_share[l] * s->link_wait[l] * s->link_hold[FC_REQUEST][l]);
    }
    for (size_t i = 0; i < p->orbits; ++i) {
        const fc_closed_tree *tree = &p->tree[i];
        const double flow = p->orbit_size[i] * s->throughput[i];
        for (size_t y = tree->first_visit; y < tree->first_visit + tree->visits; ++y) {
            const uint32_t l = p->visit[y].link;
            const double part = flow / p->link[l].copies;
            s->link_residual[l] += part * s->visit_residual[y];
            s->link_queue[l] += part * p->visit[y].reply * s->visit_wait[y];
        }
    }
    for (size_t i = 0; i < p->orbits; ++i) {
        const fc_closed_tree *tree = &p->tree[i];
        const double caused = own * s->throughput[i];
        for (size_t y = tree->first_visit; y < tree->first_visit + tree->visits; ++y) {
            const uint32_t l = p->visit[y].link;
            const double replies =
                s->link_spacing[l] * (s->link_residual[l] - caused * s->visit_residual[y]) +
                s->link_hold[FC_REPLY][l] *
                    (s->link_queue[l] - caused * p->visit[y].reply * s->visit_wait[y]);
            s->visit_wait[y] = 0.5 * (s->visit_wait[y] + s->link_found[l] + replies);
        }
    }
    for (size_t l = 0; l < p->links; ++l) {
        const double owner = (1.0 - own) * s->throughput[p->link[l].owner];
        const double wait =
            owner * (s->link_request_residual[l] +
                     s->link_request_share[l] * s->link_wait[l] * s->link_hold[FC_REQUEST][l]) +
            s->link_residual[l] + s->link_queue[l] * s->link_hold[FC_REPLY][l];
        s->link_wait[l] = 0.5 * (s->link_wait[l] + wait);
    }
}

/* Equations (19)-(23). A request of type j finds a request of type j' in service with what is left
 * when its last flit has arrived; nothing if that is negative (the printed (23) would then go
 * negative too). */
static void sweep_memories(fc_closed_stations *s) {
    const fc_closed_paths *p = s->paths;
    const fc_closed_work *w = &s->work;
    double residual[FC_REQUEST_TYPES_MAX] = {0}, mean_residual = 0.0, mean_busy = 0.0;
    double busy_residual = 0.0;
    for (size_t j = 0; j < w->types; ++j) {
        for (size_t other = 0; other < w->types; ++other) {
            const double rest = w->memory_busy[other] - (double)w->flits[FC_REQUEST][j];
            if (rest > 0.0)
                residual[j] += w->share[other] * 0.5 * rest * (rest + 1.0);
        }
        mean_residual += w->share[j] * residual[j];
        mean_busy += w->share[j] * w->memory_busy[j];
        busy_residual += w->share[j] * w->memory_busy[j] * residual[j];
    }
    for (size_t i = 0; i < p->orbits; ++i)
        s->memory[i] = w->mean_reply;
    for (size_t i = 0; i < p->orbits; ++i) {
        const fc_closed_tree *tree = &p->tree[i];
        const size_t end = tree->first_pair + tree->pairs;
        double arrivals = 0.0, queue = 0.0;
        for (size_t z = tree->first_pair; z < end; ++z) {
            const double flow = s->throughput[p->pair_source[z]] * p->pair_request[z];
            arrivals += flow;
            queue += flow * s->pair_work[z];
            s->pair_flow[z] = flow;
        }
        if (w->processors == FC_PROCESSOR_INTERRUPTED)
            s->handling[i] = fmin(busiest_handler, arrivals * mean_busy);
        for (size_t z = tree->first_pair; z < end; ++z) {
            const double own = s->pair_flow[z] / w->outstanding;
            const double waiting = queue - own * s->pair_work[z];
            const double work = waiting * mean_busy + (arrivals - own) * busy_residual;
            s->pair_work[z] = 0.5 * (s->pair_work[z] + work);
            s->pair_wait[z] = waiting + (arrivals - own) * mean_residual;
        }
        for (size_t z = tree->first_pair; z < end; ++z)
            s->memory[p->pair_source[z]] += s->pair_part[z] * s->pair_wait[z];
    }
}

/* tau: mean service. The processor's time with n customers if one customer less made no difference:
 * the solution of time = tau + n ((time - tau) tau + tau residual) / (time + rest). Of an idle
 * processor. */
static double steady_time(const fc_closed_stations *s, double tau, double rest, double n) {
    const double b = rest - tau * (1.0 + n), d = tau * (rest - n * (tau - s->processor_residual));
    return 2.0 * d / (b + sqrt(b * b + 4.0 * d));
}

/* The number of customers from which the recursion may start with the same result as from one: a
 * step from n - 1 to n customers multiplies an error of the time by busy_(n-1) (rest + tau -
 * residual) / (time_(n-1) + rest), which is less than busy_N. */
static double first_customers(const fc_closed_stations *s, double tau, double rest) {
    const double all = s->work.outstanding;
    if (!(rest > (all + 1.0) * tau))
        return 1.0;
    const double busy = all * tau / (steady_time(s, tau, rest, all) + rest);
    return fmax(1.0, all - ceil(log(forgotten) / log(busy)));
}

/* Equations (14)-(17): exact mean value analysis of the processor against a delay of `rest`. Once
 * it is busy all the time it is so with every customer more: time + rest <= n tau for one n makes
 * the next time at most (n + 1) tau - rest, since the residual is at most tau. */
static double processor_time(const fc_closed_stations *s, double tau, double rest) {
    if (s->work.processors == FC_PROCESSOR_PER_REQUEST)
        return tau;
    const double first = first_customers(s, tau, rest);
    double time = first > 1.0 ? steady_time(s, tau, rest, first) : tau;
    double queue = first * time / (time + rest), busy = first * tau / (time + rest);
    for (double n = first + 1.0; n <= s->work.outstanding; ++n) {
        if (busy >= 1.0)
            return fmax(0.0, s->work.outstanding * tau - rest);
        time = tau + (queue - busy) * tau + busy * s->processor_residual;
        queue = n * time / (time + rest);
        busy = n * tau / (time + rest);
    }
    return time;
}

static void collect_network(fc_closed_stations *s) {
    const fc_closed_paths *p = s->paths;
    for (size_t i = 0; i < p->orbits; ++i) {
        const fc_closed_tree *tree = &p->tree[i];
        s->network[i] = s->network_fixed[i];
        for (size_t y = tree->first_visit; y < tree->first_visit + tree->visits; ++y) {
            const double extra = s->visit_extra ? s->visit_extra[y] : 0.0;
            s->network[i] += p->visit[y].reply * (s->visit_wait[y] + extra);
        }
    }
    for (size_t l = 0; l < p->links; ++l) {
        const uint32_t owner = p->link[l].owner;
        const double extra = s->link_extra ? s->link_extra[l] : 0.0;
        s->network[owner] += p->link[l].copies / p->orbit_size[owner] * s->link_request_share[l] *
                             (s->link_wait[l] + extra);
    }
}

/* Equation (1), with the cap E <= 1 inside the iteration: without it the throughput would exceed
 * one request per think time and the network times with it. */
static double sweep_classes(fc_closed_stations *s) {
    double change = 0.0;
    collect_network(s);
    for (size_t i = 0; i < s->paths->orbits; ++i) {
        const double rest = s->network[i] + s->memory[i];
        change = fmax(change, fabs(rest - s->rest[i]) / rest);
        s->rest[i] = rest;
        /* A service that messages interrupt takes longer by their share of the time. */
        const double tau = s->work.think / (1.0 - s->handling[i]);
        const bool single = s->work.processors != FC_PROCESSOR_PER_REQUEST;
        s->processor[i] = processor_time(s, tau, rest);
        const double sum = s->processor[i] + rest, least = single ? s->work.outstanding * tau : tau;
        const double round_trip = sum > least ? sum : least;
        change = fmax(change, fabs(round_trip - s->round_trip[i]) / round_trip);
        s->round_trip[i] = round_trip;
        s->throughput[i] = s->work.outstanding / round_trip;
    }
    return change;
}

/* In large networks a sweep costs as much as an evaluation of the network. Queues that do not limit
 * the throughput, because the processors do, have nothing to wait for: they settle at the end. */
enum { SWEEPS = 8, SWEEPS_LARGE = 5, LARGE = 128, SWEEPS_LAST = 400 };

void fc_closed_stations_solve(fc_closed_stations *stations, double tolerance) {
    const int sweeps = tolerance <= FINEST               ? SWEEPS_LAST
                       : stations->paths->orbits > LARGE ? SWEEPS_LARGE
                                                         : SWEEPS;
    for (int n = 0; n < sweeps; ++n) {
        if (stations->update)
            stations->update(stations->update_context, stations);
        sweep_links(stations);
        sweep_memories(stations);
        if (sweep_classes(stations) < tolerance)
            return;
    }
}

/* Network and memory of a round trip: the processor takes the rest of it. */
static double rest_of(const fc_closed_stations *s, double round_trip) {
    double low = 0.0, high = round_trip;
    for (int step = 0; step < 60; ++step) {
        const double rest = 0.5 * (low + high);
        *(processor_time(s, s->work.think, rest) + rest < round_trip ? &low : &high) = rest;
    }
    return low;
}

void fc_closed_stations_obey_little(fc_closed_stations *s, double outstanding) {
    const fc_closed_paths *p = s->paths;
    s->work.outstanding = outstanding;
    for (size_t i = 0; i < p->orbits; ++i) {
        s->round_trip[i] = outstanding / s->throughput[i];
        s->rest[i] = rest_of(s, s->round_trip[i]);
        s->processor[i] = s->round_trip[i] - s->rest[i];
    }
    for (size_t l = 0; l < p->links; ++l) {
        const uint32_t owner = p->link[l].owner;
        const double more = s->rest[owner] - s->memory[owner] - s->network[owner];
        s->link_wait[l] = fmax(0.0, s->link_wait[l] + more);
    }
    for (size_t i = 0; i < p->orbits; ++i)
        s->network[i] = fmax(0.0, s->rest[i] - s->memory[i]);
}

double fc_closed_tolerance(double residual) {
    return fmin(1e-5, fmax(FINEST, 1e-5 * residual));
}

double fc_closed_distance(const double *x, const double *y, size_t size) {
    double largest = 0.0;
    for (size_t i = 0; i < size; ++i)
        largest = fmax(largest, fabs(x[i] - y[i]));
    return largest;
}

double fc_closed_published_residual(const fc_closed_work *w) {
    double residual = 0.0;
    for (size_t j = 0; j < w->types; ++j)
        residual +=
            w->share[j] * w->think * pow(1.0 - 1.0 / w->think, (double)w->flits[FC_REPLY][j] - 1.0);
    return residual;
}
