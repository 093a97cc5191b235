/* Where the switches of a network are drawn, and how much its links are used. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/c_locale.h"
#include "base/memory.h"
#include "base/status.h"
#include "network/router_faults.h"
#include "network/router_network.h"
#include "output/pictures/network_drawing.h"
#include "studies/network_picture.h"
#include "output/text/writing.h"
#include "scenario/fabric.h"
#include "scenario/families/chip.h"
#include "scenario/multistage.h"
#include "scenario/rings.h"
#include "scenario/scenario.h"
#include "scenario/routed.h"

enum { SWITCHES_MAX = 1024, LINKS_MAX = 32768 };

static const double pi = 3.14159265358979323846;

static fc_status refuse_size(double switches, fc_error *error) {
    return fc_fail(error, FC_ERROR_UNSUPPORTED,
                   "a network of %.0f switches is too large to draw; at most %d are drawn",
                   switches, SWITCHES_MAX);
}

static fc_status make_room(fc_drawn_network *drawn, size_t switches, size_t links,
                           fc_error *error) {
    drawn->switches = fc_allocate(switches, sizeof *drawn->switches);
    drawn->links = fc_allocate(links ? links : 1, sizeof *drawn->links);
    drawn->switch_count = switches;
    return drawn->switches && drawn->links ? FC_OK : fc_fail_memory(error);
}

static fc_drawn_link *add_link(fc_drawn_network *drawn, uint32_t from, uint32_t to) {
    fc_drawn_link *link = &drawn->links[drawn->link_count++];
    *link = (fc_drawn_link){from, to, 0, NAN};
    return link;
}

static void put_on_circle(fc_drawn_switch *at, size_t index, size_t count, double radius) {
    const double angle = 2 * pi * (double)index / (double)count - pi / 2;
    at->x = radius * cos(angle);
    at->y = radius * sin(angle);
}

/* ---- networks of routers ---- */

/* Dimensions 0 and 1 are across and down; each further one puts copies of the whole so far beside,
 * then below. */
static void lay_out_grid(const fc_integer_list *sides, fc_drawn_network *drawn) {
    for (size_t r = 0; r < drawn->switch_count; ++r) {
        double step[2] = {1, 1}, at[2] = {0, 0};
        size_t rest = r;
        for (size_t d = 0; d < sides->count; ++d) {
            const size_t radix = (size_t)sides->values[d];
            at[d % 2] += step[d % 2] * (double)(rest % radix);
            step[d % 2] *= (double)radix + (d + 2 < sides->count ? 0.6 : 0);
            rest /= radix;
        }
        drawn->switches[r].x = at[0];
        drawn->switches[r].y = at[1];
    }
    for (size_t i = 0; i < drawn->link_count; ++i) {
        fc_drawn_link *link = &drawn->links[i];
        const fc_drawn_switch *from = &drawn->switches[link->from];
        const fc_drawn_switch *to = &drawn->switches[link->to];
        const double length = hypot(to->x - from->x, to->y - from->y);
        if (length > 1.01) /* over others: beside them */
            link->bow = 0.35;
    }
}

/* ---- large networks: a box for each group of routers ---- */

enum { WHOLE_MOST = 128, GROUPS_MOST = 48 };

/* Routers that follow each other: the groups of a dragonfly, planes of a HyperX, else as many as
 * make few boxes. */
static uint32_t group_of(const fc_scenario *scenario, size_t routers) {
    if (scenario->family == &fc_fabric_family) {
        const fc_fabric *fabric = scenario->parameters;
        if (fabric->topology == FC_DRAGONFLY)
            return (uint32_t)fabric->group_size;
        size_t whole = 1; /* lines, planes, ... of a HyperX */
        for (size_t d = 0; d < fabric->shape.count && routers > GROUPS_MOST * whole; ++d)
            whole *= (size_t)fabric->shape.values[d];
        if (whole > 1)
            return (uint32_t)whole;
    }
    return (uint32_t)((routers + GROUPS_MOST - 1) / GROUPS_MOST);
}

/* Boxes on a circle, joined where their routers are; a line has the use of the busiest link. */
static fc_status group_switches(uint32_t size, const char *unit, fc_error *error,
                                fc_drawn_network *drawn) {
    const size_t groups = (drawn->switch_count + size - 1) / size;
    fc_drawn_link *between = fc_allocate(groups * groups, sizeof *between);
    bool *joined = fc_allocate(groups * groups, sizeof *joined);
    if (!between || !joined) {
        fc_release(between);
        fc_release(joined);
        return fc_fail_memory(error);
    }
    for (size_t i = 0; i < drawn->link_count; ++i) {
        const fc_drawn_link *link = &drawn->links[i];
        const uint32_t from = link->from / size, to = link->to / size;
        fc_drawn_link *line = &between[from * groups + to];
        if (from == to)
            continue;
        if (!joined[from * groups + to])
            *line = (fc_drawn_link){.from = from, .to = to, .utilisation = NAN};
        joined[from * groups + to] = true;
        line->utilisation = fmax(line->utilisation, link->utilisation); /* the one that is known */
        line->failed |= link->failed;
    }
    size_t lines = 0;
    for (size_t i = 0; i < groups * groups; ++i)
        if (joined[i])
            between[lines++] = between[i];
    fc_release(joined);
    fc_release(drawn->links);
    drawn->links = between;
    drawn->link_count = lines;
    drawn->switch_count = groups;
    drawn->unit = unit;
    for (size_t g = 0; g < groups; ++g) {
        drawn->switches[g] = (fc_drawn_switch){0};
        put_on_circle(&drawn->switches[g], g, groups, 3);
    }
    return FC_OK;
}

/* In steps far wider than a forecast's rounding; an unknown use is below all. */
static long steps_of_use(const fc_drawn_link *link) {
    return isfinite(link->utilisation) ? lround(4096 * link->utilisation) : -1;
}

/* Less used lines lie below; those of about the same use in the order of their ends: qsort leaves
 * the order of equals to the C library, and WebAssembly has another one. */
static int by_use(const void *a, const void *b) {
    const fc_drawn_link *x = a, *y = b;
    const long more = steps_of_use(x) - steps_of_use(y);
    if (more != 0)
        return more > 0 ? 1 : -1;
    if (x->from != y->from)
        return x->from > y->from ? 1 : -1;
    return (x->to > y->to) - (x->to < y->to);
}

static fc_status draw_as_groups(const fc_scenario *scenario, fc_error *error,
                                fc_drawn_network *drawn) {
    const uint32_t size = group_of(scenario, drawn->switch_count);
    snprintf(drawn->unit_text, sizeof drawn->unit_text,
             "A box is a group of %u routers, a line the busiest link from one to another.",
             (unsigned)size);
    const fc_status status = group_switches(size, drawn->unit_text, error, drawn);
    if (status == FC_OK)
        qsort(drawn->links, drawn->link_count, sizeof *drawn->links, by_use);
    return status;
}

/* Levels by the distance from the routers that nodes send into. */
static void lay_out_levels(const fc_router_network *network, const uint32_t *level, uint32_t levels,
                           fc_drawn_network *drawn) {
    for (uint32_t l = 0; l <= levels; ++l) {
        size_t count = 0, placed = 0;
        for (uint32_t r = 0; r < network->routers; ++r)
            count += level[r] == l;
        for (uint32_t r = 0; r < network->routers; ++r) {
            if (level[r] != l)
                continue;
            drawn->switches[r].x = ((double)placed++ + 0.5) / (double)count * 10;
            drawn->switches[r].y = -1.8 * (double)l;
        }
        for (size_t i = 0; i < drawn->link_count; ++i) { /* along the row: around those between */
            fc_drawn_link *link = &drawn->links[i];
            const double apart = fabs(drawn->switches[link->to].x - drawn->switches[link->from].x);
            if (level[link->from] == l && level[link->to] == l && apart > 10.1 / (double)count)
                link->bow = 0.25 * apart;
        }
    }
}

/* Breadth-first from the routers of the nodes; returns the largest level, 0 if all have nodes. */
static uint32_t find_levels(const fc_router_network *network, uint32_t *level) {
    for (uint32_t r = 0; r < network->routers; ++r)
        level[r] = UINT32_MAX;
    for (uint32_t node = 0; node < network->nodes; ++node)
        level[network->input_router[network->node_input[node]]] = 0;
    uint32_t reached = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t output = 0; output < network->outputs; ++output) {
            if (network->output_end[output] & FC_TO_NODE ||
                level[network->output_router[output]] != reached)
                continue;
            uint32_t *next = &level[network->input_router[network->output_end[output]]];
            if (*next == UINT32_MAX) {
                *next = reached + 1;
                moved = true;
            }
        }
        reached += moved;
    }
    for (uint32_t r = 0; r < network->routers; ++r)
        level[r] = level[r] == UINT32_MAX ? 0 : level[r];
    return reached;
}

/* Whether a line between two switches passes over another one. */
static bool passes_over(const fc_drawn_network *drawn, const fc_drawn_link *link) {
    const fc_drawn_switch *from = &drawn->switches[link->from], *to = &drawn->switches[link->to];
    const double dx = to->x - from->x, dy = to->y - from->y, length = hypot(dx, dy), near = 0.25;
    for (size_t r = 0; r < drawn->switch_count; ++r) {
        const double x = drawn->switches[r].x - from->x, y = drawn->switches[r].y - from->y;
        const double along = (x * dx + y * dy) / length;
        if (r != link->from && r != link->to && along > 0 && along < length &&
            fabs(x * dy - y * dx) < near * length)
            return true;
    }
    return false;
}

/* Where a graph's file says; as in a diagram, y grows upwards. */
static bool lay_out_places(const fc_scenario *scenario, fc_drawn_network *drawn) {
    const fc_fabric *fabric = scenario->parameters;
    if (scenario->family != &fc_fabric_family || fabric->topology != FC_GRAPH ||
        !fabric->graph.place)
        return false;
    const double *place = fabric->graph.place;
    double extent = 0;
    for (size_t i = 2; i < 2 * drawn->switch_count; ++i)
        extent = fmax(extent, fabs(place[i] - place[i % 2]));
    const double scale = extent > 0 ? 10 / extent : 1;
    for (size_t r = 0; r < drawn->switch_count; ++r) {
        drawn->switches[r].x = scale * (place[2 * r] - place[0]);
        drawn->switches[r].y = -scale * (place[2 * r + 1] - place[1]);
    }
    for (size_t i = 0; i < drawn->link_count; ++i)
        drawn->links[i].bow = passes_over(drawn, &drawn->links[i]) ? 0.9 : 0;
    return true;
}

static fc_status lay_out_routers(const fc_scenario *scenario, const fc_router_network *network,
                                 fc_error *error, fc_drawn_network *drawn) {
    const fc_integer_list *sides = &fc_scenario_routed(scenario)->digits;
    if (scenario->family->routers(scenario->parameters)->grid && sides->count > 1) {
        lay_out_grid(sides, drawn);
        return FC_OK;
    }
    if (lay_out_places(scenario, drawn))
        return FC_OK;
    uint32_t *level = fc_allocate(network->routers, sizeof *level);
    if (!level)
        return fc_fail_memory(error);
    const uint32_t levels = find_levels(network, level);
    if (levels > 0) {
        lay_out_levels(network, level, levels, drawn);
    } else {
        drawn->grouped = drawn->switch_count > WHOLE_MOST;
        for (size_t r = 0; r < drawn->switch_count; ++r)
            put_on_circle(&drawn->switches[r], r, drawn->switch_count, 3);
    }
    fc_release(level);
    return FC_OK;
}

/* Behind the links that carry something, in their order. */
static void add_failures(const fc_failures *failures, fc_drawn_network *drawn) {
    for (uint32_t i = 0; i < failures->link_count; ++i) {
        const fc_failed_link *failed = &failures->links[i];
        add_link(drawn, failed->from, failed->to)->failed = true;
        if (!failed->one_way)
            add_link(drawn, failed->to, failed->from)->failed = true;
    }
    for (uint32_t i = 0; i < failures->router_count; ++i)
        drawn->switches[failures->routers[i]].failed = true;
}

static void add_router_links(const fc_router_network *network, fc_drawn_network *drawn) {
    for (uint32_t output = 0; output < network->outputs; ++output) {
        if (!(network->output_end[output] & FC_TO_NODE))
            add_link(drawn, network->output_router[output],
                     network->input_router[network->output_end[output]]);
    }
}

/* A drawing does not need the proof of freedom from deadlock, nor more than the wiring. */
static fc_status draw_routers(const fc_scenario *scenario, fc_error *error,
                              fc_drawn_network *drawn) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    if (routed->nodes / (routed->concentration > 0 ? routed->concentration : 1) > 4 * SWITCHES_MAX)
        return refuse_size((double)routed->nodes / (double)routed->concentration, error);
    fc_router_network *network;
    fc_status status = fc_router_network_create(scenario, error, &network);
    if (status != FC_OK)
        return status;
    if (network->routers > SWITCHES_MAX)
        status = refuse_size(network->routers, error);
    else if (network->outputs > LINKS_MAX)
        status = fc_fail(error, FC_ERROR_UNSUPPORTED,
                         "a network of %u links is too large to draw; at most %d are drawn",
                         (unsigned)network->outputs, LINKS_MAX);
    if (status == FC_OK)
        status = make_room(drawn, network->routers,
                           network->outputs +
                               (network->failures ? 2 * (size_t)network->failures->link_count : 0),
                           error);
    if (status == FC_OK) {
        add_router_links(network, drawn);
        if (network->failures)
            add_failures(network->failures, drawn);
        status = lay_out_routers(scenario, network, error, drawn);
    }
    fc_router_network_free(network);
    return status;
}

/* ---- hierarchical rings: circles on a circle ---- */

/* Radius of the circle on which the rings of a level lie, from that of the level below. */
static double circle_around(const fc_rings *rings, size_t level, double inner, double size) {
    if (level == 1 && rings->levels == 2)
        return 2 * inner * fmax(1, size / 4);
    return size > 1 ? inner * (1 + fmax(1, size / 3)) : inner;
}

/* G may be fractional in a forecast. */
static uint32_t whole_fan(const fc_rings *rings, size_t level, size_t ring) {
    return rings->tree.levels > 0 ? fc_ring_fan(rings, level, ring)
                                  : (uint32_t)ceil(rings->sizes.values[level]);
}

/* Places what is on a ring of the level, from the given station on; *ring is the next one of each
 * level. Returns the number of stations. */
static uint32_t place_ring(const fc_rings *rings, size_t level, const double *radius,
                           size_t next[FC_RING_LEVELS], uint32_t first, fc_drawn_network *drawn) {
    const uint32_t fan = whole_fan(rings, level, next[level]++);
    uint32_t station = first, heads[2] = {first, first};
    for (uint32_t i = 0; i < fan; ++i) {
        fc_drawn_switch centre;
        put_on_circle(&centre, i, fan, level > 0 && fan == 1 ? 0 : radius[level]);
        const uint32_t from = station;
        if (level == 0)
            drawn->switches[station++] = (fc_drawn_switch){0, 0, true};
        else
            station += place_ring(rings, level - 1, radius, next, station, drawn);
        for (uint32_t s = from; s < station; ++s) {
            drawn->switches[s].x += centre.x;
            drawn->switches[s].y += centre.y;
        }
        if (i > 0)
            add_link(drawn, heads[1], from);
        heads[1] = from;
    }
    if (fan > 1)
        add_link(drawn, heads[1], heads[0]);
    return station - first;
}

static fc_status draw_rings(const fc_scenario *scenario, fc_error *error, fc_drawn_network *drawn) {
    const fc_rings *rings = scenario->parameters;
    double stations = rings->tree.levels > 0 ? rings->stations : 1;
    for (size_t level = 0; level < rings->sizes.count; ++level)
        stations *= ceil(rings->sizes.values[level]);
    if (stations > SWITCHES_MAX)
        return refuse_size(stations, error);
    const fc_status status =
        make_room(drawn, (size_t)stations, (rings->levels + 1) * (size_t)stations, error);
    if (status != FC_OK)
        return status;
    drawn->unidirectional = true;
    double radius[FC_RING_LEVELS] = {1};
    for (size_t level = 1; level < rings->levels; ++level) {
        double size = 0; /* the largest */
        for (size_t ring = 0; ring < fc_ring_count(rings, level); ++ring)
            size = fmax(size, whole_fan(rings, level, ring));
        radius[level] = circle_around(rings, level, radius[level - 1], size);
    }
    size_t next[FC_RING_LEVELS] = {0};
    place_ring(rings, rings->levels - 1, radius, next, 0, drawn);
    return FC_OK;
}

/* ---- multistage networks: columns of switches, joined by perfect shuffles ---- */

static fc_status draw_multistage(const fc_scenario *scenario, fc_error *error,
                                 fc_drawn_network *drawn) {
    const fc_multistage *network = scenario->parameters;
    const int64_t rows = network->ports / network->switch_size;
    if (rows * network->stages > SWITCHES_MAX)
        return refuse_size((double)(rows * network->stages), error);
    const fc_status status = make_room(drawn, (size_t)(rows * network->stages),
                                       (size_t)(network->ports * network->stages), error);
    if (status != FC_OK)
        return status;
    drawn->unidirectional = true;
    const double apart = fmax(1.6, 0.25 * (double)rows);
    for (int64_t i = 0; i < rows * network->stages; ++i) {
        const int64_t stage = i / rows;
        drawn->switches[i].x = apart * (double)stage;
        drawn->switches[i].y = (double)(i % rows);
    }
    for (int64_t stage = 0; stage + 1 < network->stages; ++stage) {
        for (int64_t line = 0; line < network->ports; ++line) {
            const int64_t scaled = line * network->switch_size;
            const int64_t next = scaled % network->ports + scaled / network->ports;
            add_link(drawn, (uint32_t)(stage * rows + line / network->switch_size),
                     (uint32_t)((stage + 1) * rows + next / network->switch_size));
        }
    }
    return FC_OK;
}

/* ---- chips: the grid of tiles; links in the order of the simulator's table ---- */

static fc_status draw_chip(const fc_scenario *scenario, fc_error *error, fc_drawn_network *drawn) {
    const fc_chip *chip = scenario->parameters;
    const fc_integer_list *sides = &chip->radix;
    if (chip->tiles > SWITCHES_MAX)
        return refuse_size(chip->tiles, error);
    const fc_status status =
        make_room(drawn, chip->tiles, 2 * chip->networks.count * chip->tiles, error);
    if (status != FC_OK)
        return status;
    drawn->unidirectional = true;
    for (size_t n = 0; n < chip->networks.count; ++n) {
        const uint32_t forward = chip->networks.network[n].falling ? 0 : 1;
        for (uint32_t tile = 0; tile < chip->tiles; ++tile) {
            const uint32_t x = tile % chip->columns, y = tile / chip->columns;
            const uint32_t right = forward ? 1 : chip->columns - 1;
            const uint32_t down = forward ? 1 : chip->rows - 1;
            add_link(drawn, tile, fc_chip_tile_at(chip, (x + right) % chip->columns, y));
            add_link(drawn, tile, fc_chip_tile_at(chip, x, (y + down) % chip->rows));
        }
    }
    lay_out_grid(sides, drawn);
    return FC_OK;
}

/* ---- use of the links ---- */

/* Rows "3 to 4" of the table of channels; parallel links share what they carry. */
static void read_utilisations(const fc_result *result, fc_drawn_network *drawn) {
    const fc_table *table = result ? fc_result_table(result, "channels") : NULL;
    size_t links = 0;
    while (links < drawn->link_count && !drawn->links[links].failed)
        ++links;
    if (!table || table->columns == 0 || table->rows != links)
        return;
    for (size_t i = 0; i < links; ++i) {
        unsigned from, to;
        if (sscanf(table->row_labels[i], "%u to %u", &from, &to) == 2 &&
            from == drawn->links[i].from && to == drawn->links[i].to)
            drawn->links[i].utilisation = table->values[i * table->columns];
    }
}

static fc_status draw_any(const fc_scenario *scenario, fc_error *error, fc_drawn_network *drawn) {
    static const struct {
        const fc_family *family;
        fc_status (*draw)(const fc_scenario *, fc_error *, fc_drawn_network *);
    } others[] = {{&fc_rings_family, draw_rings},
                  {&fc_multistage_family, draw_multistage},
                  {&fc_chip_family, draw_chip}};
    if (fc_scenario_routed(scenario))
        return draw_routers(scenario, error, drawn);
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        if (scenario->family == others[i].family)
            return others[i].draw(scenario, error, drawn);
    return fc_fail(error, FC_ERROR_UNSUPPORTED, "there is no drawing of a %s",
                   scenario->family->name);
}

static fc_status draw(const fc_scenario *scenario, const fc_result *result, bool standalone,
                      fc_error *error, FILE *stream) {
    FC_IN_C_LOCALE;
    fc_drawn_network drawn = {0};
    fc_status status = draw_any(scenario, error, &drawn);
    if (status == FC_OK) {
        read_utilisations(result, &drawn);
        if (drawn.grouped)
            status = draw_as_groups(scenario, error, &drawn);
    }
    if (status == FC_OK) {
        fc_writing writing = fc_writing_begin();
        fc_network_svg(&drawn, fc_scenario_name(scenario), standalone, stream);
        status = fc_writing_end(&writing, stream, FC_OK);
    }
    fc_release(drawn.switches);
    fc_release(drawn.links);
    return status;
}

fc_status fc_scenario_draw(const fc_scenario *scenario, const fc_result *result, fc_error *error,
                           FILE *stream) {
    if (!scenario || !stream)
        return FC_ERROR_ARGUMENT;
    return draw(scenario, result, true, error, stream);
}

void fc_report_add_network(fc_report *report, const fc_scenario *scenario,
                           const fc_result *result) {
    fc_error error = {{0}};
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    fc_status status = stream ? draw(scenario, result, false, &error, stream) : FC_ERROR_MEMORY;
    if (stream && fclose(stream) != 0)
        status = FC_ERROR_MEMORY;
    if (status == FC_OK)
        fc_report_add_drawing(report, text);
    else if (status == FC_ERROR_UNSUPPORTED)
        fc_report_add_text(report, "No drawing: %s.", error.text);
    else
        fc_report_fail(report, status);
    free(text);
}
