/* Cholesky factors and free velocities of the bodies, for solvers whose unknowns are the contact impulses. Symbols:
 *     `A`, `rhs`: matrix, right-hand side.
 *     `H`, `r`: contact Jacobian, contact impulses.
 *     `v`, `u`: velocities, bodies and contacts.
 *     `u_f`: given velocity offset.
 *
 * The contact impulses r give the velocities v of the bodies and u of the contacts; with zero impulses, v is the free velocity
 * A^-1 rhs:
 *
 *     `v = A^-1*(rhs+H^T*r)`.
 *     `u = H*v+u_f`.
 *
 * The caller may provide the Cholesky factor of a dense or banded body matrix; otherwise the function cst_bodies_factor computes
 * it. A body of the kind SOLVE has no matrix, only a callback that solves its linear systems. Cloth is factorised only on request
 * (CST_BODIES_WITH_NODAL); for cloth without a factor, the solvers for cloth (mixed_sweep.h, primal_gauss_seidel.h) compute the
 * node velocities. */
#ifndef CST_FRICTION_BODIES_H
#define CST_FRICTION_BODIES_H

#include "base/arena.h"
#include "capstan/friction.h"
#include "sparse/envelope_cholesky.h"

enum {
    /* CST_NODAL_FACTOR_MAX: largest number of dofs of a cloth body for which cst_bodies_factor computes a Cholesky factor (at
     * most 36 MB and 9e9 flops); a larger cloth is an error. */
    CST_NODAL_FACTOR_MAX = 3000
};

typedef enum cst_bodies_how {
    CST_BODIES_REDUCED = 0,     /* cloth is left out */
    CST_BODIES_WITH_NODAL = 1,  /* cloth is factorised */
    CST_BODIES_OWN_FACTORS = 2, /* cloth left out, given factors ignored */
    CST_BODIES_NO_MOTION = 3,   /* cloth left out, no free velocities */
} cst_bodies_how;

typedef struct cst_bodies {
    const cst_body_problem *problem;
    int64_t *offset;      /* array (bodies + 1): velocity starts */
    cst_envelope *factor; /* array (bodies): size 0: no factor */
    bool *left_out;       /* array (bodies): cloth without a factor */
    /* array (dofs): 0 where `left_out`; not set with CST_BODIES_NO_MOTION */
    double *free_velocity;
    int threads; /* 0 means one thread */
    /* positions in `touching` */
    int64_t *touch_start;
    /* for each body, its contacts in increasing order; contact i is stored as the number 2 i if the body is on side A, and as 2
     * i + 1 if it is on side B */
    int32_t *touching;
} cst_bodies;

/* Factorises the matrices of the bodies and computes the free velocities, as `how` says, and lists the contacts of each body. The
 * problem must have passed cst_body_problem_check. Returns CST_BAD_PROBLEM with a message if a matrix is not positive definite, a
 * callback fails, or a cloth body is too large to be factorised. */
cst_status cst_bodies_factor(const cst_body_problem *problem, cst_bodies_how how, int threads, cst_arena *arena, cst_bodies *out,
                             char *message, size_t message_size);

/* Lists the contacts of each body, as cst_bodies_factor also does. Returns false if memory ran out. */
bool cst_bodies_list(cst_bodies *bodies, cst_arena *arena);

/* Replaces x by A^-1 x, where A is the matrix of the body, which must have a factor or a callback. Returns false if the callback
 * failed. */
bool cst_bodies_solve(const cst_bodies *bodies, int body, double *x);

/* Prefetches the Cholesky factor of a small body and, if `matrix` is true, also its matrix if this matrix is dense. The function
 * cst_bodies_fetch does nothing if `body` equals -1 or the number of bodies. */
void cst_bodies_fetch(const cst_bodies *bodies, int body, bool matrix);

/* Computes f = rhs + H^T r for one body (rhs: right-hand side of the body, H: contact Jacobian, r: contact impulses). */
void cst_bodies_force(const cst_bodies *bodies, int body, const double *r, double *f);

/* Computes the velocities v of all bodies from the contact impulses r; cloth without a factor keeps its velocities. Returns false
 * if a callback failed. */
bool cst_bodies_velocities(const cst_bodies *bodies, const double *r, double *v);

/* Computes the velocity u of one contact from the velocities v of all bodies. `offset`: as in cst_bodies. */
void cst_contact_velocity(const cst_body_problem *problem, const int64_t *offset, int contact, const double *v, double *u);

/* Returns a copy of the contact side `side`, with its body index b replaced by number[b]. */
static inline cst_contact_side cst_side_renumbered(const cst_contact_side *side, const int32_t *number)
{
    cst_contact_side out = *side;
    if (side->body >= 0)
        out.body = number[side->body];
    return out;
}

/* Adds H^T r to the vector `f` of one body, with the contact Jacobian H on this body and the contact impulse r. */
void cst_side_impulse(int dim, const cst_contact_side *side, const double *r, double *f);

/* Adds H^T r to the vector `f` of all bodies, with the Jacobian H and the impulse r of one contact. Bodies marked in `left_out`
 * are skipped; `left_out` may be NULL. */
void cst_contact_impulse(const cst_body_problem *problem, const int64_t *offset, const bool *left_out, int contact,
                         const double *r, double *f);

#endif
