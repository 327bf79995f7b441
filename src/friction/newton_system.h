/* The linear algebra of Newton's method on all contacts at once. Let x_i be the impulse and y_i the velocity of contact i, and f
 * the residual function of a contact with the derivatives f_r by impulse and f_u by velocity. Let A be the scaled Delassus
 * matrix, b the free velocities, d Newton's step and J Newton's matrix:
 *
 *     `F_i = f(x_i,y_i) = 0`.
 *     `y = A x + b`.
 *     `J = f_u*A + f_r`.
 *     `J d = -F`.
 *
 * The residual function f of a contact is the Alart-Curnier function (Bertails-Descoubes et al. 2011, section 4) or the modified
 * Fischer-Burmeister function divided by max(1, mu). A proximal term adds rho (x - centre) to the velocities, with the proximal
 * weight rho and the impulses x. With the proximal term, Newton's matrix is regular even if the Delassus matrix is only
 * semi-definite. The proximal term is zero at its centre, so it does not change the residual there.
 *
 * Some linearised Alart-Curnier equations involve one contact only, and are solved in advance: all equations of an open contact,
 * and the equation of a sliding contact for its friction force. In 3D Newton's linear system has 3 unknowns per sticking contact,
 * 2 per sliding contact and none per open contact. */
#ifndef CST_FRICTION_NEWTON_SYSTEM_H
#define CST_FRICTION_NEWTON_SYSTEM_H

#include "friction/newton_bodies.h"
#include "friction/newton_nodes.h"
#include "friction/newton_reuse.h"
#include "friction/system.h"
#include "sparse/block_lu.h"

typedef enum cst_newton_function {
    CST_NEWTON_ALART_CURNIER = 0,
    CST_NEWTON_FISCHER_BURMEISTER,
    /* In 2D only, Newton's method guesses whether each contact is open, sticks or slides (planar_state.h), and solves the
     * resulting linear equations; the error is measured by the Alart-Curnier function */
    CST_NEWTON_PLANAR_STATES
} cst_newton_function;

/* The enum cst_newton_elimination says which unknowns of Newton's linear system are eliminated before the factorisation. */
typedef enum cst_newton_elimination {
    /* eliminates the contacts if this is possible and worthwhile, and otherwise the bodies; eliminating the contacts is
     * worthwhile if there are more than three times as many contact unknowns as dofs, or if bilateral constraints make the
     * Delassus matrix dense */
    CST_NEWTON_ELIMINATE_FEWER = 0,
    /* eliminates the bodies: the unknowns are the impulses, and Newton's matrix has the sparsity pattern of the Delassus
     * matrix */
    CST_NEWTON_ELIMINATE_BODIES,
    /* eliminates the contacts: the unknowns are the states y = L^-1 H^T r of the bodies (newton_bodies.h); possible only if the
     * Delassus matrix is not formed */
    CST_NEWTON_ELIMINATE_CONTACTS
} cst_newton_elimination;

/* Data for repeated factorisations of Newton's matrix: the blocks of the scaled Delassus matrix, the symbolic factorisation, and
 * vectors. */
typedef struct cst_newton {
    cst_system *system;
    /* true: the linear system is stored in the field `bodies` or `nodes`, and the fields from `row_start` to `rank` are unused */
    bool unreduced;
    bool nodal; /* uses `nodes` instead of `bodies` */
    cst_newton_bodies bodies;
    cst_newton_nodes nodes;
    cst_newton_reuse reuse; /* data for GMRES; the flag reuse.ready is true if a factorisation of Newton's matrix is expensive */
    /* true if the struct `nodes` holds the factors of an earlier Newton matrix, which then precondition GMRES */
    bool stale;
    double flops; /* floating-point operations of one factorisation of Newton's matrix if all contacts stick */
    /* array (contacts + 1): position of the first block of each block row, which includes its diagonal block, in the arrays
     * `column` and `block` */
    int64_t *row_start;
    int32_t *column;
    double *block;    /* A */
    double *jacobian; /* same pattern */
    cst_block_lu lu;
    uint8_t *rank;     /* array (contacts): number of unknowns of each contact in the linear system */
    double *f;         /* (contacts x dim) */
    double *f_r, *f_u; /* (contacts x dim x dim) */
    double *residual;  /* (contacts x dim) */
    /* array (contacts x dim x dim): each of the `rank` equations that a contact has in the linear system is a combination of its
     * `dim` linearised equations; one row of this array has the `dim` coefficients of one combination */
    double *rows;
    /* array (contacts x dim x dim): for each contact, the matrix that maps its unknowns in the linear system to its Newton step.
     * The Newton step of a contact is its entry in the array `fixed` plus its matrix in the array `basis` times its unknowns in
     * the linear system */
    double *basis;
    double *fixed;     /* (contacts x dim) */
    double *direction; /* array (contacts x dim): d */
    double *response;  /* array (contacts x dim): A d */
    double *trial_x, *trial_y, *trial_f;
    double *no_b; /* array (contacts x dim): zeros */
    int factorisations;
    /* set by the caller; true: compute Newton's step to the last digit, even for impulses that hardly change any velocity */
    bool exact;
} cst_newton;

typedef struct cst_newton_settings {
    cst_newton_function function;
    double proximal;      /* rho; 0: none */
    const double *centre; /* array (contacts x dim): centre of the proximal term; unused if its weight is zero */
} cst_newton_settings;

/* Returns true if the setting CST_NEWTON_ELIMINATE_FEWER eliminates the contacts, not the bodies, from Newton's linear system of
 * this problem. If contacts are eliminated, the cost of a factorisation depends on the bodies, not on the number of contacts. */
bool cst_newton_eliminates_contacts(const cst_system *system);

/* Returns false if Newton's linear system is dense. Newton's linear system is dense if bilateral constraints between bodies
 * (ties, friction/ties.h) couple all contacts, and some of these bodies are solved by callbacks. */
bool cst_newton_is_sparse(const cst_system *system);

/* Returns false if memory ran out. If the elimination of the contacts is requested but not possible for this friction problem,
 * the bodies are eliminated instead. */
bool cst_newton_begin(cst_arena *arena, cst_system *system, cst_newton_elimination elimination, cst_newton *newton);

/* Writes the residuals of all contacts, including the proximal term, to `f`; returns half the sum of their squares. */
double cst_newton_values(const cst_newton *newton, const cst_newton_settings *settings, const double *x, const double *y,
                         double *f);

/* At the impulses x and the velocities y, computes Newton's step d, the change A d of the contact velocities by this step, and
 * the residual newton->f. Returns false if Newton's linear system is singular to working precision. */
bool cst_newton_direction(cst_newton *newton, const cst_newton_settings *settings, const double *x, const double *y);

/* cst_newton_direction in parts. The function cst_newton_linearise computes the residuals newton->f of the contacts, and their
 * derivatives newton->f_r by impulse and newton->f_u by velocity. A caller that computes the residuals f and their derivatives
 * f_r and f_u itself calls cst_newton_keep_rows instead of cst_newton_linearise. */
void cst_newton_linearise(cst_newton *newton, const cst_newton_settings *settings, const double *x, const double *y);
void cst_newton_keep_rows(cst_newton *newton);
/* Factorises Newton's matrix with the given weight `proximal` of the proximal term. */
void cst_newton_factor(cst_newton *newton, double proximal);
/* Computes Newton's step d for the residual newton->f, and the change A d of the contact velocities by this step, with the scaled
 * Delassus matrix A. One factorisation of Newton's matrix can be used to compute Newton's direction for several residuals.
 * Returns false if Newton's linear system is singular to working precision. */
bool cst_newton_solve(cst_newton *newton, double proximal);

#endif
