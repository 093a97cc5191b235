#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "models/scouting/scouting_channels.h"
#include "models/scouting/scouting_paths.h"
#include "models/scouting/scouting_sharing.h"

enum { ITERATIONS_MAX = 3000 };
static const double thorough = 1e-8, brief = 1e-4; /* changes in a round that are small enough */
/* In units of the latency of the empty network. Networks of two dimensions and more that settled in
 * simulation stayed below 12. Beyond 20, 1 or 2 % of load lead to no solution at all: as good as
 * saturated. */
static const double latency_max = 20;

/* What a round starts from, beside the distributions. Times in cycles. */
typedef struct unknowns {
    double slowness;                        /* of a whole path */
    double beside[FC_SCOUTING_SHARERS_MAX]; /* the same where n others send at the source */
    double late;                            /* of headers, waiting for their turn on the links */
    double eject_wait, path_wait, astray;
    double eject_variance, path_variance;
    double searching; /* cycles a link of the path is held while the header searches */
    double retaken;   /* P(a channel that opens goes to a header that waits) */
    double few;       /* how much rarer a message is beside one other: 1 / so many there can be */
    double ejecting;  /* messages that an ejection link serves, mean */
    double streaming[FC_LIST_MAX], held[FC_LIST_MAX]; /* virtual channels, mean */
} unknowns;

struct fc_scouting_solver {
    fc_scouting_paths *paths;
    size_t dimensions, levels;
    int channels;      /* V */
    double flits;      /* M */
    double empty;      /* latency of the empty network */
    double link_lead;  /* cycles a link is held beyond the flits of a message */
    double eject_lead; /* the same of an ejection or injection channel */
    /* shares of the messages on a channel that have been met before: on the next link of a path
     * that goes straight on or turns, on the first (from the injection), on the ejection channel */
    double met_straight, met_turning, met_first, met_ejecting;
    double nodes;
    bool equal; /* all dimensions alike: one stands for all */
    /* P(slowness <= level), [levels] each: of a channel, and of the rest of a path without it */
    double *network[FC_LIST_MAX], *injection, *ejection, *whole;
    double *beside_network[FC_LIST_MAX], *beside_injection, *beside_ejection;
    double *block; /* all of them */
    /* the last solution, from which those of higher rates start, and its rate; 0: none yet */
    double *solved;
    unknowns solved_with;
    double solved_rate;
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

/* Of the messages on a link 1/D start there, and have been met on the injection channel if it is
 * the path's first; the others came straight on or from one of the turns. */
static void set_shares(fc_scouting_solver *solver) {
    const fc_scouting_paths *paths = solver->paths;
    const double n = (double)solver->dimensions, straight = paths->straight;
    solver->met_first = 1 / paths->distance;
    solver->met_straight = (1 - solver->met_first) * straight;
    solver->met_turning = n > 1 ? (1 - solver->met_first) * (1 - straight) / (2 * (n - 1)) : 0;
    solver->met_ejecting = 1 / (2 * n);
}

/* Of all distributions together. */
static size_t values_of(const fc_scouting_solver *s) {
    return (2 * s->dimensions + 5) * s->levels;
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
    made->nodes = (double)torus->nodes;
    made->levels = (size_t)(made->channels - 1) * FC_SLOWNESS_STEPS + 1;
    made->equal = true;
    for (size_t i = 1; i < made->dimensions; ++i)
        made->equal = made->equal && torus->radix.values[i] == torus->radix.values[0];
    made->block = fc_allocate(values_of(made), sizeof *made->block);
    made->solved = fc_allocate(values_of(made), sizeof *made->solved);
    if (!made->block || !made->solved) {
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
    set_shares(made);
    *solver = made;
    return FC_OK;
}

void fc_scouting_solver_free(fc_scouting_solver *solver) {
    if (!solver)
        return;
    fc_scouting_paths_free(solver->paths);
    fc_release(solver->block);
    fc_release(solver->solved);
    fc_release(solver);
}

/* ---- the slowness of a path, level by level ---- */

static double mixed(double old, double new) {
    return (old + fmin(new, 1)) / 2;
}

/* Messages met on one channel of a path may still be there on the next: only where others have
 * joined is that one too slow on its own account. Powers of P(slowness <= level) for a further
 * link, the first one and the ejection channel. */
typedef struct weights {
    double further, first, ejection;
} weights;

/* Where there are hardly ever too many, their mean does not matter. */
static double others_mean(double below, int limit) {
    return 1 - below < 1e-6 ? 0 : fc_others_mean(below, limit);
}

static weights weights_at(const fc_scouting_solver *s, size_t level) {
    const fc_scouting_paths *paths = s->paths;
    const int limit = 1 + (int)(level / FC_SLOWNESS_STEPS); /* so many others are too many */
    double within = 0;
    for (size_t i = 0; i < s->dimensions; ++i)
        within += paths->hops[i] / paths->distance * s->network[i][level];
    const double links = others_mean(within, limit);
    const double ejection = others_mean(s->ejection[level], limit);
    return (weights){
        .further = paths->straight * fc_further_weight(links, s->met_straight, limit) +
                   (1 - paths->straight) * fc_further_weight(links, s->met_turning, limit),
        .first = fc_further_weight(links, s->met_first, limit),
        .ejection = fc_further_weight(ejection, s->met_ejecting, limit),
    };
}

static void combine_paths(fc_scouting_solver *s) {
    const fc_scouting_paths *paths = s->paths;
    for (size_t l = 0; l < s->levels; ++l) {
        double product = 1, log_mean = 0;
        const weights weight = weights_at(s, l);
        double sum[FC_LIST_MAX], on[FC_LIST_MAX];
        for (size_t i = 0; i < s->dimensions; ++i) {
            const double step = pow(s->network[i][l], weight.further);
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
        const double first = exp((weight.first - weight.further) * log_mean);
        const double in = s->injection[l], out = pow(s->ejection[l], weight.ejection);
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
        const double load = rate * s->paths->hops[i] / 2 * (s->flits + 1);
        const double moving = s->flits * fc_slowness_mean(s->beside_network[i], s->levels) + 1;
        const double holding = moving - 1 + s->link_lead + u->eject_wait + u->searching;
        fc_channel_demand demand = {.load = load,
                                    .pace = (s->flits + 1) / moving,
                                    .variation = fc_pace_variation(s->beside_network[i], s->levels),
                                    .retaken = u->retaken,
                                    .choices = s->paths->choices[i],
                                    .most = s->dimensions,
                                    .mean_others = streaming};
        fc_channel_use use;
        if (!fc_channel_use_solve(s->channels, s->flits, &demand, &use))
            return false;
        fc_sharing_slowness((fc_meeting_place){fc_meet_on_link, &use, s->channels},
                            s->beside_network[i], s->levels, s->network[i], NULL);
        u->streaming[i] = use.mean;
        demand.pace = (s->flits + 1) / holding;
        demand.mean_others = held;
        if (!fc_channel_use_solve(s->channels, s->flits, &demand, &use))
            return false;
        u->held[i] = use.mean;
        solution->full[i] = use.full;
        solution->load[i] = load;
    }
    return true;
}

/* Waits at links of nodes are half of what exponential service would make, and more by the spread
 * of the service: Lee and Longton's rule for several servers. A message holds its injection channel
 * while it searches and waits for ejection, but shares the link only while it sends; the more do,
 * the longer each takes. Its tail leaves the source before it is delivered: the buffers up to the
 * slowest channel, half a path away on average, are full of flits that pass that one slowly. No
 * message takes less than a cycle for each of its flits. */
static bool share_injection(fc_scouting_solver *s, double rate, unknowns *u,
                            fc_scouting_solution *solution) {
    const double sending = s->flits * u->slowness;
    const double others = s->eject_lead + u->eject_wait + u->late + u->astray + u->path_wait;
    const double drained = s->paths->distance / 2 * (u->slowness - 1);
    const double service = fmax(s->flits, sending + others - drained);
    const double variation = (u->eject_variance + u->path_variance) / (service * service);
    double slowness[FC_SCOUTING_SHARERS_MAX + 1], services[FC_SCOUTING_SHARERS_MAX + 1];
    fc_slowness_beside(u->beside, s->channels, sending / (sending + others), slowness);
    for (int n = 1; n <= s->channels; ++n)
        services[n] = fmax(s->flits, s->flits * slowness[n] + others - drained);
    fc_node_link link;
    if (!fc_node_link_solve(s->channels, rate, 0, services, &link))
        return false;
    solution->source_wait = link.queue / rate * (1 + variation) / 2;
    const fc_node_use use = {.channels = s->channels,
                             .rate = rate,
                             .flits = s->flits,
                             .extra = others - drained,
                             .sending = sending / (sending + others),
                             .variation = fc_pace_variation(s->beside_injection, s->levels)};
    fc_sharing_slowness((fc_meeting_place){fc_meet_at_node, &use, s->channels}, s->beside_injection,
                        s->levels, s->injection, u->beside);
    /* a number with that mean and variance, of all nodes together, that is binomial */
    const double few = fmax(link.mean - link.variance, 0) / (link.mean * link.mean * s->nodes);
    u->few = (u->few + few) / 2;
    return true;
}

/* A message comes over one of the 2n V virtual channels into the node and meets what came over the
 * others. Of those that wait, the mean square is (4 + 2 busy)/3 of the squared mean, as for one
 * server with constant service: a residual service time at low load, exponential at high load. */
static bool share_ejection(fc_scouting_solver *s, double rate, unknowns *u) {
    const double others = 1 - 1 / (2 * (double)s->dimensions * s->channels);
    const double sending = s->flits * fc_slowness_mean(s->beside_ejection, s->levels);
    const double arrivals = rate / (1 - u->few * u->ejecting);
    const fc_node_use use = {.channels = s->channels,
                             .rate = arrivals,
                             .few = u->few,
                             .flits = s->flits,
                             .sending = 1,
                             .variation = fc_pace_variation(s->beside_ejection, s->levels)};
    fc_sharing_slowness((fc_meeting_place){fc_meet_at_node, &use, s->channels}, s->beside_ejection,
                        s->levels, s->ejection, NULL);
    double services[FC_SCOUTING_SHARERS_MAX + 1];
    fc_node_link link;
    for (int n = 1; n <= s->channels; ++n)
        services[n] = fmax(sending + s->eject_lead, n * s->flits);
    if (!fc_node_link_solve(s->channels, arrivals, u->few, services, &link))
        return false;
    u->ejecting = (u->ejecting + link.mean) / 2;
    const double share = others * link.waits, square = (4 + 2 * link.busy) / 3;
    u->eject_wait = others * link.queue / rate / 2;
    u->eject_variance = share > 0 ? u->eject_wait * u->eject_wait * (square / share - 1) : 0;
    return true;
}

/* A header that joins n streams on a link waits for half of them but the one that sent last, to
 * which it is next: (slowness - 2) / 2, mean over the links. */
static double header_delay(const fc_scouting_solver *s) {
    double delay = 0;
    for (size_t i = 0; i < s->dimensions; ++i) {
        double before = 0;
        for (size_t l = 0; l < s->levels; ++l) {
            delay += s->paths->hops[i] / s->paths->distance * (s->network[i][l] - before) *
                     fmax(fc_slowness_at(l) - 2, 0) / 2;
            before = s->network[i][l];
        }
    }
    return delay;
}

/* Each header that waits takes one of the openings of full channels in the end. So the share of
 * openings that they take is known, and a wait starts again where another one was first. A channel
 * that a searching header holds opens at once: only the rest of the full ones lasts. On a detour a
 * header holds half of its path, while it waits what its searches enter. */
static bool search_paths(fc_scouting_solver *s, double rate, unknowns *u,
                         const fc_scouting_solution *solution) {
    const double distance = s->paths->distance;
    const double carrying = s->flits * u->slowness + s->link_lead + u->eject_wait;
    const double hold = carrying * carrying / (carrying + u->searching);
    const fc_search search = fc_scouting_search(s->paths, solution->full, s->channels, hold);
    double openings = 0; /* a cycle, of the channels out of a node */
    for (size_t i = 0; i < s->dimensions; ++i)
        openings += 2 * solution->full[i] * s->channels / hold;
    u->retaken = openings > 0 ? rate * search.none / openings : 0;
    if (u->retaken >= FC_SCOUTING_FULL)
        return false;
    const double delay = header_delay(s), again = 1 / (1 - u->retaken);
    const double wait = search.wait * again;
    u->late = distance * delay;
    u->astray = (2 + delay) * search.astray;
    u->path_wait = wait + search.detour;
    u->path_variance = search.square * again * again - wait * wait;
    const double held = search.wait > 0 ? search.held / search.wait : 0;
    u->searching = u->path_wait * held / distance + (u->late + u->astray) / 2;
    return true;
}

/* Rounds rise to the solution from that of a lower rate or, if none is known, from the empty
 * network. */
static unknowns start(fc_scouting_solver *s, double rate) {
    const size_t values = values_of(s);
    if (s->solved_rate > 0 && s->solved_rate <= rate) {
        memcpy(s->block, s->solved, values * sizeof *s->block);
        return s->solved_with;
    }
    unknowns u = {.slowness = 1};
    for (int n = 0; n < FC_SCOUTING_SHARERS_MAX; ++n)
        u.beside[n] = 1;
    for (size_t i = 0; i < values; ++i)
        s->block[i] = 1;
    return u;
}

static void solve_to(fc_scouting_solver *s, double rate, double tolerance,
                     fc_scouting_solution *solution) {
    enum {
        BEYOND_MAX = 4
    }; /* a latency that rises for so many rounds above the limit stays there */
    unsigned beyond = 0;
    double last = 0;
    unknowns u = start(s, rate);
    *solution = (fc_scouting_solution){.saturated = true, .empty = s->empty};
    for (unsigned round = 1; round <= ITERATIONS_MAX; ++round) {
        const unknowns before = u;
        if (!share_links(s, rate, &u, solution) || !share_ejection(s, rate, &u) ||
            !share_injection(s, rate, &u, solution))
            return;
        combine_paths(s);
        u.slowness = fc_slowness_mean(s->whole, s->levels);
        if (!search_paths(s, rate, &u, solution))
            return;
        const double change = fabs(u.slowness - before.slowness) +
                              fabs(u.eject_wait - before.eject_wait) / s->flits +
                              fabs(u.path_wait - before.path_wait) / s->flits +
                              fabs(mean_of(s, u.held) - mean_of(s, before.held));
        solution->iterations = round;
        solution->residual = change;
        if (!isfinite(change))
            return;
        solution->sharing = s->flits * (u.slowness - 1) + u.late;
        solution->network = s->empty + solution->sharing + u.eject_wait + u.path_wait + u.astray;
        const double latency = solution->network + solution->source_wait;
        beyond = latency > latency_max * s->empty && latency > last ? beyond + 1 : 0;
        last = latency;
        if (change < tolerance || beyond == BEYOND_MAX)
            break;
    }
    solution->ejection_wait = u.eject_wait;
    solution->path_wait = u.path_wait;
    solution->astray = u.astray;
    memcpy(solution->held, u.held, sizeof u.held);
    solution->saturated = solution->residual >= tolerance ||
                          solution->network + solution->source_wait > latency_max * s->empty;
    if (!solution->saturated) {
        memcpy(s->solved, s->block, values_of(s) * sizeof *s->solved);
        s->solved_with = u;
        s->solved_rate = rate;
    }
}

void fc_scouting_solve(fc_scouting_solver *s, double rate, fc_scouting_solution *solution) {
    solve_to(s, rate, thorough, solution);
}

void fc_scouting_solve_briefly(fc_scouting_solver *s, double rate, fc_scouting_solution *solution) {
    solve_to(s, rate, brief, solution);
}

const fc_scouting_paths *fc_scouting_solver_paths(const fc_scouting_solver *s) {
    return s->paths;
}

double fc_scouting_latency_limit(const fc_scouting_solver *s) {
    return (latency_max - 1) * s->empty;
}
