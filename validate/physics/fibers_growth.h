/* Where an equilibrium loses its stability: by whether a small disturbance grows or decays, and bisection on a parameter. */
#ifndef CST_VALIDATE_PHYSICS_FIBERS_GROWTH_H
#define CST_VALIDATE_PHYSICS_FIBERS_GROWTH_H

#include "capstan/capstan.h"

/* What of the fiber's motion is looked at. */
typedef enum cst_disturbance {
    CST_DISTURB_ACROSS_PLANE, /* along y: the fiber is in the plane of x and z */
    CST_DISTURB_OFF_AXIS,     /* along y and z: the fiber is straight, along x */
    CST_DISTURB_RING          /* second Fourier mode along z: a closed fiber about z */
} cst_disturbance;

typedef struct cst_growth_case {
    /* A world whose body 1 is the fiber, in or near equilibrium: quasi-static, linearised steps. */
    cst_world *(*make)(const void *about, double parameter, char *message, size_t message_size);
    const void *about;
    cst_disturbance look;
    double force; /* N: gives a deflection that is small, not lost in rounding */
    double place; /* m: arc length at which it acts */
} cst_growth_case;

/* Logarithm of the growth of a small disturbance in a step, once only the softest mode of it is left: negative if stable. */
bool cst_growth_rate(const cst_growth_case *at, double parameter, double *rate, char *message, size_t message_size);

/* The parameter between a stable and an unstable one where the rate is zero, to so much of itself. */
bool cst_growth_critical(const cst_growth_case *at, double stable, double unstable, double tolerance, double *out, char *message,
                         size_t message_size);

#endif
