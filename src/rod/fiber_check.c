#include "rod/fiber_check.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "body/motion.h"
#include "math/vector3.h"

typedef struct complaint {
    char *message;
    size_t size;
} complaint;

__attribute__((format(printf, 2, 3))) static bool complain(const complaint *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(to->message, to->size, format, arguments);
    va_end(arguments);
    return false;
}

typedef enum range { ANY, NOT_NEGATIVE, POSITIVE } range;

static bool is_in(range wanted, double value)
{
    return isfinite(value) && (wanted != NOT_NEGATIVE || value >= 0.0) && (wanted != POSITIVE || value > 0.0);
}

static const char *range_name(range wanted)
{
    return wanted == POSITIVE ? "positive" : wanted == NOT_NEGATIVE ? "zero or more" : "finite";
}

static bool check_value(const char *name, double value, range wanted, const complaint *to)
{
    return is_in(wanted, value) || complain(to, "%s must be %s, not %g", name, range_name(wanted), value);
}

static bool check_vector(const char *name, const double *value, const complaint *to)
{
    return (isfinite(value[0]) && isfinite(value[1]) && isfinite(value[2])) ||
           complain(to, "%s must be finite, not (%g, %g, %g)", name, value[0], value[1], value[2]);
}

static bool check_list(const char *name, const double *value, int count, int each, range wanted, const complaint *to)
{
    for (int i = 0; value && i < count * each; ++i) {
        if (!is_in(wanted, value[i]))
            return complain(to, "%s of element %d must be %s, not %g", name, i / each, range_name(wanted), value[i]);
    }
    return true;
}

static bool check_friction(const cst_fiber_def *def, const complaint *to)
{
    for (int i = 0; def->element_friction && i < def->elements; ++i) {
        const double mu = def->element_friction[i];
        if (!is_in(NOT_NEGATIVE, mu) && mu != CST_UNSET)
            return complain(to, "element_friction of element %d must be zero or more or unset, not %g", i, mu);
    }
    return true;
}

static bool check_frame(const double *frame, const complaint *to)
{
    double product[9], worst = 0.0, across[3];
    cst_transposed_product3(frame, frame, product);
    for (int i = 0; i < 9; ++i)
        worst = fmax(worst, fabs(product[i] - (i % 4 == 0 ? 1.0 : 0.0)));
    const double t[3] = {frame[0], frame[3], frame[6]}, d1[3] = {frame[1], frame[4], frame[7]};
    cst_cross3(t, d1, across);
    const double sense = across[0] * frame[2] + across[1] * frame[5] + across[2] * frame[8];
    return (worst < 1e-6 && sense > 0.0) ||
           complain(to, "the columns of frame must be three unit vectors at right angles, t x d1 = d2");
}

static bool check_root(const cst_fiber_def *def, const complaint *to)
{
    if (def->root_motion.keys > 0 && !def->clamped)
        return complain(to, "root_motion moves a clamped start, but the start is free");
    if (def->clamped && def->closed)
        return complain(to, "a closed fiber has no start that could be clamped");
    if (!cst_motion_check(&def->root_motion, "root_motion", to->message, to->size))
        return false;
    for (int k = 0; def->clamped && k < 3; ++k) {
        if (def->velocity[k] != 0.0 || def->angular_velocity[k] != 0.0)
            return complain(
                to, "the start of a clamped fiber has the velocity of root_motion: velocity and angular_velocity must be 0");
    }
    return true;
}

bool cst_fiber_check(const cst_fiber_def *def, int fewest, char *message, size_t message_size)
{
    const complaint to = {message, message_size};
    const int n = def->elements;
    if (n < fewest || n > INT_MAX / 64)
        return complain(&to, "elements must be from %d to %d, not %d", fewest, INT_MAX / 64, n);
    return check_value("length", def->length, POSITIVE, &to) &&
           (def->element_radius || check_value("radius", def->radius, NOT_NEGATIVE, &to)) &&
           check_value("mass_per_length", def->mass_per_length, POSITIVE, &to) &&
           check_value("bending_stiffness about d1", def->bending_stiffness[0], POSITIVE, &to) &&
           check_value("bending_stiffness about d2", def->bending_stiffness[1], POSITIVE, &to) &&
           check_value("twisting_stiffness", def->twisting_stiffness, def->model == CST_FIBER_SPRINGS ? NOT_NEGATIVE : POSITIVE,
                       &to) &&
           check_value("stretching_stiffness", def->stretching_stiffness, NOT_NEGATIVE, &to) &&
           check_value("viscosity", def->viscosity, NOT_NEGATIVE, &to) && check_value("drag", def->drag, NOT_NEGATIVE, &to) &&
           check_vector("natural_curvature", def->natural_curvature, &to) && check_vector("position", def->position, &to) &&
           check_vector("velocity", def->velocity, &to) && check_vector("angular_velocity", def->angular_velocity, &to) &&
           check_list("element_natural_curvature", def->element_natural_curvature, n, 3, ANY, &to) &&
           check_list("curvature", def->curvature, n, 3, ANY, &to) &&
           check_list("element_radius", def->element_radius, n, 1, NOT_NEGATIVE, &to) &&
           check_list("point", def->point, n + 1, 3, ANY, &to) && check_frame(def->frame, &to) && check_friction(def, &to) &&
           check_root(def, &to);
}
