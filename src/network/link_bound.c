#include "network/link_bound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "network/node_ports.h"
#include "network/router_distance.h"

enum { NONE = UINT32_MAX };
enum { VARIANTS_MAX = 64, HOPS_MAX = 4096, CHOICES_MAX = 1 << 22 };
static const double work_max = 1e8; /* choices and links looked at while prices are found */

/* A header in a router, bound for a node: what is ahead of it depends on nothing else. */
typedef struct header {
    uint32_t input, destination, choice, state, source;
    uint32_t channel;      /* it is in, where routes depend on that */
    uint64_t channels;     /* of the message */
    uint32_t first, count; /* its choices */
    uint32_t waiting;      /* choices that lead to it and are not in order yet */
} header;

typedef struct choice {
    uint32_t output; /* NONE: what is drawn before the first router */
    uint32_t to;     /* a header; NONE: the destination */
} choice;

typedef struct flow {
    uint32_t source, destination; /* nodes */
    uint32_t header;              /* NONE: any way through the network */
    double flits;
} flow;

struct fc_link_bound {
    const fc_router_network *network;
    fc_draws draws;
    double *fixed; /* outputs: flits that have one way only */
    double *pace;
    double *now, *load;            /* flits in one round, and their mean over the rounds */
    double *price, *prices, *rise; /* likewise; what links regret */
    double *length;                /* of links, where any way is allowed */
    flow *flows;
    size_t flow_count, flow_room;
    header *headers;
    size_t header_count, header_room;
    choice *choices;
    size_t choice_count, choice_room;
    uint32_t *slot, *order; /* of headers: 1 + number; every one behind those that lead to it */
    size_t slots;
    double *value, *weight; /* of headers: the price of the way ahead; flits there */
    double *regret;         /* of choices */
    bool listed;            /* ways are listed, not all allowed */
    fc_distances *distances;
    double cost; /* of one step */
};

double fc_link_pace(const fc_router_network *network, uint32_t output) {
    return network->output_interval ? ldexp((double)network->output_interval[output], -16) : 1;
}

static bool is_between_routers(const fc_link_bound *b, uint32_t output) {
    return !(b->network->output_end[output] & FC_TO_NODE);
}

/* ---- creation ---- */

fc_status fc_link_bound_create(const fc_router_network *network, fc_draws draws, fc_error *error,
                               fc_link_bound **bound) {
    fc_link_bound *made = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    made->network = network;
    made->draws = draws;
    made->listed = true;
    double **const arrays[] = {&made->fixed, &made->pace,   &made->now,  &made->load,
                               &made->price, &made->prices, &made->rise, &made->length};
    bool complete = true;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) {
        *arrays[i] = fc_allocate(network->outputs, sizeof **arrays[i]);
        complete &= *arrays[i] != NULL;
    }
    if (!complete) {
        fc_link_bound_free(made);
        return fc_fail_memory(error);
    }
    for (uint32_t o = 0; o < network->outputs; ++o)
        made->pace[o] = fc_link_pace(network, o);
    *bound = made;
    return FC_OK;
}

void fc_link_bound_free(fc_link_bound *bound) {
    if (!bound)
        return;
    void *const blocks[] = {bound->fixed, bound->pace,    bound->now,     bound->load,
                            bound->price, bound->prices,  bound->rise,    bound->length,
                            bound->flows, bound->headers, bound->choices, bound->slot,
                            bound->order, bound->value,   bound->weight,  bound->regret};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        fc_release(blocks[i]);
    fc_distances_free(bound->distances);
    fc_release(bound);
}

/* Room for one more; false: no memory. */
static bool grow(void *list, size_t count, size_t *room, size_t size) {
    void **const at = list;
    if (count < *room)
        return true;
    const size_t larger = *room ? 2 * *room : 256;
    void *more = fc_reallocate(*at, larger, size);
    if (!more)
        return false;
    *at = more;
    *room = larger;
    return true;
}

/* ---- messages with one way ---- */

/* Whether a header has one way; adds its flits to the links of that way. */
static bool follow_one_way(fc_link_bound *b, fc_course course, double flits, bool add) {
    const fc_router_network *network = b->network;
    uint32_t input = network->node_input[course.source], channel = 0;
    for (int hop = 0; hop < HOPS_MAX; ++hop) {
        fc_route_candidates candidates;
        network->route(network, input, channel, &course, &candidates);
        if (candidates.count != 1)
            return false;
        const uint32_t output = candidates.list[0].output, end = network->output_end[output];
        if (end & FC_TO_NODE)
            return true;
        if (add)
            b->fixed[output] += flits;
        channel = (uint32_t)__builtin_ctzll(candidates.list[0].channels);
        input = end;
    }
    return false;
}

/* ---- ways that are listed ---- */

static size_t slot_of(const fc_link_bound *b, const header *sought) {
    const uint32_t words[] = {sought->input, sought->destination, sought->choice,
                              sought->state, sought->source,      sought->channel};
    uint64_t hash = sought->channels;
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        hash = (hash ^ words[i]) * 0x9E3779B97F4A7C15u, hash ^= hash >> 29;
    size_t at = hash & (b->slots - 1);
    for (; b->slot[at]; at = (at + 1) & (b->slots - 1)) {
        const header *there = &b->headers[b->slot[at] - 1];
        if (there->input == sought->input && there->destination == sought->destination &&
            there->choice == sought->choice && there->state == sought->state &&
            there->source == sought->source && there->channel == sought->channel &&
            there->channels == sought->channels)
            break;
    }
    return at;
}

static bool grow_slots(fc_link_bound *b) {
    if (2 * (b->header_count + 1) < b->slots)
        return true;
    const size_t slots = b->slots ? 2 * b->slots : 1024;
    uint32_t *more = fc_allocate(slots, sizeof *more);
    if (!more)
        return false;
    fc_release(b->slot);
    b->slot = more;
    b->slots = slots;
    for (size_t i = 0; i < b->header_count; ++i) {
        if (b->headers[i].input != NONE)
            b->slot[slot_of(b, &b->headers[i])] = (uint32_t)i + 1;
    }
    return true;
}

/* The number of a header, added if it is new. NONE: no memory. What it may take does not depend on
 * which of the channels allowed there it is in, unless it asks for escape channels together with
 * the others. */
static uint32_t header_at(fc_link_bound *b, uint32_t input, uint32_t channel,
                          const fc_course *course) {
    const header sought = {.input = input,
                           .destination = course->destination,
                           .choice = course->choice,
                           .state = course->state,
                           .source = b->network->source_matters ? course->source : 0,
                           .channel = b->network->escapes_alike ? channel : 0,
                           .channels = course->channels};
    if (!grow_slots(b) || !grow(&b->headers, b->header_count, &b->header_room, sizeof sought))
        return NONE;
    const size_t at = slot_of(b, &sought);
    if (!b->slot[at]) {
        b->headers[b->header_count] = sought;
        b->slot[at] = (uint32_t)++b->header_count;
    }
    return b->slot[at] - 1;
}

static bool add_choice(fc_link_bound *b, choice made) {
    if (!grow(&b->choices, b->choice_count, &b->choice_room, sizeof made))
        return false;
    b->choices[b->choice_count++] = made;
    return true;
}

/* Lists the choices of a header; false: no memory. */
static bool list_choices(fc_link_bound *b, size_t number) {
    const fc_router_network *network = b->network;
    const header at = b->headers[number];
    fc_course course = {.source = at.source,
                        .destination = at.destination,
                        .channels = at.channels,
                        .choice = at.choice,
                        .state = at.state};
    fc_route_candidates candidates;
    network->route(network, at.input, at.channel, &course, &candidates);
    b->headers[number].first = (uint32_t)b->choice_count;
    for (uint32_t i = 0; i < candidates.count; ++i) {
        const uint32_t output = candidates.list[i].output, end = network->output_end[output];
        uint32_t to = NONE;
        if (!(end & FC_TO_NODE)) {
            to = header_at(b, end, (uint32_t)__builtin_ctzll(candidates.list[i].channels), &course);
            if (to == NONE)
                return false;
        }
        if (!add_choice(b, (choice){end & FC_TO_NODE ? NONE : output, to}))
            return false;
    }
    b->headers[number].count = (uint32_t)b->choice_count - b->headers[number].first;
    return true;
}

/* The ways of new headers, to their ends. Too many: they are no longer listed. */
static bool list_ways(fc_link_bound *b, size_t from) {
    for (size_t i = from; i < b->header_count && b->listed; ++i) {
        if (b->headers[i].input != NONE && !list_choices(b, i))
            return false;
        b->listed = b->choice_count < CHOICES_MAX;
    }
    return true;
}

static bool add_flow(fc_link_bound *b, flow made) {
    if (!grow(&b->flows, b->flow_count, &b->flow_room, sizeof made))
        return false;
    b->flows[b->flow_count++] = made;
    return true;
}

/* Messages that take any of these courses, which have begun. */
static bool add_courses(fc_link_bound *b, const fc_course *begun, uint32_t count, double flits) {
    const fc_router_network *network = b->network;
    const size_t before = b->header_count;
    uint32_t start[VARIANTS_MAX] = {0};
    if (count == 1 && follow_one_way(b, begun[0], flits, false))
        return follow_one_way(b, begun[0], flits, true);
    for (uint32_t i = 0; i < count; ++i) {
        start[i] = header_at(b, network->node_input[begun[i].source], 0, &begun[i]);
        if (start[i] == NONE)
            return false;
    }
    uint32_t first = start[0];
    if (count > 1) { /* a header before the first router that chooses among them */
        if (!grow(&b->headers, b->header_count, &b->header_room, sizeof *b->headers))
            return false;
        first = (uint32_t)b->header_count++;
        b->headers[first] =
            (header){.input = NONE, .first = (uint32_t)b->choice_count, .count = count};
        for (uint32_t i = 0; i < count; ++i) {
            if (!add_choice(b, (choice){NONE, start[i]}))
                return false;
        }
    }
    return list_ways(b, before) &&
           add_flow(b, (flow){begun[0].source, begun[0].destination, first, flits});
}

static bool add_between(fc_link_bound *b, const fc_course *ends, double flits) {
    const fc_router_network *network = b->network;
    const uint32_t variants =
        network->variants ? network->variants(network, ends->source, ends->destination) : 1;
    fc_course begun[VARIANTS_MAX];
    bool added = true;
    if (network->alternatives || variants > VARIANTS_MAX || !b->listed)
        return add_flow(b, (flow){ends->source, ends->destination, NONE, flits});
    for (uint32_t v = 0; v < variants; ++v) {
        begun[v] = *ends;
        network->begin(network, v, &begun[v]);
    }
    if (b->draws == FC_DRAWS_ANY)
        return add_courses(b, begun, variants, flits);
    for (uint32_t v = 0; v < variants && added; ++v)
        added = add_courses(b, &begun[v], 1, flits / variants);
    return added;
}

fc_status fc_link_bound_add(fc_link_bound *b, uint32_t source, uint32_t destination,
                            uint64_t channels, double flits, fc_error *error) {
    const fc_course ends = {.source = source, .destination = destination, .channels = channels};
    return add_between(b, &ends, flits) ? FC_OK : fc_fail_memory(error);
}

/* Of several ports any may be drawn: what takes too many ways to list is left out. */
static bool add_any_ports(fc_link_bound *b, const fc_course *nodes, uint32_t count, double flits) {
    const fc_router_network *network = b->network;
    fc_course begun[VARIANTS_MAX];
    uint32_t listed = 0;
    if (network->alternatives || !b->listed)
        return true;
    for (uint32_t number = 0; number < count; ++number) {
        fc_course ends = *nodes;
        fc_ports_choose(network, nodes->source, nodes->destination, number, &ends.source,
                        &ends.destination);
        const uint32_t variants =
            network->variants ? network->variants(network, ends.source, ends.destination) : 1;
        if (listed + variants > VARIANTS_MAX)
            return true;
        for (uint32_t v = 0; v < variants; ++v) {
            begun[listed] = ends;
            network->begin(network, v, &begun[listed++]);
        }
    }
    return add_courses(b, begun, listed, flits);
}

fc_status fc_link_bound_add_nodes(fc_link_bound *b, uint32_t source, uint32_t destination,
                                  uint64_t channels, double flits, fc_error *error) {
    const fc_course nodes = {.source = source, .destination = destination, .channels = channels};
    if (!b->network->ports)
        return fc_link_bound_add(b, source, destination, channels, flits, error);
    const uint32_t count = fc_ports_count(b->network, source, destination);
    bool added = true;
    if (b->draws == FC_DRAWS_ANY && count > 1)
        return add_any_ports(b, &nodes, count, flits) ? FC_OK : fc_fail_memory(error);
    for (uint32_t number = 0; number < count && added; ++number) {
        fc_course ends = nodes;
        fc_ports_choose(b->network, source, destination, number, &ends.source, &ends.destination);
        added = add_between(b, &ends, flits / count);
    }
    return added ? FC_OK : fc_fail_memory(error);
}

/* ---- the order of headers ---- */

/* False: some header can come to itself again, or there is no memory. */
static bool sort_headers(fc_link_bound *b) {
    size_t done = 0, count = 0;
    b->order = fc_allocate(b->header_count + 1, sizeof *b->order);
    b->value = fc_allocate(b->header_count + 1, sizeof *b->value);
    b->weight = fc_allocate(b->header_count + 1, sizeof *b->weight);
    b->regret = fc_allocate(b->choice_count + 1, sizeof *b->regret);
    if (!b->order || !b->value || !b->weight || !b->regret)
        return false;
    for (size_t i = 0; i < b->header_count; ++i)
        b->headers[i].waiting = 0;
    for (size_t i = 0; i < b->choice_count; ++i) {
        if (b->choices[i].to != NONE)
            ++b->headers[b->choices[i].to].waiting;
    }
    for (size_t i = 0; i < b->header_count; ++i) {
        if (!b->headers[i].waiting)
            b->order[count++] = (uint32_t)i;
    }
    for (; done < count; ++done) {
        const header *at = &b->headers[b->order[done]];
        for (uint32_t i = at->first; i < at->first + at->count; ++i) {
            const uint32_t to = b->choices[i].to;
            if (to != NONE && !--b->headers[to].waiting)
                b->order[count++] = to;
        }
    }
    return count == b->header_count;
}

/* ---- ways and their prices ---- */

static double choice_price(const fc_link_bound *b, const double *price, const choice *made) {
    return (made->output == NONE ? 0 : price[made->output] * b->pace[made->output]) +
           (made->to == NONE ? 0 : b->value[made->to]);
}

/* Price of the cheapest ways ahead. */
static void find_cheapest(fc_link_bound *b, const double *price) {
    for (size_t i = b->header_count; i-- > 0;) {
        const header *at = &b->headers[b->order[i]];
        double best = (double)INFINITY;
        for (uint32_t c = at->first; c < at->first + at->count; ++c)
            best = fmin(best, choice_price(b, price, &b->choices[c]));
        b->value[b->order[i]] = at->count ? best : 0;
    }
}

/* The price of all flows on their cheapest ways. Of flows that may take any way, the loads these
 * ways would have are added to load, unless it is NULL. */
static double cheapest_sum(fc_link_bound *b, const double *price, double *load) {
    const fc_router_network *network = b->network;
    double sum = 0;
    for (uint32_t o = 0; o < network->outputs; ++o)
        sum += b->fixed[o] * price[o] * b->pace[o];
    for (uint32_t o = 0; o < network->outputs && b->distances; ++o)
        b->length[o] = price[o] * b->pace[o];
    for (size_t f = 0; f < b->flow_count; ++f) {
        const flow *at = &b->flows[f];
        if (at->header != NONE) {
            sum += at->flits * b->value[at->header];
            continue;
        }
        if (!f || b->flows[f - 1].header != NONE || b->flows[f - 1].source != at->source)
            fc_distances_from(b->distances, fc_router_of(network, at->source), b->length);
        const uint32_t to = network->output_router[network->node_output[at->destination]];
        sum += at->flits * fc_distance_to(b->distances, to);
        if (load)
            fc_distances_load(b->distances, to, at->flits, load);
    }
    return sum;
}

/* The bound that prices of sum 1 give. */
static double bound_of(fc_link_bound *b, const double *price) {
    find_cheapest(b, price);
    return cheapest_sum(b, price, NULL);
}

/* ---- the game: headers choose, links set prices, both by what they regret ---- */

/* The part of a header's flits that takes a choice: in proportion to regret; evenly without any. */
static double share_of(const fc_link_bound *b, const header *at, double regrets, uint32_t c) {
    return regrets > 0 ? b->regret[c] / regrets : 1.0 / at->count;
}

static double regrets_of(const fc_link_bound *b, const header *at) {
    double sum = 0;
    for (uint32_t c = at->first; c < at->first + at->count; ++c)
        sum += b->regret[c];
    return sum;
}

/* Sends what the flows have over the links. */
static void send_headers(fc_link_bound *b, double *load) {
    for (size_t i = 0; i < b->header_count; ++i)
        b->weight[i] = 0;
    for (size_t f = 0; f < b->flow_count; ++f) {
        if (b->flows[f].header != NONE)
            b->weight[b->flows[f].header] += b->flows[f].flits;
    }
    for (size_t i = 0; i < b->header_count; ++i) {
        const header *at = &b->headers[b->order[i]];
        const double flits = b->weight[b->order[i]];
        const double regrets = flits > 0 ? regrets_of(b, at) : 0;
        for (uint32_t c = at->first; c < at->first + at->count && flits > 0; ++c) {
            const double part = flits * share_of(b, at, regrets, c);
            if (b->choices[c].output != NONE)
                load[b->choices[c].output] += part;
            if (b->choices[c].to != NONE)
                b->weight[b->choices[c].to] += part;
        }
    }
}

/* Headers regret the choices that would have been cheaper. */
static void regret_choices(fc_link_bound *b) {
    for (size_t i = b->header_count; i-- > 0;) {
        const uint32_t number = b->order[i];
        const header *at = &b->headers[number];
        const double regrets = regrets_of(b, at);
        double mean = 0;
        for (uint32_t c = at->first; c < at->first + at->count; ++c)
            mean += share_of(b, at, regrets, c) * choice_price(b, b->price, &b->choices[c]);
        for (uint32_t c = at->first; c < at->first + at->count; ++c) {
            const double less = mean - choice_price(b, b->price, &b->choices[c]);
            b->regret[c] = fmax(0, b->regret[c] + b->weight[number] * less);
        }
        b->value[number] = mean;
    }
}

/* The price rises on links that are busier than what all prices earn; prices sum to 1. */
static void regret_links(fc_link_bound *b) {
    double earned = 0, sum = 0;
    for (uint32_t o = 0; o < b->network->outputs; ++o)
        earned += b->price[o] * b->now[o] * b->pace[o];
    for (uint32_t o = 0; o < b->network->outputs; ++o) {
        if (is_between_routers(b, o))
            b->rise[o] = fmax(0, b->rise[o] + b->now[o] * b->pace[o] - earned);
        sum += b->rise[o];
    }
    for (uint32_t o = 0; o < b->network->outputs && sum > 0; ++o)
        b->price[o] = b->rise[o] / sum;
}

static double busiest_of(const fc_link_bound *b, const double *load, uint32_t *output) {
    double most = 0;
    for (uint32_t o = 0; o < b->network->outputs; ++o) {
        if (load[o] * b->pace[o] > most) {
            most = load[o] * b->pace[o];
            *output = o;
        }
    }
    return most;
}

/* Equal prices; false: there is no link between routers. */
static bool start_prices(fc_link_bound *b) {
    double links = 0;
    for (uint32_t o = 0; o < b->network->outputs; ++o)
        links += is_between_routers(b, o);
    for (uint32_t o = 0; o < b->network->outputs; ++o)
        b->price[o] = b->prices[o] = is_between_routers(b, o) ? 1 / links : 0;
    return links > 0;
}

/* One round: flits are sent, links set their prices, headers see them. Means of loads and prices
 * over the rounds, the later the more they count. */
static void play(fc_link_bound *b, int round) {
    const uint32_t outputs = b->network->outputs;
    const double share = 2.0 / (round + 2);
    memcpy(b->now, b->fixed, outputs * sizeof *b->now);
    send_headers(b, b->now);
    if (b->distances)
        cheapest_sum(b, b->price, b->now);
    regret_links(b);
    regret_choices(b);
    for (uint32_t o = 0; o < outputs; ++o) {
        b->load[o] += share * (b->now[o] - b->load[o]);
        b->prices[o] += share * (b->price[o] - b->prices[o]);
    }
}

static double improve(fc_link_bound *b) {
    enum { ROUNDS_MIN = 2, ROUNDS_MAX = 400, BETWEEN = 8 };
    const double enough = 0.997, rounding = 1 - 1e-9;
    const int rounds = (int)fmin(fmax(work_max / b->cost, ROUNDS_MIN), ROUNDS_MAX);
    uint32_t output;
    if (!start_prices(b))
        return 0;
    double best = bound_of(b, b->prices);
    for (int round = 0; round < rounds; ++round) {
        play(b, round);
        if ((round + 1) % BETWEEN != 0 && round + 1 < rounds)
            continue;
        best = fmax(best, bound_of(b, b->prices));
        if (best >= enough * busiest_of(b, b->load, &output))
            break;
    }
    return rounding * best;
}

/* Where headers can go in circles, or there are too many ways, all are allowed. */
static fc_status allow_all(fc_link_bound *b, fc_error *error) {
    bool any = false;
    if (b->header_count && (!b->listed || !sort_headers(b))) {
        if (!b->order || !b->value || !b->weight || !b->regret)
            if (b->listed)
                return fc_fail_memory(error);
        for (size_t f = 0; f < b->flow_count; ++f)
            b->flows[f].header = NONE;
        b->header_count = b->choice_count = 0;
    }
    size_t sources = 0;
    for (size_t f = 0; f < b->flow_count; ++f) {
        any |= b->flows[f].header == NONE;
        sources += !f || b->flows[f].source != b->flows[f - 1].source;
    }
    b->cost = (double)b->choice_count * 6 + (double)b->network->outputs +
              (any ? 8 * (double)sources * b->network->outputs : 0) + (double)b->flow_count;
    return any ? fc_distances_create(b->network, error, &b->distances) : FC_OK;
}

static int by_source(const void *left, const void *right) {
    const flow *a = left, *b = right;
    return a->source != b->source             ? (a->source < b->source ? -1 : 1)
           : a->destination != b->destination ? (a->destination < b->destination ? -1 : 1)
                                              : (a->header > b->header) - (a->header < b->header);
}

fc_status fc_link_bound_find(fc_link_bound *b, fc_error *error, fc_link_load *load) {
    *load = (fc_link_load){.output = UINT32_MAX};
    load->cycles = busiest_of(b, b->fixed, &load->output);
    if (!b->flow_count)
        return FC_OK;
    qsort(b->flows, b->flow_count, sizeof *b->flows, by_source);
    const fc_status status = allow_all(b, error);
    if (status != FC_OK)
        return status;
    const double chosen = improve(b);
    if (chosen > load->cycles)
        *load = (fc_link_load){.cycles = chosen, .output = UINT32_MAX};
    return FC_OK;
}
