/* Scouting switching in a k x k bidirectional torus with minimal fully adaptive routing.
 *
 * F. Safaei, A. Khonsari, M. Fathy, N. Talebanfard, M. Ould-Khaoua, "Communication Prediction of
 * Scouting Switching in Adaptively-Routed Torus Networks". Numbers in brackets are its equations.
 *
 *     D = k/2                          mean distance                                 (2)
 *     S = Cbar + M                     network latency                               (4)
 *     Cbar = mean over t = 0..K of C_00^t, + lead                                    (7)
 *     Pb_i = (1 - p_i) PV^2 + p_i PV   a header is blocked after i hops         (9) (10)
 *     PV = rho^V, rho = lc S           all V virtual channels of a channel are held (12)
 *     lc = lg visits / 4               header visits to a channel per cycle          (3)
 *     Ws                               wait at the source, M/G/1                    (11)
 *     Vbar = sum v^2 Pv / sum v Pv     virtual channels that share a link           (13)
 *     T = (S + Ws) Vbar                                                              (1)
 *
 * The recursion (5) of C^t_ij depends on t and j through t - j alone, the backtracks still allowed:
 * one table over i and t - j serves every t, O(K D) in all.
 *
 * All is an explicit function of rho: rho gives PV, Pb, Cbar, S and visits, hence the load
 * lg = 4 rho / (S visits). Over rho the load rises to a maximum and falls again (a fold): the
 * branch from rho = 0 is the solution, the maximum is saturation, and no iteration can stall there.
 *
 * Departures from the print:
 *
 *  d1 (4) is printed S = C + D + M, which counts the distance twice: C_00 holds the D hops. The
 *     text under (11) gives M + 2K - 1 + D as the least latency, and S = C + M meets it.
 *  d2 The lead 2K - 1 is -1 for K = 0, but data cannot overtake its header: max(2K - 1, 1).
 *  d3 The first line of (8) is printed as 1 for i <= k/4 where the text says that no dimension is
 *     finished yet: 0 for i < k/4.
 *  d4 "V - 1 virtual channels" among the assumptions contradicts (9), (11) and (12): V.
 *  d5 The binomials of (6) reduce to (t-j) / (t-j+D-1).
 *
 * `safaei` keeps (3) as printed (reading E1): a block at hop i costs i more visits. `safaei-e0`
 * leaves that sum out (reading E0), visits = D, which places saturation with many virtual channels
 * much better and with one channel much worse. `safaei-literal` keeps d1, d2 and d3 as printed.
 *
 * Assumes Poisson sources, uniform destinations, independent channels; no wait for ejection. For k
 * that is not even D is rounded in the recursion and the difference added to C_00.
 * Accuracy, measured against the simulator: docs/validation/scouting.md. */
#include <math.h>
#include "base/memory.h"
#include "models/scouting/scouting_models.h"

typedef struct reading {
    bool restart_visits; /* E1 */
    bool literal;        /* without d1, d2 and d3 */
} reading;

typedef struct problem {
    double radix, distance; /* k, D */
    double channels, flits; /* V, M */
    double lead;            /* max(2K - 1, 1) */
    double counted_again;   /* of the distance; 0 by d1 */
    long scouting_distance; /* K */
    long hops;              /* D rounded */
    reading read;
    /* [hops + 1] rows of the recursion, for r - 1 and r backtracks left */
    double *pass, *pass_next;
} problem;

/* Everything as a function of rho, for one value of it. */
typedef struct point {
    double rho;
    double load;    /* lg */
    double setup;   /* Cbar */
    double network; /* S */
    double visits;
    double rate; /* lc */
} point;

static double one_dimension_left(const problem *p, long hop) { /* (8), d3 */
    if (p->read.literal && (double)hop <= p->radix / 4)
        return 1;
    if ((double)hop < p->radix / 4)
        return 0;
    return fmin(1, 2 / (p->distance - (double)hop + 1));
}

static double blocking(const problem *p, double busy, long hop) { /* (9), (10) */
    const double one = one_dimension_left(p, hop);
    return (1 - one) * busy * busy + one * busy;
}

/* (5) to (7): F[i][r] is C_ij^t for r = t - j. */
static double setup_time(problem *p, double busy) {
    double sum = 0;
    for (long left = 0; left <= p->scouting_distance; ++left) {
        double *now = p->pass_next, *before = p->pass;
        const double weight = left > 0 ? (double)left / ((double)left + p->distance - 1) : 0;
        now[p->hops] = 0;
        for (long i = p->hops - 1; i > 0; --i) {
            const double back = weight * blocking(p, busy, i);
            now[i] = (1 - back) * now[i + 1] + (back > 0 ? back * before[i - 1] : 0) + 1;
        }
        now[0] = now[1] + 1;
        sum += now[0];
        p->pass = now;
        p->pass_next = before;
    }
    return sum / (double)(p->scouting_distance + 1) + p->distance - (double)p->hops + p->lead;
}

static point evaluate(problem *p, double rho) {
    point at = {.rho = rho};
    const double busy = pow(rho, p->channels);
    at.setup = setup_time(p, busy);
    at.network = at.setup + p->counted_again + p->flits; /* (4), d1 */
    at.visits = p->distance;
    if (p->read.restart_visits)
        for (long i = 1; i < p->hops; ++i)
            at.visits += (double)i * blocking(p, busy, i);
    at.load = 4 * rho / (at.network * at.visits);
    at.rate = at.load * at.visits / 4; /* (3) */
    return at;
}

/* rho in (0, 1] of the largest load: a scan, then golden sections in its bracket. If the source
 * saturates first (lg S = V, tiny networks only), the rho where it does. */
static double fold(problem *p) {
    enum { STEPS = 200 };
    const double ratio = 0.6180339887498949;
    int best = 1;
    for (int i = 2; i <= STEPS; ++i)
        if (evaluate(p, (double)i / STEPS).load > evaluate(p, (double)best / STEPS).load)
            best = i;
    double low = (double)(best - 1) / STEPS, high = fmin((double)(best + 1) / STEPS, 1);
    while (high - low > 1e-9) {
        const double left = high - ratio * (high - low), right = low + ratio * (high - low);
        if (evaluate(p, left).load < evaluate(p, right).load)
            low = left;
        else
            high = right;
    }
    const point top = evaluate(p, high);
    if (top.load * top.network < p->channels)
        return high;
    for (low = 0; high - low > 1e-12;) {
        const double middle = (low + high) / 2;
        const point at = evaluate(p, middle);
        if (at.load * at.network < p->channels)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static fc_status set_up(const fc_scenario *scenario, reading read, fc_error *error, problem *p) {
    const fc_torus *torus = scenario->parameters;
    *p = (problem){
        .radix = (double)torus->radix.values[0],
        .channels = (double)torus->virtual_channels,
        .flits = (double)torus->message_flits,
        .scouting_distance = (long)torus->scouting_distance,
        .read = read,
    };
    p->distance = p->radix / 2;
    p->hops = lround(p->distance);
    p->lead = 2 * (double)p->scouting_distance - 1;
    if (read.literal)
        p->counted_again = p->distance;
    else
        p->lead = fmax(p->lead, 1); /* d2 */
    p->pass = fc_allocate((size_t)p->hops + 1, sizeof *p->pass);
    p->pass_next = fc_allocate((size_t)p->hops + 1, sizeof *p->pass_next);
    return p->pass && p->pass_next ? FC_OK : fc_fail_memory(error);
}

static void tear_down(problem *p) {
    fc_release(p->pass);
    fc_release(p->pass_next);
}

static double multiplexing(const problem *p, double rho) { /* (13) with (12) */
    double first = 0, second = 0;
    for (size_t busy = 1; (double)busy <= p->channels; ++busy) {
        const double v = (double)busy;
        const double share = v < p->channels ? (1 - rho) * pow(rho, v) : pow(rho, v);
        first += v * share;
        second += v * v * share;
    }
    return first > 0 ? second / first : 1;
}

static void fill(const problem *p, const point *at, double load, fc_result *result) {
    const double none = (double)NAN;
    const double spread = at->network - p->flits - p->lead - p->distance;
    const double wait = load * (at->network * at->network + spread * spread) /
                        (2 * (p->channels - load * at->network)); /* (11) */
    const double shared = multiplexing(p, at->rho);
    const double back = at->setup - p->distance - p->lead;
    fc_result_add(result, FC_METRIC_LATENCY, (at->network + wait) * shared, none); /* (1) */
    fc_result_add(result, FC_METRIC_NETWORK_LATENCY, at->network * shared, none);
    fc_result_add(result, FC_METRIC_SOURCE_WAIT, wait * shared, none);
    fc_result_add(result, FC_METRIC_THROUGHPUT, load, none);
    fc_result_add(result, FC_METRIC_OFFERED, load, none);
    fc_result_add_part(result, "links of the path", "cycles", p->distance);
    if (p->read.literal)
        fc_result_add_part(result, "links counted again", "cycles", p->counted_again);
    fc_result_add_part(result, "flits of the message", "cycles", p->flits);
    fc_result_add_part(result, "lead of the header", "cycles", p->lead);
    fc_result_add_part(result, "backtracking", "cycles", back);
    fc_result_add_part(result, "wait at the source", "cycles", wait);
    fc_result_add_part(result, "shared links", "cycles", (at->network + wait) * (shared - 1));
    static const char *const columns[] = {"rate", "held", "multiplexing"};
    fc_table *table = fc_result_add_table(result, "channels", 1, columns, 3);
    if (!table)
        return;
    snprintf(table->row_labels[0], FC_NAME_SIZE, "network");
    table->values[0] = at->rate;
    table->values[1] = at->rho;
    table->values[2] = shared;
}

static fc_status solve_reading(const fc_scenario *scenario, reading read, fc_error *error,
                               fc_result *result) {
    const double offered = ((const fc_torus *)scenario->parameters)->rate;
    problem p;
    const fc_status status = set_up(scenario, read, error, &p);
    if (status != FC_OK) {
        tear_down(&p);
        return status;
    }
    double low = 0, high = fold(&p);
    const double limit = evaluate(&p, high).load;
    if (offered > limit) {
        result->outcome = FC_OUTCOME_SATURATED;
        fc_result_note(result, "no solution above %.6g messages/node/cycle: the load turns back",
                       limit);
        fc_result_add(result, FC_METRIC_THROUGHPUT, limit, (double)NAN);
        fc_result_add(result, FC_METRIC_OFFERED, offered, (double)NAN);
    } else {
        for (; high - low > 4e-16 * high; ++result->run.iterations) {
            const double middle = (low + high) / 2;
            if (middle <= low || middle >= high)
                break;
            if (evaluate(&p, middle).load < offered)
                low = middle;
            else
                high = middle;
        }
        const point at = evaluate(&p, high);
        result->run.residual = fabs(at.load - offered) / fmax(offered, 1e-300);
        fill(&p, &at, offered, result);
    }
    tear_down(&p);
    return fc_result_status(result);
}

static fc_status saturation_of(const fc_scenario *scenario, reading read, fc_error *error,
                               double *load) {
    problem p;
    const fc_status status = set_up(scenario, read, error, &p);
    if (status == FC_OK)
        *load = evaluate(&p, fold(&p)).load;
    tear_down(&p);
    return status;
}

static const reading printed_visits = {.restart_visits = true};
static const reading plain_visits = {.restart_visits = false};
static const reading literal = {.restart_visits = true, .literal = true};

static fc_status solve(const fc_scenario *scenario, void *prepared, fc_error *error,
                       fc_result *result) {
    (void)prepared;
    return solve_reading(scenario, printed_visits, error, result);
}

static fc_status solve_e0(const fc_scenario *scenario, void *prepared, fc_error *error,
                          fc_result *result) {
    (void)prepared;
    return solve_reading(scenario, plain_visits, error, result);
}

static fc_status solve_literal(const fc_scenario *scenario, void *prepared, fc_error *error,
                               fc_result *result) {
    (void)prepared;
    return solve_reading(scenario, literal, error, result);
}

static fc_status saturation(const fc_scenario *scenario, void *prepared, fc_error *error,
                            double *load) {
    (void)prepared;
    return saturation_of(scenario, printed_visits, error, load);
}

static fc_status saturation_e0(const fc_scenario *scenario, void *prepared, fc_error *error,
                               double *load) {
    (void)prepared;
    return saturation_of(scenario, plain_visits, error, load);
}

static fc_status saturation_literal(const fc_scenario *scenario, void *prepared, fc_error *error,
                                    double *load) {
    (void)prepared;
    return saturation_of(scenario, literal, error, load);
}

static fc_status covers(const fc_scenario *scenario, fc_error *error) {
    const fc_torus *torus = scenario->parameters;
    const fc_status status = fc_scouting_model_covers(torus, "safaei", error);
    if (status != FC_OK)
        return status;
    if (torus->radix.count != 2 || torus->radix.values[0] != torus->radix.values[1])
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "safaei needs a square torus of two dimensions");
    return FC_OK;
}

static const char paper[] =
    "Safaei, Khonsari, Fathy, Talebanfard, Ould-Khaoua, Communication Prediction of Scouting "
    "Switching in Adaptively-Routed Torus Networks";

const fc_model fc_model_safaei = {
    .info =
        {
            .name = "safaei",
            .kind = FC_MODEL,
            .family = "torus",
            .title = "scouting switching, square two-dimensional torus, adaptive routing; a "
                     "reconstruction: the print contradicts itself",
            .source = paper,
            .validity = "k x k bidirectional torus, uniform open traffic, any V, M, K",
        },
    .suits = fc_scouting_model_suits,
    .covers = covers,
    .solve = solve,
    .saturation = saturation,
};

const fc_model fc_model_safaei_e0 = {
    .info =
        {
            .name = "safaei-e0",
            .kind = FC_MODEL,
            .family = "torus",
            .title = "safaei with equation (3) without the extra visits of blocked headers",
            .source = paper,
            .validity = "k x k bidirectional torus, uniform open traffic, any V, M, K",
            .variant = true,
        },
    .suits = fc_scouting_model_suits,
    .covers = covers,
    .solve = solve_e0,
    .saturation = saturation_e0,
};

const fc_model fc_model_safaei_literal = {
    .info =
        {
            .name = "safaei-literal",
            .kind = FC_MODEL,
            .family = "torus",
            .title =
                "safaei with equations (4), (7) and (8) exactly as printed (kept for comparison)",
            .source = paper,
            .validity = "as safaei; the print counts the distance twice and gives K = 0 a lead of "
                        "-1 cycle",
            .accuracy = "saturation load -84 to +4 % off, mean 42 %, on 35 simulated networks",
            .variant = true,
        },
    .suits = fc_scouting_model_suits,
    .covers = covers,
    .solve = solve_literal,
    .saturation = saturation_literal,
};
