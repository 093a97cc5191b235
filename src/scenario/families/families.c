#include "scenario/family.h"
#include "scenario/families/chip.h"
#include "scenario/fabric.h"
#include "scenario/multistage.h"
#include "scenario/rings.h"
#include "scenario/torus.h"

const fc_family *const fc_families[] = {
    &fc_rings_family,  &fc_multistage_family, &fc_torus_family,
    &fc_fabric_family, &fc_chip_family,       NULL,
};
