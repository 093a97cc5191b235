/* Designs of RapidChiplet (Iff et al.; the format is that of its public repository) as scenarios.
 *
 * A design is a JSON file that names others: technologies, chiplets, placement, topology, packaging
 * and, if it has them, a routing table, the traffic between units and a configuration of BookSim.
 * Chiplets become routers 0, 1, ... with a node for each unit, routers of the interposer those
 * after them. A link takes the cycles of its length and of the interfaces (phys) at its ends, as
 * RapidChiplet hands it to BookSim. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/c_locale.h"
#include "base/memory.h"
#include "base/status.h"
#include "flitcast/flitcast.h"
#include "output/text/json.h"
#include "base/expression.h"

enum { PATH_SIZE = 1024, ROUTERS_MAX = 8192, DELAY_MAX = 1000 };

enum {
    TECHNOLOGIES,
    CHIPLETS,
    PLACEMENT,
    TOPOLOGY,
    PACKAGING,
    NEEDED,
    ROUTING_TABLE = NEEDED,
    TRAFFIC,
    BOOKSIM,
    PARTS
};
static const char *const part_names[PARTS] = {"technologies",    "chiplets",      "placement",
                                              "topology",        "packaging",     "routing_table",
                                              "traffic_by_unit", "booksim_config"};

typedef struct design {
    const char *path;
    const char *folder; /* of the files that are written */
    char name[64];
    fc_error *error;
    json_t *part[PARTS];
    size_t chiplets, routers, nodes;
    uint32_t *first_node; /* of each chiplet; one more behind the last */
    fc_imported_design *made;
} design;

static fc_status refuse(const design *d, int part, const char *sentence) {
    return fc_fail(d->error, FC_ERROR_INPUT, "%.300s: %s: %s", d->path, part_names[part], sentence);
}

static void tell(design *d, const char *sentence) {
    const size_t used = strlen(d->made->note);
    snprintf(d->made->note + used, sizeof d->made->note - used, "%s%s", used ? " " : "", sentence);
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* ---- files ---- */

static fc_status read_json(const char *path, fc_error *error, json_t **tree) {
    json_error_t problem;
    *tree = json_load_file(path, 0, &problem);
    if (*tree)
        return FC_OK;
    if (problem.line < 0)
        return fc_fail(error, FC_ERROR_FILE, "%.300s: cannot be read", path);
    return fc_fail(error, FC_ERROR_INPUT, "%.300s:%d: %s", path, problem.line, problem.text);
}

/* Paths of a design begin at RapidChiplet's own folder: this one, or one of those above it. */
static bool find_file(const char *design_path, const char *name, char path[PATH_SIZE]) {
    static const char *const up[] = {"", "../", "../../", "../../../"};
    const char *slash = strrchr(design_path, '/');
    const int folder = slash ? (int)(slash - design_path) + 1 : 0;
    for (size_t i = 0; i < sizeof up / sizeof *up; ++i) {
        if (name[0] == '/')
            snprintf(path, PATH_SIZE, "%s", name);
        else
            snprintf(path, PATH_SIZE, "%.*s%s%s", folder, design_path, up[i], name);
        if (access(path, R_OK) == 0)
            return true;
    }
    return false;
}

static fc_status read_parts(design *d, const json_t *tree) {
    for (int part = 0; part < PARTS; ++part) {
        const char *name = text_of(tree, part_names[part]);
        char path[PATH_SIZE];
        if (part >= NEEDED && (!name[0] || strcmp(name, "none") == 0))
            continue;
        if (!name[0])
            return fc_fail(d->error, FC_ERROR_INPUT,
                           "%.300s: '%s' is missing: a design of RapidChiplet names a file for it",
                           d->path, part_names[part]);
        if (!find_file(d->path, name, path))
            return fc_fail(d->error, FC_ERROR_FILE,
                           "%.300s: %s: there is no file %.200s next to the design or in a folder "
                           "above it",
                           d->path, part_names[part], name);
        const fc_status status = read_json(path, d->error, &d->part[part]);
        if (status != FC_OK)
            return status;
    }
    return FC_OK;
}

static void path_beside(const design *d, const char *suffix, size_t size, char *path) {
    snprintf(path, size, "%s%s%s.%s", d->folder, d->folder[0] ? "/" : "", d->name, suffix);
}

static FILE *open_beside(const design *d, const char *suffix) {
    char path[PATH_SIZE];
    path_beside(d, suffix, sizeof path, path);
    FILE *stream = fopen(path, "w");
    if (!stream)
        fc_error_write(d->error, "%.400s: cannot be written", path);
    return stream;
}

static fc_status close_beside(const design *d, FILE *stream, const char *suffix, fc_status status) {
    const bool failed = ferror(stream) != 0;
    if ((fclose(stream) != 0 || failed) && status == FC_OK)
        return fc_fail(d->error, FC_ERROR_FILE, "%s.%s: could not be written", d->name, suffix);
    return status;
}

/* ---- chiplets ---- */

static const json_t *placed(const design *d, const char *list, size_t index) {
    return json_array_get(json_object_get(d->part[PLACEMENT], list), index);
}

static const json_t *chiplet_of(const design *d, size_t index) {
    return json_object_get(d->part[CHIPLETS], text_of(placed(d, "chiplets", index), "name"));
}

static fc_status count_routers(design *d) {
    const json_t *chiplets = json_object_get(d->part[PLACEMENT], "chiplets");
    const json_t *others = json_object_get(d->part[PLACEMENT], "interposer_routers");
    d->chiplets = json_array_size(chiplets);
    d->routers = d->chiplets + json_array_size(others);
    if (!d->chiplets || d->routers > ROUTERS_MAX)
        return refuse(d, PLACEMENT,
                      "expected a list 'chiplets', of at most 8192 with the routers "
                      "of the interposer");
    d->first_node = fc_allocate(d->chiplets + 1, sizeof *d->first_node);
    if (!d->first_node)
        return fc_fail_memory(d->error);
    for (size_t i = 0; i < d->chiplets; ++i) {
        const json_t *chiplet = chiplet_of(d, i);
        const double units = fc_json_number_of(chiplet, "unit_count", NAN);
        if (!chiplet)
            return refuse(d, PLACEMENT, "a chiplet has a name that is not among the chiplets");
        if (!(units >= 0 && units <= 1e6 && units == floor(units)))
            return refuse(d, CHIPLETS, "unit_count must be a whole number");
        if (json_is_false(json_object_get(chiplet, "relay")) && !d->part[ROUTING_TABLE])
            return refuse(
                d, CHIPLETS,
                "some chiplets do not relay, which takes a routing table; give the design "
                "one");
        d->first_node[i + 1] = d->first_node[i] + (uint32_t)units;
    }
    d->nodes = d->first_node[d->chiplets];
    return d->nodes > 1 ? FC_OK : refuse(d, CHIPLETS, "there are fewer than two units");
}

/* ---- links ---- */

typedef struct spot {
    double x, y;
    size_t router;
    double phy; /* cycles of the interface; 0: a router of the interposer */
} spot;

/* Where a phy is after its chiplet was turned around its middle, its corner at the same place. */
static void turn(const json_t *chiplet, double degrees, double *x, double *y) {
    const json_t *size = json_object_get(chiplet, "dimensions");
    const double wide = fc_json_number_of(size, "x", 0), tall = fc_json_number_of(size, "y", 0);
    const int quarters = ((int)floor(fmod(degrees, 360) / 90) + 4) % 4;
    double dx = *x - wide / 2, dy = *y - tall / 2;
    for (int i = 0; i < quarters; ++i) {
        const double turned = -dy;
        dy = dx;
        dx = turned;
    }
    *x = dx + (quarters % 2 ? tall : wide) / 2;
    *y = dy + (quarters % 2 ? wide : tall) / 2;
}

static fc_status find_end(const design *d, const json_t *link, const char *which, spot *at) {
    const json_t *end = json_object_get(link, which);
    const double outer = fc_json_number_of(end, "outer_id", -1),
                 inner = fc_json_number_of(end, "inner_id", 0);
    const bool chiplet = strcmp(text_of(end, "type"), "chiplet") == 0;
    const size_t count = chiplet ? d->chiplets : d->routers - d->chiplets;
    if (!(outer >= 0 && outer < (double)count))
        return refuse(d, TOPOLOGY, "a link has an end that the placement does not have");
    const json_t *where = placed(d, chiplet ? "chiplets" : "interposer_routers", (size_t)outer);
    const json_t *position = json_object_get(where, "position");
    *at = (spot){fc_json_number_of(position, "x", 0), fc_json_number_of(position, "y", 0),
                 (size_t)outer + (chiplet ? 0 : d->chiplets), 0};
    if (!chiplet)
        return FC_OK;
    const json_t *made = chiplet_of(d, (size_t)outer);
    const json_t *phy = inner >= 0 && inner < 1e6
                            ? json_array_get(json_object_get(made, "phys"), (size_t)inner)
                            : NULL;
    const json_t *technology = json_object_get(d->part[TECHNOLOGIES], text_of(made, "technology"));
    if (!phy)
        return refuse(d, TOPOLOGY, "a link has an end at a phy that its chiplet does not have");
    if (!technology)
        return refuse(d, CHIPLETS, "a technology is not among the technologies");
    double x = fc_json_number_of(phy, "x", 0), y = fc_json_number_of(phy, "y", 0);
    turn(made, fc_json_number_of(where, "rotation", 0), &x, &y);
    at->x += x;
    at->y += y;
    at->phy = fc_json_number_of(technology, "phy_latency", 0);
    return FC_OK;
}

/* "lambda x : 0.25 * x", or a number. */
static fc_status read_latency(const design *d, fc_expression *latency, double *constant) {
    const json_t *packaging = d->part[PACKAGING];
    char name[16];
    int used = 0;
    if (strcmp(text_of(packaging, "link_latency_type"), "constant") == 0) {
        *constant = fc_json_number_of(packaging, "link_latency", NAN);
        return *constant >= 0 ? FC_OK : refuse(d, PACKAGING, "link_latency must be a number");
    }
    const char *text = text_of(packaging, "link_latency");
    fc_error cause;
    if (sscanf(text, "lambda %15[a-zA-Z_] :%n", name, &used) != 1 || !used ||
        fc_expression_parse(text + used, &cause, latency) != FC_OK || latency->name_count > 1 ||
        (latency->name_count && strcmp(latency->names[0], name) != 0))
        return refuse(d, PACKAGING,
                      "link_latency must be arithmetic of the length, such as 'lambda x : 0.25 * "
                      "x'");
    *constant = (double)NAN;
    return FC_OK;
}

/* Cycles of a link, the same each way. */
static fc_status link_cycles(const design *d, const spot *a, const spot *b,
                             const fc_expression *latency, double constant, double *cycles) {
    const bool straight = strcmp(text_of(d->part[PACKAGING], "link_routing"), "euclidean") == 0;
    const double length =
        straight ? hypot(a->x - b->x, a->y - b->y) : fabs(a->x - b->x) + fabs(a->y - b->y);
    const double wire = isnan(constant) ? fc_expression_evaluate(latency, &length) : constant;
    *cycles = a->phy + ceil(wire) + b->phy;
    if (!(*cycles >= 0 && *cycles <= DELAY_MAX))
        return refuse(d, PACKAGING, "a link takes more than 1000 cycles, or none that is a number");
    *cycles = fmax(1, *cycles);
    return FC_OK;
}

static fc_status write_graph(design *d, FILE *stream) {
    fc_expression latency;
    double constant = (double)NAN;
    fc_status status = read_latency(d, &latency, &constant);
    if (status == FC_OK && !json_is_array(d->part[TOPOLOGY]))
        status = refuse(d, TOPOLOGY, "expected a list of links");
    for (size_t i = 0; i < d->chiplets && status == FC_OK; ++i) {
        fprintf(stream, "router %zu", i);
        for (uint32_t node = d->first_node[i]; node < d->first_node[i + 1]; ++node)
            fprintf(stream, " node %u", node);
        fputc('\n', stream);
    }
    size_t index;
    const json_t *link;
    json_array_foreach(d->part[TOPOLOGY], index, link) {
        spot a, b;
        double cycles;
        if (status == FC_OK)
            status = find_end(d, link, "ep1", &a);
        if (status == FC_OK)
            status = find_end(d, link, "ep2", &b);
        if (status == FC_OK)
            status = link_cycles(d, &a, &b, &latency, constant, &cycles);
        if (status == FC_OK)
            fprintf(stream, "router %zu router %zu %.0f\nrouter %zu router %zu %.0f\n", a.router,
                    b.router, cycles, b.router, a.router, cycles);
    }
    return status;
}

/* ---- paths ---- */

/* '__tuple__:["chiplet", 3]', or the array ["chiplet", 3]. SIZE_MAX: none of these. */
static size_t router_named(const design *d, const char *type, double number) {
    const bool chiplet = strcmp(type, "chiplet") == 0;
    const size_t count = chiplet ? d->chiplets : d->routers - d->chiplets;
    if ((!chiplet && strcmp(type, "irouter") != 0) || !(number >= 0 && number < (double)count))
        return SIZE_MAX;
    return (size_t)number + (chiplet ? 0 : d->chiplets);
}

static size_t router_of_key(const design *d, const char *key) {
    char type[16];
    double number;
    if (sscanf(key, "__tuple__:[\"%15[a-z]\", %lf]", type, &number) != 2)
        return SIZE_MAX;
    return router_named(d, type, number);
}

static size_t router_of_value(const design *d, const json_t *value) {
    const json_t *items = json_object_get(value, "items");
    const char *type = json_string_value(json_array_get(items, 0));
    const json_t *number = json_array_get(items, 1);
    return type && json_is_number(number) ? router_named(d, type, json_number_value(number))
                                          : SIZE_MAX;
}

static void write_key(const design *d, size_t router, char key[48]) {
    const bool chiplet = router < d->chiplets;
    snprintf(key, 48, "__tuple__:[\"%s\", %zu]", chiplet ? "chiplet" : "irouter",
             chiplet ? router : router - d->chiplets);
}

/* "default": what each router does, whatever it got the message from. */
static fc_status write_table(const design *d, const json_t *table, FILE *stream) {
    const char *at, *to;
    json_t *row, *next;
    json_object_foreach((json_t *)table, at, row) {
        json_object_foreach(row, to, next) {
            const size_t from = router_of_key(d, at), destination = router_of_key(d, to);
            if (json_is_null(next))
                continue;
            const size_t via = router_of_value(d, next);
            if (from == SIZE_MAX || destination == SIZE_MAX || via == SIZE_MAX)
                return refuse(d, ROUTING_TABLE, "an entry names no router of the placement");
            if (from != destination)
                fprintf(stream, "router %zu to %zu via %zu\n", from, destination, via);
        }
    }
    return FC_OK;
}

/* "extended": it depends on where a message comes from, so that whole paths are written. */
static fc_status write_route(const design *d, const json_t *table, size_t from, size_t to,
                             FILE *stream) {
    char at_key[48], to_key[48], before_key[48] = "-1";
    size_t at = from;
    fprintf(stream, "route %zu", from);
    write_key(d, to, to_key);
    for (size_t hops = 0; at != to; ++hops) {
        write_key(d, at, at_key);
        const json_t *choices = json_object_get(json_object_get(table, at_key), to_key);
        const size_t next = router_of_value(d, json_object_get(choices, before_key));
        if (next == SIZE_MAX || hops > d->routers)
            return refuse(
                d, ROUTING_TABLE,
                "some chiplets have no path between them, or a path that runs in a circle");
        fprintf(stream, " %zu", next);
        memcpy(before_key, at_key, sizeof before_key);
        at = next;
    }
    fputc('\n', stream);
    return FC_OK;
}

static fc_status write_routes(design *d, FILE *stream) {
    const json_t *table = json_object_get(d->part[ROUTING_TABLE], "table");
    const char *type = text_of(d->part[ROUTING_TABLE], "type");
    fc_status status = FC_OK;
    if (strcmp(type, "default") == 0)
        return write_table(d, table, stream);
    if (strcmp(type, "extended") != 0)
        return refuse(d, ROUTING_TABLE, "its type must be default or extended");
    for (size_t from = 0; from < d->chiplets && status == FC_OK; ++from) {
        for (size_t to = 0; to < d->chiplets && status == FC_OK; ++to) {
            if (from != to && d->first_node[from] < d->first_node[from + 1] &&
                d->first_node[to] < d->first_node[to + 1])
                status = write_route(d, table, from, to, stream);
        }
    }
    return status;
}

/* ---- traffic ---- */

/* '__tuple__:["__tuple__:[0, 0]", "__tuple__:[1, 0]"]': unit 0 of chiplet 0 to unit 0 of chiplet 1.
 */
static bool read_pair(const char *key, unsigned long numbers[4]) {
    size_t count = 0;
    while (*key) {
        char *end;
        if (*key < '0' || *key > '9') {
            ++key;
            continue;
        }
        if (count == 4)
            return false;
        numbers[count++] = strtoul(key, &end, 10);
        key = end;
    }
    return count == 4;
}

static fc_status write_traffic(design *d, FILE *stream) {
    const char *key;
    json_t *value;
    fputs("src,dst,rate\n", stream);
    json_object_foreach(d->part[TRAFFIC], key, value) {
        unsigned long n[4];
        if (!read_pair(key, n) || n[0] >= d->chiplets || n[2] >= d->chiplets ||
            n[1] >= d->first_node[n[0] + 1] - d->first_node[n[0]] ||
            n[3] >= d->first_node[n[2] + 1] - d->first_node[n[2]] || !json_is_number(value))
            return refuse(d, TRAFFIC, "an entry is not from a unit to a unit of the placement");
        const unsigned long from = d->first_node[n[0]] + n[1], to = d->first_node[n[2]] + n[3];
        if (from != to && json_number_value(value) > 0)
            fprintf(stream, "%lu,%lu,%.9g\n", from, to, json_number_value(value));
    }
    return FC_OK;
}

/* ---- the scenario ---- */

/* All routers have one delay, as in BookSim: the mean. */
static double router_latency(design *d) {
    const double given = fc_json_number_of(d->part[BOOKSIM], "router_latency", 0);
    double sum = 0, first = (double)NAN;
    bool differ = false;
    for (size_t i = 0; i < d->routers; ++i) {
        const double latency = i < d->chiplets
                                   ? fc_json_number_of(chiplet_of(d, i), "internal_latency", 3)
                                   : fc_json_number_of(d->part[PACKAGING], "latency_irouter", 3);
        differ |= i && latency != first;
        first = i ? first : latency;
        sum += latency;
    }
    if (given > 0)
        return given;
    if (differ)
        tell(d, "Routers have different latencies; all get the mean, as RapidChiplet gives it to "
                "BookSim.");
    return ceil(sum / (double)d->routers);
}

static fc_status write_scenario(design *d, FILE *stream) {
    const json_t *booksim = d->part[BOOKSIM];
    const double latency = fmax(1, fmin(100, router_latency(d)));
    const double flits = fmax(1, fc_json_number_of(booksim, "packet_size", 1));
    fprintf(stream, "# from the RapidChiplet design %s\nname: %s\nnetwork:\n", d->path, d->name);
    fprintf(stream, "  topology: graph\n  file: %s.graph  # placement, topology, packaging\n",
            d->name);
    if (d->part[ROUTING_TABLE])
        fprintf(stream, "  routes: %s.routes  # routing_table\n", d->name);
    fprintf(stream,
            "  virtual_channels: %.0f  # booksim_config: num_vcs\n  buffer: %.0f  # vc_buf_size\n"
            "  router_delay: [0, 1, 1, %.0f]  # internal_latency, latency_irouter\n",
            fc_json_number_of(booksim, "num_vcs", 4), fc_json_number_of(booksim, "vc_buf_size", 16),
            fmax(1, latency - 2));
    if (latency < 3)
        fprintf(stream, "  internal_speedup: %.9g\n", 3 / latency);
    fprintf(stream, "traffic:\n  message_flits: %.0f  # packet_size\n", flits);
    fprintf(stream, "  rate: %.9g  # 0.01 flits per unit and cycle; see flitcast curve\n",
            0.01 / flits);
    if (d->part[TRAFFIC])
        fprintf(stream, "  destinations: {matrix: %s.csv}  # traffic_by_unit\n", d->name);
    return FC_OK;
}

static fc_status write_all(design *d) {
    static const struct {
        const char *suffix;
        int part; /* without it there is no such file */
        fc_status (*write)(design *d, FILE *stream);
    } files[] = {{"graph", TOPOLOGY, write_graph},
                 {"routes", ROUTING_TABLE, write_routes},
                 {"csv", TRAFFIC, write_traffic},
                 {"yaml", TOPOLOGY, write_scenario}};
    fc_status status = count_routers(d);
    for (size_t i = 0; i < sizeof files / sizeof *files && status == FC_OK; ++i) {
        FILE *stream = d->part[files[i].part] ? open_beside(d, files[i].suffix) : NULL;
        if (stream)
            status = close_beside(d, stream, files[i].suffix, files[i].write(d, stream));
        else if (d->part[files[i].part])
            status = FC_ERROR_FILE;
    }
    return status;
}

/* Of the design, or of its file; without what a file's name may not have. */
static void choose_name(design *d, const json_t *tree) {
    const char *name = text_of(tree, "design_name"), *slash = strrchr(d->path, '/');
    snprintf(d->name, sizeof d->name, "%s", name[0] ? name : slash ? slash + 1 : d->path);
    d->name[strcspn(d->name, ".")] = '\0';
    for (char *at = d->name; *at; ++at) {
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", *at))
            *at = '_';
    }
    if (!d->name[0])
        snprintf(d->name, sizeof d->name, "design");
}

fc_status fc_import_rapidchiplet(const char *path, const char *folder, fc_error *error,
                                 fc_imported_design *made) {
    FC_IN_C_LOCALE;
    design d = {.path = path, .folder = folder ? folder : "", .error = error, .made = made};
    json_t *tree = NULL;
    *made = (fc_imported_design){.note = ""};
    fc_status status = read_json(path, error, &tree);
    if (status == FC_OK) {
        choose_name(&d, tree);
        status = read_parts(&d, tree);
    }
    if (status == FC_OK && strcmp(text_of(d.part[BOOKSIM], "mode"), "trace") == 0)
        tell(&d, "mode: trace is not translated: the traffic is that of traffic_by_unit, or "
                 "uniform.");
    if (status == FC_OK)
        status = write_all(&d);
    if (status == FC_OK)
        path_beside(&d, "yaml", sizeof made->scenario, made->scenario);
    json_decref(tree);
    for (int part = 0; part < PARTS; ++part)
        json_decref(d.part[part]);
    fc_release(d.first_node);
    return status;
}
