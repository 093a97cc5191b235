/* All models and simulators. */
#include "registry/method.h"

extern const fc_model fc_model_adve_vernon;
extern const fc_model fc_model_adve_vernon_infinite;
extern const fc_model fc_model_channel_load;
extern const fc_model fc_model_closed_refined;
extern const fc_model fc_model_closed_two_moment;
extern const fc_model fc_model_hamacher_jiang;
extern const fc_model fc_model_mohapatra_das;
extern const fc_model fc_model_multistage_backpressure;
extern const fc_model fc_model_najafabadi_sarbaziazad;
extern const fc_model fc_model_najafabadi_sarbaziazad_literal;
extern const fc_model fc_model_ring_trains;
extern const fc_model fc_model_ring_requests;
extern const fc_model fc_model_router_queueing;
extern const fc_model fc_model_safaei;
extern const fc_model fc_model_safaei_e0;
extern const fc_model fc_model_safaei_literal;
extern const fc_model fc_model_scouting_sharing;
extern const fc_model fc_model_torus_sharing;
extern const fc_model fc_model_workload_packets;
extern const fc_model fc_model_chip_packets;

extern const fc_simulator fc_simulator_chip;
extern const fc_simulator fc_simulator_flit;
extern const fc_simulator fc_simulator_router;
extern const fc_simulator fc_simulator_scouting;
extern const fc_simulator fc_simulator_multistage;
extern const fc_simulator fc_simulator_slotted_rings;
extern const fc_simulator fc_simulator_ring_closed;

/* Of several models that cover a scenario the first is the default: those that measured better come
 * first (fc_method_choose). */
const fc_model *const fc_models[] = {
    &fc_model_ring_trains,
    &fc_model_ring_requests,
    &fc_model_hamacher_jiang,
    &fc_model_multistage_backpressure,
    &fc_model_mohapatra_das,
    &fc_model_torus_sharing,
    &fc_model_najafabadi_sarbaziazad,
    &fc_model_najafabadi_sarbaziazad_literal,
    &fc_model_scouting_sharing,
    &fc_model_safaei,
    &fc_model_safaei_e0,
    &fc_model_safaei_literal,
    &fc_model_closed_refined,
    &fc_model_closed_two_moment,
    &fc_model_adve_vernon,
    &fc_model_adve_vernon_infinite,
    &fc_model_router_queueing,
    &fc_model_workload_packets,
    &fc_model_chip_packets,
    &fc_model_channel_load,
    NULL,
};

const fc_simulator *const fc_simulators[] = {
    &fc_simulator_slotted_rings, &fc_simulator_ring_closed,
    &fc_simulator_flit,          &fc_simulator_router,
    &fc_simulator_scouting,      &fc_simulator_multistage,
    &fc_simulator_chip,          NULL,
};
