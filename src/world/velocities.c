#include "world/velocities.h"

#include <math.h>

bool cst_velocities_begin(cst_velocities *velocities, int dofs, cst_arena *arena)
{
    *velocities = (cst_velocities){.dofs = dofs,
                                   .v = CST_TAKE(arena, double, dofs),
                                   .before = CST_TAKE(arena, double, dofs),
                                   .last = CST_TAKE(arena, double, dofs),
                                   .free = CST_TAKE(arena, double, dofs),
                                   .scratch = CST_TAKE(arena, double, dofs)};
    return !arena->failed;
}

void cst_velocities_theta(const cst_velocities *velocities, double theta, int start, int count, double *out)
{
    for (int k = 0; k < count; k++)
        out[k] = theta * velocities->v[start + k] + (1.0 - theta) * velocities->before[start + k];
}

void cst_velocities_expect(const cst_velocities *velocities, bool still, double *out)
{
    for (int k = 0; k < velocities->dofs; k++)
        out[k] = velocities->free[k] + (still ? 0.0 : velocities->v[k] - velocities->before[k]);
}

double cst_velocities_change(const cst_velocities *velocities, double standstill)
{
    double change = 0.0, largest = velocities->free_speed;
    for (int k = 0; k < velocities->dofs; k++) {
        change = fmax(change, fabs(velocities->v[k] - velocities->last[k]));
        largest = fmax(largest, fabs(velocities->v[k]));
    }
    largest = fmax(largest, standstill);
    return largest > 0.0 ? change / largest : 0.0;
}
