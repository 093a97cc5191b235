#include "scenario/family.h"

const fc_family *const fc_families[] = {
    NULL,
};
