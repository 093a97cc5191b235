/* Scouting networks made without a file, and room for what a simulation observes. */
#ifndef SCOUTING_SUPPORT_H
#define SCOUTING_SUPPORT_H

#include "simulators/flit/scouting.h"

/* Square or not, any dimensions; the papers' choice of V injection and ejection channels. */
static inline fc_torus make_scouting(fc_integer_list radix, int channels, int flits, int distance,
                                     double rate) {
    fc_torus torus = {.topology = FC_TORUS,
                      .radix = radix,
                      .links = FC_BIDIRECTIONAL,
                      .routing = FC_ADAPTIVE,
                      .virtual_channels = channels,
                      .channel_rule = FC_FREE,
                      .buffer = 1,
                      .switching = FC_SCOUTING,
                      .scouting_distance = distance,
                      .injection_channels = channels,
                      .ejection_channels = channels,
                      .kind = FC_OPEN,
                      .rate = rate,
                      .message_flits = flits,
                      .nodes = 1,
                      .hot_node = -1};
    for (size_t d = 0; d < radix.count; ++d)
        torus.nodes *= radix.values[d];
    return torus;
}

static inline fc_scenario scouting_scenario(fc_torus *torus) {
    static char name[] = "scouting";
    return (fc_scenario){.name = name, .family = &fc_torus_family, .parameters = torus};
}

typedef struct scouting_sample {
    double sums[FC_SCOUTING_OBSERVABLES], weights[FC_SCOUTING_OBSERVABLES];
    fc_histogram latencies;
} scouting_sample;

static inline fc_sample scouting_sample_of(scouting_sample *taken) {
    return (fc_sample){
        .sums = taken->sums, .weights = taken->weights, .latencies = &taken->latencies};
}

#endif
