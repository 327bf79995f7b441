/* Cholesky factors and free velocities of the bodies, for solvers whose unknowns are the contact impulses. Symbols:
 *     `A`, `rhs`: matrix and right-hand side of a body.
 *     `H`: contact Jacobian.
 *     `r`: contact impulses.
 *     `u_f`: given velocity offset of a contact.
 *     `v`: velocity of a body.
 *     `u`: velocity of a contact.
 *
 * The velocities follow from the contact impulses; the free velocity of a body is its velocity without impulses:
 *
 *     `v = A^-1*(rhs+H^T*r)`.
 *     `u = H*v+u_f`.
 *     `A^-1*rhs`: free velocity.
 *
 * The caller may provide the Cholesky factor of a dense or banded body matrix; otherwise the function cst_bodies_factor computes
 * it. A body of the kind SOLVE has no matrix, only a callback that solves its linear systems. Cloth is factorised only on request
 * (CST_BODIES_WITH_NODAL). Cloth without a factor is left out: the Gauss-Seidel sweep itself computes the node velocities of the
 * cloth. */
#ifndef CST_FRICTION_BODIES_H
#define CST_FRICTION_BODIES_H

#include "base/arena.h"
#include "capstan/friction.h"
#include "sparse/envelope_cholesky.h"

enum {
    /* CST_NODAL_FACTOR_MAX: largest number of dofs of a cloth body that is factorised as one matrix. A factor of
     * CST_NODAL_FACTOR_MAX rows takes 36 MB and 9e9 flops; a larger cloth is an error. */
    CST_NODAL_FACTOR_MAX = 3000
};

typedef enum cst_bodies_how {
    CST_BODIES_REDUCED = 0,     /* cloth is left out */
    CST_BODIES_WITH_NODAL = 1,  /* cloth is factorised */
    CST_BODIES_OWN_FACTORS = 2, /* cloth is left out, and factors of the caller are ignored */
    CST_BODIES_NO_MOTION = 3,   /* cloth is left out, and free velocities are not computed */
} cst_bodies_how;

typedef struct cst_bodies {
    const cst_body_problem *problem;
    int64_t *offset;      /* array (bodies + 1): position of the first velocity of each body in the vector of all velocities */
    cst_envelope *factor; /* array (bodies): Cholesky factor of each body; its size is 0 for a body without a factor */
    bool *left_out;       /* array (bodies): true for a cloth body without a factor */
    /* array (dofs): velocities of the bodies if all impulses are zero; 0 for cloth without a factor */
    double *free_velocity;
    int threads; /* number of threads for loops over bodies; 0 means one thread */
    /* array (bodies + 1): position in `touching` of the first contact of each body */
    int64_t *touch_start;
    /* for each body, its contacts in increasing order; the entry is 2 * contact for side A and 2 * contact + 1 for side B */
    int32_t *touching;
} cst_bodies;

/* Factorises the matrices of the bodies, computes the free velocities and lists the contacts of each body. The problem must have
 * passed cst_body_problem_check. Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message. A problem is bad if a
 * matrix is not positive definite, a callback fails, or a cloth body has more than CST_NODAL_FACTOR_MAX dofs. */
cst_status cst_bodies_factor(const cst_body_problem *problem, cst_bodies_how how, int threads, cst_arena *arena, cst_bodies *out,
                             char *message, size_t message_size);

/* Lists the contacts of each body, as cst_bodies_factor also does. Returns false if memory ran out. */
bool cst_bodies_list(cst_bodies *bodies, cst_arena *arena);

/* Replaces x by A^-1 x, where A is the matrix of the body. The body must not be marked in `left_out`. Returns false if the
 * callback failed. */
bool cst_bodies_solve(const cst_bodies *bodies, int body, double *x);

/* Prefetches the Cholesky factor of a small body, and the matrix of the body if `matrix` is true. Without the prefetch, a loop
 * over many small bodies waits for memory. The function does nothing if `body` is -1 or the number of bodies. */
void cst_bodies_fetch(const cst_bodies *bodies, int body, bool matrix);

/* Computes f = rhs + H^T r for one body, where r are the impulses of all contacts. The sum runs over the contacts in increasing
 * order. */
void cst_bodies_force(const cst_bodies *bodies, int body, const double *r, double *f);

/* Computes the velocities v of all bodies from the contact impulses r. A body that is marked in `left_out` keeps its velocities.
 * Returns false if a callback failed. */
bool cst_bodies_velocities(const cst_bodies *bodies, const double *r, double *v);

/* Computes the velocity u of one contact from the velocities v of all bodies. `offset`: as in cst_bodies. */
void cst_contact_velocity(const cst_body_problem *problem, const int64_t *offset, int contact, const double *v, double *u);

/* Returns a copy of `side`, one body of a contact, with the body index b replaced by number[b]. */
static inline cst_contact_side cst_side_renumbered(const cst_contact_side *side, const int32_t *number)
{
    cst_contact_side out = *side;
    if (side->body >= 0)
        out.body = number[side->body];
    return out;
}

/* Adds H^T r to the vector `f` of one body (size: its dofs), where H is the contact Jacobian on this body and r the impulse. */
void cst_side_impulse(int dim, const cst_contact_side *side, const double *r, double *f);

/* Adds H^T r to the vector `f` of all bodies, where H is the Jacobian of one contact and r the impulse of this contact. A body
 * that is marked in `left_out` is skipped; `left_out` may be NULL. */
void cst_contact_impulse(const cst_body_problem *problem, const int64_t *offset, const bool *left_out, int contact,
                         const double *r, double *f);

#endif
