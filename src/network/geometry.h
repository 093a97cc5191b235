/* Where nodes, channels and routes of a torus or mesh lie. Shared by models and simulators.
 *
 * Nodes are numbered with dimension 0 fastest: node = sum of digit[d] * stride[d].
 *
 * A channel leaves a node. Its number is node * slots + slot, with 2 slots for every dimension in
 * routing order, the falling digit before the growing one: for a 2-D network routed in descending
 * order the slots are North, South, West, East (dimension 1 is the row). Numbers of channels that
 * do not exist (edges of a mesh, the other direction of unidirectional links) stay unused. Virtual
 * channel v of channel c has the number c * virtual_channels + v.
 *
 * A route is given by its end points and a mask `rising`: bit d is set if dimension d is travelled
 * with a growing digit. Shortest routes differ only there: at half-way round an even ring of a
 * bidirectional torus both directions are as short. */
#ifndef FC_NETWORK_GEOMETRY_H
#define FC_NETWORK_GEOMETRY_H

#include "base/status.h"
#include "scenario/torus.h"

typedef struct fc_geometry {
    uint32_t dimensions;
    uint32_t nodes;
    uint32_t slots;    /* channel numbers per node: 2 * dimensions */
    uint32_t channels; /* channel numbers: nodes * slots, unused ones included */
    bool wraps;        /* torus */
    bool bidirectional;
    bool rising; /* unidirectional: the digit grows */
    uint32_t radix[FC_LIST_MAX];
    uint32_t stride[FC_LIST_MAX];
    uint32_t order[FC_LIST_MAX]; /* the dimension routed first, second, ... */
    uint32_t rank[FC_LIST_MAX];  /* the place of a dimension in that order */
    uint32_t even;               /* mask of dimensions with half-way ties */
    uint64_t *word;              /* nodes: all digits, that of the dimension routed first lowest */
    uint8_t shift[FC_LIST_MAX];  /* where the digit of a dimension is in such a word */
    uint32_t mask[FC_LIST_MAX];  /* its bits */
    uint8_t bit_dimension[64];   /* the dimension a bit of such a word belongs to */
} fc_geometry;

fc_status fc_geometry_create(const fc_torus *torus, fc_error *error, fc_geometry **geometry);
void fc_geometry_free(fc_geometry *geometry);

static inline uint32_t fc_digit(const fc_geometry *geometry, uint32_t node, uint32_t dimension) {
    return (uint32_t)(geometry->word[node] >> geometry->shift[dimension]) &
           geometry->mask[dimension];
}

static inline uint32_t fc_channel_number(const fc_geometry *geometry, uint32_t node,
                                         uint32_t dimension, bool rising) {
    return node * geometry->slots + 2 * geometry->rank[dimension] + (rising ? 1u : 0u);
}

/* The node at the other end of the channel, or FC_NO_NODE if there is no such channel. */
uint32_t fc_geometry_neighbour(const fc_geometry *geometry, uint32_t node, uint32_t dimension,
                               bool rising);
/* The same by channel number; dimension and rising may be NULL. */
uint32_t fc_channel_end(const fc_geometry *geometry, uint32_t channel, uint32_t *dimension,
                        bool *rising);
/* Hops of a shortest route. */
uint32_t fc_geometry_distance(const fc_geometry *geometry, uint32_t source, uint32_t destination);

/* Directions of a shortest route: the mask, and in *ties the dimensions in which the other
 * direction (the bit flipped) is as short. All 2^ties routes are equally likely. */
uint32_t fc_route_rising(const fc_geometry *geometry, uint32_t source, uint32_t destination,
                         uint32_t *ties);

/* The dimension of the next hop from node to destination if dimensions are travelled in order, or
 * in the reverse order, or the number of dimensions if it is there. */
static inline uint32_t fc_next_dimension(const fc_geometry *geometry, bool reversed, uint32_t node,
                                         uint32_t destination) {
    const uint64_t differ = geometry->word[node] ^ geometry->word[destination];
    if (!differ)
        return geometry->dimensions;
    return geometry
        ->bit_dimension[reversed ? 63 - __builtin_clzll(differ) : __builtin_ctzll(differ)];
}

static inline uint32_t fc_route_dimension(const fc_geometry *geometry, uint32_t node,
                                          uint32_t destination) {
    return fc_next_dimension(geometry, false, node, destination);
}

/* One hop of a route. */
typedef struct fc_hop {
    uint32_t channel;   /* number of the channel it crosses */
    uint32_t node;      /* the node that channel leaves */
    uint32_t dimension; /* it moves in */
    bool rising;
} fc_hop;

/* All hops from source to destination with the given directions; hops has room for
 * fc_geometry_distance of them. Returns their number. */
size_t fc_route_hops(const fc_geometry *geometry, uint32_t source, uint32_t destination,
                     uint32_t rising, fc_hop *hops);

/* The most hops of any shortest route. */
uint32_t fc_geometry_diameter(const fc_geometry *geometry);

/* Writes "(2, 3)", dimension 0 first. */
void fc_node_label(const fc_geometry *geometry, uint32_t node, char *text, size_t size);

#endif
