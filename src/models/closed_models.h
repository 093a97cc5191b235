/* The closed models, for the registry. */
#ifndef FC_MODELS_CLOSED_MODELS_H
#define FC_MODELS_CLOSED_MODELS_H

#include "registry/method.h"

extern const fc_model fc_adve_vernon;

#endif
