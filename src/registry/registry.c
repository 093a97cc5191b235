#include "registry/method.h"

const fc_model *const fc_models[] = {
    NULL,
};

const fc_simulator *const fc_simulators[] = {
    NULL,
};
