/* Traffic of a BookSim configuration: who sends how much of what to whom. */
#include <math.h>
#include <string.h>
#include "base/decimal.h"
#include "base/names.h"
#include "base/status.h"
#include "importers/booksim.h"

enum { LENGTHS_MAX = 16, CLASSES_MAX = 8 };

/* Those of a class. */
struct messages {
    size_t count;
    double flits[LENGTHS_MAX], weight[LENGTHS_MAX]; /* messages of each length per node and cycle */
    double rate;                                    /* of all of them */
};

static const fc_booksim_range size_range = {1, 1e9, true};
static const fc_booksim_range share_range = {0, 1, false};

/* ---- words with arguments: "hotspot({1,2},{3,1})" ---- */

struct call {
    char name[64];
    char arguments[FC_BOOKSIM_VALUE_SIZE]; /* between the parentheses */
};

static void split_call(const char *text, struct call *call) {
    const size_t length = strcspn(text, "(");
    snprintf(call->name, sizeof call->name, "%.*s", (int)length, text);
    const char *end = strrchr(text, ')');
    call->arguments[0] = '\0';
    if (!text[length])
        return;
    const char *begin = text + length + 1;
    const int inside = (int)(end > begin ? end - begin : 0);
    snprintf(call->arguments, sizeof call->arguments, "%.*s", inside, begin);
}

/* The entry of a class in a vector of classes, or the last one there is. */
static void take_class(const char *text, size_t class, char entry[FC_BOOKSIM_VALUE_SIZE]) {
    char item[FC_BOOKSIM_VALUE_SIZE];
    entry[0] = '\0';
    for (size_t c = 0; c <= class && fc_booksim_item(text, c, item); ++c)
        memcpy(entry, item, FC_BOOKSIM_VALUE_SIZE);
}

/* ---- destinations ---- */

static fc_status emit_permutation(fc_booksim_import *import, const struct call *call);
static fc_status emit_hot_spots(fc_booksim_import *import, const struct call *call);
static fc_status emit_next_group(fc_booksim_import *import, const struct call *call);
static fc_status emit_next_router(fc_booksim_import *import, const struct call *call);

/* ad_dragon is read as bad_dragon; bad_flatfly is of a fork of BookSim. */
static const struct pattern {
    const char *name, *ours;
    fc_status (*emit)(fc_booksim_import *import, const struct call *call); /* without `ours` */
} patterns[] = {
    {"uniform", "uniform", NULL},         {"bitcomp", "bit-complement", NULL},
    {"transpose", "transpose", NULL},     {"bitrev", "bit-reverse", NULL},
    {"shuffle", "shuffle", NULL},         {"tornado", "tornado", NULL},
    {"neighbor", "neighbour", NULL},      {"diagonal", "diagonal", NULL},
    {"asymmetric", "asymmetric", NULL},   {"randperm", NULL, emit_permutation},
    {"hotspot", NULL, emit_hot_spots},    {"bad_dragon", NULL, emit_next_group},
    {"ad_dragon", NULL, emit_next_group}, {"bad_flatfly", NULL, emit_next_router},
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

/* Patterns BookSim has and we have not, and why. */
static const char *const other_patterns[][2] = {
    {"background", "it leaves nodes out"},
    {"taper64", "it is made for 64 nodes in a certain place"},
    {"badperm_yarc", "it is made for one machine"},
};

static fc_status fail_pattern(const fc_booksim_import *import, const char *name) {
    for (size_t i = 0; i < sizeof other_patterns / sizeof *other_patterns; ++i) {
        if (strcmp(other_patterns[i][0], name) == 0)
            return fc_booksim_fail(import->file, "traffic", import->error,
                                   "traffic = %s has no equivalent (%s); a traffic matrix can "
                                   "describe it",
                                   name, other_patterns[i][1]);
    }
    const char *names[PATTERNS + 1];
    for (size_t i = 0; i < PATTERNS; ++i)
        names[i] = patterns[i].name;
    names[PATTERNS] = NULL;
    char hint[FC_HINT_SIZE];
    return fc_booksim_fail(import->file, "traffic", import->error,
                           "BookSim has no traffic pattern '%.60s'%s", name,
                           fc_names_hint(name, names, "", hint));
}

static fc_status emit_permutation(fc_booksim_import *import, const struct call *call) {
    const char *given = fc_booksim_text(import->file, "perm_seed");
    char item[FC_BOOKSIM_VALUE_SIZE];
    if (call->arguments[0] && fc_booksim_item(call->arguments, 0, item))
        given = item;
    double seed;
    if (!fc_parse_real(given, &seed) || seed < 0 || seed > 0x1p53 || seed != floor(seed))
        return fc_booksim_fail(import->file, "perm_seed", import->error,
                               "the seed of a random permutation is '%.60s'; expected a whole "
                               "number, 0 or more",
                               given);
    const fc_status status = fc_booksim_emit(import, "traffic.destinations", "traffic perm_seed",
                                             "{random-permutation: %.0f}", seed);
    if (status != FC_OK)
        return status;
    return fc_booksim_note(import, "traffic",
                           "the same seed draws another permutation here than in BookSim");
}

/* A cmesh or flatfly numbers its nodes along the rows of all nodes; here they are numbered router
 * by router. */
static double our_node(const fc_booksim_import *import, double node) {
    const double tile = import->tile, width = tile * import->radix;
    if (tile <= 1)
        return node;
    const double row = floor(node / width), column = fmod(node, width);
    const double router = floor(row / tile) * import->radix + floor(column / tile);
    return tile * tile * router + tile * fmod(row, tile) + fmod(column, tile);
}

/* hotspot({{a,b},{p,q}}): every message goes to one of the nodes, in these proportions; a shorter
 * list of weights continues with its last. BookSim takes hotspot({a,b}) for node a with weight b.
 */
static fc_status emit_hot_spots(fc_booksim_import *import, const struct call *call) {
    if (!call->arguments[0])
        return fc_booksim_fail(
            import->file, "traffic", import->error,
            "hotspot needs the numbers of its nodes, for example hotspot({{3,9},{2,1}})");
    char nodes[FC_BOOKSIM_VALUE_SIZE] = "-1", weights[FC_BOOKSIM_VALUE_SIZE] = "1";
    char item[FC_BOOKSIM_VALUE_SIZE];
    fc_booksim_item(call->arguments, 0, nodes);
    fc_booksim_item(call->arguments, 1, weights);
    if (nodes[0] != '{' && call->arguments[0] == '{') {
        const fc_status status =
            fc_booksim_note(import, "traffic",
                            "read as the one hot spot %.20s, as BookSim does; several are written "
                            "hotspot({{a,b},{p,q}})",
                            nodes);
        if (status != FC_OK)
            return status;
    }
    char list[FC_BOOKSIM_LINE_SIZE - 32] = "";
    size_t used = 0;
    double weight = 1;
    for (size_t i = 0; fc_booksim_item(nodes, i, item); ++i) {
        if (used >= sizeof list - 64)
            return fc_booksim_fail(import->file, "traffic", import->error,
                                   "there are more than %zu hot spots", i);
        double node;
        if (!fc_parse_real(item, &node) || node < 0 || node > 1e9 || node != floor(node) ||
            (import->node_count > 0 && node >= import->node_count))
            return fc_booksim_fail(import->file, "traffic", import->error,
                                   "hot spot '%.40s' is not the number of a node; a random one "
                                   "(-1) has no equivalent",
                                   item);
        if (fc_booksim_item(weights, i, item) &&
            (!fc_parse_real(item, &weight) || weight <= 0 || weight > 1e9))
            return fc_booksim_fail(import->file, "traffic", import->error,
                                   "the weight of a hot spot is '%.40s'; expected a number above 0",
                                   item);
        used += (size_t)snprintf(list + used, sizeof list - used, "%s{node: %.0f, weight: %.10g}",
                                 used ? ", " : "", our_node(import, node), weight);
    }
    return fc_booksim_emit(import, "traffic.destinations", "traffic", "{hot-spots: [%s]}", list);
}

/* bad_dragon(k,n), with the configuration's k and n if they are not given: groups of 2 k routers
 * with k nodes each. */
static fc_status emit_next_group(fc_booksim_import *import, const struct call *call) {
    char item[FC_BOOKSIM_VALUE_SIZE];
    double k = 0;
    fc_status status = fc_booksim_whole(import, "k", 1, 1e4, &k);
    if (status == FC_OK && call->arguments[0] && fc_booksim_item(call->arguments, 0, item) &&
        !(fc_parse_real(item, &k) && k >= 1 && k <= 1e4 && k == floor(k)))
        status = fc_booksim_fail(import->file, "traffic", import->error,
                                 "%s has '%.40s' for k; expected a whole number, 1 or more",
                                 call->name, item);
    return status == FC_OK ? fc_booksim_emit(import, "traffic.destinations", "traffic k",
                                             "{next-group: %.0f}", 2 * k * k)
                           : status;
}

/* bad_flatfly: k groups, which in one dimension are the routers. */
static fc_status emit_next_router(fc_booksim_import *import, const struct call *call) {
    double k = 0;
    const fc_status status = fc_booksim_whole(import, "k", 2, 1e4, &k);
    if (status != FC_OK)
        return status;
    if (call->arguments[0] || fmod(import->node_count, k) != 0)
        return fc_booksim_fail(import->file, "traffic", import->error,
                               "bad_flatfly divides the nodes of a flatfly into k groups; these "
                               "%.0f nodes have k = %.0f",
                               import->node_count, k);
    return fc_booksim_emit(import, "traffic.destinations", "traffic k", "{next-group: %.0f}",
                           import->node_count / k);
}

/* Digit and bit patterns of a cmesh or flatfly run over its rows of nodes, those of a dragonfly
 * over digits that it does not have; here they run over routers. Where that is the same traffic, it
 * is translated. */
static fc_status check_placement(const fc_booksim_import *import, const char *pattern) {
    const char *const same[] = {"uniform", "bitcomp",    "transpose", "randperm",
                                "hotspot", "bad_dragon", "ad_dragon", "bad_flatfly"};
    const char *topology = fc_booksim_text(import->file, "topology");
    const bool dragonfly = strcmp(topology, "dragonflynew") == 0;
    bool fits = import->tile <= 1 && !dragonfly;
    for (size_t i = 0; i < sizeof same / sizeof *same; ++i)
        fits |= strcmp(same[i], pattern) == 0 && !(dragonfly && (i == 1 || i == 2));
    if (!fits)
        return fc_booksim_fail(import->file, "traffic", import->error,
                               "traffic = %s in a %s has no equivalent: it runs over %s there; a "
                               "traffic matrix can describe it",
                               pattern, topology,
                               dragonfly ? "digits of k and n" : "rows of nodes");
    const bool digits = strcmp(pattern, "tornado") == 0 || strcmp(pattern, "neighbor") == 0;
    if (digits && strcmp(fc_booksim_text(import->file, "xr"), "1") != 0)
        return fc_booksim_fail(import->file, "xr", import->error,
                               "xr is not 1: traffic = %s then runs over other digits than the "
                               "network has, which has no equivalent",
                               pattern);
    return FC_OK;
}

/* Those of a class. */
static fc_status emit_destinations(fc_booksim_import *import, size_t class) {
    char text[FC_BOOKSIM_VALUE_SIZE] = "";
    take_class(fc_booksim_text(import->file, "traffic"), class, text);
    struct call call;
    split_call(text, &call);
    size_t chosen = 0;
    while (chosen < PATTERNS && strcmp(patterns[chosen].name, call.name) != 0)
        ++chosen;
    if (chosen == PATTERNS)
        return fail_pattern(import, call.name);
    fc_status status = check_placement(import, call.name);
    if (status != FC_OK)
        return status;
    if (!patterns[chosen].ours)
        status = patterns[chosen].emit(import, &call);
    else if (call.arguments[0])
        status = fc_booksim_fail(import->file, "traffic", import->error,
                                 "traffic = %s with arguments of its own has no equivalent; "
                                 "without them k and n are taken",
                                 call.name);
    else
        status =
            fc_booksim_emit(import, "traffic.destinations", "traffic", "%s", patterns[chosen].ours);
    return status;
}

/* ---- how much ---- */

/* The lengths of the messages of a class; BookSim draws them by whole weights. */
struct lengths {
    size_t count;
    double flits[LENGTHS_MAX], weight[LENGTHS_MAX];
    double whole; /* sum of the weights */
    double mean;  /* flits */
};

static fc_status read_lengths(const fc_booksim_import *import, size_t class,
                              struct lengths *lengths) {
    char sizes[FC_BOOKSIM_VALUE_SIZE], weights[FC_BOOKSIM_VALUE_SIZE];
    char item[FC_BOOKSIM_VALUE_SIZE];
    take_class(fc_booksim_text(import->file, "packet_size"), class, sizes);
    take_class(fc_booksim_text(import->file, "packet_size_rate"), class, weights);
    *lengths = (struct lengths){0};
    double flits, weight = 1;
    for (size_t i = 0; fc_booksim_item(sizes, i, item); ++i) {
        if (i == LENGTHS_MAX)
            return fc_booksim_fail(import->file, "packet_size", import->error,
                                   "a message has one of at most %d lengths", LENGTHS_MAX);
        bool valid = fc_parse_real(item, &flits);
        if (fc_booksim_item(weights, i, item))
            valid = fc_parse_real(item, &weight) && valid;
        if (!valid || flits < 1 || flits > 1e9 || flits != floor(flits) || weight < 0 ||
            weight > 1e9)
            return fc_booksim_fail(import->file, "packet_size", import->error,
                                   "packet_size and packet_size_rate hold whole numbers, sizes of "
                                   "1 or more and rates of 0 or more");
        lengths->flits[i] = flits;
        lengths->weight[i] = weight;
        lengths->whole += weight;
        lengths->mean += flits * weight;
        lengths->count = i + 1;
    }
    if (!(lengths->whole > 0))
        return fc_booksim_fail(import->file, "packet_size", import->error,
                               "packet_size has no length with a rate above 0");
    lengths->mean /= lengths->whole;
    return FC_OK;
}

/* Messages (or requests) per node and cycle, where injection_rate may count their flits. */
static fc_status read_rate(const fc_booksim_import *import, size_t class, double mean_flits,
                           double *rate) {
    double given = 0, in_flits = 0;
    fc_status status = fc_booksim_number(import->file, "injection_rate", class,
                                         (fc_booksim_range){0, 1e9, false}, import->error, &given);
    if (status == FC_OK)
        status = fc_booksim_whole(import, "injection_rate_uses_flits", 0, 1, &in_flits);
    if (status == FC_OK)
        *rate = in_flits == 1 ? given / mean_flits : given;
    return status;
}

static fc_status add_class(fc_booksim_import *import, size_t class, struct messages *messages) {
    struct lengths lengths;
    double rate = 0;
    fc_status status = read_lengths(import, class, &lengths);
    if (status == FC_OK)
        status = read_rate(import, class, lengths.mean, &rate);
    if (status != FC_OK)
        return status;
    messages->rate += rate;
    for (size_t i = 0; i < lengths.count; ++i) {
        size_t at = 0;
        while (at < messages->count && messages->flits[at] != lengths.flits[i])
            ++at;
        if (at == LENGTHS_MAX)
            return fc_booksim_fail(import->file, "packet_size", import->error,
                                   "the messages of all classes have at most %d lengths",
                                   LENGTHS_MAX);
        if (at == messages->count)
            messages->flits[messages->count++] = lengths.flits[i];
        messages->weight[at] += rate * lengths.weight[i] / lengths.whole;
    }
    return FC_OK;
}

/* What classes must have in common. */
static fc_status check_class(const fc_booksim_import *import, size_t class) {
    static const char *const keys[] = {"injection_process", "use_read_write"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
        const char *text = fc_booksim_text(import->file, keys[i]);
        char first[FC_BOOKSIM_VALUE_SIZE] = "", item[FC_BOOKSIM_VALUE_SIZE];
        fc_booksim_item(text, 0, first);
        if (fc_booksim_item(text, class, item) && strcmp(first, item) != 0)
            return fc_booksim_fail(import->file, keys[i], import->error,
                                   "the classes have different values of %s, which has no "
                                   "equivalent; rate, packet_size, traffic and class_priority may "
                                   "differ",
                                   keys[i]);
    }
    return FC_OK;
}

/* "flits: 4" or "message_mix: [...]" */
static void describe_lengths(const struct messages *messages, size_t size, char *text) {
    if (messages->count == 1) {
        snprintf(text, size, "flits: %.0f", messages->flits[0]);
        return;
    }
    size_t used = (size_t)snprintf(text, size, "message_mix: [");
    for (size_t i = 0, written = 0; i < messages->count; ++i) {
        if (messages->weight[i] > 0 && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s{flits: %.0f, share: %.15g}",
                                     written++ ? ", " : "", messages->flits[i],
                                     messages->weight[i] / messages->rate);
    }
    if (used < size)
        snprintf(text + used, size - used, "]");
}

static fc_status emit_lengths(fc_booksim_import *import, const struct messages *messages) {
    char text[FC_BOOKSIM_VALUE_SIZE];
    for (size_t i = 0; i < messages->count; ++i)
        import->longest = fmax(import->longest, messages->flits[i]);
    describe_lengths(messages, sizeof text, text);
    const char *value = strchr(text, ' ') + 1;
    return messages->count == 1
               ? fc_booksim_emit(import, "traffic.message_flits", "packet_size", "%s", value)
               : fc_booksim_emit(import, "traffic.message_mix", "packet_size packet_size_rate",
                                 "%s", value);
}

static fc_status emit_rate(fc_booksim_import *import, double rate) {
    import->rate = rate;
    if (!(rate > 0))
        return fc_booksim_fail(import->file, "injection_rate", import->error,
                               "injection_rate must be above 0");
    return fc_booksim_emit(import, "traffic.rate", "injection_rate injection_rate_uses_flits",
                           "%.10g", rate);
}

/* The value of what was emitted last, which becomes a part of another line. */
static void take_back(fc_booksim_import *import, size_t size, char *value) {
    snprintf(value, size, "%s", import->lines[--import->line_count].value);
}

static fc_status read_priority(const fc_booksim_import *import, size_t class, double *priority) {
    *priority = 0;
    return strcmp(fc_booksim_text(import->file, "priority"), "class") == 0
               ? fc_booksim_number(import->file, "class_priority", class,
                                   (fc_booksim_range){0, 63, true}, import->error, priority)
               : FC_OK;
}

/* A class as one of traffic.classes; *used: characters of the list so far. */
static fc_status list_class(fc_booksim_import *import, size_t class, char *list, size_t size,
                            size_t *used) {
    struct messages messages = {0};
    double priority;
    char lengths[FC_BOOKSIM_VALUE_SIZE], destinations[FC_BOOKSIM_LINE_SIZE], before[32] = "";
    fc_status status = check_class(import, class);
    if (status == FC_OK)
        status = add_class(import, class, &messages);
    if (status == FC_OK)
        status = read_priority(import, class, &priority);
    if (status != FC_OK || !(messages.rate > 0))
        return status;
    status = emit_destinations(import, class);
    if (status != FC_OK)
        return status;
    take_back(import, sizeof destinations, destinations);
    import->rate += messages.rate;
    for (size_t i = 0; i < messages.count; ++i)
        import->longest = fmax(import->longest, messages.flits[i]);
    describe_lengths(&messages, sizeof lengths, lengths);
    if (priority > 0)
        snprintf(before, sizeof before, ", priority: %.0f", priority);
    *used += (size_t)snprintf(
        list + *used, size - *used, "%s{name: class%zu, rate: %.10g, %s, destinations: %s%s}",
        *used ? ", " : "", class, messages.rate, lengths, destinations, before);
    return *used < size ? FC_OK
                        : fc_booksim_fail(import->file, "classes", import->error,
                                          "the classes are too long to be written in a line");
}

static fc_status emit_classes(fc_booksim_import *import, size_t classes) {
    char list[FC_BOOKSIM_LINE_SIZE] = "";
    size_t used = 0;
    fc_status status = FC_OK;
    for (size_t c = 0; c < classes && status == FC_OK; ++c)
        status = list_class(import, c, list, sizeof list, &used);
    if (status == FC_OK && !used)
        status = fc_booksim_fail(import->file, "injection_rate", import->error,
                                 "injection_rate must be above 0");
    return status == FC_OK
               ? fc_booksim_emit(import, "traffic.classes",
                                 "classes injection_rate packet_size traffic class_priority",
                                 "[%s]", list)
               : status;
}

static fc_status emit_messages(fc_booksim_import *import, struct messages *messages) {
    fc_status status = add_class(import, 0, messages);
    if (status == FC_OK)
        status = emit_rate(import, messages->rate);
    return status == FC_OK ? emit_lengths(import, messages) : status;
}

/* ---- requests and replies ---- */

struct requests {
    double sizes[4]; /* read request, read reply, write request, write reply */
    double writes;   /* share of requests that write */
};

/* BookSim gives each of the four kinds a range of channels. Here requests have the lower channels
 * and replies the upper ones. */
static fc_status emit_reply_channels(fc_booksim_import *import) {
    static const char *const keys[4][2] = {
        {"read_request_begin_vc", "read_request_end_vc"},
        {"write_request_begin_vc", "write_request_end_vc"},
        {"read_reply_begin_vc", "read_reply_end_vc"},
        {"write_reply_begin_vc", "write_reply_end_vc"},
    };
    double channels = 0, range[4][2];
    fc_status status = fc_booksim_whole(import, "num_vcs", 1, 1e6, &channels);
    for (int i = 0; i < 8 && status == FC_OK; ++i)
        status =
            fc_booksim_whole(import, keys[i / 2][i % 2], 0, channels - 1, &range[i / 2][i % 2]);
    if (status != FC_OK)
        return status;
    const double requests = fmax(range[0][1], range[1][1]) + 1;
    const bool split = fmin(range[2][0], range[3][0]) >= requests;
    const double replies = split ? channels - requests : floor(channels / 2);
    status = fc_booksim_emit(import, "network.reply_channels",
                             "read_request_end_vc write_request_end_vc read_reply_begin_vc "
                             "write_reply_begin_vc",
                             "%.0f", replies);
    const bool same = split && range[0][0] == 0 && range[1][0] == 0 && range[0][1] == range[1][1] &&
                      range[2][0] == requests && range[3][0] == requests &&
                      range[2][1] == channels - 1 && range[3][1] == channels - 1;
    if (status == FC_OK && !same)
        status = fc_booksim_note(import, "use_read_write",
                                 "reads and writes have ranges of virtual channels of their own in "
                                 "BookSim; here all requests share channels 0 to %.0f and all "
                                 "replies the rest: other waiting under load",
                                 channels - replies - 1);
    return status;
}

static fc_status emit_requests(fc_booksim_import *import) {
    static const char *const keys[] = {"read_request_size", "read_reply_size", "write_request_size",
                                       "write_reply_size"};
    struct requests requests = {{0}, 0};
    fc_status status = FC_OK;
    for (int i = 0; i < 4 && status == FC_OK; ++i)
        status = fc_booksim_number(import->file, keys[i], 0, size_range, import->error,
                                   &requests.sizes[i]);
    if (status == FC_OK)
        status = fc_booksim_number(import->file, "write_fraction", 0, share_range, import->error,
                                   &requests.writes);
    /* Flits are those of a request and its reply, the mean of both kinds, rounded down there. */
    const double *size = requests.sizes;
    double rate = 0;
    if (status == FC_OK)
        status = read_rate(import, 0, floor((size[0] + size[1] + size[2] + size[3]) / 2), &rate);
    if (status != FC_OK)
        return status;
    char list[512] = "";
    size_t used = 0;
    for (int w = 0; w < 2; ++w) {
        const double share = w ? requests.writes : 1 - requests.writes;
        if (share > 0)
            used += (size_t)snprintf(list + used, sizeof list - used,
                                     "%s{share: %.10g, flits: %.0f, reply_flits: %.0f}",
                                     used ? ", " : "", share, size[2 * w], size[2 * w + 1]);
        if (share > 0)
            import->longest = fmax(import->longest, fmax(size[2 * w], size[2 * w + 1]));
    }
    status = emit_rate(import, rate);
    if (status == FC_OK)
        status = fc_booksim_emit(import, "traffic.requests",
                                 "write_fraction read_request_size read_reply_size "
                                 "write_request_size write_reply_size",
                                 "[%s]", list);
    return status == FC_OK ? emit_reply_channels(import) : status;
}

/* ---- when ---- */

/* A source that is silent starts a burst with probability alpha in a cycle, one that sends ends it
 * with probability beta, and sends with probability r1 while it lasts; one of the three follows
 * from the rate. */
static fc_status emit_on_off(fc_booksim_import *import, const struct call *call) {
    const double rate = import->rate;
    static const char *const keys[] = {"burst_alpha", "burst_beta", "burst_r1"};
    char item[FC_BOOKSIM_VALUE_SIZE];
    double value[3];
    for (size_t i = 0; i < 3; ++i) {
        const fc_booksim_range range = {-1e9, 1, false};
        const fc_status status =
            fc_booksim_number(import->file, keys[i], 0, range, import->error, &value[i]);
        if (status != FC_OK)
            return status;
        if (call->arguments[0] && fc_booksim_item(call->arguments, i, item) &&
            !fc_parse_real(item, &value[i]))
            return fc_booksim_fail(import->file, "injection_process", import->error,
                                   "on_off has '%.40s', which is not a number", item);
    }
    const int open = (value[0] < 0) + (value[1] < 0) + (value[2] < 0);
    if (open == 1 && value[0] < 0)
        value[0] = value[1] * rate / (value[2] - rate);
    else if (open == 1 && value[1] < 0)
        value[1] = value[0] * (value[2] - rate) / rate;
    if (open != 1 || !(value[0] > 0 && value[0] <= 1) || !(value[1] > 0 && value[1] <= 1))
        return fc_booksim_fail(import->file, "injection_process", import->error,
                               "on_off needs two of alpha, beta and r1 (the third below 0), "
                               "probabilities that reach the injection rate");
    return fc_booksim_emit(import, "traffic.injection", "injection_process burst_alpha burst_beta",
                           "{on-off: {on: %.10g, off: %.10g}}", 1 / value[1], 1 / value[0]);
}

static fc_status emit_injection(fc_booksim_import *import) {
    char text[FC_BOOKSIM_VALUE_SIZE] = "";
    fc_booksim_item(fc_booksim_text(import->file, "injection_process"), 0, text);
    struct call call;
    split_call(text, &call);
    if (strcmp(call.name, "bernoulli") == 0)
        return fc_booksim_emit(import, "traffic.injection", "injection_process", "bernoulli");
    if (strcmp(call.name, "on_off") == 0)
        return emit_on_off(import, &call);
    return fc_booksim_fail(import->file, "injection_process", import->error,
                           "BookSim has no injection process '%.60s'; expected bernoulli or on_off",
                           call.name);
}

fc_status fc_booksim_import_traffic(fc_booksim_import *import) {
    double classes = 0, replies = 0;
    fc_status status = fc_booksim_whole(import, "classes", 1, CLASSES_MAX, &classes);
    if (status == FC_OK)
        status = fc_booksim_whole(import, "use_read_write", 0, 1, &replies);
    if (status == FC_OK && replies == 1 && classes > 1)
        status = fc_booksim_fail(import->file, "classes", import->error,
                                 "requests and replies of several classes have no equivalent");
    struct messages messages = {0};
    if (status == FC_OK)
        status = replies == 1  ? emit_requests(import)
                 : classes > 1 ? emit_classes(import, (size_t)classes)
                               : emit_messages(import, &messages);
    if (status == FC_OK)
        status = emit_injection(import);
    if (status == FC_OK && classes <= 1)
        status = emit_destinations(import, 0);
    return status == FC_OK ? fc_booksim_emit(import, "traffic.self_messages", "traffic", "sent")
                           : status;
}
