#include "world/point_motion.h"

#include <string.h>

bool cst_point_motion_room(cst_arena *arena, int dofs, int dim, cst_point_motion *out)
{
    const size_t count = (size_t)dofs, turns = dim == 2 ? 1 : 3;
    *out = (cst_point_motion){.dof = CST_TAKE_RAW(arena, int32_t, count),
                              .j = CST_TAKE_RAW(arena, double, (size_t)dim *count),
                              .j_turn = CST_TAKE_RAW(arena, double, turns *count)};
    return !arena->failed;
}

bool cst_point_motion_take(cst_arena *arena, const cst_body_model *body, int dim, cst_point_motion *out)
{
    return cst_point_motion_room(arena, body->class->places->point_dofs(body->self), dim, out);
}

void cst_point_motion_velocity(const cst_point_motion *point, int dim, const double *v, double *velocity, double *turn)
{
    const int turns = dim == 2 ? 1 : 3, first = dim == 2 ? 2 : 0;
    memcpy(velocity, point->drift, 3 * sizeof *velocity);
    memcpy(turn, point->drift_turn, 3 * sizeof *turn);
    for (int k = 0; k < point->dofs; k++) {
        const double value = v[point->dof[k]];
        for (int c = 0; c < dim; c++)
            velocity[c] += point->j[c * point->dofs + k] * value;
        for (int c = 0; c < turns; c++)
            turn[first + c] += point->j_turn[c * point->dofs + k] * value;
    }
}

double cst_point_motion_along(const cst_point_motion *point, int dim, int k, const double *force, const double *moment)
{
    const double *j = point->j + k, *turn = point->j_turn + k;
    const int dofs = point->dofs;
    if (dim == 2)
        return force[0] * j[0] + force[1] * j[dofs] + moment[2] * turn[0];
    return force[0] * j[0] + force[1] * j[dofs] + force[2] * j[2 * dofs] + moment[0] * turn[0] + moment[1] * turn[dofs] +
           moment[2] * turn[2 * dofs];
}

void cst_point_motion_push(const cst_point_motion *point, int dim, const double *force, const double *moment, double *f)
{
    for (int k = 0; k < point->dofs; k++)
        f[point->dof[k]] += cst_point_motion_along(point, dim, k, force, moment);
}
