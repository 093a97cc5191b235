/* What the models of scouting share: what they need of a scenario. */
#ifndef FC_MODELS_SCOUTING_MODELS_H
#define FC_MODELS_SCOUTING_MODELS_H

#include "registry/method.h"
#include "scenario/torus.h"

bool fc_scouting_model_suits(const fc_scenario *scenario);

/* Scouting in a bidirectional torus, open uniform traffic, no faults, as many injection and
 * ejection channels as virtual channels; refuses anything else in the name of the model. */
fc_status fc_scouting_model_covers(const fc_torus *torus, const char *who, fc_error *error);

#endif
