#include "base/geometric.h"

#include <math.h>

fc_geometric fc_geometric_law(double p) {
    const fc_geometric always = {.scale = 0, .exponent = 0};
    const fc_geometric never = {.scale = UINT64_MAX, .exponent = FC_GEOMETRIC_NEVER};
    if (p >= 1)
        return always;
    int exponent;
    const double ln2 = 0x1.62e42fefa39efp-1, c = -ln2 / log1p(-p);
    if (!(c < 0x1p64))
        return never;
    const double mantissa = frexp(c, &exponent);
    return (fc_geometric){.scale = (uint64_t)ldexp(mantissa, 64), .exponent = exponent};
}
