/* Topology, routing and router of a BookSim configuration. */
#include <math.h>
#include <string.h>
#include "base/names.h"
#include "base/status.h"
#include "importers/booksim.h"

/* ---- topology and routing ---- */

struct translation {
    const char *topology, *routing; /* as BookSim names them */
    const char *ours, *our_routing;
    const char *rule; /* network.channel_rule, or NULL */
    const char *note; /* what is not the same, or NULL */
};

static const struct translation translations[] = {
    {"mesh", "dor", "mesh", "dimension-order", NULL, NULL},
    {"mesh", "dim_order", "mesh", "dimension-order", NULL, NULL},
    {"mesh", "xy_yx", "mesh", "o1turn", NULL, NULL},
    {"mesh", "min_adapt", "mesh", "min-adapt", NULL, NULL},
    {"mesh", "valiant", "mesh", "valiant", NULL, NULL},
    {"torus", "dim_order", "torus", "dimension-order", "wrapping", NULL},
    {"torus", "dim_order_bal", "torus", "dimension-order", "wrapping",
     "messages that may use either half of the channels take the lower one here: less balanced, so "
     "saturation comes earlier"},
    {"torus", "min_adapt", "torus", "min-adapt", NULL, NULL},
    {"torus", "valiant", "torus", "valiant", "dateline",
     "channels change at the wrap-around link here, not at the first hop of a dimension: small "
     "differences under load"},
    {"cmesh", "dor_no_express", "mesh", "dimension-order", NULL, NULL},
    {"cmesh", "xy_yx_no_express", "mesh", "o1turn", NULL, NULL},
    {"fly", "dest_tag", "fly", "destination", NULL, NULL},
    {"fattree", "nca", "fat-tree", "random", NULL, NULL},
    {"fattree", "anca", "fat-tree", "anca", NULL, NULL},
    {"anynet", "min", "graph", "minimal", NULL, NULL},
    {"flatfly", "ran_min", "flattened-butterfly", "minimal", NULL, NULL},
    {"flatfly", "valiant", "flattened-butterfly", "valiant", NULL, NULL},
    {"flatfly", "ugal", "flattened-butterfly", "ugal-local", NULL, NULL},
    {"dragonflynew", "min", "dragonfly", "minimal", NULL, NULL},
    {"dragonflynew", "ugal", "dragonfly", "ugal-local", NULL,
     "BookSim's three channels can deadlock on paths over an intermediate router; here there are "
     "four"},
};
enum { TRANSLATIONS = sizeof translations / sizeof *translations, KNOWN_SIZE = 200 };

/* Topologies there is no equivalent of, and why. */
static const char *const missing[][2] = {
    {"qtree", "trees without spare links are not built in"},
    {"tree4", "this fat tree with switches of two sizes is not built in"},
};

static fc_status fail_topology(const fc_booksim_import *import) {
    const char *topology = fc_booksim_text(import->file, "topology");
    for (size_t i = 0; i < sizeof missing / sizeof *missing; ++i) {
        if (strcmp(missing[i][0], topology) == 0)
            return fc_booksim_fail(import->file, "topology", import->error,
                                   "topology = %s has no equivalent: %s; network.topology: graph "
                                   "takes any network as a file, with minimal routing",
                                   topology, missing[i][1]);
    }
    const char *names[TRANSLATIONS + 1];
    size_t count = 0;
    for (size_t i = 0; i < TRANSLATIONS; ++i) {
        if (count == 0 || strcmp(names[count - 1], translations[i].topology) != 0)
            names[count++] = translations[i].topology;
    }
    names[count] = NULL;
    char hint[FC_HINT_SIZE];
    return fc_booksim_fail(import->file, "topology", import->error,
                           "BookSim has no topology '%.60s'%s", topology,
                           fc_names_hint(topology, names, "", hint));
}

static fc_status fail_routing(const fc_booksim_import *import, const char *known) {
    const char *routing = fc_booksim_text(import->file, "routing_function");
    const char *topology = fc_booksim_text(import->file, "topology");
    if (strcmp(routing, "none") == 0)
        return fc_booksim_fail(import->file, "routing_function", import->error,
                               "routing_function is missing, and BookSim's default 'none' exists "
                               "for no topology; for %s this is translated: %s",
                               topology, known);
    return fc_booksim_fail(import->file, "routing_function", import->error,
                           "routing_function = %.60s in a %s has no equivalent; translated "
                           "are: %s",
                           routing, topology, known);
}

/* NULL if there is none; then `known` lists the routing of its topology that there is. */
static const struct translation *find_translation(const fc_booksim_import *import,
                                                  char known[KNOWN_SIZE]) {
    const char *topology = fc_booksim_text(import->file, "topology");
    const char *routing = fc_booksim_text(import->file, "routing_function");
    size_t used = 0;
    known[0] = '\0';
    for (size_t i = 0; i < TRANSLATIONS; ++i) {
        if (strcmp(translations[i].topology, topology) != 0)
            continue;
        if (strcmp(translations[i].routing, routing) == 0)
            return &translations[i];
        used += (size_t)snprintf(known + used, KNOWN_SIZE - used, "%s%s", used ? ", " : "",
                                 translations[i].routing);
    }
    return NULL;
}

/* ---- sizes ---- */

static fc_status emit_radix(fc_booksim_import *import, double k, double n) {
    char list[256] = "";
    size_t used = 0;
    for (int d = 0; d < (int)n; ++d)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.0f", d ? ", " : "", k);
    return fc_booksim_emit(import, "network.radix", "k n", "[%s]", list);
}

/* BookSim's concentrated mesh is two-dimensional with four nodes to a router. */
static fc_status emit_concentration(fc_booksim_import *import) {
    double c = 0, width = 0, n = 0;
    fc_status status = fc_booksim_whole(import, "c", 1, 64, &c);
    if (status == FC_OK)
        status = fc_booksim_whole(import, "xr", 1, 64, &width);
    if (status == FC_OK)
        status = fc_booksim_whole(import, "n", 1, 24, &n);
    if (status != FC_OK)
        return status;
    if (c != 4 || width != 2 || n != 2)
        return fc_booksim_fail(import->file, "c", import->error,
                               "a cmesh is two-dimensional with c = 4 and xr = yr = 2 in BookSim; "
                               "this one has n = %.0f, c = %.0f and xr = %.0f",
                               n, c, width);
    import->tile = 2;
    import->node_count *= c;
    return fc_booksim_emit(import, "network.concentration", "c", "%.0f", c);
}

/* A dragonfly of BookSim has k nodes and k links out of its group at each of 2k routers. */
static fc_status emit_dragonfly(fc_booksim_import *import, const struct translation *found) {
    double k = 0, n = 0;
    fc_status status = fc_booksim_whole(import, "k", 1, 1000, &k);
    if (status == FC_OK)
        status = fc_booksim_whole(import, "n", 1, 1, &n);
    if (status != FC_OK)
        return status;
    const bool minimal = strcmp(found->our_routing, "minimal") == 0;
    import->node_count = 2 * k * k * (2 * k * k + 1);
    import->channels = minimal ? 2 : 4;
    status = fc_booksim_emit(import, "network.hosts", "k", "%.0f", k);
    if (status == FC_OK)
        status = fc_booksim_emit(import, "network.routers", "k", "%.0f", 2 * k);
    if (status == FC_OK)
        status = fc_booksim_emit(import, "network.global_links", "k", "%.0f", k);
    if (status == FC_OK)
        status = fc_booksim_emit(import, "network.global_delay", "", "100");
    if (status == FC_OK)
        status = fc_booksim_emit(import, "network.injection_choice", "", "random");
    if (status == FC_OK)
        status = fc_booksim_emit(import, "network.ejection_choice", "", "layer");
    if (status == FC_OK && !minimal)
        status = fc_booksim_emit(import, "network.intermediate", "routing_function", "router");
    if (status == FC_OK && !minimal)
        status = fc_booksim_emit(import, "network.bias", "routing_function", "30");
    if (status == FC_OK && !minimal)
        status = fc_booksim_emit(import, "network.queues", "routing_function", "link");
    return status;
}

/* Routers are placed in a square of x by y, their nodes in squares of xr by yr around them; links
 * are as long as their ends are apart. */
static fc_status emit_flatfly(fc_booksim_import *import, const struct translation *found) {
    static const char *const keys[] = {"k", "n", "c", "x", "xr", "yr", "use_noc_latency"};
    double value[7];
    for (int i = 0; i < 7; ++i) {
        const fc_status status = fc_booksim_whole(import, keys[i], i < 6, 1e6, &value[i]);
        if (status != FC_OK)
            return status;
    }
    const double k = value[0], n = value[1], c = value[2], tile = value[4];
    if (n > 2 || value[3] != k || value[5] != tile || c != tile * tile || tile > 3)
        return fc_booksim_fail(
            import->file, "topology", import->error,
            "a flatfly is translated with n = 1 or 2, x = y = k, xr = yr up to 3 "
            "and c = xr yr; this one has n = %.0f, k = %.0f, x = %.0f, xr = "
            "%.0f, yr = %.0f, c = %.0f",
            n, k, value[3], tile, value[5], c);
    import->radix = k;
    import->tile = tile;
    import->node_count = pow(k, n) * c;
    fc_status status =
        fc_booksim_emit(import, "network.shape", "k n", n > 1 ? "[%.0f, %.0f]" : "[%.0f]", k, k);
    if (status == FC_OK)
        status = fc_booksim_emit(import, "network.concentration", "c", "%.0f", c);
    if (status == FC_OK && value[6] == 1)
        status = fc_booksim_emit(import, "network.spacing", "use_noc_latency xr yr",
                                 n > 1 ? "[%.0f, %.0f]" : "[%.0f]", tile, tile);
    if (status == FC_OK && strcmp(found->our_routing, "ugal-local") == 0)
        status = fc_booksim_emit(import, "network.bias", "routing_function", "2");
    if (status == FC_OK && strcmp(found->our_routing, "ugal-local") == 0)
        status = fc_booksim_emit(import, "network.queues", "routing_function", "link");
    return status;
}

static fc_status emit_size(fc_booksim_import *import, const struct translation *found) {
    if (strcmp(found->topology, "dragonflynew") == 0)
        return emit_dragonfly(import, found);
    if (strcmp(found->topology, "flatfly") == 0)
        return emit_flatfly(import, found);
    if (strcmp(found->topology, "anynet") == 0) {
        if (!fc_booksim_given(import->file, "network_file"))
            return fc_booksim_fail(import->file, "topology", import->error,
                                   "an anynet needs network_file");
        import->node_count = 0;
        const fc_status status = fc_booksim_emit(import, "network.file", "network_file", "\"%s\"",
                                                 fc_booksim_text(import->file, "network_file"));
        return status == FC_OK
                   ? fc_booksim_emit(import, "network.ties", "routing_function", "first")
                   : status;
    }
    double k = 0, n = 0;
    fc_status status = fc_booksim_whole(import, "k", 1, 1e6, &k);
    if (status == FC_OK)
        status = fc_booksim_whole(import, "n", 1, 24, &n);
    if (status != FC_OK)
        return status;
    import->radix = k;
    import->node_count = pow(k, n);
    const bool cube = strcmp(found->ours, "mesh") == 0 || strcmp(found->ours, "torus") == 0;
    if (cube) {
        status = emit_radix(import, k, n);
        if (status == FC_OK && strcmp(found->topology, "cmesh") == 0)
            status = emit_concentration(import);
        return status;
    }
    status = fc_booksim_emit(import, "network.arity", "k", "%.0f", k);
    return status == FC_OK ? fc_booksim_emit(import, "network.levels", "n", "%.0f", n) : status;
}

static fc_status check_limit(fc_booksim_import *import) {
    double limit = 0;
    const fc_status status = fc_booksim_whole(import, "limit", 0, 1e9, &limit);
    if (status == FC_OK && limit != 0 && limit != import->node_count)
        return fc_booksim_fail(import->file, "limit", import->error,
                               "limit = %.0f leaves nodes without traffic, which has no "
                               "equivalent; a traffic matrix can say so",
                               limit);
    return status;
}

/* Without a stage for it, BookSim finds a route one router ahead. */
static fc_status emit_decision(fc_booksim_import *import, const struct translation *found) {
    const bool by_queues =
        strcmp(found->our_routing, "ugal-local") == 0 || strcmp(found->our_routing, "anca") == 0;
    double delay = 0;
    const fc_status status = fc_booksim_whole(import, "routing_delay", 0, 1e6, &delay);
    if (status != FC_OK || !by_queues || delay > 0)
        return status;
    return fc_booksim_emit(import, "network.decision", "routing_delay", "ahead");
}

/* Of an odd number BookSim uses one channel less; here one half would have it. */
static fc_status emit_rule(fc_booksim_import *import, const struct translation *found) {
    double channels = 0;
    const fc_status status = fc_booksim_whole(import, "num_vcs", 1, 1e6, &channels);
    if (status != FC_OK || !found->rule)
        return status;
    if (fmod(channels, 2) != 0)
        return fc_booksim_fail(import->file, "num_vcs", import->error,
                               "%s divides the virtual channels of a torus in two halves; expected "
                               "an even number, not %.0f",
                               fc_booksim_text(import->file, "routing_function"), channels);
    return fc_booksim_emit(import, "network.channel_rule", "routing_function", "%s", found->rule);
}

fc_status fc_booksim_import_topology(fc_booksim_import *import) {
    char known[KNOWN_SIZE];
    const struct translation *found = find_translation(import, known);
    if (!found)
        return known[0] ? fail_routing(import, known) : fail_topology(import);
    fc_status status = fc_booksim_emit(import, "network.topology", "topology", "%s", found->ours);
    if (status == FC_OK)
        status = emit_size(import, found);
    if (status == FC_OK)
        status = check_limit(import);
    if (status == FC_OK)
        status = fc_booksim_emit(import, "network.routing", "routing_function", "%s",
                                 found->our_routing);
    if (status == FC_OK)
        status = emit_decision(import, found);
    if (status == FC_OK)
        status = emit_rule(import, found);
    if (status == FC_OK && found->note)
        status = fc_booksim_note(import, "routing_function", "%s", found->note);
    if (status == FC_OK && strcmp(found->our_routing, "o1turn") == 0 &&
        strcmp(fc_booksim_text(import->file, "n"), "2") != 0)
        status = fc_booksim_note(import, "routing_function",
                                 "BookSim draws ascending or descending order; here any order of "
                                 "the dimensions may be drawn");
    return status;
}

/* ---- the router ---- */

static fc_status emit_delays(fc_booksim_import *import) {
    static const char *const keys[] = {"routing_delay",    "vc_alloc_delay", "sw_alloc_delay",
                                       "st_prepare_delay", "st_final_delay", "speculative"};
    double delay[6] = {0};
    for (int i = 0; i < 6; ++i) {
        const double minimum = i == 1 || i == 2; /* BookSim's allocators take a cycle at least */
        const fc_status status = fc_booksim_whole(import, keys[i], minimum, 1e6, &delay[i]);
        if (status != FC_OK)
            return status;
    }
    const bool speculative = delay[5] > 0;
    const double allocation = speculative ? 0 : delay[1];
    const double switching = speculative ? fmax(delay[1], delay[2]) : delay[2];
    fc_status status = fc_booksim_emit(
        import, "network.router_delay",
        "routing_delay vc_alloc_delay sw_alloc_delay st_prepare_delay st_final_delay",
        "[%.0f, %.0f, %.0f, %.0f]", delay[0], allocation, switching, delay[3] + delay[4]);
    if (status == FC_OK && delay[2] > 1)
        status = fc_booksim_note(import, "sw_alloc_delay",
                                 "BookSim sends one flit of a channel every %.0f cycles; here the "
                                 "switch allocation is pipelined, one flit every cycle",
                                 delay[2]);
    if (status == FC_OK && speculative)
        status = fc_booksim_note(import, "speculative",
                                 "the switch is asked for while the channel is allocated there; "
                                 "here allocation takes no time, so a speculation never fails: "
                                 "equal in an empty network, lower latency here under load");
    return status;
}

static fc_status emit_links(fc_booksim_import *import) {
    const char *topology = fc_booksim_text(import->file, "topology");
    double placed = 0, credit = 0;
    fc_status status = fc_booksim_whole(import, "use_noc_latency", 0, 1, &placed);
    if (status == FC_OK)
        status = fc_booksim_whole(import, "credit_delay", 0, 1e6, &credit);
    const bool longer = strcmp(topology, "torus") == 0 || strcmp(topology, "cmesh") == 0;
    const bool dragonfly = strcmp(topology, "dragonflynew") == 0;
    if (status == FC_OK && strcmp(topology, "anynet") != 0)
        status = fc_booksim_emit(import, "network.link_delay", "use_noc_latency topology", "%d",
                                 dragonfly               ? 10
                                 : longer && placed == 1 ? 2
                                                         : 1);
    if (status == FC_OK)
        status = fc_booksim_emit(import, "network.node_delay", "", "2");
    if (status == FC_OK)
        status = fc_booksim_emit(import, "network.credit_delay", "credit_delay", "%.0f", credit);
    return status;
}

static fc_status emit_channels(fc_booksim_import *import) {
    double channels = 0, buffer = 0, shared = 0, waits = 0;
    fc_status status = fc_booksim_whole(import, "num_vcs", 1, 1e6, &channels);
    if (status == FC_OK)
        status = fc_booksim_whole(import, "vc_buf_size", 1, 1e9, &buffer);
    if (status == FC_OK)
        status = fc_booksim_whole(import, "buf_size", -1, 1e9, &shared);
    if (status == FC_OK)
        status = fc_booksim_whole(import, "wait_for_tail_credit", 0, 1, &waits);
    if (status != FC_OK)
        return status;
    if (shared > 0)
        buffer = floor(shared / channels);
    const bool two_used = import->channels == 2 && channels > 2;
    if (import->channels > 0)
        channels = import->channels;
    status = fc_booksim_emit(import, "network.virtual_channels", "num_vcs", "%.0f", channels);
    if (status == FC_OK && two_used)
        status = fc_booksim_note(import, "num_vcs",
                                 "BookSim's minimal routing uses two of the channels; here there "
                                 "are no more");
    if (status == FC_OK)
        status = fc_booksim_emit(import, "network.buffer",
                                 shared > 0 ? "buf_size num_vcs" : "vc_buf_size", "%.0f", buffer);
    if (status == FC_OK)
        status = fc_booksim_emit(import, "network.handover", "wait_for_tail_credit", "%s",
                                 waits == 1 ? "when-empty" : "next-cycle");
    if (status == FC_OK)
        status = fc_booksim_emit(import, "network.injection_channels", "", "1");
    if (status == FC_OK)
        status = fc_booksim_emit(import, "network.ejection_channels", "num_vcs", "%.0f", channels);
    return status;
}

/* Every allocator finds a matching of inputs and outputs; they differ in how large it is. */
static fc_status note_allocator(fc_booksim_import *import, const char *key) {
    static const char *const names[] = {"islip",
                                        "separable_input_first",
                                        "separable_output_first",
                                        "pim",
                                        "loa",
                                        "wavefront",
                                        "rr_wavefront",
                                        "max_size",
                                        "select",
                                        "piggyback",
                                        NULL};
    const char *name = fc_booksim_text(import->file, key);
    size_t chosen = 0;
    while (names[chosen] && strcmp(names[chosen], name) != 0)
        ++chosen;
    char hint[FC_HINT_SIZE];
    if (!names[chosen])
        return fc_booksim_fail(import->file, key, import->error,
                               "BookSim has no allocator '%.60s'%s", name,
                               fc_names_hint(name, names, "", hint));
    if (chosen == 0)
        return FC_OK;
    return fc_booksim_note(import, key, "the allocator here is iSLIP: %s",
                           chosen <= 2 ? "also separable, but some percent apart under load"
                                       : "another matching, other latencies near saturation");
}

static fc_status emit_arbitration(fc_booksim_import *import) {
    const char *priority = fc_booksim_text(import->file, "priority");
    const bool network_age = strcmp(priority, "network_age") == 0;
    const bool oldest = network_age || strcmp(priority, "age") == 0;
    const bool classes = strcmp(priority, "class") == 0;
    if (!oldest && !classes && strcmp(priority, "none") != 0)
        return fc_booksim_fail(import->file, "priority", import->error,
                               "priority = %.60s has no equivalent; none, class, age and "
                               "network_age have",
                               priority);
    fc_status status = fc_booksim_emit(import, "network.arbitration", "priority", "%s",
                                       oldest ? "oldest-first" : "round-robin");
    if (status == FC_OK && classes && strcmp(fc_booksim_text(import->file, "classes"), "1") != 0)
        status = fc_booksim_note(import, "priority",
                                 "classes of higher priority are first for channels and the switch "
                                 "here; iSLIP allocators there do not look at priorities");
    if (status == FC_OK && network_age)
        status = fc_booksim_note(import, "priority",
                                 "age counts from the message's generation here, not from its "
                                 "entry into the network");
    return status;
}

static fc_status emit_switch(fc_booksim_import *import) {
    double speedup = 0, rounds = 0, hold = 0;
    double faster = 1;
    fc_status status = fc_booksim_whole(import, "input_speedup", 1, 1e6, &speedup);
    if (status == FC_OK)
        status = fc_booksim_number(import->file, "internal_speedup", 0,
                                   (fc_booksim_range){1, 8, false}, import->error, &faster);
    if (status == FC_OK)
        status = fc_booksim_whole(import, "alloc_iters", 1, 1e6, &rounds);
    if (status == FC_OK)
        status = fc_booksim_whole(import, "hold_switch_for_packet", 0, 1, &hold);
    if (status == FC_OK)
        status = fc_booksim_emit(import, "network.input_speedup", "input_speedup", "%.0f", speedup);
    if (status == FC_OK && faster > 1)
        status = fc_booksim_emit(import, "network.internal_speedup", "internal_speedup", "%.10g",
                                 faster);
    if (status == FC_OK)
        status = fc_booksim_emit(import, "network.allocator_rounds", "alloc_iters", "%.0f", rounds);
    if (status == FC_OK)
        status = emit_arbitration(import);
    if (status == FC_OK)
        status = note_allocator(import, "vc_allocator");
    if (status == FC_OK)
        status = note_allocator(import, "sw_allocator");
    if (status == FC_OK && hold == 1 && import->longest > 1)
        status = fc_booksim_note(
            import, "hold_switch_for_packet",
            "in BookSim the flits of a message then keep the switch; here each flit is "
            "switched by itself, so latencies under load differ");
    return status;
}

fc_status fc_booksim_import_router(fc_booksim_import *import) {
    fc_status status = emit_delays(import);
    if (status == FC_OK)
        status = emit_links(import);
    if (status == FC_OK)
        status = emit_channels(import);
    if (status == FC_OK)
        status = emit_switch(import);
    return status;
}
