/* The linear algebra of Newton's method on all contacts at once: F(x) = 0 with F_i = f(x_i, y_i), y = A x + b.
 *
 *     J d = -F,   J = f_u A + f_r
 *
 * f is the Alart-Curnier function (Bertails-Descoubes et al. 2011, section 4) or the modified Fischer-Burmeister function divided
 * by max(1, mu). With a proximal term the problem is y = A x + b + rho (x - centre) and J = f_u (A + rho I) + f_r, which is
 * regular where A is only semi-definite; at x = centre the term is not in F, so the solution of the problem itself is not moved
 * by it.
 *
 * The Alart-Curnier rows that involve one contact only (an open contact, the radial row of a sliding one) are solved by hand, so
 * that the linear system has 3 unknowns per sticking contact, 2 per sliding one and none per open one. */
#ifndef CST_FRICTION_NEWTON_SYSTEM_H
#define CST_FRICTION_NEWTON_SYSTEM_H

#include "friction/newton_bodies.h"
#include "friction/newton_nodes.h"
#include "friction/system.h"
#include "sparse/block_lu.h"

typedef enum cst_newton_function {
    CST_NEWTON_ALART_CURNIER = 0,
    CST_NEWTON_FISCHER_BURMEISTER,
    CST_NEWTON_PLANAR_STATES /* 2D: Alart-Curnier's rows, the states guessed as in planar_state.h; its value is Alart-Curnier's */
} cst_newton_function;

/* Which unknowns are eliminated by hand before the factorisation. */
typedef enum cst_newton_elimination {
    CST_NEWTON_ELIMINATE_FEWER = 0, /* bodies, or contacts if there are far fewer dofs than contact unknowns and it is possible */
    CST_NEWTON_ELIMINATE_BODIES,    /* the system reduced to r, with W's blocks */
    CST_NEWTON_ELIMINATE_CONTACTS   /* the system in (v, r), reduced to v: newton_bodies.h; product form only */
} cst_newton_elimination;

/* What a system needs to be factored again and again: A as blocks, the analysed LU, and vectors. */
typedef struct cst_newton {
    cst_system *system;
    bool unreduced; /* in (v, r): `bodies` or `nodes` is used, from row_start to rank nothing */
    bool nodal;     /* `nodes`, not `bodies` */
    cst_newton_bodies bodies;
    cst_newton_nodes nodes;
    double flops;       /* of one factorisation at full rank */
    int64_t *row_start; /* (contacts + 1) symmetric pattern, diagonal included */
    int32_t *column;
    double *block;    /* A */
    double *jacobian; /* same pattern */
    cst_block_lu lu;
    uint8_t *rank;     /* (contacts) unknowns of each contact in the linear system */
    double *f;         /* (contacts x dim) */
    double *f_r, *f_u; /* (contacts x dim x dim) */
    double *residual;  /* (contacts x dim) */
    double *rows;      /* (contacts x dim x dim) the equations kept: rank rows */
    double *basis;     /* (contacts x dim x dim) d_i = fixed_i + basis_i z_i: rank columns */
    double *fixed;     /* (contacts x dim) */
    double *direction; /* (contacts x dim) d */
    double *response;  /* (contacts x dim) A d */
    double *trial_x, *trial_y, *trial_f;
    double *no_b; /* (contacts x dim) zeros */
    int factorisations;
    bool exact; /* set by the caller: the direction is wanted to the last digit, also along what A hardly sees */
} cst_newton;

typedef struct cst_newton_settings {
    cst_newton_function function;
    double proximal;      /* rho; 0: none */
    const double *centre; /* (contacts x dim); unused if rho = 0 */
} cst_newton_settings;

/* Whether ELIMINATE_FEWER eliminates the contacts: a factorisation then costs what the bodies ask for, however many contacts. */
bool cst_newton_eliminates_contacts(const cst_system *system);

/* False: the linear system is dense, because all contacts meet in a core (friction/ties.h) and its leaves are solved by callbacks. */
bool cst_newton_is_sparse(const cst_system *system);

/* False: out of memory. ELIMINATE_CONTACTS of a system that cannot be solved so eliminates the bodies. */
bool cst_newton_begin(cst_arena *arena, cst_system *system, cst_newton_elimination elimination, cst_newton *newton);

/* f(x_i, y_i + rho (x_i - centre_i)) of every contact into f; returns |f|^2 / 2. */
double cst_newton_values(const cst_newton *newton, const cst_newton_settings *settings, const double *x, const double *y,
                         double *f);

/* Direction and response at (x, y). False: the system could not be solved (singular to working precision). newton->f is the value
 * at (x, y) afterwards. */
bool cst_newton_direction(cst_newton *newton, const cst_newton_settings *settings, const double *x, const double *y);

/* The same in parts. newton->f, f_r and f_u of the contacts: by the first, or by the caller, who then keeps all rows. */
void cst_newton_linearise(cst_newton *newton, const cst_newton_settings *settings, const double *x, const double *y);
void cst_newton_keep_rows(cst_newton *newton);
/* J = f_u (A + rho I) + f_r. */
void cst_newton_factor(cst_newton *newton, double proximal);
/* Direction and response for newton->f, any number of them with the same factors. False: singular to working precision. */
bool cst_newton_solve(cst_newton *newton, double proximal);

#endif
