/* The linear algebra of Newton's method on all contacts at once. Symbols:
 *     `x_i`, `y_i`: impulse and velocity of contact i.
 *     `f`: residual function of a contact.
 *     `f_r`, `f_u`: derivatives of the residual f by impulse and velocity.
 *     `A`: scaled Delassus matrix.
 *     `b`: free velocities.
 *     `J`: Newton's matrix.
 *     `d`: Newton's step.
 *     `rho`: proximal weight.
 *
 * Newton's method makes the residuals F_i of all contacts zero:
 *
 *     `F_i = f(x_i,y_i)`.
 *     `y = A x + b`.
 *     `J = f_u*A + f_r`.
 *     `J d = -F`.
 *
 * The residual function f is the Alart-Curnier function (Bertails-Descoubes et al. 2011, section 4) or the modified
 * Fischer-Burmeister function divided by max(1, mu). The residual of a bilateral contact is its velocity. In 2D, the residual may
 * also come from guessed contact states (planar_state.h). A proximal term rho (x - centre), added to the velocities, makes
 * Newton's matrix regular even if the Delassus matrix is only semi-definite. The proximal term is zero at its centre, so it does
 * not change the residual there.
 *
 * Linearised Alart-Curnier equations that involve one contact only are solved in advance: all equations of an open contact,
 * and the equation of a sliding contact for its friction force. In 3D, the remaining linear system has 3 unknowns per sticking
 * contact, 2 per sliding contact and none per open contact. */
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
    /* in 2D only: Newton's method guesses whether each contact is open, sticks or slides, and solves the linear equations of the
     * guessed states (planar_state.h). The error of an iterate is measured by the Alart-Curnier function even if Newton's method
     * guesses the states of the contacts. */
    CST_NEWTON_PLANAR_STATES
} cst_newton_function;

/* Unknowns of Newton's linear system that are eliminated before the factorisation. */
typedef enum cst_newton_elimination {
    /* If possible, the contacts are eliminated in two cases: there are more than three times as many contact unknowns as dofs of
     * the bodies, or bilateral constraints make the Delassus matrix dense. Otherwise the bodies are eliminated. */
    CST_NEWTON_ELIMINATE_FEWER = 0,
    /* the bodies are eliminated: the unknowns are the impulses, and Newton's matrix has the sparsity pattern of the Delassus
     * matrix */
    CST_NEWTON_ELIMINATE_BODIES,
    /* the contacts are eliminated: the unknowns are the states L^-1 H^T r of the bodies (L: Cholesky factor, H: contact Jacobian,
     * r: impulses; newton_bodies.h). The elimination of the contacts is possible if the Delassus matrix is not formed and no body
     * is solved by callbacks. */
    CST_NEWTON_ELIMINATE_CONTACTS
} cst_newton_elimination;

typedef struct cst_newton {
    cst_system *system;
    /* true: Newton's linear system is stored in `bodies` or `nodes`, and not in the fields from `row_start` to `rank` */
    bool unreduced;
    bool nodal; /* uses `nodes` instead of `bodies` */
    cst_newton_bodies bodies;
    cst_newton_nodes nodes;
    /* data for GMRES, used if a factorisation of Newton's matrix is expensive */
    cst_newton_reuse reuse;
    /* true: `nodes` contains the factors of an earlier Newton matrix, which precondition GMRES */
    bool stale;
    double flops; /* floating-point operations of one factorisation of Newton's matrix if all contacts stick */
    /* array (contacts + 1): position of the first block of each row of the Delassus matrix in `column` and `block`; the first
     * block of a row is its diagonal block */
    int64_t *row_start;
    int32_t *column;
    double *block;    /* blocks of A */
    double *jacobian; /* blocks of Newton's matrix */
    cst_block_lu lu;
    uint8_t *rank;     /* array (contacts): number of unknowns */
    double *f;         /* array (contacts x dim): residuals */
    double *f_r, *f_u; /* array (contacts x dim x dim) */
    double *residual;  /* array (contacts x dim): defect of Newton's linear system at the step d */
    /* array (contacts x dim x dim): for each contact, the matrix that combines its linearised equations to those equations that
     * remain in the linear system */
    double *rows;
    /* array (contacts x dim x dim): for each contact, the matrix that turns its remaining unknowns into its part of Newton's
     * step */
    double *basis;
    double *fixed;     /* array (contacts x dim): part of Newton's step known from equations solved in advance */
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
    double proximal;      /* proximal weight; 0: no proximal term */
    const double *centre; /* array (contacts x dim): centre of the proximal term of Newton's method */
} cst_newton_settings;

/* Returns true if CST_NEWTON_ELIMINATE_FEWER eliminates the contacts of this problem, not the bodies. If the contacts are
 * eliminated, the cost of a factorisation depends on the bodies, not on the number of contacts. */
bool cst_newton_eliminates_contacts(const cst_system *system);

/* Returns false if Newton's linear system is dense. Newton's linear system is dense if bilateral constraints between bodies
 * (friction/ties.h) couple all contacts, and if the contacts cannot be eliminated because a body is solved by a callback. */
bool cst_newton_is_sparse(const cst_system *system);

/* Returns false if memory ran out. If the elimination of the contacts is requested but not possible, the bodies are eliminated
 * instead. */
bool cst_newton_begin(cst_arena *arena, cst_system *system, cst_newton_elimination elimination, cst_newton *newton);

/* Writes the residuals of all contacts, including the proximal term, to `f`, and returns half the squared norm of `f`. */
double cst_newton_values(const cst_newton *newton, const cst_newton_settings *settings, const double *x, const double *y,
                         double *f);

/* Computes Newton's step d at the impulses x and the velocities y, the change A d of the contact velocities, and the residual
 * newton->f. Returns false if Newton's linear system is singular to working precision. */
bool cst_newton_direction(cst_newton *newton, const cst_newton_settings *settings, const double *x, const double *y);

/* First part of cst_newton_direction: computes the residuals newton->f of the contacts and their derivatives newton->f_r by
 * impulse and newton->f_u by velocity. A caller that computes the residuals newton->f and their derivatives itself calls
 * cst_newton_keep_rows instead of cst_newton_linearise. */
void cst_newton_linearise(cst_newton *newton, const cst_newton_settings *settings, const double *x, const double *y);
void cst_newton_keep_rows(cst_newton *newton);
/* Second part of cst_newton_direction: factorises Newton's matrix. */
void cst_newton_factor(cst_newton *newton, double proximal);
/* Third part of cst_newton_direction: computes Newton's step d for the residual newton->f, and the change A d of the contact
 * velocities. After one factorisation, cst_newton_solve can be called for any number of residuals newton->f. Returns false if the
 * linear system is singular to working precision. */
bool cst_newton_solve(cst_newton *newton, double proximal);

#endif
