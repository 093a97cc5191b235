/* Scouting networks made without a file, and room for what a simulation observes. */
#ifndef SCOUTING_SUPPORT_H
#define SCOUTING_SUPPORT_H

#include "simulators/flit/scouting.h"
#include "torus_support.h"

/* Square or not, any dimensions; the papers' choice of V injection and ejection channels. */
static inline fc_torus make_scouting(fc_integer_list radix, int channels, int flits, int distance,
                                     double rate) {
    fc_torus torus = make_torus(radix, channels, flits, rate);
    torus.links = FC_BIDIRECTIONAL;
    torus.routing = FC_ADAPTIVE;
    torus.channel_rule = FC_FREE;
    torus.handover = FC_SAME_CYCLE;
    torus.switching = FC_SCOUTING;
    torus.scouting_distance = distance;
    return torus;
}

typedef struct scouting_sample {
    double sums[FC_METRICS], weights[FC_METRICS];
    fc_histogram latencies;
} scouting_sample;

static inline fc_sample scouting_sample_of(scouting_sample *taken) {
    return (fc_sample){
        .sums = taken->sums, .weights = taken->weights, .latencies = &taken->latencies};
}

#endif
