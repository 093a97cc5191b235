/* Classes of messages: how often, how long, where to, over which virtual channels, who goes first,
 * and what answers them.
 *
 * Every network of routers has at least one class. traffic.classes names them; requests with
 * replies (traffic.requests) are two, and traffic without either is one: fc_classes_of makes the
 * list, so that simulators and models know classes alone. */
#ifndef FC_SCENARIO_CLASSES_H
#define FC_SCENARIO_CLASSES_H

#include "scenario/family.h"
#include "scenario/traffic.h"

enum { FC_LENGTHS_MAX = 16, FC_CLASSES_MAX = 8, FC_CLASS_NAME_SIZE = 24, FC_PRIORITY_MAX = 63 };

typedef struct fc_lengths { /* traffic.message_mix; no entry: all have message_flits */
    size_t count;
    int64_t flits[FC_LENGTHS_MAX];
    double share[FC_LENGTHS_MAX];
} fc_lengths;

typedef struct fc_class {
    char name[FC_CLASS_NAME_SIZE];
    double share;       /* of the messages that nodes generate; 0: it only answers others */
    fc_lengths lengths; /* at least one */
    const fc_destinations *destinations; /* NULL: back to the node that began */
    int64_t hot_node;                    /* of the destinations: the one hot spot's, or -1 */
    uint32_t first, last;                /* virtual channels */
    int64_t priority;                    /* higher first */
    uint32_t rank;                       /* the same, from 0: first */
    uint32_t reply;                      /* the class that answers it; FC_NONE */
    bool multicast;                      /* each goes to all nodes that its destinations name */
    bool paired; /* its reply has the length of the same number, instead of one drawn */
    /* by the number of the length: cycles from a message's turn at the memory until the reply can
     * be sent, and until the next message's turn; 0: it takes any number at once */
    double memory_reply[FC_LENGTHS_MAX], memory_busy[FC_LENGTHS_MAX];
} fc_class;

typedef struct fc_classes {
    size_t count;
    fc_class list[FC_CLASSES_MAX];
    bool ranked;  /* some go first */
    bool answers; /* some are answered */
} fc_classes;

/* traffic.classes as given: what follows from other keys is filled in by fc_classes_of. */
typedef struct fc_given_classes {
    fc_classes classes;
    double rate[FC_CLASSES_MAX];     /* messages per node per cycle; 0: not given */
    bool everywhere[FC_CLASSES_MAX]; /* no channels are given: all */
    bool back[FC_CLASSES_MAX];       /* no destinations are given */
    fc_destinations destinations[FC_CLASSES_MAX];
    int64_t hot_node[FC_CLASSES_MAX];
} fc_given_classes;

fc_classes fc_classes_of(const fc_routed *routed);
/* Whether answers may wait for the channels of what they answer, over other classes too, as far as
 * the classes alone can tell: written as "request (channels 0 to 1) -> reply (channels 0 to 1)". */
bool fc_classes_circle(const fc_classes *classes, size_t size, char *text);
/* Mean flits of a length. */
double fc_lengths_mean(const fc_lengths *lengths);
/* Mean flits, for each message generated, of those of a class and of all that answer them. */
double fc_class_chain_flits(const fc_classes *classes, size_t number);

/* A mask of its virtual channels. */
static inline uint64_t fc_class_channels(const fc_class *class) {
    return (UINT64_MAX >> (63 - (class->last - class->first))) << class->first;
}

/* The parts of the virtual channels that classes share or have for themselves. */
typedef struct fc_channel_sets {
    uint32_t count;
    uint32_t first[FC_CLASSES_MAX], channels[FC_CLASSES_MAX];
    uint8_t of_channel[64]; /* the set of each; that of a channel no class takes is 0 */
} fc_channel_sets;

fc_channel_sets fc_channel_sets_of(const fc_routed *routed);

/* The set of the class that may take these virtual channels. */
static inline uint32_t fc_channel_set(const fc_channel_sets *sets, uint64_t channels) {
    return sets->of_channel[__builtin_ctzll(channels)];
}

#endif
