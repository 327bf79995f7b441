/* The linear algebra of Newton's method on all contacts at once. Newton solves F(x) = 0 with F_i = f(x_i, y_i) and y = A x +
 * b, by steps d from
 *
 *     J d = -F,   J = f_u A + f_r.
 *
 * The function f is the Alart-Curnier function (Bertails-Descoubes et al. 2011, section 4) or the modified Fischer-Burmeister
 * function divided by max(1, mu). With a proximal term the problem is y = A x + b + rho (x - centre), and J = f_u (A + rho I)
 * + f_r, which is regular even where A is only semi-definite. At x = centre the proximal term vanishes from F, so the term
 * does not change the solution.
 *
 * The Alart-Curnier rows that involve one contact only (an open contact, the radial row of a sliding contact) are solved in
 * advance. In 3D the remaining linear system has 3 unknowns per sticking contact, 2 per sliding contact and none per open
 * contact. */
#ifndef CST_FRICTION_NEWTON_SYSTEM_H
#define CST_FRICTION_NEWTON_SYSTEM_H

#include "friction/newton_bodies.h"
#include "friction/newton_nodes.h"
#include "friction/system.h"
#include "sparse/block_lu.h"

typedef enum cst_newton_function {
    CST_NEWTON_ALART_CURNIER = 0,
    CST_NEWTON_FISCHER_BURMEISTER,
    /* 2D only: the rows of Alart-Curnier with states guessed as in planar_state.h; the function value is that of Alart-Curnier */
    CST_NEWTON_PLANAR_STATES
} cst_newton_function;

/* Which unknowns are eliminated before the factorisation. */
typedef enum cst_newton_elimination {
    /* eliminates bodies, or contacts if that is possible and there are far fewer dofs than contact unknowns */
    CST_NEWTON_ELIMINATE_FEWER = 0,
    CST_NEWTON_ELIMINATE_BODIES, /* eliminates bodies: the system is reduced to r, with the blocks of W */
    /* eliminates contacts: the system in (v, r) is reduced to v (newton_bodies.h); product form only */
    CST_NEWTON_ELIMINATE_CONTACTS
} cst_newton_elimination;

/* Data for repeated factorisations of a system: the blocks of A, the analysed LU, and vectors. */
typedef struct cst_newton {
    cst_system *system;
    bool unreduced; /* true: the system in (v, r), with `bodies` or `nodes`; the fields from row_start to rank are unused */
    bool nodal;     /* uses `nodes` instead of `bodies` */
    cst_newton_bodies bodies;
    cst_newton_nodes nodes;
    double flops;       /* flops of one factorisation at full rank */
    int64_t *row_start; /* (contacts + 1) symmetric pattern, diagonal included */
    int32_t *column;
    double *block;    /* A */
    double *jacobian; /* same pattern */
    cst_block_lu lu;
    uint8_t *rank;     /* (contacts) number of unknowns of each contact in the linear system */
    double *f;         /* (contacts x dim) */
    double *f_r, *f_u; /* (contacts x dim x dim) */
    double *residual;  /* (contacts x dim) */
    double *rows;      /* (contacts x dim x dim) the kept equations, as `rank` rows */
    double *basis;     /* (contacts x dim x dim) `rank` columns, d_i = fixed_i + basis_i z_i */
    double *fixed;     /* (contacts x dim) */
    double *direction; /* (contacts x dim) d */
    double *response;  /* (contacts x dim) A d */
    double *trial_x, *trial_y, *trial_f;
    double *no_b; /* (contacts x dim) zeros */
    int factorisations;
    /* set by the caller; true: compute the direction to the last digit, even along directions with almost no effect through A */
    bool exact;
} cst_newton;

typedef struct cst_newton_settings {
    cst_newton_function function;
    double proximal;      /* rho; 0: none */
    const double *centre; /* (contacts x dim) centre of the proximal term; unused if rho = 0 */
} cst_newton_settings;

/* Returns true if ELIMINATE_FEWER eliminates the contacts. If contacts are eliminated, the cost of a factorisation depends on
 * the bodies, not on the number of contacts. */
bool cst_newton_eliminates_contacts(const cst_system *system);

/* Returns false if the linear system is dense, because all contacts couple through a core (friction/ties.h) whose leaves are
 * solved by callbacks. */
bool cst_newton_is_sparse(const cst_system *system);

/* Returns false if memory ran out. If ELIMINATE_CONTACTS is not possible for the system, the bodies are eliminated instead. */
bool cst_newton_begin(cst_arena *arena, cst_system *system, cst_newton_elimination elimination, cst_newton *newton);

/* Writes f(x_i, y_i + rho (x_i - centre_i)) of every contact to `f`; returns |f|^2 / 2. */
double cst_newton_values(const cst_newton *newton, const cst_newton_settings *settings, const double *x, const double *y,
                         double *f);

/* Computes the direction d = -J^-1 f, the response A d, and newton->f, all at (x, y). Returns false if the system is singular
 * to working precision. */
bool cst_newton_direction(cst_newton *newton, const cst_newton_settings *settings, const double *x, const double *y);

/* cst_newton_direction in parts. The function cst_newton_linearise sets newton->f, f_r and f_u of the contacts; a caller that
 * sets these arrays itself calls cst_newton_keep_rows instead. */
void cst_newton_linearise(cst_newton *newton, const cst_newton_settings *settings, const double *x, const double *y);
void cst_newton_keep_rows(cst_newton *newton);
/* Factorises J = f_u (A + rho I) + f_r. */
void cst_newton_factor(cst_newton *newton, double proximal);
/* Computes the direction d = -J^-1 f and the response A d for f = newton->f; this function may be called repeatedly with the
 * same factors. Returns false if the system is singular to working precision. */
bool cst_newton_solve(cst_newton *newton, double proximal);

#endif
