/* Capstan: exact Coulomb friction, as a library.
 *
 * Solves the friction problem of one step, in 2D or 3D:
 *
 *     u = W r + w,      (r_i, u_i) in the Coulomb law of mu_i   for every contact i.
 *
 * For contact i, r_i is the impulse of B on A, and u_i is the velocity of A relative to B. The vectors r_i and u_i are in the
 * contact frame with the **normal component first**: x_i = (x_N, x_T). The vector w is the free relative velocity. The law,
 * for finite mu >= 0:
 *
 *     take-off   r = 0,                 u_N >= 0;
 *     stick      |r_T| <= mu r_N,       u = 0;
 *     slide      |r_T| = mu r_N > 0,    u_N = 0,  u_T opposite to r_T.
 *
 * A bilateral contact has u = 0 and r free. The caller chooses the units; results do not depend on this choice.
 *
 * The library never prints, never exits and keeps no global state. How to choose a solver is explained in docs/solvers.md, and
 * the letters in docs/notation.md. */
#ifndef CAPSTAN_FRICTION_H
#define CAPSTAN_FRICTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------------------- basics */

/* All memory comes from this allocator. A zeroed struct means malloc and free. `release` gets the same size as the matching
 * `acquire`. */
typedef struct cst_allocator {
    void *(*acquire)(void *user, size_t bytes);
    void (*release)(void *user, void *memory, size_t bytes);
    void *user;
} cst_allocator;

/* How a call ended. CST_SOLVED is the only status that guarantees the tolerance; it is decided by the residual, not by the
 * solver. */
typedef enum cst_status {
    CST_SOLVED = 0,       /* residual at or below the tolerance */
    CST_TOLERANCE_MISSED, /* the iterations ran out; the best iterate is returned */
    CST_NO_SOLUTION,      /* infeasible; the report names the contacts without solution */
    CST_ILL_POSED,        /* W is singular: a contact needs an impulse above 1e10 times its scale */
    CST_INTERRUPTED,      /* the callback returned false; the best iterate is returned */
    CST_BAD_PROBLEM,      /* the data are invalid: the message of the report says what is wrong and where */
    CST_OUT_OF_MEMORY     /* an allocation failed; outputs untouched */
} cst_status;

const char *cst_status_name(cst_status status);

/* Law of a contact. */
typedef enum cst_law { CST_LAW_COULOMB = 0, CST_LAW_BILATERAL = 1 } cst_law;

/* -------------------------------------------------------------------------------------------------------------- problems */

/* A problem in explicit form: W as block CSR. The caller owns the arrays, and the library only reads them. Column indices in a
 * row are sorted and include the diagonal. W need not be symmetric: the solver uses W as given unless options.symmetrise is
 * set. */
typedef struct cst_friction_problem {
    int dim;                     /* 2 or 3 */
    int contacts;                /* n >= 0 */
    const int64_t *row_start;    /* (n + 1) */
    const int32_t *column;       /* (row_start[n]) block columns */
    const double *block;         /* (row_start[n] x dim x dim) blocks, row-major */
    const double *free_velocity; /* (n x dim) w */
    const double *mu;            /* (n) friction coefficients >= 0, finite; ignored for bilateral contacts */
    const uint8_t *law;          /* (n) values of cst_law, or NULL: all Coulomb */
} cst_friction_problem;

/* Returns true if the data are a valid problem. If the data are not valid, returns false and writes a message that says what is
 * wrong and where. The solve functions also check their problem; cst_friction_residual assumes a valid problem. */
bool cst_problem_check(const cst_friction_problem *problem, char *message, size_t message_size);

/* The form in which a body provides its dynamics A v = rhs + H^T r. */
typedef enum cst_body_kind {
    CST_BODY_DENSE = 0, /* A dense, symmetric positive definite */
    CST_BODY_BAND,      /* A banded, symmetric positive definite */
    CST_BODY_SOLVE,     /* the caller provides a function that computes x <- A^-1 x */
    CST_BODY_NODAL      /* A in block CSR with dim x dim blocks (cloth) */
} cst_body_kind;

typedef struct cst_body {
    cst_body_kind kind;
    int size; /* number of dofs; NODAL: dim x nodes */
    /* DENSE: the matrix A (size x size), of which only the lower triangle is read. BAND: the array (size x (bandwidth + 1))
     * whose row i holds A[i][i-bandwidth..i]. NODAL: the row-major blocks of A. SOLVE: unused. */
    const double *matrix;
    int bandwidth;            /* BAND: sub-diagonals */
    const int64_t *row_start; /* NODAL: (nodes + 1) */
    const int32_t *column;    /* NODAL: block columns, sorted, diagonal included */
    /* DENSE and BAND: the Cholesky factor L of A = L L^T if the caller has it, with 1 / L_ii on its diagonal; NULL: the library
     * factorises A. DENSE: L is stored as its lower triangle, row by row, (size (size + 1) / 2). BAND: same layout as `matrix`.
     * The library only reads the factor, and checks it by multiplication with `matrix`. The residual always uses `matrix`, so
     * it shows the error of a wrong factor, and the report names the body. */
    const double *factor;
    /* NODAL: the factor of A if the caller has it (sparse/block_cholesky.h, internal); NULL: the library factorises A if
     * needed. The residual of an answer does not depend on the given factor of a nodal body. */
    const struct cst_block_cholesky *nodal_factor;
    /* NODAL: the Schur complement of A on some nodes, which the factorisation gave (sparse/schur.h, internal), or NULL. The
     * solver uses the given Schur complement if contacts touch only those nodes of the body that are in the Schur complement.
     * The residual of an answer does not depend on the given Schur complement. */
    const struct cst_schur *nodal_schur;
    /* SOLVE: computes x <- A^-1 x in place; returns false on failure. For one body the library calls `solve` from one thread
     * at a time. With options.threads > 1 the library calls `solve` of different bodies from different threads. */
    bool (*solve)(void *user, double *x);
    /* SOLVE, may be NULL: lets the residual multiply by A, so that the residual need not trust `solve`. The input `x` is
     * usually an approximation of A^-1 f. Output: `defect` = A x - f. The output `terms` gives, for each row of `defect`, the
     * size of the sums whose difference is that row; these sizes bound the rounding error. If A^-1 is singular because the body
     * has constraints of its own, `x` returns the motion that the constraints allow, and `defect` is any impulse with A^-1
     * defect = x - A^-1 f. Returns false on failure. Threads: as for `solve`. */
    bool (*defect)(void *user, double *x, const double *f, double *defect, double *terms);
    void *user;
    const double *rhs; /* (size) */
} cst_body;

/* One side of a contact: the rows of H on one body. `body` = -1 if there is no body on that side (an obstacle). */
typedef struct cst_contact_side {
    int32_t body;
    int32_t dofs;       /* number of dofs in the rows */
    const int32_t *dof; /* (dofs) indices in the body, increasing */
    const double *h;    /* (dim x dofs) rows of H, row-major; the sign of side B is included */
} cst_contact_side;

/* A problem in body form. Each body has the equation A v = rhs + H^T r, and the contact velocities are u = H v + u_f. W = H
 * A^-1 H^T is computed only if the chosen form needs it. */
typedef struct cst_body_problem {
    int dim;
    int bodies;
    const cst_body *body; /* (bodies) */
    int contacts;
    const cst_contact_side *side_a; /* (contacts) */
    const cst_contact_side *side_b; /* (contacts) */
    const double *velocity_offset;  /* (contacts x dim) u_f */
    const double *mu;               /* (contacts) */
    const uint8_t *law;             /* (contacts) or NULL */
} cst_body_problem;

/* -------------------------------------------------------------------------------------------------------------- residual */

/* The residual says how exactly an answer meets the Coulomb law. The residual is computed from the problem and the answer
 * alone (friction/residual.c).
 *
 * Scaled quantities: r'_i = w_i r_i / V and u'_i = u_i / V, with w_i = trace(W_ii)/dim and V = max(V_pen, 1e-6 max_i |w_i|).
 * V_pen is the largest approach velocity, so that error(r = 0) = 1 if any contact approaches. For bodies the lower bound of V
 * is 1e-6 of the largest sum of terms |H| |v| + |u_f| behind a w_i, because rounding of these terms limits the accuracy of
 * every velocity. */
typedef struct cst_residual {
    double error;              /* E = max_i |f_AC(r'_i, u'_i)|, or `momentum` if that is larger; compared with `tolerance` */
    double fischer_burmeister; /* max_i |f_FB(r'_i, u'_i)|, the Fischer-Burmeister error (friction/cone.c) */
    double cone_violation;     /* max_i (|r'_T| - mu r'_N)+ */
    double penetration;        /* max_i (-u'_N)+ */
    double complementarity;    /* max_i |r' . u~'|, the complementarity error, with u~ = u + mu |u_T| e_N */
    /* The momentum defect of bodies; 0 for an explicit problem. The momentum defect of nodal bodies is max_j |A_jj^-1 (A v -
     * rhs - H^T r)_j| / V over nodes j. The momentum defect of other bodies is its effect on contact velocities, max_i |H_i (v
     * - A^-1 (rhs + H^T r))| / V. The momentum defect is not finite if no motion with A v = rhs + H^T r was found. */
    double momentum;
    double velocity_scale; /* V */
    int worst_contact;     /* contact with the largest `error`; -1 if there is no contact */
} cst_residual;

/* Computes the residual of r for an explicit problem. `scale` > 0 replaces V. */
void cst_friction_residual(const cst_friction_problem *problem, const double *r, double scale, cst_residual *out);

/* Returns max_i |w_i|, the velocity scale of the published so-bogus/Siconos comparison. The scale max_i |w_i| is larger than
 * V, so a residual with this scale is less strict. */
double cst_friction_largest_velocity(const cst_friction_problem *problem);

/* --------------------------------------------------------------------------------------------------------------- solving */

/* Solvers of the problem of one contact, u = W r + b. See docs/solvers.md. */
typedef enum cst_local_solver {
    CST_LOCAL_DIRECT =
        0, /* Direct solver: root of a bracketed secular equation (3D) or closed form (2D). Never fails if a solution exists. */
    CST_LOCAL_FISCHER_BURMEISTER,   /* Newton on the modified Fischer-Burmeister function */
    CST_LOCAL_QUARTIC,              /* enumerative: roots of the quartic, as in Daviet et al. 2011 */
    CST_LOCAL_ALART_CURNIER,        /* pure Newton on the Alart-Curnier function */
    CST_LOCAL_ALART_CURNIER_DAMPED, /* the same with Goldstein-Price line search */
    CST_LOCAL_DURIEZ06,             /* one projection: exact only if W is an isotropic diagonal matrix */
    CST_LOCAL_DURIEZ08,             /* the projection iterated */
    CST_LOCAL_PYRAMID,              /* four-sided cone: approximate, for comparison */
    CST_LOCAL_COUNT
} cst_local_solver;

typedef enum cst_solver {
    CST_SOLVER_AUTO = 0,             /* chooses and switches solvers by problem size and residuals */
    CST_SOLVER_GAUSS_SEIDEL,         /* hybrid Gauss-Seidel, freezing, coloured when threaded */
    CST_SOLVER_ACCELERATED,          /* proximal Gauss-Seidel + Anderson + occasional Newton */
    CST_SOLVER_NEWTON_ALART_CURNIER, /* global nonsmooth Newton */
    CST_SOLVER_NEWTON_FISCHER_BURMEISTER,
    CST_SOLVER_PROJECTED_GAUSS_SEIDEL, /* De Saxce correction */
    CST_SOLVER_PROJECTED_GRADIENT,     /* accelerated, restarted */
    CST_SOLVER_CADOUX,                 /* fixed point over convex sub-problems */
    CST_SOLVER_INTERIOR_POINT,         /* primal-dual, Nesterov-Todd scaling */
    /* newton-ac as published, for comparison: no proximal term, no initial guess from impacts, 200 iterations */
    CST_SOLVER_PLAIN_NEWTON,
    /* projected Gauss-Seidel as published, for comparison: one scale per contact, start from zero, no momentum. */
    CST_SOLVER_PLAIN_PROJECTED_GAUSS_SEIDEL,
    CST_SOLVER_COUNT
} cst_solver;

/* The form of a body problem on which the solver works. */
typedef enum cst_form {
    CST_FORM_AUTO =
        0, /* For each island: mixed if a body is nodal; explicit or product (by a cost model of bytes moved) if none is nodal. */
    CST_FORM_EXPLICIT, /* W assembled */
    CST_FORM_PRODUCT,  /* H and the factors of A are used, W is never formed */
    CST_FORM_PRIMAL,   /* nodal bodies only: contact rotations G, and nodes duplicated so that each copy has one contact */
    CST_FORM_MIXED,    /* one sweep, with impulses as unknowns of reduced bodies and velocities as unknowns of nodal bodies */
    CST_FORM_COUNT
} cst_form;

const char *cst_solver_name(cst_solver solver);
const char *cst_local_solver_name(cst_local_solver solver);
const char *cst_form_name(cst_form form);
/* These functions find the enum value with a given name; they return false if the name is unknown. */
bool cst_solver_from_name(const char *name, cst_solver *out);
bool cst_local_solver_from_name(const char *name, cst_local_solver *out);
bool cst_form_from_name(const char *name, cst_form *out);

/* Argument of the progress callback. */
typedef struct cst_friction_progress {
    int iterations;
    double error;      /* smallest error so far */
    const char *phase; /* name of the running solver */
} cst_friction_progress;

/* Fill this struct with cst_friction_options_default(), then edit it. */
typedef struct cst_friction_options {
    uint32_t cookie;        /* set by the default function; shows that the struct was initialised */
    cst_solver solver;      /* auto */
    cst_local_solver local; /* direct */
    bool local_failsafe;    /* true: if the local solver fails, the direct solver is used (the "hybrid") */
    cst_form form;          /* auto; body problems only */
    bool symmetrise;        /* true: solve with (W + W^T)/2 instead of W; default false */
    /* default 1e-6: bound on residual.error, or on fischer_burmeister if judge_by_fischer_burmeister is set */
    double tolerance;
    bool judge_by_fischer_burmeister; /* true: the solver stops on fischer_burmeister, not on E; default false */
    double velocity_scale;            /* velocity scale V of the residual; 0: the V of cst_residual */
    double velocity_floor;            /* lower bound of V for bodies, for rounding errors that u_f does not show; default 0 */
    /* largest number of sweeps + Newton steps + gradient steps for each island of contacts; default 100000 */
    int max_iterations;
    int threads;      /* 1 */
    bool line_search; /* true: Goldstein-Price line search in the global Newton solvers */
    /* Default 0.1: the next sweeps skip a contact whose impulse changes by less than freeze * tolerance * V / w_i; 0: no
     * contact is skipped. */
    double freeze;
    double proximal; /* default 0.1: initial proximal weight of the accelerated solver */
    int anderson;    /* default 5: Anderson memory of the accelerated solver */
    /* (contacts) or NULL. 1: the given r of that contact is not a usable guess; the solver starts from the impact of that
     * contact alone. Explicit and product form only. */
    const uint8_t *fresh;
    double *contact_error; /* (contacts) or NULL. Output, body problems only: the error of each contact in residual.error. */
    cst_allocator allocator;
    /* Called between iterations; may be NULL. Returning false stops the solver. */
    bool (*progress)(void *user, const cst_friction_progress *progress);
    void *progress_user;
    /* Body problems only; may be NULL. Called with each problem and its initial guess r before the solver starts, to save or
     * count problems. */
    void (*watch)(void *user, const cst_body_problem *problem, const double *r);
    void *watch_user;
} cst_friction_options;

cst_friction_options cst_friction_options_default(void);

enum { CST_BLAMED_MAX = 16 };

typedef struct cst_friction_report {
    cst_status status;
    cst_residual residual; /* residual of the returned answer, computed outside the solver */
    cst_solver solver;     /* solver that produced the answer of the island with most contacts */
    cst_form form;         /* form used for the island with most contacts */
    int iterations;        /* sweeps + Newton steps + gradient steps of the island that needed most */
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
    int blamed_count;     /* NO_SOLUTION or ILL_POSED: number of contacts that have no solution (at most CST_BLAMED_MAX) */
    int32_t blamed[CST_BLAMED_MAX];
    char message[256]; /* empty unless there is a message */
} cst_friction_report;

/* Solves an explicit problem. `r` (n x dim): initial guess in, answer out. `u` (n x dim): output, may be NULL. Returns
 * report->status. */
cst_status cst_friction_solve(const cst_friction_problem *problem, const cst_friction_options *options, double *r, double *u,
                              cst_friction_report *report);

/* Solves a body problem. `v` (sum of the body sizes, in body order): output, may be NULL. */
cst_status cst_friction_solve_bodies(const cst_body_problem *problem, const cst_friction_options *options, double *r, double *u,
                                     double *v, cst_friction_report *report);

/* Computes the residual of (v, r) for a body problem. Returns false if memory for the compliances ran out or the solve with
 * the A of a body failed. */
bool cst_body_residual(const cst_body_problem *problem, const double *v, const double *r, double scale,
                       const cst_allocator *allocator, cst_residual *out);

/* Converts a body problem to explicit form. Bodies must be reduced or, if nodal, small, because nodal bodies are factorised
 * densely. The returned handle owns everything in *out. Returns NULL if memory ran out or a matrix is not positive definite;
 * the message says which matrix. */
typedef struct cst_assembled cst_assembled;
cst_assembled *cst_friction_assemble(const cst_body_problem *problem, const cst_allocator *allocator, cst_friction_problem *out,
                                     char *message, size_t message_size);
void cst_assembled_free(cst_assembled *assembled);

/* ----------------------------------------------------------------------------------------------------------- one contact */

typedef enum cst_local_status {
    CST_LOCAL_SOLVED = 0,
    CST_LOCAL_NO_SOLUTION, /* proved to have no solution; the certificate is in the result */
    CST_LOCAL_ILL_POSED,   /* every solution needs an impulse above 1e10 times the contact's scale */
    CST_LOCAL_FAILED       /* an iterative solver did not converge; r is its best iterate */
} cst_local_status;

/* Case of the disjunctive Coulomb law. */
typedef enum cst_local_case { CST_CASE_TAKE_OFF = 0, CST_CASE_STICK, CST_CASE_SLIDE, CST_CASE_BILATERAL } cst_local_case;

typedef struct cst_local_result {
    cst_local_status status;
    cst_local_case contact_case;
    double error; /* |f_AC| in the contact's own scale (w = trace W / dim, V = |b|) */
    double alpha; /* slide: u_T = -alpha r_T */
    int iterations;
    const char *certificate; /* NO_SOLUTION: the reason, a static string */
} cst_local_result;

/* Solves one contact. `W` (dim x dim): row-major. `b` (dim): velocity without impulse. `r` (dim): warm start in (zero: cold
 * start), answer out. `tolerance` is relative to the contact's own scale; the direct solver ignores `tolerance` and iterates
 * to rounding accuracy. */
cst_local_result cst_local_solve(cst_local_solver solver, int dim, const double *W, const double *b, double mu, double tolerance,
                                 double *r);

#ifdef __cplusplus
}
#endif
#endif
