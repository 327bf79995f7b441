#include "rod/load_path.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NEWTON_LIMIT = 60, HALVINGS_LIMIT = 40 };
static const double turn_per_newton_step = 0.5; /* largest allowed rotation (rad) of a joint in one Newton step */
/* largest allowed rotation (rad) of a joint in a load increment; the smallest load increment is accepted with any rotation */
static const double turn_per_load_step = 0.35;
/* smallest_load_step: smallest load increment, as a fraction of the whole load. If Newton's method fails even with the smallest
 * load increment, the search for the equilibrium stops with an error: near this load, the equilibrium usually ends or becomes
 * unstable, and a real rod would snap to another equilibrium. */
static const double smallest_load_step = 1e-7;

typedef struct search {
    const cst_load_path *path;
    double share, goal;
    double *step, *trial; /* (size) */
    int *iterations;
} search;

/* Factors the sum of the Hessian of the energy and `shift` times the elastic stiffness. The factor `shift` is the first of the
 * numbers 0, 1e-3, 4e-3, ... that makes this sum positive definite. If `must_be` is true, only `shift` = 0 (the Hessian alone) is
 * tried. Returns false if no tried value of `shift` makes the sum positive definite. */
static bool factor(const search *s, bool must_be)
{
    double shift = 0.0;
    while (!s->path->factor(s->path->rod, shift)) {
        if (must_be || shift > 1e12)
            return false;
        shift = shift > 0.0 ? 4.0 * shift : 1e-3;
    }
    return true;
}

/* Takes one Newton step with a line search. */
static bool descend(const search *s, double *x)
{
    const cst_load_path *path = s->path;
    double slope = 0.0;
    for (int i = 0; i < path->size; ++i)
        s->step[i] = -path->gradient[i];
    path->solve(path->rod, s->step);
    ++*s->iterations;
    for (int i = 0; i < path->size; ++i)
        slope += path->gradient[i] * s->step[i];
    const double turn = path->largest_turn(path->rod, s->step), before = *path->energy,
                 fuzz = 64.0 * DBL_EPSILON * *path->rounding;
    double alpha = turn > turn_per_newton_step ? turn_per_newton_step / turn : 1.0;
    for (int halvings = 0;; ++halvings, alpha *= 0.5) {
        for (int i = 0; i < path->size; ++i)
            s->trial[i] = x[i] + alpha * s->step[i];
        path->evaluate(path->rod, s->share, s->trial, false);
        if (*path->energy <= before + 1e-4 * alpha * slope + fuzz)
            break;
        if (halvings == HALVINGS_LIMIT)
            return false;
    }
    memcpy(x, s->trial, (size_t)path->size * sizeof *x);
    return true;
}

/* Finds an equilibrium of the rod under the load times the factor s->share (0 to 1). Newton's method starts from the shape x. If
 * the load has a potential, only a stable equilibrium is accepted. */
static bool newton(const search *s, double *x)
{
    const cst_load_path *path = s->path;
    for (int k = 0; k < NEWTON_LIMIT; ++k) {
        if (k == 0 || path->from_here)
            path->evaluate(path->rod, s->share, x, true);
        const bool balanced = path->imbalance(path->rod) <= s->goal;
        if (balanced && path->from_here)
            return true;
        if (!factor(s, balanced))
            return false;
        if (balanced)
            return true;
        if (!descend(s, x))
            return false;
    }
    return false;
}

/* The moment in a rod is a sum with one term per element, so its rounding error grows like the square root of the number of
 * elements. */
double cst_load_path_goal(double tolerance, int elements, double load_moment, double bending_moment, double bent)
{
    const double rounding = 8.0 * DBL_EPSILON * (4.0 + sqrt(elements)) * (load_moment + bent);
    return fmax(tolerance * fmin(load_moment, bending_moment), rounding);
}

bool cst_load_path_follow(const cst_load_path *path, double goal, double *shape, int *iterations, cst_arena *arena, char *message,
                          size_t message_size)
{
    const size_t size = (size_t)path->size;
    search s = {.path = path, .goal = goal, .iterations = iterations};
    double *next;
    CST_TAKE_VECTORS(arena, size, &next, &s.step, &s.trial);
    if (arena->failed) {
        snprintf(message, message_size, "out of memory");
        return false;
    }
    double reached = 0.0, increment = 1.0;
    for (int k = 0; k < path->load_steps && reached < 1.0; ++k) {
        s.share = fmin(1.0, reached + increment);
        memcpy(next, shape, size * sizeof *next);
        const bool found = newton(&s, next), smallest = increment <= smallest_load_step;
        for (size_t i = 0; i < size; ++i)
            s.step[i] = next[i] - shape[i];
        if (found && (smallest || path->largest_turn(path->rod, s.step) <= turn_per_load_step)) {
            memcpy(shape, next, size * sizeof *shape);
            reached = s.share;
            increment *= 2.0;
        } else if (!smallest) {
            increment = fmax(0.25 * increment, smallest_load_step);
        } else {
            break;
        }
    }
    if (reached < 1.0)
        snprintf(message, message_size, "no stable equilibrium was found beyond %.1f%% of the load", 100.0 * reached);
    return reached >= 1.0;
}
