/* Trees of paths: see closed_paths.h. Built from the destination outwards: the last dimension of
 * the routing order is walked back first, and at every node reached the earlier dimensions branch
 * off. A distance of exactly half a ring is travelled either way with probability 1/2. */
#include "models/closed/closed_paths.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "models/closed/closed_geometry.h"
#include "network/destinations.h"

enum { FC_DEPTH_MAX = UINT16_MAX };

typedef struct builder {
    fc_closed_paths *paths;
    fc_closed_geometry geometry;
    fc_traffic *traffic;
    bool per_channel;  /* a link for each first channel */
    uint32_t mirrors;  /* size of the group of reflections */
    int32_t *edge_of;  /* [channel][port], -1 until met */
    int64_t *visit_of; /* in the present tree: of a sender, or of one of its first channels */
    int64_t *pair_of;  /* in the present tree: of a sender */
    size_t vertex_room, leaf_room, edge_room;
    uint32_t destination;
    bool failed;
} builder;

static bool grow_array(void **array, size_t *room, size_t needed, size_t size) {
    if (needed <= *room)
        return true;
    size_t more = *room < 1024 ? 1024 : *room + *room / 2;
    if (more < needed)
        more = needed;
    void *larger = fc_reallocate(*array, more, size);
    if (!larger)
        return false;
    *array = larger;
    *room = more;
    return true;
}

/* ---- orbits ---- */

static bool find_node_orbits(builder *b) {
    fc_closed_paths *p = b->paths;
    const fc_closed_geometry *g = &b->geometry;
    p->orbit_of_node = fc_allocate(g->nodes, sizeof *p->orbit_of_node);
    p->node_of_orbit = fc_allocate(g->nodes, sizeof *p->node_of_orbit);
    p->orbit_size = fc_allocate(g->nodes, sizeof *p->orbit_size);
    if (!p->orbit_of_node || !p->node_of_orbit || !p->orbit_size)
        return false;
    for (uint32_t node = 0; node < g->nodes; ++node) {
        uint32_t least = node;
        for (uint32_t mask = 1; mask < b->mirrors; ++mask) {
            const uint32_t image = fc_closed_mirror_node(g, node, mask);
            least = image < least ? image : least;
        }
        if (least == node) {
            p->node_of_orbit[p->orbits] = node;
            p->orbit_of_node[node] = (uint32_t)p->orbits++;
        } else {
            p->orbit_of_node[node] = p->orbit_of_node[least];
        }
        p->orbit_size[p->orbit_of_node[node]] += 1.0;
    }
    return true;
}

/* How many different things the group makes of one thing that has `fixed` reflections fixing it. */
static double orbit_copies(const builder *b, uint32_t fixed) {
    return (double)b->mirrors / (double)fixed;
}

static bool find_channel_orbits(builder *b) {
    fc_closed_paths *p = b->paths;
    const fc_closed_geometry *g = &b->geometry;
    p->all_channels = g->channels;
    p->orbit_of_channel = fc_allocate(g->channels, sizeof *p->orbit_of_channel);
    p->channel = fc_allocate(g->channels, sizeof *p->channel);
    if (!p->orbit_of_channel || !p->channel)
        return false;
    for (uint32_t c = 0; c < g->channels; ++c) {
        uint32_t least = c, fixed = 0;
        for (uint32_t mask = 0; mask < b->mirrors; ++mask) {
            const uint32_t image = fc_closed_mirror_channel(g, c, mask);
            least = image < least ? image : least;
            fixed += image == c;
        }
        if (least == c) {
            p->channel[p->channels] =
                (fc_closed_channel){.representative = c, .copies = orbit_copies(b, fixed)};
            p->orbit_of_channel[c] = (int32_t)p->channels++;
        } else {
            p->orbit_of_channel[c] = p->orbit_of_channel[least];
        }
    }
    for (size_t i = 0; i < p->channels; ++i) {
        const uint32_t c = p->channel[i].representative;
        p->channel[i].companion =
            c < g->network_channels ? p->orbit_of_channel[c ^ 1u] : FC_CLOSED_NONE;
    }
    return true;
}

/* ---- edges and links ---- */

/* The image of (channel, port) that stands for its orbit. */
static uint32_t canonical_edge(const builder *b, uint32_t channel, uint32_t port, uint32_t *fixed) {
    const fc_closed_geometry *g = &b->geometry;
    uint32_t least = channel * g->ports + port;
    const uint32_t self = least;
    *fixed = 0;
    for (uint32_t mask = 0; mask < b->mirrors; ++mask) {
        const uint32_t image = fc_closed_mirror_channel(g, channel, mask) * g->ports +
                               fc_closed_mirror_port(g, port, mask);
        least = image < least ? image : least;
        *fixed += image == self;
    }
    return least;
}

static uint32_t channel_start(const fc_closed_geometry *g, uint32_t channel) {
    return channel < g->network_channels ? channel / ((uint32_t)g->dimensions * 4)
                                         : channel - g->network_channels;
}

static uint32_t add_link(builder *b, uint32_t node, double copies) {
    fc_closed_paths *p = b->paths;
    p->link[p->links] = (fc_closed_link){.owner = p->orbit_of_node[node], .copies = copies};
    return (uint32_t)p->links++;
}

/* The edge by which `port` (an incoming channel, or the node's own link) leads into `channel`. */
static uint32_t edge_index(builder *b, uint32_t channel, uint32_t port) {
    fc_closed_paths *p = b->paths;
    const fc_closed_geometry *g = &b->geometry;
    const size_t slot = (size_t)channel * g->ports + port;
    if (b->edge_of[slot] >= 0)
        return (uint32_t)b->edge_of[slot];
    uint32_t fixed;
    const uint32_t least = canonical_edge(b, channel, port, &fixed);
    if (b->edge_of[least] < 0) {
        if (!grow_array((void **)&p->edge, &b->edge_room, p->edges + 1, sizeof *p->edge)) {
            b->failed = true;
            return 0;
        }
        const uint32_t to = least / g->ports, in = least % g->ports, node = channel_start(g, to);
        const double copies = orbit_copies(b, fixed);
        fc_closed_edge edge = {.from = FC_CLOSED_NONE, .copies = copies};
        edge.to = (uint32_t)p->orbit_of_channel[to];
        if (in + 1 < g->ports) {
            const uint32_t before = fc_closed_upstream(g, node, in / 4, in / 2 % 2);
            edge.from = p->orbit_of_channel[before * (uint32_t)g->dimensions * 4 + in];
        } else {
            edge.link = b->per_channel ? add_link(b, node, copies) : p->orbit_of_node[node];
        }
        p->edge[p->edges] = edge;
        b->edge_of[least] = (int32_t)p->edges++;
    }
    b->edge_of[slot] = b->edge_of[least];
    return (uint32_t)b->edge_of[slot];
}

/* ---- trees ---- */

static void add_vertex(builder *b, size_t depth, uint32_t edge, bool leaf) {
    fc_closed_paths *p = b->paths;
    if (!grow_array((void **)&p->vertex, &b->vertex_room, p->vertices + 1, sizeof *p->vertex)) {
        b->failed = true;
        return;
    }
    p->vertex[p->vertices++] =
        (fc_closed_vertex){.edge = edge, .depth = (uint16_t)depth, .leaf = leaf};
    if (depth > p->deepest)
        p->deepest = depth;
}

static void add_leaf(builder *b, uint32_t node, size_t depth, uint32_t channel, double weight) {
    fc_closed_paths *p = b->paths;
    const fc_closed_geometry *g = &b->geometry;
    const double request = fc_traffic_share(b->traffic, node, b->destination);
    const double reply = fc_traffic_share(b->traffic, b->destination, node);
    if (request == 0.0 && reply == 0.0)
        return;
    const uint32_t edge = edge_index(b, channel, g->ports - 1);
    add_vertex(b, depth, edge, true);
    if (b->failed ||
        !grow_array((void **)&p->leaf, &b->leaf_room, p->leaves + 1, sizeof *p->leaf)) {
        b->failed = true;
        return;
    }
    fc_closed_tree *tree = &p->tree[p->orbit_of_node[b->destination]];
    const size_t slot =
        b->per_channel ? (size_t)channel : (size_t)node; /* a first channel leaves one node only */
    if (b->visit_of[slot] < 0) {
        b->visit_of[slot] = (int64_t)p->visits;
        p->visit[p->visits++] = (fc_closed_visit){.link = p->edge[edge].link};
        ++tree->visits;
    }
    if (b->pair_of[node] < 0) {
        b->pair_of[node] = (int64_t)p->pairs;
        p->pair_request[p->pairs] = request;
        p->pair_source[p->pairs++] = p->orbit_of_node[node];
        ++tree->pairs;
    }
    p->visit[b->visit_of[slot]].reply += reply * weight;
    p->leaf[p->leaves++] = (fc_closed_leaf){
        .source = p->orbit_of_node[node],
        .visit = (uint32_t)b->visit_of[slot],
        .request = request * weight,
        .reply = reply * weight,
    };
}

/* Everything that reaches `node` before it goes on to `channel` at the given depth: messages of the
 * node itself, and those that come along the first `level` dimensions of the routing order. */
static void grow_tree(builder *b, size_t level, uint32_t node, size_t depth, uint32_t channel,
                      double weight) {
    const fc_closed_geometry *g = &b->geometry;
    if (node != b->destination)
        add_leaf(b, node, depth + 1, channel, weight);
    for (size_t l = 0; l < level; ++l) {
        const size_t d = g->order[l];
        const uint32_t digit = fc_closed_digit(g, b->destination, d);
        for (uint32_t grows = 0; grows < 2; ++grows) {
            const uint32_t reach = fc_closed_reach(g, digit, d, grows);
            const bool split =
                g->torus->topology == FC_TORUS && g->torus->links == FC_BIDIRECTIONAL;
            uint32_t at = node, next = channel;
            for (uint32_t step = 1; step <= reach && !b->failed; ++step) {
                at = fc_closed_upstream(g, at, d, grows);
                const uint32_t high = digit > fc_closed_digit(g, at, d);
                const uint32_t held = fc_closed_channel_index(g, at, d, grows, high);
                const uint32_t port = ((uint32_t)d * 2 + grows) * 2 + high;
                add_vertex(b, depth + step, edge_index(b, next, port), false);
                const bool tie = split && 2 * step == g->radix[d];
                grow_tree(b, l, at, depth + step, held, tie ? 0.5 * weight : weight);
                next = held;
            }
        }
    }
}

static void reset(int64_t *slots, size_t count) {
    for (size_t i = 0; i < count; ++i)
        slots[i] = -1;
}

static void build_tree(builder *b, size_t orbit) {
    fc_closed_paths *p = b->paths;
    const fc_closed_geometry *g = &b->geometry;
    fc_closed_tree *tree = &p->tree[orbit];
    b->destination = p->node_of_orbit[orbit];
    const uint32_t ejection = fc_closed_ejection(g, b->destination);
    tree->first_vertex = p->vertices;
    tree->first_leaf = p->leaves;
    tree->first_visit = p->visits;
    tree->first_pair = p->pairs;
    reset(b->visit_of, g->channels);
    reset(b->pair_of, g->nodes);
    grow_tree(b, g->dimensions, b->destination, 0, ejection, 1.0);
    tree->vertices = p->vertices - tree->first_vertex;
}

static bool list_ports(builder *b) {
    fc_closed_paths *p = b->paths;
    const fc_closed_geometry *g = &b->geometry;
    p->port_edge = fc_allocate(p->channels * g->ports, sizeof *p->port_edge);
    p->port_input = fc_allocate(p->channels * g->ports, sizeof *p->port_input);
    if (!p->port_edge || !p->port_input)
        return false;
    for (size_t i = 0; i < p->channels; ++i) {
        fc_closed_channel *channel = &p->channel[i];
        channel->first_port = (uint32_t)p->ports;
        for (uint32_t port = 0; port < g->ports; ++port) {
            uint32_t fixed;
            const uint32_t least = canonical_edge(b, channel->representative, port, &fixed);
            if (b->edge_of[least] < 0)
                continue;
            p->port_input[p->ports] = port;
            p->port_edge[p->ports++] = (uint32_t)b->edge_of[least];
        }
        channel->ports = (uint32_t)(p->ports - channel->first_port);
    }
    return true;
}

static bool prepare(builder *b) {
    fc_closed_paths *p = b->paths;
    const fc_closed_geometry *g = &b->geometry;
    if (!find_node_orbits(b) || !find_channel_orbits(b))
        return false;
    const size_t slots = (size_t)g->channels * g->ports;
    const size_t first_channels = b->per_channel ? g->dimensions * 4 : 1;
    const size_t visits = p->orbits * g->nodes * (b->per_channel ? 2 : 1);
    b->edge_of = fc_allocate(slots, sizeof *b->edge_of);
    b->visit_of = fc_allocate(g->channels, sizeof *b->visit_of);
    b->pair_of = fc_allocate(g->nodes, sizeof *b->pair_of);
    p->link = fc_allocate(p->orbits * first_channels, sizeof *p->link);
    p->tree = fc_allocate(p->orbits, sizeof *p->tree);
    p->visit = fc_allocate(visits, sizeof *p->visit);
    p->pair_request = fc_allocate(p->orbits * g->nodes, sizeof *p->pair_request);
    p->pair_source = fc_allocate(p->orbits * g->nodes, sizeof *p->pair_source);
    if (!b->edge_of || !b->visit_of || !b->pair_of || !p->link || !p->tree || !p->visit ||
        !p->pair_request || !p->pair_source)
        return false;
    for (size_t i = 0; i < slots; ++i)
        b->edge_of[i] = -1;
    if (!b->per_channel) {
        for (size_t i = 0; i < p->orbits; ++i)
            add_link(b, p->node_of_orbit[i], p->orbit_size[i]);
    }
    return true;
}

static bool build(builder *b) {
    if (!prepare(b))
        return false;
    for (size_t orbit = 0; orbit < b->paths->orbits && !b->failed; ++orbit)
        build_tree(b, orbit);
    return !b->failed && list_ports(b);
}

/* Whether reflecting any dimension (digit a becomes k-1-a) maps the system onto itself. */
static bool reflects(const fc_torus *torus) {
    const bool bidirectional = torus->topology == FC_MESH || torus->links == FC_BIDIRECTIONAL;
    const fc_pattern pattern = torus->destinations.pattern;
    return bidirectional && (pattern == FC_UNIFORM || pattern == FC_NEAR_NEIGHBOUR);
}

/* Memory and time go with the pairs of nodes left after symmetry. */
fc_status fc_closed_paths_check_size(const fc_torus *torus, fc_error *error) {
    const double most = 1 << 25, nodes = (double)torus->nodes;
    const double mirrors = reflects(torus) ? ldexp(1, (int)torus->radix.count) : 1;
    const double pairs = nodes * fmax(nodes / mirrors, 1);
    int64_t longest = 0;
    for (size_t d = 0; d < torus->radix.count; ++d)
        longest += torus->radix.values[d];
    if (longest + 2 > FC_DEPTH_MAX)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the closed models take radices that add up to at most %d; these add up to "
                       "%lld",
                       FC_DEPTH_MAX - 2, (long long)longest);
    if (fmax(pairs, nodes * mirrors) > most)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the closed models take at most 2^25 pairs of nodes, symmetric ones counted "
                       "once; %lld nodes make %.3g",
                       (long long)torus->nodes, fmax(pairs, nodes * mirrors));
    return FC_OK;
}

fc_status fc_closed_paths_create(const fc_torus *torus, fc_error *error, fc_closed_paths **paths) {
    fc_geometry *geometry;
    fc_status status = fc_geometry_create(torus, error, &geometry);
    if (status != FC_OK)
        return status;
    builder b = {.paths = fc_allocate(1, sizeof *b.paths)};
    status =
        b.paths ? fc_traffic_create(torus, geometry, error, &b.traffic) : fc_fail_memory(error);
    if (status == FC_OK) {
        fc_closed_geometry_fill(&b.geometry, torus);
        b.per_channel = torus->node_links == FC_LINK_PER_CHANNEL;
        b.mirrors = reflects(torus) ? 1u << b.geometry.dimensions : 1;
        b.paths->nodes = b.geometry.nodes;
        status = build(&b) ? FC_OK : fc_fail_memory(error);
    }
    fc_release(b.edge_of);
    fc_release(b.visit_of);
    fc_release(b.pair_of);
    fc_traffic_free(b.traffic);
    fc_geometry_free(geometry);
    if (status == FC_OK)
        *paths = b.paths;
    else
        fc_closed_paths_free(b.paths);
    return status;
}

void fc_closed_paths_free(fc_closed_paths *paths) {
    if (!paths)
        return;
    void *const blocks[] = {paths->orbit_of_node, paths->node_of_orbit, paths->orbit_size,
                            paths->channel,       paths->edge,          paths->link,
                            paths->port_edge,     paths->port_input,    paths->orbit_of_channel,
                            paths->tree,          paths->vertex,        paths->leaf,
                            paths->visit,         paths->pair_request,  paths->pair_source};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i)
        fc_release(blocks[i]);
    fc_release(paths);
}

/* ---- labels ---- */

void fc_closed_channel_label(const fc_torus *torus, const fc_geometry *geometry, uint32_t channel,
                             bool virtual_channel, char *text, size_t size) {
    fc_closed_geometry g;
    fc_closed_geometry_fill(&g, torus);
    fc_node_label(geometry, channel_start(&g, channel), text, size);
    const size_t used = strlen(text);
    if (channel >= g.network_channels) {
        snprintf(text + used, size - used, " ejection");
        return;
    }
    const uint32_t port = channel % ((uint32_t)g.dimensions * 4);
    const char *high_low = port % 2 ? " high" : " low";
    snprintf(text + used, size - used, " %c%u%s", port / 2 % 2 ? '+' : '-', port / 4,
             virtual_channel ? high_low : "");
}
