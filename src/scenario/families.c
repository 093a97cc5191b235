#include "scenario/family.h"
#include "scenario/rings.h"

const fc_family *const fc_families[] = {
    &fc_rings_family,
    NULL,
};
