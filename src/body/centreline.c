#include "body/body.h"

bool cst_touched_centreline(const void *self, int32_t feature, double along, const double *x, cst_material_point *out)
{
    (void)self, (void)x;
    *out = (cst_material_point){.feature = feature, .s = along};
    return true;
}
