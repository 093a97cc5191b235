#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "models/scouting_channels.h"
#include "models/scouting_paths.h"
#include "models/scouting_sharing.h"

enum { ITERATIONS_MAX = 3000 };
static const double tolerance = 1e-8;

struct fc_scouting_solver {
    fc_scouting_paths *paths;
    size_t dimensions, levels;
    int channels;       /* V */
    double flits;       /* M */
    double empty;       /* latency of the empty network */
    double link_lead;   /* cycles a link is held beyond the flits of a message */
    double eject_lead;  /* the same of an ejection or injection channel */
    double alike;       /* weight of a further channel: the share of messages not met before */
    double first;       /* correction for the first channel of a path */
    double eject_alike; /* weight of the ejection channel */
    bool equal;         /* all dimensions alike: one stands for all */
    /* P(slowness <= level), [levels] each: of a channel, and of the rest of a path without it */
    double *network[FC_LIST_MAX], *injection, *ejection, *whole;
    double *beside_network[FC_LIST_MAX], *beside_injection, *beside_ejection;
    double *block; /* all of them */
};

/* ---- creation ---- */

static void set_leads(fc_scouting_solver *solver, const fc_torus *torus) {
    const fc_scouting_paths *paths = solver->paths;
    const double lead = fmax((double)torus->scouting_distance, 1);
    for (size_t d = 1; d <= paths->longest; ++d) {
        const double distance = (double)d, share = paths->spread[d];
        const bool far = distance >= lead;
        solver->empty +=
            share * (solver->flits + (far ? distance + 2 * lead - 1 : 3 * distance + 1));
        solver->link_lead += share * distance / paths->distance * 2 * fmin(lead, distance + 1);
        solver->eject_lead += share * fmin(2 * lead - 1, 2 * distance + 1);
    }
}

/* Messages met on one channel of the path may still be there on the next: only those that join
 * count again. Of the messages on a channel 1/D start there, and have been met on the injection
 * channel if it is the path's first; the others came straight on or from one of the turns. */
static void set_weights(fc_scouting_solver *solver) {
    const fc_scouting_paths *paths = solver->paths;
    const double n = (double)solver->dimensions, straight = paths->straight;
    const double turn = n > 1 ? (1 - straight) / (2 * (n - 1)) : 0;
    const double starts = 1 / paths->distance;
    solver->alike = 1 - (1 - starts) * (straight * straight + (1 - straight) * turn);
    solver->first = 1 - starts - solver->alike;
    solver->eject_alike = 1 - 1 / (2 * n);
}

fc_status fc_scouting_solver_create(const fc_torus *torus, fc_error *error,
                                    fc_scouting_solver **solver) {
    fc_scouting_solver *made = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    const fc_status status = fc_scouting_paths_create(torus, error, &made->paths);
    if (status != FC_OK) {
        fc_scouting_solver_free(made);
        return status;
    }
    made->dimensions = torus->radix.count;
    made->channels = (int)torus->virtual_channels;
    made->flits = (double)torus->message_flits;
    made->levels = (size_t)(made->channels - 1) * FC_SLOWNESS_STEPS + 1;
    made->equal = true;
    for (size_t i = 1; i < made->dimensions; ++i)
        made->equal = made->equal && torus->radix.values[i] == torus->radix.values[0];
    made->block = fc_allocate((2 * made->dimensions + 5) * made->levels, sizeof *made->block);
    if (!made->block) {
        fc_scouting_solver_free(made);
        return fc_fail_memory(error);
    }
    double *next = made->block;
    for (size_t i = 0; i < made->dimensions; ++i, next += 2 * made->levels) {
        made->network[i] = next;
        made->beside_network[i] = next + made->levels;
    }
    double **const others[] = {&made->injection, &made->ejection, &made->whole,
                               &made->beside_injection, &made->beside_ejection};
    for (size_t i = 0; i < 5; ++i, next += made->levels)
        *others[i] = next;
    set_leads(made, torus);
    set_weights(made);
    *solver = made;
    return FC_OK;
}

void fc_scouting_solver_free(fc_scouting_solver *solver) {
    if (!solver)
        return;
    fc_scouting_paths_free(solver->paths);
    fc_release(solver->block);
    fc_release(solver);
}

/* ---- the slowness of a path, level by level ---- */

static double mixed(double old, double new) {
    return (old + fmin(new, 1)) / 2;
}

static void combine_paths(fc_scouting_solver *s) {
    const fc_scouting_paths *paths = s->paths;
    for (size_t l = 0; l < s->levels; ++l) {
        double product = 1, log_mean = 0;
        double sum[FC_LIST_MAX], on[FC_LIST_MAX];
        for (size_t i = 0; i < s->dimensions; ++i) {
            const double step = pow(s->network[i][l], s->alike);
            double power = 1, mean = 0;
            sum[i] = on[i] = 0;
            for (size_t h = 0; h <= paths->half[i]; ++h) {
                sum[i] += paths->chance[i][h] * power;
                if (h < paths->half[i])
                    on[i] += (double)(h + 1) * paths->chance[i][h + 1] * power;
                mean += (double)h * paths->chance[i][h];
                power *= step;
            }
            on[i] /= mean;
            product *= sum[i];
            log_mean += paths->hops[i] / paths->distance * log(s->network[i][l]);
        }
        const double first = exp(s->first * log_mean);
        const double in = s->injection[l], out = pow(s->ejection[l], s->eject_alike);
        const double links = fmin((product - paths->self) / (1 - paths->self) * first, 1);
        s->whole[l] = links * in * out;
        s->beside_injection[l] = mixed(s->beside_injection[l], links * out);
        s->beside_ejection[l] = mixed(s->beside_ejection[l], links * in);
        for (size_t i = 0; i < s->dimensions; ++i)
            s->beside_network[i][l] =
                mixed(s->beside_network[i][l], product / sum[i] * on[i] * first * in * out);
    }
}

/* ---- one round ---- */

typedef struct unknowns {
    double slowness; /* of a whole path */
    double eject_wait, search_wait, astray;
    double eject_variance, search_variance;
    double streaming[FC_LIST_MAX], held[FC_LIST_MAX]; /* virtual channels, mean */
} unknowns;

static double mean_of(const fc_scouting_solver *s, const double *values) {
    double sum = 0;
    for (size_t i = 0; i < s->dimensions; ++i)
        sum += values[i];
    return sum / (double)s->dimensions;
}

static bool share_links(fc_scouting_solver *s, double rate, unknowns *u,
                        fc_scouting_solution *solution) {
    const double streaming = mean_of(s, u->streaming), held = mean_of(s, u->held);
    for (size_t i = 0; i < s->dimensions; ++i) {
        if (i > 0 && s->equal) {
            memcpy(s->network[i], s->network[0], s->levels * sizeof(double));
            u->streaming[i] = u->streaming[0];
            u->held[i] = u->held[0];
            solution->full[i] = solution->full[0];
            solution->load[i] = solution->load[0];
            continue;
        }
        const double *choices = s->paths->choices[i];
        const double load = rate * s->paths->hops[i] / 2 * (s->flits + 1);
        const double moving = s->flits * fc_slowness_mean(s->beside_network[i], s->levels) + 1;
        /* a header that searches holds half of its path on average */
        const double holding = moving - 1 + s->link_lead + u->eject_wait + u->search_wait / 2;
        fc_channel_use use;
        if (!fc_channel_use_solve(s->channels, load, (s->flits + 1) / moving, choices,
                                  s->dimensions, streaming, &use))
            return false;
        fc_sharing_slowness(use.met, s->channels, s->beside_network[i], s->levels, s->network[i]);
        u->streaming[i] = use.mean;
        if (!fc_channel_use_solve(s->channels, load, (s->flits + 1) / holding, choices,
                                  s->dimensions, held, &use))
            return false;
        u->held[i] = use.mean;
        solution->full[i] = use.full;
        solution->load[i] = load;
    }
    return true;
}

/* Variance of a wait that only a share of the messages has; square: mean square of the wait of
 * those in units of their squared mean. */
static double spread_of_wait(double mean, double share, double square) {
    return share > 0 ? mean * mean * (square / share - 1) : 0;
}

/* Waits at links of nodes are half of what exponential service would make, and more by the spread
 * of the service: Lee and Longton's rule for several servers. A message holds its injection channel
 * while it searches and waits for ejection, but shares the link only while it sends. */
static bool share_injection(fc_scouting_solver *s, double rate, const unknowns *u,
                            fc_scouting_solution *solution) {
    const double sending = s->flits * u->slowness;
    const double service = sending + s->eject_lead + u->eject_wait + u->search_wait;
    const double variation = (u->eject_variance + u->search_variance) / (service * service);
    fc_node_link link;
    if (!fc_node_link_solve(s->channels, rate * s->flits, s->flits / service, &link))
        return false;
    solution->source_wait = link.queue / rate * (1 + variation) / 2;
    fc_met_sending(link.met, s->channels, sending / service);
    fc_sharing_slowness(link.met, s->channels, s->beside_injection, s->levels, s->injection);
    return true;
}

/* A message comes over one of the 2n V virtual channels into the node and meets what came over the
 * others. Those that wait have the spread of the wait for one server with constant service,
 * (4 + 2 busy)/3: a residual service time at low load, exponential at high load. */
static bool share_ejection(fc_scouting_solver *s, double rate, unknowns *u) {
    const double load = rate * s->flits;
    const double others = 1 - 1 / (2 * (double)s->dimensions * s->channels);
    const double slowness = fc_slowness_mean(s->beside_ejection, s->levels);
    fc_node_link link;
    if (!fc_node_link_solve(s->channels, load, 1 / slowness, &link))
        return false;
    fc_sharing_slowness(link.met, s->channels, s->beside_ejection, s->levels, s->ejection);
    if (!fc_node_link_solve(s->channels, load, s->flits / (s->flits * slowness + s->eject_lead),
                            &link))
        return false;
    u->eject_wait = others * link.queue / rate / 2;
    u->eject_variance = spread_of_wait(u->eject_wait, others * link.waits, (4 + 2 * link.busy) / 3);
    return true;
}

/* A link entered in vain costs the way there and back. Another header waits for the same channel
 * with about the probability that it is full, and is as likely to get it: then the wait starts
 * again. So waits are those of repeated trials, and taken to be exponential for the headers that
 * find no path at once. */
static void search_paths(fc_scouting_solver *s, unknowns *u, const fc_scouting_solution *solution) {
    const double hold = s->flits * u->slowness + s->link_lead + u->eject_wait;
    const fc_search search = fc_scouting_search(s->paths, solution->full, s->channels, hold);
    u->astray = 2 * search.astray;
    u->search_wait = search.wait / (1 - mean_of(s, solution->full) / 2) + u->astray;
    u->search_variance = spread_of_wait(u->search_wait - u->astray, search.none, 2);
}

void fc_scouting_solve(fc_scouting_solver *s, double rate, fc_scouting_solution *solution) {
    unknowns u = {.slowness = 1};
    *solution = (fc_scouting_solution){.saturated = true, .empty = s->empty};
    for (size_t i = 0; i < (2 * s->dimensions + 5) * s->levels; ++i)
        s->block[i] = 1;
    for (unsigned round = 1; round <= ITERATIONS_MAX; ++round) {
        const unknowns before = u;
        if (!share_links(s, rate, &u, solution) || !share_ejection(s, rate, &u) ||
            !share_injection(s, rate, &u, solution))
            return;
        combine_paths(s);
        u.slowness = fc_slowness_mean(s->whole, s->levels);
        search_paths(s, &u, solution);
        const double change = fabs(u.slowness - before.slowness) +
                              fabs(u.eject_wait - before.eject_wait) / s->flits +
                              fabs(u.search_wait - before.search_wait) / s->flits +
                              fabs(mean_of(s, u.held) - mean_of(s, before.held));
        solution->iterations = round;
        solution->residual = change;
        if (!isfinite(change))
            return;
        if (change < tolerance) {
            solution->saturated = false;
            break;
        }
    }
    solution->sharing = s->flits * (u.slowness - 1);
    solution->ejection_wait = u.eject_wait;
    solution->path_wait = u.search_wait - u.astray;
    solution->astray = u.astray;
    memcpy(solution->held, u.held, sizeof u.held);
}
