#include "rod/fiber_check.h"

#include <limits.h>
#include <math.h>

#include "body/motion.h"
#include "math/vector3.h"
#include "rod/value_check.h"

static bool check_vector(const char *name, const double *value, const cst_complaint *to)
{
    return (isfinite(value[0]) && isfinite(value[1]) && isfinite(value[2])) ||
           cst_complain(to, "%s must be finite, not (%g, %g, %g)", name, value[0], value[1], value[2]);
}

static bool check_frame(const double *frame, const cst_complaint *to)
{
    double product[9], worst = 0.0, across[3];
    cst_transposed_product3(frame, frame, product);
    for (int i = 0; i < 9; ++i)
        worst = fmax(worst, fabs(product[i] - (i % 4 == 0 ? 1.0 : 0.0)));
    const double t[3] = {frame[0], frame[3], frame[6]}, d1[3] = {frame[1], frame[4], frame[7]};
    cst_cross3(t, d1, across);
    const double sense = across[0] * frame[2] + across[1] * frame[5] + across[2] * frame[8];
    return (worst < 1e-6 && sense > 0.0) ||
           cst_complain(to, "the columns of frame must be three unit vectors at right angles, t x d1 = d2");
}

static bool check_root(const cst_fiber_def *def, const cst_complaint *to)
{
    if (def->root_motion.keys > 0 && !def->clamped)
        return cst_complain(to, "root_motion moves a clamped start, but the start is free");
    if (def->clamped && def->closed)
        return cst_complain(to, "a closed fiber has no start that could be clamped");
    if (!cst_motion_check(&def->root_motion, "root_motion", to->message, to->size))
        return false;
    for (int k = 0; def->clamped && k < 3; ++k) {
        if (def->velocity[k] != 0.0 || def->angular_velocity[k] != 0.0)
            return cst_complain(
                to, "the start of a clamped fiber has the velocity of root_motion: velocity and angular_velocity must be 0");
    }
    return true;
}

bool cst_fiber_check(const cst_fiber_def *def, int fewest, char *message, size_t message_size)
{
    const cst_complaint to = {message, message_size};
    const int n = def->elements;
    if (n < fewest || n > INT_MAX / 64)
        return cst_complain(&to, "elements must be from %d to %d, not %d", fewest, INT_MAX / 64, n);
    return cst_check_value("length", def->length, CST_RANGE_POSITIVE, &to) &&
           (def->element_radius || cst_check_value("radius", def->radius, CST_RANGE_NOT_NEGATIVE, &to)) &&
           cst_check_value("mass_per_length", def->mass_per_length, CST_RANGE_POSITIVE, &to) &&
           cst_check_value("bending_stiffness about d1", def->bending_stiffness[0], CST_RANGE_POSITIVE, &to) &&
           cst_check_value("bending_stiffness about d2", def->bending_stiffness[1], CST_RANGE_POSITIVE, &to) &&
           cst_check_value("twisting_stiffness", def->twisting_stiffness,
                           def->model == CST_FIBER_SPRINGS ? CST_RANGE_NOT_NEGATIVE : CST_RANGE_POSITIVE, &to) &&
           cst_check_value("stretching_stiffness", def->stretching_stiffness, CST_RANGE_NOT_NEGATIVE, &to) &&
           cst_check_value("viscosity", def->viscosity, CST_RANGE_NOT_NEGATIVE, &to) &&
           cst_check_value("drag", def->drag, CST_RANGE_NOT_NEGATIVE, &to) &&
           check_vector("natural_curvature", def->natural_curvature, &to) && check_vector("position", def->position, &to) &&
           check_vector("velocity", def->velocity, &to) && check_vector("angular_velocity", def->angular_velocity, &to) &&
           cst_check_list("element_natural_curvature", def->element_natural_curvature, n, 3, CST_RANGE_ANY, &to) &&
           cst_check_list("curvature", def->curvature, n, 3, CST_RANGE_ANY, &to) &&
           cst_check_list("element_radius", def->element_radius, n, 1, CST_RANGE_NOT_NEGATIVE, &to) &&
           cst_check_list("point", def->point, n + 1, 3, CST_RANGE_ANY, &to) &&
           (!def->curvature || !def->point || cst_complain(&to, "give either curvature or point, not both")) &&
           check_frame(def->frame, &to) && cst_check_element_friction(def->element_friction, def->elements, &to) &&
           check_root(def, &to);
}
