#include "models/scouting/scouting_models.h"

bool fc_scouting_model_suits(const fc_scenario *scenario) {
    const fc_torus *torus = scenario->parameters;
    return torus->switching == FC_SCOUTING;
}

fc_status fc_scouting_model_covers(const fc_torus *torus, const char *who, fc_error *error) {
    if (torus->switching != FC_SCOUTING)
        return fc_fail(error, FC_ERROR_UNSUPPORTED, "%s is for network.switching: scouting", who);
    if (torus->topology != FC_TORUS || torus->links != FC_BIDIRECTIONAL)
        return fc_fail(error, FC_ERROR_UNSUPPORTED, "%s is for tori with bidirectional links", who);
    if (torus->kind != FC_OPEN || torus->destinations.pattern != FC_UNIFORM)
        return fc_fail(error, FC_ERROR_UNSUPPORTED, "%s is for open, uniform traffic", who);
    if (fc_faults_are_listed(&torus->faults))
        return fc_fail(error, FC_ERROR_UNSUPPORTED, "%s does not cover faults", who);
    if (torus->buffer != 1)
        return fc_fail(error, FC_ERROR_UNSUPPORTED, "%s is for buffers of 1 flit (network.buffer)",
                       who);
    if (torus->injection_channels != torus->virtual_channels ||
        torus->ejection_channels != torus->virtual_channels)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "%s is for as many injection_channels and ejection_channels as "
                       "virtual_channels",
                       who);
    return FC_OK;
}
