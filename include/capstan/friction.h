/* The friction solver of Capstan, with the exact Coulomb law, as a library.
 *
 * The library solves the friction problem of one time step, in 2D or 3D. The unknowns of a friction problem are the impulse r_i
 * and the relative velocity u_i of every contact i. Impulses and relative velocities satisfy the Coulomb law at every contact,
 * and a linear equation with the Delassus matrix W and the relative velocity w without impulses (the free relative velocity):
 *
 *     `u = W r + w`.
 *
 * At a contact i between two bodies A and B, r_i is the impulse of B on A, and u_i is the velocity of A relative to B. Impulses
 * and relative velocities are in the contact frame, with the **normal component first**: `x_i = (x_N, x_T)`. The Coulomb law with
 * a finite friction coefficient mu >= 0 has three cases:
 *
 *     take-off   r = 0,                 u_N >= 0;
 *     stick      |r_T| <= mu r_N,       u = 0;
 *     slide      |r_T| = mu r_N > 0,    u_N = 0,  u_T opposite to r_T.
 *
 * At a bilateral contact the relative velocity u is 0, and the impulse r is arbitrary. The caller chooses the units; results do
 * not depend on this choice.
 *
 * The library never prints, never exits and keeps no global state. The page docs/solvers.md explains how to choose a solver,
 * and docs/notation.md defines all symbols. */
#ifndef CAPSTAN_FRICTION_H
#define CAPSTAN_FRICTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------------------- basics */

/* Allocator of the caller, from which a friction solver or a world takes all its memory. An allocator whose fields are all zero
 * stands for malloc and free. The allocator's function `release` receives the same number of bytes as the call of its function
 * `acquire` that returned the memory. */
typedef struct cst_allocator {
    void *(*acquire)(void *user, size_t bytes);
    void (*release)(void *user, void *memory, size_t bytes);
    void *user;
} cst_allocator;

/* How a call ended. CST_SOLVED is the only status that guarantees the tolerance. Whether a problem counts as solved depends on a
 * residual that is computed from the problem and the solution alone, independently of the solver. */
typedef enum cst_status {
    CST_SOLVED = 0,       /* residual at or below the tolerance */
    CST_TOLERANCE_MISSED, /* residual above the tolerance, for example at the limit on iterations; the best iterate is returned */
    CST_NO_SOLUTION,      /* the problem is infeasible; the report lists the contacts without a solution */
    CST_ILL_POSED,        /* every solution has an extremely large impulse at one contact or more (scaled impulse above 1e10) */
    CST_INTERRUPTED,      /* the callback `progress` returned false; the best iterate is returned */
    CST_BAD_PROBLEM,      /* the data are invalid: the message of the report says what is wrong and where */
    CST_OUT_OF_MEMORY     /* an allocation failed; outputs untouched */
} cst_status;

const char *cst_status_name(cst_status status);

/* Law of a contact. */
typedef enum cst_law { CST_LAW_COULOMB = 0, CST_LAW_BILATERAL = 1 } cst_law;

/* -------------------------------------------------------------------------------------------------------------- problems */

/* A friction problem in explicit form: its Delassus matrix W is given as block CSR. The caller owns the arrays of the problem,
 * and the library only reads them. In each block row of the Delassus matrix, the column indices increase and include that of the
 * diagonal block. The Delassus matrix need not be symmetric: the solver uses it as given unless options.symmetrise is set. */
typedef struct cst_friction_problem {
    int dim;                     /* 2 or 3 */
    int contacts;                /* n >= 0 */
    const int64_t *row_start;    /* (n + 1) */
    const int32_t *column;       /* (row_start[n]) block columns */
    const double *block;         /* (row_start[n] x dim x dim) row-major */
    const double *free_velocity; /* array (n x dim): free relative velocity of each contact */
    const double *mu;            /* array (n): friction coefficients >= 0, finite; ignored for bilateral contacts */
    const uint8_t *law;          /* array (n): law of each contact (cst_law); NULL: the Coulomb law at all contacts */
} cst_friction_problem;

/* Returns true if the data are a valid friction problem. If the data are not valid, returns false and writes a message that says
 * what is wrong and where. The functions that solve a friction problem also check that it is valid; cst_friction_residual assumes
 * a valid problem. */
bool cst_problem_check(const cst_friction_problem *problem, char *message, size_t message_size);

/* The form in which a body provides its system matrix A (see cst_body_problem). */
typedef enum cst_body_kind {
    CST_BODY_DENSE = 0, /* dense, symmetric positive definite */
    CST_BODY_BAND,      /* banded, symmetric positive definite */
    CST_BODY_SOLVE,     /* a function that solves linear systems */
    CST_BODY_NODAL      /* block CSR (cloth) */
} cst_body_kind;

typedef struct cst_body {
    cst_body_kind kind;
    int size; /* number of degrees of freedom of the body (nodal bodies, such as cloth: dim x nodes) */
    /* The system matrix A of the body. DENSE: (size x size); lower triangle. BAND: row i holds `A[i][i-bandwidth..i]`. NODAL:
     * row-major blocks. SOLVE: unused. */
    const double *matrix;
    int bandwidth;            /* BAND: sub-diagonals */
    const int64_t *row_start; /* NODAL: (nodes + 1) */
    const int32_t *column;    /* NODAL: block columns, sorted, diagonal included */
    /* Only for bodies with a dense or banded system matrix (DENSE, BAND): the Cholesky factor of this matrix, if the caller has
     * computed it; if NULL, the library computes the factor. In the stored Cholesky factor L, each diagonal entry L_ii is
     * replaced by its inverse 1 / L_ii. The Cholesky factor of a dense system matrix is stored as a packed lower triangle, row by
     * row. BAND: same layout as `matrix`. A wrong Cholesky factor gives a large residual, because the residual is computed with
     * the system matrix. The report names a body whose Cholesky factor is wrong, unless all contacts on this body are
     * bilateral. */
    const double *factor;
    /* Only for nodal bodies: the Cholesky factor of the body's system matrix, if the caller has computed it (internal struct of
     * sparse/block_cholesky.h); if NULL, the library computes the factor when it needs it. The residual of a solution does not
     * depend on whether the caller or the library computes this Cholesky factor. */
    const struct cst_block_cholesky *nodal_factor;
    /* Only for nodal bodies: the Schur complement of the body's system matrix on some of the body's nodes (internal struct of
     * sparse/schur.h), or NULL if the caller has not computed it. The solver uses the Schur complement of the caller only if its
     * nodes include every node that has a contact. The residual of a solution does not depend on whether the caller provides this
     * Schur complement. */
    const struct cst_schur *nodal_schur;
    /* SOLVE: replaces x by A^-1 x. Returns false on failure. The library calls the function `solve` of one body from one thread
     * at a time. With options.threads > 1 the library calls the functions `solve` of different bodies from different threads. */
    bool (*solve)(void *user, double *x);
    /* For a body of the kind SOLVE, the function `defect` computes the defect A x - f of an approximate solution `x` of the
     * linear system A x = f. The pointer `defect` may be NULL. If the caller provides `defect`, the momentum defect (a field of
     * cst_residual) is computed by iterative refinement, so that errors of `solve` do not affect it. Errors of `solve` still
     * affect the compliance of a contact, by which the residual scales the impulse of the contact. `defect`: output array for the
     * defect. `terms`: output array for the sum of the absolute values of all terms in each row of A x - f, which bounds the
     * rounding error. If the function `solve` also enforces constraints on the body, an impulse in a constrained direction
     * changes no velocity; A^-1 then stands for the singular matrix that `solve` applies. For a body with constraints, the
     * function `defect` first replaces `x` by velocities that satisfy the constraints. For a body with constraints, different
     * impulses p cause the same velocity change A^-1 p. The output of the function `defect` may be any impulse p whose velocity
     * change equals the error of the velocities `x`:
     *     `A^-1 p = x-A^-1 f`.
     * Returns false on failure. Threads: as for `solve`. */
    bool (*defect)(void *user, double *x, const double *f, double *defect, double *terms);
    void *user;
    const double *rhs; /* (size) */
} cst_body;

/* One of the two touching objects A and B of a contact, with its columns of the contact Jacobian H. `body`: index of the touching
 * body, or -1 for an obstacle. */
typedef struct cst_contact_side {
    int32_t body;
    int32_t dofs;       /* number of dofs in the rows */
    const int32_t *dof; /* array (dofs): increasing indices of those dofs of the body that the contact acts on */
    /* array (dim x dofs): entries of the contact Jacobian, row-major: their product with the velocities of the dofs is the
     * velocity of object A, or minus the velocity of object B (u is the velocity of A relative to B) */
    const double *h;
} cst_contact_side;

/* A problem in body form. The equations contain the velocities v and the system matrices A of the bodies, the contact Jacobian H,
 * the contact impulses r, the relative velocities u of the contacts and a velocity offset u_f:
 *     `A v = rhs+H^T r`.
 *     `u = H v + u_f`.
 *     `W = H A^-1 H^T`.
 * The Delassus matrix W is computed only if the chosen form (cst_form) needs it. */
typedef struct cst_body_problem {
    int dim;
    int bodies;
    const cst_body *body; /* (bodies) */
    int contacts;
    const cst_contact_side *side_a; /* (contacts) */
    const cst_contact_side *side_b; /* (contacts) */
    const double *velocity_offset;  /* array (contacts x dim): u_f */
    const double *mu;               /* (contacts) */
    const uint8_t *law;             /* (contacts) or NULL */
} cst_body_problem;

/* -------------------------------------------------------------------------------------------------------------- residual */

/* The residual measures how exactly computed impulses and velocities satisfy the Coulomb law. The residual is computed from the
 * problem, the impulses and the velocities, independently of the solver (friction/residual.c).
 *
 * The fields of cst_residual except `velocity_scale` are dimensionless: they are computed from scaled impulses and scaled
 * relative velocities. The scaled relative velocity of contact i is u'_i = u_i / V, with the velocity scale V. The scaled impulse
 * of contact i is r'_i = c_i r_i / V, where the compliance c_i of the contact is the trace of its diagonal block of the Delassus
 * matrix, divided by the dimension. For nodal bodies (cloth), the compliance is computed with only the diagonal blocks of A. The
 * velocity scale V is the largest approach velocity of all contacts at zero impulses, but at least 1e-6 of the largest free
 * relative velocity of a contact. If the velocity scale V equals the largest approach velocity, the residual of zero impulses is
 * 1. The approach velocity of a bilateral contact is the norm of its free relative velocity. In a problem that is given by the
 * bodies' system matrices, the free relative velocity of a contact is the sum H v + u_f, with the body velocities v = A^-1 rhs
 * without impulses. The rounding errors of this sum are proportional to the absolute values of its terms. To allow for the
 * rounding errors of H v + u_f, the velocity scale V is also at least 1e-6 of the largest norm of the vector |H| |v| + |u_f| over
 * all contacts; the bars replace each entry by its absolute value. */
typedef struct cst_residual {
    /* The residual E is the larger of two numbers: the largest norm of the Alart-Curnier function over all contacts, and the
     * momentum defect. A friction problem is solved if its residual E is at most options.tolerance. */
    double error;
    double fischer_burmeister; /* largest norm of the Fischer-Burmeister function over all contacts (friction/cone.c) */
    double cone_violation;     /* max_i (|r'_T| - mu r'_N)+ */
    double penetration;        /* max_i (-u'_N)+ */
    double complementarity;    /* max_i r'.(u' + mu |u'_T| e_N) */
    /* The momentum defect measures how exactly velocities and impulses satisfy the equations of motion of the bodies. The
     * momentum defect is a velocity error divided by the velocity scale V. The momentum defect is 0 for a problem in explicit
     * form, which is given by its Delassus matrix. For nodal bodies (cloth, whose unknowns are node velocities), the momentum
     * defect is the largest velocity error of all nodes j:
     *     `A_jj^-1 (A v-rhs-H^T r)_j`.
     * For bodies other than nodal bodies, the momentum defect is the largest velocity error of all contacts i:
     *     `H_i (v-A^-1 (rhs+H^T r))`.
     * The momentum defect is infinite or NaN if the linear system for the velocities could not be solved. */
    double momentum;
    double velocity_scale; /* V */
    int worst_contact;     /* index of the contact with the largest residual; -1 without contacts */
} cst_residual;

/* Computes the residual of the impulses r for a problem in explicit form, given by its Delassus matrix. `scale` > 0 replaces the
 * default velocity scale V. */
void cst_friction_residual(const cst_friction_problem *problem, const double *r, double scale, cst_residual *out);

/* Returns the largest free relative velocity of all contacts, which published comparisons of the solvers so-bogus and Siconos use
 * as velocity scale. For a problem in explicit form, the default velocity scale of cst_residual is at most the largest free
 * relative velocity; the default scale therefore never gives a smaller residual. */
double cst_friction_largest_velocity(const cst_friction_problem *problem);

/* --------------------------------------------------------------------------------------------------------------- solving */

/* Solvers of the friction problem of a single contact (docs/solvers.md). */
typedef enum cst_local_solver {
    CST_LOCAL_DIRECT =
        0, /* direct solver: bracketed root of a secular equation (3D) or closed form (2D); finds a solution if one exists */
    CST_LOCAL_FISCHER_BURMEISTER,   /* Newton's method on the modified Fischer-Burmeister function */
    CST_LOCAL_QUARTIC,              /* local solver by the roots of a quartic polynomial (Daviet et al. 2011) */
    CST_LOCAL_ALART_CURNIER,        /* Newton's method on the Alart-Curnier function, without line search */
    CST_LOCAL_ALART_CURNIER_DAMPED, /* Newton's method on the Alart-Curnier function, with line search */
    /* local solver that projects the impulse on the friction cone once; exact only if the contact's block of the Delassus matrix
     * is diagonal, with equal tangential entries */
    CST_LOCAL_DURIEZ06,
    CST_LOCAL_DURIEZ08, /* CST_LOCAL_DURIEZ06, iterated */
    CST_LOCAL_PYRAMID,  /* four-sided cone: approximate, for comparison */
    CST_LOCAL_COUNT
} cst_local_solver;

typedef enum cst_solver {
    CST_SOLVER_AUTO = 0,             /* chooses the solver automatically, by the size of the problem and the residuals reached */
    CST_SOLVER_GAUSS_SEIDEL,         /* hybrid Gauss-Seidel with freezing; the contacts of large problems are coloured */
    CST_SOLVER_ACCELERATED,          /* proximal Gauss-Seidel with Anderson acceleration and occasional Newton steps */
    CST_SOLVER_NEWTON_ALART_CURNIER, /* global nonsmooth Newton */
    CST_SOLVER_NEWTON_FISCHER_BURMEISTER,
    CST_SOLVER_PROJECTED_GAUSS_SEIDEL, /* De Saxce correction */
    CST_SOLVER_PROJECTED_GRADIENT,     /* accelerated, restarted */
    CST_SOLVER_CADOUX,                 /* fixed point over convex sub-problems */
    CST_SOLVER_INTERIOR_POINT,         /* primal-dual, Nesterov-Todd scaling */
    /* for comparison: Newton's method on the Alart-Curnier function as published, without proximal term, with zero initial
     * impulses of new contacts and at most 200 iterations */
    CST_SOLVER_PLAIN_NEWTON,
    /* for comparison: projected Gauss-Seidel as published, with a scalar step size for each contact, zero initial impulses and no
     * momentum term */
    CST_SOLVER_PLAIN_PROJECTED_GAUSS_SEIDEL,
    CST_SOLVER_COUNT
} cst_solver;

/* Form in which a solver treats a problem that is given by the bodies' system matrices: its unknowns and matrices. */
typedef enum cst_form {
    /* With CST_FORM_AUTO, the library chooses the unknowns and matrices (cst_form) separately for each island, a connected group
     * of contacts and bodies. For an island with a nodal body (cloth), the library chooses the mixed form: node velocities of
     * cloth and contact impulses of other bodies as unknowns. For an island without cloth, a cost model chooses between
     * assembling the Delassus matrix (explicit form) and only multiplying by its factors (product form). */
    CST_FORM_AUTO = 0,
    CST_FORM_EXPLICIT, /* Delassus matrix assembled */
    /* the Delassus matrix is not formed; products with it use the contact Jacobian and the factors of the system matrices */
    CST_FORM_PRODUCT,
    /* for nodal bodies (cloth) only: the unknowns are node velocities, with components along the axes of the contact frames; a
     * node with several contacts is split into one copy for each contact */
    CST_FORM_PRIMAL,
    /* the unknowns are the node velocities of nodal bodies (cloth), and the contact impulses of all other bodies */
    CST_FORM_MIXED,
    CST_FORM_COUNT
} cst_form;

const char *cst_solver_name(cst_solver solver);
const char *cst_local_solver_name(cst_local_solver solver);
const char *cst_form_name(cst_form form);
/* The functions cst_..._from_name find the enum value with a given name and return false if the name is unknown. */
bool cst_solver_from_name(const char *name, cst_solver *out);
bool cst_local_solver_from_name(const char *name, cst_local_solver *out);
bool cst_form_from_name(const char *name, cst_form *out);

/* Argument of the progress callback. */
typedef struct cst_friction_progress {
    int iterations;
    double error;      /* smallest error so far */
    const char *phase; /* name of the running solver */
} cst_friction_progress;

/* Fill a struct cst_friction_options with cst_friction_options_default(), then change some of its fields. */
typedef struct cst_friction_options {
    uint32_t cookie;        /* check value that cst_friction_options_default() sets, to show that the struct was initialised */
    cst_solver solver;      /* auto */
    cst_local_solver local; /* direct */
    bool local_failsafe;    /* true: if the local solver fails at a contact, the direct solver solves this contact */
    cst_form form;          /* auto; body problems only */
    bool symmetrise;        /* true: solve with the symmetric part of the Delassus matrix; default false */
    /* default 1e-6: upper bound of residual.error, or of residual.fischer_burmeister if judge_by_fischer_burmeister is true */
    double tolerance;
    /* true: the solver stops on residual.fischer_burmeister instead of residual.error; default false */
    bool judge_by_fischer_burmeister;
    double velocity_scale; /* velocity scale of the residual; 0: the default velocity scale of cst_residual */
    /* Problems given by the bodies' system matrices: lower bound (default 0) of the velocity scale of the residual. The caller
     * should set velocity_floor if rounding errors of the gaps cause errors in the velocity offset u_f. */
    double velocity_floor;
    /* largest number of sweeps + Newton steps + gradient steps for each island (connected group of contacts and bodies); default
     * 100000 */
    int max_iterations;
    int threads;      /* 1 */
    bool line_search; /* true: the global Newton solvers use the Goldstein-Price line search */
    /* Gauss-Seidel: if the scaled impulse of a contact, or its change in a sweep, is at most freeze * tolerance, the next sweeps
     * skip this contact. Default of `freeze`: 0.1; with freeze = 0, the Gauss-Seidel sweeps skip no contact. */
    double freeze;
    double proximal; /* default 0.1: initial weight of the proximal term in the accelerated solver */
    int anderson;    /* default 5: largest number of earlier iterations that Anderson acceleration uses */
    /* array (contacts): flags, or NULL. In the array `fresh`, a 1 marks a contact for which the caller has no usable guess of the
     * impulse. The initial impulse of a contact that is marked in `fresh` (without a usable guess) is the solution of its
     * one-contact problem, with the impulses of all other contacts fixed. Explicit and product form only. */
    const uint8_t *fresh;
    /* array (contacts) or NULL: output, residual of each contact; only for problems given by the bodies' system matrices */
    double *contact_error;
    cst_allocator allocator;
    /* Called between iterations; may be NULL. Returning false stops the solver. */
    bool (*progress)(void *user, const cst_friction_progress *progress);
    void *progress_user;
    /* Body problems only; may be NULL. The callback `watch` gets each friction problem and the initial guess of its impulses
     * before the solver starts, so that the caller can save or count problems. */
    void (*watch)(void *user, const cst_body_problem *problem, const double *r);
    void *watch_user;
} cst_friction_options;

cst_friction_options cst_friction_options_default(void);

enum { CST_BLAMED_MAX = 16 };

typedef struct cst_friction_report {
    cst_status status;
    cst_residual residual; /* residual of the returned solution, computed independently of the solver */
    cst_solver solver;     /* solver that solved the island (connected group of bodies) with the most contacts */
    cst_form form;         /* form of the problem (cst_form) for the island (connected group of bodies) with the most contacts */
    /* number of sweeps, Newton steps and gradient steps of the slowest island (connected group of bodies) */
    int iterations;
    int iterations_total;  /* summed over all islands */
    int newton_iterations; /* Newton steps in iterations_total */
    int64_t local_solves;
    int64_t local_failures; /* failures of the selected local solver */
    int64_t fallbacks;      /* failures that the direct solver repaired */
    int islands;
    int colours; /* 0: natural order */
    int threads;
    double asymmetry;     /* |W - W^T|_F / |W|_F */
    double seconds;       /* solving, wall clock */
    double setup_seconds; /* packing, colouring, factorisation */
    double judge_seconds; /* body problems: evaluation of the residual */
    double total_seconds; /* body problems: the whole call */
    size_t memory_bytes;  /* largest working memory */
    int blamed_count;     /* number of contacts in the list `blamed` (contacts without a solution), at most CST_BLAMED_MAX */
    int32_t blamed[CST_BLAMED_MAX];
    char message[256]; /* empty unless there is a message */
} cst_friction_report;

/* Solves an explicit problem. `r` (n x dim): the initial guess of the impulses, replaced by the solution. `u` (n x dim):
 * relative velocities (output), may be NULL. Returns report->status. */
cst_status cst_friction_solve(const cst_friction_problem *problem, const cst_friction_options *options, double *r, double *u,
                              cst_friction_report *report);

/* Solves a body problem. `v`: velocities of all bodies, body after body (output), may be NULL. */
cst_status cst_friction_solve_bodies(const cst_body_problem *problem, const cst_friction_options *options, double *r, double *u,
                                     double *v, cst_friction_report *report);

/* Computes the residual of the velocities v and the impulses r for a problem in body form, with the bodies' system matrices. The
 * residual cannot be computed, and the function returns false, if memory ran out or a linear system with the system matrix of a
 * body could not be solved. */
bool cst_body_residual(const cst_body_problem *problem, const double *v, const double *r, double scale,
                       const cst_allocator *allocator, cst_residual *out);

/* Converts a problem in body form (with the bodies' system matrices) to explicit form (with a Delassus matrix). The conversion is
 * meant for small bodies: nodal bodies (cloth) may have at most 3000 dofs. The returned object owns the arrays of the converted
 * problem `out`. Returns NULL if memory ran out, if a nodal body is too large, or if the system matrix of a body is not positive
 * definite; the message says why. */
typedef struct cst_assembled cst_assembled;
cst_assembled *cst_friction_assemble(const cst_body_problem *problem, const cst_allocator *allocator, cst_friction_problem *out,
                                     char *message, size_t message_size);
void cst_assembled_free(cst_assembled *assembled);

/* ----------------------------------------------------------------------------------------------------------- one contact */

typedef enum cst_local_status {
    CST_LOCAL_SOLVED = 0,
    /* the one-contact problem provably has no solution; the text `certificate` in the result gives the reason */
    CST_LOCAL_NO_SOLUTION,
    CST_LOCAL_ILL_POSED, /* every solution of the one-contact problem has an extremely large scaled impulse, above 1e10 */
    /* an iterative solver did not converge (the returned impulse is the best iterate), or the data are invalid */
    CST_LOCAL_FAILED
} cst_local_status;

/* Case of the disjunctive Coulomb law. */
typedef enum cst_local_case { CST_CASE_TAKE_OFF = 0, CST_CASE_STICK, CST_CASE_SLIDE, CST_CASE_BILATERAL } cst_local_case;

typedef struct cst_local_result {
    cst_local_status status;
    cst_local_case contact_case;
    double error; /* norm of the Alart-Curnier function at the contact, for the scaled impulse and the scaled relative velocity */
    double alpha; /* slide: u_T = -alpha r_T */
    int iterations;
    const char *certificate; /* static string: the reason for NO_SOLUTION, and for some cases of FAILED; otherwise NULL */
} cst_local_result;

/* Solves one contact. `W` (dim x dim): Delassus matrix, row-major. `b` (dim): relative velocity without impulse. `r` (dim): the
 * initial guess of the impulse, replaced by the solution. The argument `tolerance` is an upper bound for the field `error` of the
 * result; the direct solver ignores it and iterates to rounding accuracy. */
cst_local_result cst_local_solve(cst_local_solver solver, int dim, const double *W, const double *b, double mu, double tolerance,
                                 double *r);

#ifdef __cplusplus
}
#endif
#endif
