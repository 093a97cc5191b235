/* Open tori made without a file, for tests that need many of them. */
#ifndef TORUS_SUPPORT_H
#define TORUS_SUPPORT_H

#include "registry/method.h"
#include "scenario/torus.h"

extern const fc_model fc_model_najafabadi_sarbaziazad;
extern const fc_model fc_model_najafabadi_sarbaziazad_literal;
extern const fc_model fc_model_torus_sharing;

/* The system of Najaf-abadi and Sarbazi-azad; change what differs. */
static inline fc_torus make_torus(fc_integer_list radix, int channels, int flits, double rate) {
    fc_torus torus = {.topology = FC_TORUS,
                      .radix = radix,
                      .links = FC_UNIDIRECTIONAL,
                      .virtual_channels = channels,
                      .channel_rule = FC_ESCAPE,
                      .buffer = 1,
                      .handover = FC_NEXT_CYCLE,
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

static inline fc_scenario torus_scenario(fc_torus *torus) {
    static char name[] = "torus";
    return (fc_scenario){.name = name, .family = &fc_torus_family, .parameters = torus};
}

#endif
