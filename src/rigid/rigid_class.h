/* What rigid bodies in the plane and in space have in common: the table of their functions, which have the same names in both files, and what
 * holds a body without stiffness in a step to an equilibrium (world/quasi_static.h). */
#ifndef CST_RIGID_RIGID_CLASS_H
#define CST_RIGID_RIGID_CLASS_H

#include "body/body.h"

#define CST_RIGID_DYNAMICS                                                                                    \
    {                                                                                                         \
        .dofs = dofs, .place = place, .assemble = assemble, .rhs = rhs, .solve = solve, .describe = describe, \
        .velocities = velocities, .motion = motion, .finish = finish, .energy = energy, .work = work          \
    }

/* A rigid body stands for itself by its centre of mass. */
static inline int cst_rigid_vertices(const void *self)
{
    (void)self;
    return 1;
}

/* A rigid body has no stiffness: all of A. matrix (dofs x dofs): its lower triangle. rhs += A guess; returns guess . A guess. */
static inline double cst_rigid_hold(int dofs, const double *matrix, const double *guess, double *rhs)
{
    double work = 0.0;
    for (int i = 0; i < dofs; i++) {
        double impulse = 0.0;
        for (int k = 0; k < dofs; k++)
            impulse += matrix[i > k ? i * dofs + k : k * dofs + i] * guess[k];
        rhs[i] += impulse;
        work += impulse * guess[i];
    }
    return work;
}

#endif
