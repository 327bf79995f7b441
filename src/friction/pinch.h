/* A pinch is a small set of contacts that act on the same motion, and that a Gauss-Seidel sweep solves jointly.
 *
 * Two contacts i and j that hold one fiber between them act on the same motion of the fiber. Gauss-Seidel sweeps over single
 * contacts reduce the error of the impulses only slowly if two contacts hold one fiber between them (docs/solvers.md). Let A_ij
 * be the blocks of the scaled Delassus matrix, and eta the proximal weight of the sweeps. Let f be the Alart-Curnier function of
 * a contact, with its derivatives f_x by the impulse and f_y by the velocity. A sweep over the contacts i and j alone multiplies
 * the error of their impulses, to first order, by a matrix whose spectral radius is the strength of their coupling:
 *
 *     `strength = radius(S_i*A_ij*S_j*A_ji)`.
 *     `S_i = (f_x+f_y*(A_ii+eta*I))^-1*f_y` (at contact i).
 *
 * Contacts whose coupling is strong are joined to pinches, the strongest couplings first. The impulses x of the contacts of one
 * pinch solve the friction problem of the pinch, with the impulses of all other contacts fixed. Let G be the matrix of the blocks
 * A_ij of the contacts of the pinch, and c their velocities without their own impulses. Let x_0 be the impulses before the pinch
 * is solved, and epsilon a proximal weight. The friction problem of the pinch is:
 *
 *     `f(x,y) = 0` at each contact.
 *     `y = G*x+c+epsilon*(x-x_0)`.
 *
 * Newton's method solves the friction problem of a pinch. The inverse of Newton's matrix is kept for the next sweeps, because
 * this matrix changes little from sweep to sweep. If Newton's method fails, the contacts of the pinch are visited one after the
 * other. At a solution of the friction problem, the visit of a pinch changes no impulse, so the joint solution of pinches does
 * not change the solution. */
#ifndef CST_FRICTION_PINCH_H
#define CST_FRICTION_PINCH_H

#include "friction/local_choice.h"
#include "friction/system.h"

enum { CST_PINCH_MAX = 8 }; /* contacts */

typedef struct cst_pinch {
    int32_t contacts;
    int32_t contact[CST_PINCH_MAX]; /* increasing */
    double *coupling;               /* matrix G of the pinch, column-major, each column padded to cst_pinch_stride values */
    double *inverse;                /* inverse of Newton's matrix, stored like the matrix G */
    bool has_inverse;
} cst_pinch;

typedef struct cst_pinches {
    int count;
    cst_pinch *pinch;      /* array (count): sorted by colour */
    int colours;           /* number of colours: 1 if one thread sweeps; otherwise pinches of one colour are not coupled */
    int32_t *colour_start; /* (colours + 1) */
    uint8_t *in;           /* array (n): 1 if the contact is in a pinch */
} cst_pinches;

/* Finds the pinches that contain a contact with a large error, for the impulses x and the velocities y = A x + b of a system in
 * 3D. `proximal`: eta. Returns false if memory ran out. */
bool cst_pinches_find(const cst_system *system, double proximal, const double *x, const double *y, cst_arena *arena,
                      cst_pinches *out);

static inline int cst_pinch_stride(int contacts)
{
    enum { LANES = 4 };
    return (3 * contacts + LANES - 1) / LANES * LANES;
}

/* Solves the friction problem of one pinch, and updates the impulses x and the data of the coupling between contacts. `prepared`:
 * data of the direct local solver with the proximal weight `proximal` (local_choice.h). Returns the largest weighted
 * Alart-Curnier error of the contacts of the pinch before their impulses are updated. */
double cst_pinch_visit(cst_system *system, cst_pinch *pinch, double proximal, const cst_local_choice *local, void *prepared,
                       double *x, cst_local_count *count);

#endif
