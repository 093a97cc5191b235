/* Closed traffic on slotted rings, with the protocol that Hamacher and Jiang describe in section 2
 * and do not model: requests, acknowledgements that take the slot of their request, data of reads,
 * and memories that refuse while they are busy.
 *
 * Composed of what is known. At X requests completed per station and cycle,
 *
 *     packets    lambda = X (2 (1 + f) + reads),  f: refused attempts per request
 *     response   R = (1 + f)(W + 2 V + 1) + f retry + reads (W + memory_reply)
 *
 * where W is the wait at the station, of all but acknowledgements, and V the rest of a packet's
 * way, both of ring-trains at lambda. A processor of mean time tau that is idle only while all of
 * its N requests are under way is Erlang's loss system, whatever the distribution of R:
 *
 *     tau X = 1 - B(N, R / tau).
 *
 * A memory is busy a share rho = X S of the time (S memory_busy); of other stations' requests,
 * since a station's own customers are (C - 1) / C of all, a new attempt finds it so with
 * probability b = rho (C - 1) / C. A refused one comes back after T = W + 2 V + 1 + retry cycles:
 * the access that refused it has ended by then but for a share max(0, 1 - T / S), else it finds the
 * memory again as a new one does. So f = b / (1 - c), c = p + (1 - p) b.
 *
 * R grows and the left side falls with X: bisection finds the only X. */
#include <math.h>
#include "models/rings/ring_delays.h"

enum { HALVINGS = 200 };

typedef struct ring_round {
    double rate;     /* X */
    double packets;  /* lambda */
    double refused;  /* f */
    double tried;    /* cycles until the attempt that is accepted is sent */
    double response; /* R */
    fc_ring_delay delay;
} ring_round;

/* Refused attempts per request at these delays. */
static double refusals(const fc_rings *rings, double rate, double again) {
    const fc_ring_requests *of = &rings->requests;
    const double customers = rings->stations * (double)of->outstanding;
    const double busy = (double)of->memory_busy;
    const double first = rate * busy * (customers - 1) / customers;
    const double still = busy > 0 ? fmax(0, 1 - again / busy) : 0;
    const double later = still + (1 - still) * first;
    return later < 1 ? first / (1 - later) : INFINITY;
}

/* Refusals make packets, and packets waits that make refusals rarer: a few steps settle it. */
static ring_round round_at(const fc_rings *rings, double rate) {
    enum { STEPS = 60 };
    const fc_ring_requests *of = &rings->requests;
    ring_round at = {.rate = rate};
    for (int step = 0; step < STEPS; ++step) {
        at.packets = rate * (2 * (1 + at.refused) + of->reads);
        const double queued = (1 + at.refused + of->reads) / (2 * (1 + at.refused) + of->reads);
        at.delay = fc_ring_delay_alike(rings, at.packets, queued, fc_ring_trains_wait);
        if (!(at.delay.busiest < 1))
            break;
        const double way = at.delay.up + at.delay.down + at.delay.travel;
        const double again = at.delay.station + 2 * way + 1 + (double)of->retry;
        const double refused = refusals(rings, rate, again);
        at.tried = refused * again;
        at.response = at.tried + at.delay.station + 2 * way + 1 +
                      of->reads * (at.delay.station + (double)of->memory_reply);
        if (!(fabs(refused - at.refused) > 1e-12 * refused))
            return at;
        at.refused = isfinite(refused) ? 0.5 * (refused + at.refused) : refused;
    }
    if (!(at.delay.busiest < 1) || !isfinite(at.refused))
        at.response = INFINITY;
    return at;
}

/* Erlang's loss: the chance that all of n servers are busy. */
static double erlang(double load, int64_t n) {
    if (!isfinite(load))
        return 1;
    double inverse = 1;
    for (int64_t i = 1; i <= n; ++i)
        inverse = 1 + inverse * (double)i / load;
    return 1 / inverse;
}

static ring_round balance(const fc_rings *rings) {
    const fc_ring_requests *of = &rings->requests;
    double low = 0, high = 1 / of->think_time;
    for (int i = 0; i < HALVINGS && low < high; ++i) {
        const double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high)
            break;
        const ring_round at = round_at(rings, middle);
        const double can = (1 - erlang(at.response / of->think_time, of->outstanding));
        if (of->think_time * middle < can)
            low = middle;
        else
            high = middle;
    }
    return round_at(rings, low);
}

static bool suits(const fc_scenario *scenario) {
    return !fc_ring_suits_open(scenario);
}

static fc_status covers(const fc_scenario *scenario, fc_error *error) {
    const fc_rings *rings = scenario->parameters;
    if (!suits(scenario))
        return fc_fail(error, FC_ERROR_UNSUPPORTED, "the model is of closed traffic");
    if (!fc_rings_are_alike(rings))
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "with closed traffic the models know rings of one level that are alike, and "
                       "no hot station");
    return fc_ring_covers_network(rings, error);
}

static void add_requests(const fc_rings *rings, const ring_round *at, fc_result *result) {
    static const char *const columns[] = {"share", "response_time", "refused"};
    fc_table *table = fc_result_add_table(result, "requests", 2, columns, 3);
    if (!table)
        return;
    const fc_ring_requests *of = &rings->requests;
    const double data = at->delay.station + (double)of->memory_reply;
    for (int row = 0; row < 2; ++row) {
        const double share = row == 0 ? of->reads : 1 - of->reads;
        snprintf(table->row_labels[row], FC_NAME_SIZE, "%s", row == 0 ? "read" : "write");
        table->values[3 * row] = share;
        table->values[3 * row + 1] = at->response + ((row == 0) - of->reads) * data;
        table->values[3 * row + 2] = at->refused;
    }
}

static void add_channels(const fc_rings *rings, const ring_round *at, fc_result *result) {
    static const char *const columns[] = {"utilisation"};
    fc_table *table = fc_result_add_table(result, "channels", rings->levels, columns, 1);
    for (size_t level = 0; table && level < rings->levels; ++level) {
        snprintf(table->row_labels[level], FC_NAME_SIZE, "%s ring",
                 fc_ring_level_name(rings->levels, level));
        table->values[level] = at->delay.use[level];
    }
}

static fc_status solve(const fc_scenario *scenario, void *prepared, fc_error *error,
                       fc_result *result) {
    (void)prepared;
    (void)error;
    const fc_rings *rings = scenario->parameters;
    const fc_ring_requests *of = &rings->requests;
    const ring_round at = balance(rings);
    const double remote = of->reads * (double)of->memory_reply;
    const double trip = (double)of->outstanding / at.rate;
    fc_result_add(result, FC_METRIC_EFFICIENCY, at.rate * of->think_time, NAN);
    fc_result_add(result, FC_METRIC_RESPONSE_TIME, at.response, NAN);
    fc_result_add(result, FC_METRIC_REMOTE_TIME, remote, NAN);
    fc_result_add(result, FC_METRIC_NETWORK_TIME, at.response - remote, NAN);
    fc_result_add(result, FC_METRIC_ROUND_TRIP, trip, NAN);
    fc_result_add(result, FC_METRIC_THROUGHPUT, at.rate, NAN);
    fc_result_set_parts_of(result, FC_METRIC_ROUND_TRIP);
    fc_result_add_part(result, "at the processor", "cycles", trip - at.response);
    fc_result_add_part(result, "refused attempts", "cycles", at.tried);
    fc_result_add_part(result, "in the network", "cycles", at.response - at.tried - remote);
    fc_result_add_part(result, "at the memory", "cycles", remote);
    add_requests(rings, &at, result);
    add_channels(rings, &at, result);
    return fc_result_status(result);
}

static const char *unlike(const fc_scenario *scenario) {
    (void)scenario;
    return "measured with open traffic; see docs/theory/rings.md";
}

const fc_model fc_model_ring_requests = {
    .info =
        {
            .name = "ring-requests",
            .kind = FC_MODEL,
            .family = "ring-hierarchy",
            .title = "hierarchical slotted rings with requests, acknowledgements and data",
            .source = "ours, of the protocol that Hamacher and Jiang describe",
            .validity = "closed traffic; alike rings, any slots a link",
        },
    .suits = suits,
    .covers = covers,
    .solve = solve,
    .unlike = unlike,
};
