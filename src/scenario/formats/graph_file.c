#include "scenario/formats/graph_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/decimal.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/status.h"
#include "base/units.h"
#include "scenario/formats/graph_json.h"
#include "scenario/readers.h"
#include "scenario/text_file.h"

enum { BYTES_MAX = 1 << 28, DELAY_MAX = FC_DELAY_MAX };
static const double WIDTH_MIN = 0.01, WIDTH_MAX = 8;

/* A link as given in the file; `given` is false for the reverse link that a line implies. */
typedef struct given_link {
    fc_graph_link link; /* 0: not given */
    bool given;
} given_link;

typedef struct given_place {
    double x, y;
    uint32_t line; /* 0: none is given */
} given_place;

/* A node at a router, as a line of one of them says it. */
typedef struct given_port {
    uint32_t node, router;
    bool by_router;
} given_port;

typedef struct parsing {
    fc_lines lines;
    fc_error *error;
    uint32_t routers, nodes; /* highest number + 1 */
    given_port *ports;
    size_t port_count, port_room;
    uint32_t *line_of_router; /* where it was first named; 0: not yet */
    size_t router_room;
    given_link *links;
    size_t link_count, link_room;
    given_place *places; /* routers */
    size_t place_room;
    uint32_t placed; /* routers with a place */
} parsing;

/* Room for `wanted` entries in a growing array; new ones are set to `fill` bytes. */
static bool make_room(void **array, size_t *room, size_t wanted, size_t size, int fill) {
    if (wanted <= *room)
        return true;
    size_t more = *room ? *room : 64;
    while (more < wanted)
        more *= 2;
    char *grown = fc_reallocate(*array, more, size);
    if (!grown)
        return false;
    memset(grown + *room * size, fill, (more - *room) * size);
    *array = grown;
    *room = more;
    return true;
}

/* ---- what a line says ---- */

static fc_status note_router(parsing *p, uint32_t router) {
    void *array = p->line_of_router;
    const bool made = make_room(&array, &p->router_room, router + 1u, sizeof *p->line_of_router, 0);
    p->line_of_router = array;
    if (!made)
        return fc_fail_memory(p->error);
    if (!p->line_of_router[router])
        p->line_of_router[router] = (uint32_t)p->lines.number;
    if (router >= p->routers)
        p->routers = router + 1;
    return FC_OK;
}

static fc_status join_node(parsing *p, given_port port) {
    if (p->port_count >= 2 * FC_GRAPH_NODES_MAX)
        return fc_lines_fail(&p->lines, p->error, "more than %d ports of nodes",
                             FC_GRAPH_NODES_MAX);
    void *array = p->ports;
    const bool made = make_room(&array, &p->port_room, p->port_count + 1, sizeof *p->ports, 0);
    p->ports = array;
    if (!made)
        return fc_fail_memory(p->error);
    p->ports[p->port_count++] = port;
    if (port.node >= p->nodes)
        p->nodes = port.node + 1;
    return FC_OK;
}

static fc_status add_link(parsing *p, given_link link) {
    if (p->link_count >= 2 * FC_GRAPH_LINKS_MAX)
        return fc_lines_fail(&p->lines, p->error, "more than %d links", FC_GRAPH_LINKS_MAX);
    void *array = p->links;
    const bool made = make_room(&array, &p->link_room, p->link_count + 1, sizeof *p->links, 0);
    p->links = array;
    if (!made)
        return fc_fail_memory(p->error);
    p->links[p->link_count++] = link;
    return FC_OK;
}

static fc_status join_routers(parsing *p, fc_graph_link link) {
    const fc_graph_link back = {.from = link.to, .to = link.from, .line = link.line};
    if (link.from == link.to)
        return fc_lines_fail(&p->lines, p->error, "router %u is joined to itself", link.from);
    fc_status status = note_router(p, link.to);
    if (status == FC_OK)
        status = add_link(p, (given_link){link, true});
    if (status == FC_OK)
        status = add_link(p, (given_link){back, false});
    return status;
}

static fc_status place_router(parsing *p, uint32_t router, given_place place) {
    void *array = p->places;
    const bool made = make_room(&array, &p->place_room, router + 1u, sizeof *p->places, 0);
    p->places = array;
    if (!made)
        return fc_fail_memory(p->error);
    if (p->places[router].line)
        return fc_lines_fail(&p->lines, p->error, "router %u has a place already (line %u)", router,
                             p->places[router].line);
    p->places[router] = place;
    ++p->placed;
    return FC_OK;
}

/* ---- words ---- */

enum { A_ROUTER, A_NODE };

static const char *next_word(char **rest) {
    char *word = *rest + strspn(*rest, " \t");
    char *end = word + strcspn(word, " \t");
    *rest = *end ? end + 1 : end;
    *end = '\0';
    return *word ? word : NULL;
}

static fc_status read_thing(parsing *p, char **rest, int *thing, uint32_t *number) {
    static const char *const names[] = {"router",    "node",  "at", "delay",
                                        "bandwidth", "width", NULL};
    static const uint64_t most[] = {FC_GRAPH_ROUTERS_MAX - 1, FC_GRAPH_NODES_MAX - 1};
    const char *word = next_word(rest);
    *thing = strcmp(word, names[A_ROUTER]) == 0 ? A_ROUTER : A_NODE;
    if (*thing == A_NODE && strcmp(word, names[A_NODE]) != 0) {
        char hint[FC_HINT_SIZE];
        return fc_lines_fail(&p->lines, p->error, "'%.40s' is neither 'router' nor 'node'%s", word,
                             fc_names_hint(word, names, "", hint));
    }
    const char *digits = next_word(rest);
    uint64_t value;
    if (!digits || !fc_parse_whole(digits, most[*thing], &value))
        return fc_lines_fail(&p->lines, p->error,
                             "a number from 0 to %llu was expected after '%s'%s%.40s%s",
                             (unsigned long long)most[*thing], names[*thing],
                             digits ? ", not '" : "", digits ? digits : "", digits ? "'" : "");
    *number = (uint32_t)value;
    return FC_OK;
}

/* Whether the next word is this one, with or without a colon; it is taken then. */
static bool take_name(char **rest, const char *name) {
    const size_t length = strlen(name);
    char *word = *rest + strspn(*rest, " \t");
    if (strncmp(word, name, length) != 0)
        return false;
    const char *end = word + length + (word[length] == ':');
    if (*end && *end != ' ' && *end != '\t')
        return false;
    *rest = word + (end - word);
    return true;
}

/* A number and its unit, which may be the word behind it; false, and nothing is taken: there is no
 * unit. */
static bool take_measured(char **rest, fc_measured *measured) {
    char text[64], *at = *rest;
    const char *number = next_word(&at);
    if (!number)
        return false;
    size_t used = (size_t)snprintf(text, sizeof text, "%.30s", number);
    char *found = fc_measured_parse(text, measured) ? at : NULL;
    char unit[24] = "";
    if (!found) {
        const size_t blanks = strspn(at, " \t"), length = strcspn(at + blanks, " \t");
        if (length && length < sizeof unit) {
            memcpy(unit, at + blanks, length);
            snprintf(text + used, sizeof text - used, " %s", unit);
            found = fc_measured_parse(text, measured) ? at + blanks + length : NULL;
        }
    }
    if (found)
        *rest = found;
    else if (at > *rest && at[-1] == '\0')
        at[-1] = ' '; /* as it was */
    return found != NULL;
}

static fc_status read_delay(parsing *p, char **rest, fc_graph_link *link) {
    fc_measured measured;
    if (link->delay || link->nanoseconds > 0)
        return fc_lines_fail(&p->lines, p->error, "the link to router %u has a delay already",
                             link->to);
    if (take_measured(rest, &measured)) {
        if (measured.kind != FC_TIME || !(measured.value > 0))
            return fc_lines_fail(&p->lines, p->error,
                                 "a delay is a number of cycles or a time such as 5 ns, not a rate "
                                 "or a size");
        link->nanoseconds = measured.value;
        return FC_OK;
    }
    const char *word = next_word(rest);
    uint64_t value;
    if (!word || !fc_parse_whole(word, DELAY_MAX, &value) || value == 0)
        return fc_lines_fail(&p->lines, p->error,
                             "'%.40s' is no delay; expected a whole number of cycles from 1 to %d, "
                             "or a time such as 5 ns",
                             word ? word : "", DELAY_MAX);
    link->delay = (uint32_t)value;
    return FC_OK;
}

static fc_status read_width(parsing *p, const char *word, fc_graph_link *link) {
    if (link->width > 0 || link->bandwidth > 0)
        return fc_lines_fail(&p->lines, p->error, "the link to router %u has a width already",
                             link->to);
    if (!word || !fc_parse_real(word, &link->width) ||
        !(link->width >= WIDTH_MIN && link->width <= WIDTH_MAX))
        return fc_lines_fail(&p->lines, p->error,
                             "'x%.40s' is no width; expected flits per cycle, a number from %g to "
                             "%g",
                             word ? word : "", WIDTH_MIN, WIDTH_MAX);
    return FC_OK;
}

static fc_status read_bandwidth(parsing *p, char **rest, fc_graph_link *link) {
    fc_measured measured;
    if (link->width > 0 || link->bandwidth > 0)
        return fc_lines_fail(&p->lines, p->error, "the link to router %u has a width already",
                             link->to);
    if (!take_measured(rest, &measured) || measured.kind != FC_WIDTH || !(measured.value > 0)) {
        const char *word = next_word(rest);
        return fc_lines_fail(&p->lines, p->error,
                             "'%.40s' is no bandwidth; expected a number with a unit, such as 400 "
                             "Gb/s",
                             word ? word : "");
    }
    link->bandwidth = measured.value;
    return FC_OK;
}

/* What stands behind a router: '3', '5 ns' or 'delay 3'; 'x0.5', 'width 0.5' or 'bandwidth 400
 * Gb/s'. Ends at a word that is none of these. */
static fc_status read_link(parsing *p, char **rest, fc_graph_link *link) {
    for (;;) {
        *rest += strspn(*rest, " \t");
        fc_status status;
        if (**rest && strchr("0123456789.+-", **rest))
            status = read_delay(p, rest, link);
        else if (**rest == 'x')
            status = read_width(p, next_word(rest) + 1, link);
        else if (take_name(rest, "delay"))
            status = read_delay(p, rest, link);
        else if (take_name(rest, "width"))
            status = read_width(p, next_word(rest), link);
        else if (take_name(rest, "bandwidth"))
            status = read_bandwidth(p, rest, link);
        else
            return FC_OK; /* of a misspelt name the next word's complaint speaks */
        if (status != FC_OK)
            return status;
    }
}

static fc_status join(parsing *p, int head, uint32_t head_number, char **rest) {
    int thing;
    uint32_t number;
    fc_status status = read_thing(p, rest, &thing, &number);
    fc_graph_link link = {.from = head_number, .to = number, .line = (uint32_t)p->lines.number};
    if (status == FC_OK)
        status = read_link(p, rest, &link);
    if (status != FC_OK)
        return status;
    if (head == A_NODE && thing == A_NODE)
        return fc_lines_fail(&p->lines, p->error, "a node is joined to a router, not to a node");
    if (head == A_ROUTER && thing == A_ROUTER)
        return join_routers(p, link);
    if (link.delay || link.nanoseconds > 0 || link.width > 0 || link.bandwidth > 0)
        return fc_lines_fail(&p->lines, p->error,
                             "a number follows a router only; the delay between nodes and routers "
                             "is network.node_delay");
    const given_port port = {.node = thing == A_NODE ? number : head_number,
                             .router = thing == A_NODE ? head_number : number,
                             .by_router = head == A_ROUTER};
    status = note_router(p, port.router);
    return status == FC_OK ? join_node(p, port) : status;
}

static fc_status read_place(parsing *p, int head, uint32_t router, char **rest) {
    given_place place = {.line = (uint32_t)p->lines.number};
    const char *x = next_word(rest), *y = x ? next_word(rest) : NULL;
    if (head != A_ROUTER)
        return fc_lines_fail(&p->lines, p->error,
                             "a router has a place, a node has none: 'router 0 at 1.5 2'");
    if (!y || !fc_parse_real(x, &place.x) || !fc_parse_real(y, &place.y))
        return fc_lines_fail(&p->lines, p->error,
                             "two numbers were expected after 'at', not '%.40s%s%.40s'", x ? x : "",
                             y ? " " : "", y ? y : "");
    return place_router(p, router, place);
}

static fc_status read_line(parsing *p, char *line) {
    char *comment = strchr(line, '#');
    if (comment)
        *comment = '\0';
    char *rest = line;
    int head;
    uint32_t number;
    fc_status status = read_thing(p, &rest, &head, &number);
    if (status == FC_OK && head == A_ROUTER)
        status = note_router(p, number);
    while (status == FC_OK && rest[strspn(rest, " \t")])
        status = take_name(&rest, "at") ? read_place(p, head, number, &rest)
                                        : join(p, head, number, &rest);
    return status;
}

/* ---- the whole ---- */

static int by_ends(const void *left, const void *right) {
    const given_link *a = left, *b = right;
    if (a->link.from != b->link.from)
        return a->link.from < b->link.from ? -1 : 1;
    if (a->link.to != b->link.to)
        return a->link.to < b->link.to ? -1 : 1;
    if (a->given != b->given)
        return a->given ? -1 : 1;
    return a->link.line < b->link.line ? -1 : a->link.line > b->link.line;
}

/* A link named twice is two links. But a link may be named from both its ends, for its two
 * directions: of the return directions that lines imply, those are left out that have a word of
 * their own. */
static fc_status merge_links(parsing *p) {
    size_t kept = 0;
    if (p->link_count)
        qsort(p->links, p->link_count, sizeof *p->links, by_ends);
    for (size_t first = 0, end; first < p->link_count; first = end) {
        size_t given = 0;
        for (end = first;
             end < p->link_count && p->links[end].link.from == p->links[first].link.from &&
             p->links[end].link.to == p->links[first].link.to;
             ++end)
            given += p->links[end].given;
        const size_t implied = end - first - given, count = given > implied ? given : implied;
        for (size_t i = first; i < first + count; ++i)
            p->links[kept++] = p->links[i];
    }
    p->link_count = kept;
    if (kept > FC_GRAPH_LINKS_MAX)
        return fc_lines_fail(&p->lines, p->error, "more than %d links", FC_GRAPH_LINKS_MAX);
    return FC_OK;
}

static int by_node(const void *left, const void *right) {
    const given_port *a = left, *b = right;
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    if (a->router != b->router)
        return a->router < b->router ? -1 : 1;
    return (int)a->by_router - (int)b->by_router;
}

/* A node named twice at a router has two ports there; but it may be named by lines of both. */
static fc_status merge_ports(parsing *p) {
    size_t kept = 0;
    if (p->port_count)
        qsort(p->ports, p->port_count, sizeof *p->ports, by_node);
    for (size_t first = 0, end; first < p->port_count; first = end) {
        size_t by_router = 0;
        for (end = first; end < p->port_count && p->ports[end].node == p->ports[first].node &&
                          p->ports[end].router == p->ports[first].router;
             ++end)
            by_router += p->ports[end].by_router;
        const size_t others = end - first - by_router;
        const size_t count = by_router > others ? by_router : others;
        for (size_t i = first; i < first + count; ++i)
            p->ports[kept++] = p->ports[i];
    }
    p->port_count = kept;
    if (kept > FC_GRAPH_NODES_MAX)
        return fc_lines_fail(&p->lines, p->error, "more than %d ports of nodes",
                             FC_GRAPH_NODES_MAX);
    return FC_OK;
}

static fc_status check_numbers(parsing *p) {
    if (p->nodes < 2)
        return fc_lines_fail(&p->lines, p->error,
                             "the network has %s; expected lines such as 'router 0 node 0 "
                             "router 1'",
                             p->nodes ? "one node" : "no nodes");
    for (size_t i = 0, node = 0; i < p->port_count; node = p->ports[i++].node + 1u) {
        if (p->ports[i].node > node)
            return fc_lines_fail(&p->lines, p->error,
                                 "node %zu is missing; nodes are numbered from 0 without gaps, and "
                                 "there is a node %u",
                                 node, p->nodes - 1);
    }
    for (uint32_t router = 0; router < p->routers; ++router) {
        if (!p->line_of_router[router])
            return fc_lines_fail(&p->lines, p->error,
                                 "router %u is missing; routers are numbered from 0 without gaps, "
                                 "and there is a router %u",
                                 router, p->routers - 1);
    }
    for (uint32_t router = 0; router < p->routers && p->placed; ++router) {
        p->lines.number = p->line_of_router[router];
        if (router >= p->place_room || !p->places[router].line)
            return fc_lines_fail(&p->lines, p->error,
                                 "router %u has no place, but others have one; 'at X Y' is for all "
                                 "routers or for none",
                                 router);
    }
    return FC_OK;
}

static uint32_t piece_of(uint32_t *piece, uint32_t router) {
    while (piece[router] != router)
        router = piece[router] = piece[piece[router]];
    return router;
}

/* Links go both ways, and a node joins the routers of its ports. */
static fc_status check_connected(parsing *p) {
    uint32_t *piece = fc_allocate(p->routers, sizeof *piece);
    if (!piece)
        return fc_fail_memory(p->error);
    for (uint32_t r = 0; r < p->routers; ++r)
        piece[r] = r;
    for (size_t i = 0; i < p->link_count; ++i)
        piece[piece_of(piece, p->links[i].link.from)] = piece_of(piece, p->links[i].link.to);
    for (size_t i = 1; i < p->port_count; ++i) {
        if (p->ports[i].node == p->ports[i - 1].node)
            piece[piece_of(piece, p->ports[i].router)] = piece_of(piece, p->ports[i - 1].router);
    }
    fc_status status = FC_OK;
    for (uint32_t r = 1; r < p->routers && status == FC_OK; ++r) {
        p->lines.number = p->line_of_router[r];
        if (piece_of(piece, r) != piece_of(piece, 0))
            status = fc_lines_fail(&p->lines, p->error,
                                   "router %u cannot be reached from router 0; the network "
                                   "must be in one piece",
                                   r);
    }
    fc_release(piece);
    return status;
}

static fc_status hand_over(parsing *p, fc_graph *graph) {
    fc_graph_link *links = fc_allocate(p->link_count ? p->link_count : 1, sizeof *links);
    uint32_t *routers = fc_allocate(p->port_count, sizeof *routers);
    uint32_t *first = fc_allocate(p->nodes + 1u, sizeof *first);
    double *place = p->placed ? fc_allocate(2 * (size_t)p->routers, sizeof *place) : NULL;
    if (!links || !routers || !first || (p->placed && !place)) {
        fc_release(links);
        fc_release(routers);
        fc_release(first);
        fc_release(place);
        return fc_fail_memory(p->error);
    }
    for (size_t i = 0; i < p->link_count; ++i)
        links[i] = p->links[i].link;
    for (uint32_t r = 0; r < p->routers && place; ++r) {
        place[2 * r] = p->places[r].x;
        place[2 * r + 1] = p->places[r].y;
    }
    for (size_t i = 0; i < p->port_count; ++i) {
        routers[i] = p->ports[i].router;
        first[p->ports[i].node + 1] = (uint32_t)i + 1;
    }
    graph->routers = p->routers;
    graph->nodes = p->nodes;
    graph->ports = (uint32_t)p->port_count;
    graph->links = (uint32_t)p->link_count;
    graph->link = links;
    graph->router_of_port = routers;
    graph->first_port = first;
    graph->place = place;
    return FC_OK;
}

fc_status fc_graph_parse(char *text, const char *path, fc_error *error, fc_graph *graph) {
    parsing p = {.lines = {.next = text, .path = path, .comment = '#'}, .error = error};
    fc_status status = FC_OK;
    for (char *line; status == FC_OK && (line = fc_lines_next(&p.lines));)
        status = read_line(&p, line);
    if (status == FC_OK)
        status = merge_ports(&p);
    if (status == FC_OK)
        status = check_numbers(&p);
    if (status == FC_OK)
        status = merge_links(&p);
    if (status == FC_OK)
        status = check_connected(&p);
    if (status == FC_OK)
        status = hand_over(&p, graph);
    fc_release(p.ports);
    fc_release(p.line_of_router);
    fc_release(p.links);
    fc_release(p.places);
    return status;
}

void fc_graph_release(fc_graph *graph) {
    fc_release(graph->router_of_port);
    fc_release(graph->first_port);
    fc_release(graph->link);
    fc_release(graph->place);
    graph->router_of_port = graph->first_port = NULL;
    graph->place = NULL;
    graph->link = NULL;
}

/* ---- units ---- */

static fc_status convert_link(const char *file, const fc_units *units, fc_graph_link *link,
                              fc_error *error) {
    const fc_measured delay = {.kind = FC_TIME, .value = link->nanoseconds};
    const fc_measured width = {.kind = FC_WIDTH, .value = link->bandwidth};
    const char *missing = link->nanoseconds > 0 ? fc_units_missing(units, FC_TIME) : NULL;
    if (!missing && link->bandwidth > 0)
        missing = fc_units_missing(units, FC_WIDTH);
    if (missing)
        return fc_fail(error, FC_ERROR_INPUT,
                       "%s:%u: the link from router %u to router %u has a %s with a unit, which "
                       "needs %s",
                       file, link->line, link->from, link->to,
                       link->nanoseconds > 0 && missing == fc_units_missing(units, FC_TIME)
                           ? "delay"
                           : "bandwidth",
                       missing);
    if (link->nanoseconds > 0) {
        const double cycles = ceil(fc_measured_value(&delay, FC_TIME, units) * (1 - 1e-12));
        if (cycles > DELAY_MAX)
            return fc_fail(error, FC_ERROR_INPUT,
                           "%s:%u: a delay of %g ns is %.0f cycles; at most %d are possible", file,
                           link->line, link->nanoseconds, cycles, DELAY_MAX);
        link->delay = (uint32_t)fmax(cycles, 1);
    }
    if (link->bandwidth > 0) {
        link->width = fc_measured_value(&width, FC_WIDTH, units);
        if (!(link->width >= WIDTH_MIN && link->width <= WIDTH_MAX))
            return fc_fail(error, FC_ERROR_INPUT,
                           "%s:%u: a bandwidth of %g GB/s is %g flits per cycle; expected %g to %g",
                           file, link->line, link->bandwidth, link->width, WIDTH_MIN, WIDTH_MAX);
    }
    return FC_OK;
}

fc_status fc_graph_convert(fc_graph *graph, const fc_units *units, fc_error *error) {
    fc_status status = FC_OK;
    bool any = false;
    for (uint32_t i = 0; i < graph->links && status == FC_OK; ++i) {
        fc_graph_link *link = &graph->link[i];
        any = any || link->nanoseconds > 0 || link->bandwidth > 0;
        status = convert_link(graph->file, units, link, error);
    }
    graph->converted = any ? FC_HASH_START : 0;
    for (uint32_t i = 0; i < graph->links && any; ++i) {
        const fc_graph_link *link = &graph->link[i];
        graph->converted = fc_hash(graph->converted, &link->delay, sizeof link->delay);
        graph->converted = fc_hash(graph->converted, &link->width, sizeof link->width);
    }
    return status;
}

/* ---- the key ---- */

fc_status fc_graph_read(const fc_document *document, const fc_value *value, void *field,
                        fc_error *error) {
    fc_graph *graph = field;
    fc_named_file file = {
        .what = "network.file", .kind = "a file of routers and links", .most = BYTES_MAX};
    fc_status status = fc_named_file_read(document, value, graph->file, &file, error);
    if (status != FC_OK)
        return status;
    fc_error cause;
    graph->checksum = file.checksum;
    if (fc_graph_is_json(file.text)) {
        char *lines = NULL;
        status = fc_graph_json_lines(file.text, file.path, &cause, &lines);
        fc_release(file.text);
        file.text = lines;
    }
    if (status == FC_OK)
        status = fc_graph_parse(file.text, file.path, &cause, graph);
    fc_release(file.text);
    return status == FC_OK ? FC_OK : fc_named_file_fail(document, value, &cause, status, error);
}

void fc_graph_write(const void *field, FILE *stream) {
    const fc_graph *graph = field;
    fc_file_name_write(graph->file, stream);
    fprintf(stream, " # content %016llx", (unsigned long long)graph->checksum);
    if (graph->converted)
        fprintf(stream, " in cycles %016llx", (unsigned long long)graph->converted);
}
