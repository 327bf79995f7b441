/* Capstan: exact Coulomb friction, as a library.
 *
 * Solves the one-step problem
 *
 *     u = W r + w,      (r_i, u_i) in the Coulomb law of mu_i   for every contact i,
 *
 * in 2D or 3D. r_i is the impulse of B on A, u_i the velocity of A relative to B, both in the contact's own frame with the
 * **normal component first**: x_i = (x_N, x_T). w is the free relative velocity. The law, for finite mu >= 0:
 *
 *     take-off   r = 0,                 u_N >= 0
 *     stick      |r_T| <= mu r_N,       u = 0
 *     slide      |r_T| = mu r_N > 0,    u_N = 0,  u_T opposite to r_T
 *
 * A bilateral contact has u = 0 and r free. Units are the caller's; results do not depend on them.
 *
 * The library never prints, never exits and keeps no global state. See docs/solvers.md for how to choose and docs/notation.md
 * for the letters. */
#ifndef CAPSTAN_FRICTION_H
#define CAPSTAN_FRICTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------------------- basics */

/* Memory comes from here. A zeroed struct means malloc and free. `release` gets the size that `acquire` was asked for. */
typedef struct cst_allocator {
    void *(*acquire)(void *user, size_t bytes);
    void (*release)(void *user, void *memory, size_t bytes);
    void *user;
} cst_allocator;

/* How a call ended. Only CST_SOLVED says that the answer meets the tolerance, and it is said by the residual, not the solver. */
typedef enum cst_status {
    CST_SOLVED = 0,       /* residual at or below the tolerance */
    CST_TOLERANCE_MISSED, /* iterations ran out; the best iterate is returned */
    CST_NO_SOLUTION,      /* recognised as infeasible; the report names contacts */
    CST_ILL_POSED,        /* a contact asks for an impulse beyond 1e10 of its scale (singular W) */
    CST_INTERRUPTED,      /* the callback said stop; the best iterate is returned */
    CST_BAD_PROBLEM,      /* the data are not a problem: the report's message says what and where */
    CST_OUT_OF_MEMORY     /* an allocation failed; outputs untouched */
} cst_status;

const char *cst_status_name(cst_status status);

/* Law of a contact. */
typedef enum cst_law { CST_LAW_COULOMB = 0, CST_LAW_BILATERAL = 1 } cst_law;

/* -------------------------------------------------------------------------------------------------------------- problems */

/* Explicit form: W as block CSR. Arrays belong to the caller and are only read. Column indices in a row are sorted and
 * include the diagonal. W need not be symmetric: it is solved as given unless options.symmetrise. */
typedef struct cst_friction_problem {
    int dim;                     /* 2 or 3 */
    int contacts;                /* n >= 0 */
    const int64_t *row_start;    /* (n + 1) */
    const int32_t *column;       /* (row_start[n]) block columns */
    const double *block;         /* (row_start[n] x dim x dim) blocks, row-major */
    const double *free_velocity; /* (n x dim) w */
    const double *mu;            /* (n) >= 0 and finite; ignored for bilateral contacts */
    const uint8_t *law;          /* (n) of cst_law, or NULL: all Coulomb */
} cst_friction_problem;

/* Are these data a problem? False: the message says what is wrong and where. Solving checks it too; the residual takes it for granted. */
bool cst_problem_check(const cst_friction_problem *problem, char *message, size_t message_size);

/* How a body gives its dynamics A v = rhs + H^T r. */
typedef enum cst_body_kind {
    CST_BODY_DENSE = 0, /* A dense, symmetric positive definite */
    CST_BODY_BAND,      /* A banded, symmetric positive definite */
    CST_BODY_SOLVE,     /* the caller solves with A */
    CST_BODY_NODAL      /* A block CSR with dim x dim blocks (cloth) */
} cst_body_kind;

typedef struct cst_body {
    cst_body_kind kind;
    int size;                 /* number of dofs; for NODAL dim x nodes */
    const double *matrix;     /* DENSE: (size x size), the lower triangle is read. BAND: (size x (bandwidth + 1)), row i holds
                              A[i][i-bandwidth..i]. NODAL: blocks, row-major. SOLVE: unused */
    int bandwidth;            /* BAND: sub-diagonals */
    const int64_t *row_start; /* NODAL: (nodes + 1) */
    const int32_t *column;    /* NODAL: block columns, sorted, diagonal included */
    /* DENSE and BAND: L of A = L L^T if the caller has it, 1 / L_ii on its diagonal; NULL: A is factored here. DENSE: the lower
     * triangle row by row, (size (size + 1) / 2). BAND: laid out as `matrix`. It is only borrowed, and checked by multiplication
     * with `matrix`: the residual of an answer that a wrong factor made is that of `matrix`, and the report names the body. */
    const double *factor;
    /* NODAL: the factor of A if the caller has it (sparse/block_cholesky.h, internal); NULL: it is made here where it is needed. The residual of an
     * answer does not rest on it. */
    const struct cst_block_cholesky *nodal_factor;
    /* SOLVE: x <- A^-1 x in place; false if it failed. For one body it is called from one thread at a time; if options.threads > 1,
     * for different bodies from different threads. */
    bool (*solve)(void *user, double *x);
    /* SOLVE, or NULL: lets the residual multiply with A, where it would have to believe `solve`. In: x, perhaps A^-1 f. Out:
     * defect = A x - f, and in `terms` the sizes of the sums that the rows of defect are the differences of, which set what
     * rounding may leave. If A^-1 is singular because the body is held together by constraints of its own: x comes back as the
     * motion that these allow, and `defect` is any impulse with A^-1 defect = x - A^-1 f. False if it failed. Threads as for
     * `solve`. */
    bool (*defect)(void *user, double *x, const double *f, double *defect, double *terms);
    void *user;
    const double *rhs; /* (size) */
} cst_body;

/* One side of a contact: its rows of H on one body. `body` -1: no body on that side (an obstacle). */
typedef struct cst_contact_side {
    int32_t body;
    int32_t dofs;       /* number of dofs touched */
    const int32_t *dof; /* (dofs) indices in the body, increasing */
    const double *h;    /* (dim x dofs) row-major; the sign of side B is included */
} cst_contact_side;

/* Body form: A v = rhs + H^T r per body, u = H v + u_f. W = H A^-1 H^T is formed only if the chosen form asks for it. */
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

/* How exactly an answer meets the law; computed from the problem and the answer alone (friction/residual.c).
 * Scaled: r'_i = w_i r_i / V, u'_i = u_i / V with w_i = trace(W_ii)/dim and V = max(V_pen, 1e-6 max_i |w_i|), V_pen the largest
 * approach velocity: error(r = 0) = 1 whenever anything touches. For bodies the floor is 1e-6 of the largest sum of terms
 * |H| |v| + |u_f| behind a w_i: no velocity is known better than these are rounded. */
typedef struct cst_residual {
    double error;              /* E = max_i |f_AC(r'_i, u'_i)|, with momentum and spread: what `tolerance` is compared with */
    double fischer_burmeister; /* max_i |f_FB| of the hatted variables, same scale */
    double cone_violation;     /* max_i (|r'_T| - mu r'_N)+ */
    double penetration;        /* max_i (-u'_N)+ */
    double complementarity;    /* max_i |r' . u~'|, u~ = u + mu |u_T| e_N */
    double momentum;       /* bodies: max_j |A_jj^-1 (A v - rhs - H^T r)_j| / V over nodes of nodal ones, and for the others what
                                  contacts see, max_i |H_i (v - A^-1 (rhs + H^T r))| / V, not finite if no motion was found with
                                  A v = rhs + H^T r; 0 for an explicit problem */
    double velocity_scale; /* V */
    int worst_contact;     /* where `error` is attained; -1 if there is no contact */
} cst_residual;

/* Judge r for an explicit problem. scale > 0 overrides V. */
void cst_friction_residual(const cst_friction_problem *problem, const double *r, double scale, cst_residual *out);

/* max_i |w_i|: the velocity scale of the published so-bogus/Siconos comparison, laxer than V. */
double cst_friction_largest_velocity(const cst_friction_problem *problem);

/* --------------------------------------------------------------------------------------------------------------- solving */

/* Local solvers: one contact, u = W r + b. See docs/solvers.md. */
typedef enum cst_local_solver {
    CST_LOCAL_DIRECT = 0,           /* bracketed secular equation (3D), closed form (2D): never fails where a solution exists */
    CST_LOCAL_FISCHER_BURMEISTER,   /* Newton on the modified Fischer-Burmeister function */
    CST_LOCAL_QUARTIC,              /* enumerative: roots of the quartic, as in Daviet et al. 2011 */
    CST_LOCAL_ALART_CURNIER,        /* pure Newton on the Alart-Curnier function */
    CST_LOCAL_ALART_CURNIER_DAMPED, /* the same with Goldstein-Price line search */
    CST_LOCAL_DURIEZ06,             /* one projection: exact only for isotropic diagonal W */
    CST_LOCAL_DURIEZ08,             /* the projection iterated */
    CST_LOCAL_PYRAMID,              /* four-sided cone: not exact, for comparison */
    CST_LOCAL_COUNT
} cst_local_solver;

typedef enum cst_solver {
    CST_SOLVER_AUTO = 0,             /* picks and switches by counts and residuals */
    CST_SOLVER_GAUSS_SEIDEL,         /* hybrid Gauss-Seidel, freezing, coloured when threaded */
    CST_SOLVER_ACCELERATED,          /* proximal Gauss-Seidel + Anderson + occasional Newton */
    CST_SOLVER_NEWTON_ALART_CURNIER, /* global nonsmooth Newton */
    CST_SOLVER_NEWTON_FISCHER_BURMEISTER,
    CST_SOLVER_PROJECTED_GAUSS_SEIDEL, /* De Saxce correction */
    CST_SOLVER_PROJECTED_GRADIENT,     /* accelerated, restarted */
    CST_SOLVER_CADOUX,                 /* fixed point over convex sub-problems */
    CST_SOLVER_INTERIOR_POINT,         /* primal-dual, Nesterov-Todd scaling */
    CST_SOLVER_PLAIN_NEWTON, /* newton-ac as published: no proximal term, no first guess of impacts, 200 iterations. To compare */
    CST_SOLVER_PLAIN_PROJECTED_GAUSS_SEIDEL, /* as published: one scale per contact, from zero, no momentum. To compare */
    CST_SOLVER_COUNT
} cst_solver;

/* Which form of a body problem is swept. */
typedef enum cst_form {
    CST_FORM_AUTO =
        0, /* for each island: mixed if a body is nodal, otherwise explicit or product by a cost model of bytes moved */
    CST_FORM_EXPLICIT, /* W assembled */
    CST_FORM_PRODUCT,  /* H and A's factors, W never formed */
    CST_FORM_PRIMAL,   /* nodal bodies only: rotations G and pinned duplicates */
    CST_FORM_MIXED,    /* reduced bodies dual, nodal bodies primal, one sweep */
    CST_FORM_COUNT
} cst_form;

const char *cst_solver_name(cst_solver solver);
const char *cst_local_solver_name(cst_local_solver solver);
const char *cst_form_name(cst_form form);
/* Inverse of the above; false if the name is unknown. */
bool cst_solver_from_name(const char *name, cst_solver *out);
bool cst_local_solver_from_name(const char *name, cst_local_solver *out);
bool cst_form_from_name(const char *name, cst_form *out);

/* What the progress callback is told. */
typedef struct cst_friction_progress {
    int iterations;
    double error;      /* best so far */
    const char *phase; /* name of the solver at work */
} cst_friction_progress;

/* Fill with cst_friction_options_default(), then edit. */
typedef struct cst_friction_options {
    uint32_t cookie;                  /* set by the default function; catches a struct nobody initialised */
    cst_solver solver;                /* auto */
    cst_local_solver local;           /* direct */
    bool local_failsafe;              /* true: a local failure falls back on the direct solver (the "hybrid") */
    cst_form form;                    /* auto; body problems only */
    bool symmetrise;                  /* false: solve (W + W^T)/2 instead of W */
    double tolerance;                 /* 1e-6: on residual.error, or on fischer_burmeister if judge_by_fischer_burmeister */
    bool judge_by_fischer_burmeister; /* false: stop on the published comparison's measure instead of E */
    double velocity_scale;            /* 0: V of cst_residual; > 0 overrides it */
    double velocity_floor; /* 0: V of bodies is at least this, if the caller knows of rounding that u_f does not show */
    int max_iterations;    /* 100000: sweeps + Newton steps + gradient steps, for each island of contacts */
    int threads;           /* 1 */
    bool line_search;      /* true: Goldstein-Price in the global Newton solvers */
    double freeze;         /* 0.1: freeze a contact whose impulse moves less than freeze * tolerance * V / w_i; 0: never */
    double proximal;       /* 0.1: first proximal weight of the accelerated driver */
    int anderson;          /* 5: Anderson memory of the accelerated driver */
    const uint8_t *fresh;  /* (contacts) 1: r of that contact is no guess, the impact of it alone is taken; NULL: none. In the
                              explicit and the product form */
    double *contact_error; /* (contacts) out: share of each contact in residual.error; NULL: not wanted. Body problems */
    cst_allocator allocator;
    bool (*progress)(void *user, const cst_friction_progress *progress); /* false: stop. NULL: none. Called between iterations */
    void *progress_user;
    /* Body problems: told each problem and its first guess r before it is solved, to save it or to count. NULL: none */
    void (*watch)(void *user, const cst_body_problem *problem, const double *r);
    void *watch_user;
} cst_friction_options;

cst_friction_options cst_friction_options_default(void);

enum { CST_BLAMED_MAX = 16 };

typedef struct cst_friction_report {
    cst_status status;
    cst_residual residual; /* of the answer returned, from outside the solver */
    cst_solver solver;     /* the one that produced the answer */
    cst_form form;         /* of the island with most contacts; so is `solver` */
    int iterations;        /* sweeps + Newton steps + gradient steps of the island that took most of them */
    int iterations_total;  /* of all islands */
    int newton_iterations; /* Newton steps among the total */
    int64_t local_solves;
    int64_t local_failures; /* the selected local solver failed */
    int64_t fallbacks;      /* of these, mended by the direct solver */
    int islands;
    int colours; /* 0: natural order */
    int threads;
    double asymmetry;     /* |W - W^T|_F / |W|_F */
    double seconds;       /* solving, wall clock */
    double setup_seconds; /* packing, colouring, factoring */
    double judge_seconds; /* of bodies: the residual */
    double total_seconds; /* of bodies: the whole call */
    size_t memory_bytes;  /* largest working memory */
    int blamed_count;     /* NO_SOLUTION or ILL_POSED: contacts that cannot be satisfied (the first CST_BLAMED_MAX) */
    int32_t blamed[CST_BLAMED_MAX];
    char message[256]; /* empty unless something needs saying */
} cst_friction_report;

/* Solve an explicit problem. r (n x dim): first guess in, answer out. u (n x dim) out, or NULL. Returns report->status. */
cst_status cst_friction_solve(const cst_friction_problem *problem, const cst_friction_options *options, double *r, double *u,
                              cst_friction_report *report);

/* Solve a body problem. v (sum of body sizes, in body order) out, or NULL. */
cst_status cst_friction_solve_bodies(const cst_body_problem *problem, const cst_friction_options *options, double *r, double *u,
                                     double *v, cst_friction_report *report);

/* Judge (v, r) for a body problem. Needs memory for the compliances: false if there was none or a body could not be solved. */
bool cst_body_residual(const cst_body_problem *problem, const double *v, const double *r, double scale,
                       const cst_allocator *allocator, cst_residual *out);

/* The explicit problem of a body problem (all bodies reduced, or nodal ones small: they are factored densely). Everything in
 * *out is owned by the returned handle; NULL if memory ran out or a matrix is not positive definite (message says which). */
typedef struct cst_assembled cst_assembled;
cst_assembled *cst_friction_assemble(const cst_body_problem *problem, const cst_allocator *allocator, cst_friction_problem *out,
                                     char *message, size_t message_size);
void cst_assembled_free(cst_assembled *assembled);

/* ----------------------------------------------------------------------------------------------------------- one contact */

typedef enum cst_local_status {
    CST_LOCAL_SOLVED = 0,
    CST_LOCAL_NO_SOLUTION, /* proved: the certificate is in the result */
    CST_LOCAL_ILL_POSED,   /* only impulses beyond 1e10 of the scale */
    CST_LOCAL_FAILED       /* an iterative solver did not converge; r is its best */
} cst_local_status;

/* Case of the disjunctive law an answer is in. */
typedef enum cst_local_case { CST_CASE_TAKE_OFF = 0, CST_CASE_STICK, CST_CASE_SLIDE, CST_CASE_BILATERAL } cst_local_case;

typedef struct cst_local_result {
    cst_local_status status;
    cst_local_case contact_case;
    double error; /* |f_AC| in the contact's own scale (w = trace W / dim, V = |b|) */
    double alpha; /* slide: u_T = -alpha r_T */
    int iterations;
    const char *certificate; /* NO_SOLUTION: why, a static string */
} cst_local_result;

/* Solve one contact. W (dim x dim, row-major), b (dim), r (dim): warm start in (zero: cold), answer out. tolerance is relative to
 * the contact's own scale; the direct solver ignores it and goes to rounding. */
cst_local_result cst_local_solve(cst_local_solver solver, int dim, const double *W, const double *b, double mu, double tolerance,
                                 double *r);

#ifdef __cplusplus
}
#endif
#endif
