/* The stretch of an edge of a nodal rod: its tension N and its energy E as functions of its relative length lambda, which is its
 * length divided by its natural length l. A linear spring with the stretching stiffness EA has the tension N and the energy E:
 *     `N = EA (lambda-1)`.
 *     `E = EA l (lambda-1)^2/2`.
 *
 * A finite energy can compress a linear spring to zero length and beyond, where the edge points backwards. So that no edge can
 * reverse its direction, additional terms are added to the tension and to the energy of an edge whose relative length lambda is
 * below p = 1/2:
 *     `N += EA p (1-p^2/lambda^2)/2`.
 *     `E += EA*l*p*(p-lambda)^2/(2*lambda)`.
 *
 * The energy grows without bound as the length of the edge goes to zero, and the tension is continuous at half of the natural
 * length. Without the additional terms in the tension and in the energy, edges of soft CORDE rods (wave speed 4 m/s) reversed
 * their direction when the rods were struck at more than the wave speed (capstan-bench random, seeds 683 and 1871). */
#ifndef CST_ROD_NODAL_STRETCH_H
#define CST_ROD_NODAL_STRETCH_H

#include "rod/nodal_rod.h"

/* Ratio of length to natural length below which an edge counts as strongly compressed. */
#define CST_NODAL_PRESSED 0.5

/* Returns the additional energy (J) of an edge that is compressed to less than half of its natural length. */
static inline double cst_nodal_pressed_energy(const cst_nodal_rod *rod, int edge, double length)
{
    const double p = CST_NODAL_PRESSED, l = rod->rest[edge], lambda = length / l;
    return lambda < p ? 0.5 * rod->stretching * l * p * (p - lambda) * (p - lambda) / lambda : 0.0;
}

/* Returns the tension N of an edge; *slope is the derivative of N with respect to the length of the edge. */
static inline double cst_nodal_tension(const cst_nodal_rod *rod, int edge, double length, double *slope)
{
    const double LEAST = 1e-3; /* smallest relative length in the formula */
    const double p = CST_NODAL_PRESSED, l = rod->rest[edge], along = rod->stretching / l;
    *slope = along;
    if (!(length < p * l))
        return along * (length - l);
    const double lambda = length > LEAST * l ? length / l : LEAST, share = p / lambda;
    *slope += along * share * share * share;
    return along * (length - l) + 0.5 * rod->stretching * p * (1.0 - share * share);
}

#endif
