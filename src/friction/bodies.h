/* Data of the bodies for the solvers that have impulses as unknowns: the Cholesky factor of the matrix of each body, and its
 * free velocity, that is, its velocity if all impulses are zero.
 *
 *     The free velocity of a body is A^-1 rhs, with its matrix A and right-hand side rhs.
 *     The velocity of a body is A^-1 (rhs + H^T r), with its matrix A and right-hand side rhs, the contact Jacobian H and the
 *     impulses r.
 *     The velocity of a contact is H v + u_f, where H is the contact Jacobian, v are the velocities of the bodies and u_f is a
 *     given offset.
 *
 * The Cholesky factor of a dense or banded body matrix comes from the caller or is computed by cst_bodies_factor. A body of the
 * kind SOLVE provides no matrix, only a callback that solves its linear systems. The matrices of nodal bodies (cloth) are also
 * factorised if the caller requests it; a cloth with more than CST_NODAL_FACTOR_MAX dofs is then an error. Nodal bodies (cloth)
 * without a factor are left out of cst_bodies; the Gauss-Seidel sweep computes their node velocities. The bodies are distributed
 * over several threads, and each body is prepared by one thread. */
#ifndef CST_FRICTION_BODIES_H
#define CST_FRICTION_BODIES_H

#include "base/arena.h"
#include "capstan/friction.h"
#include "sparse/envelope_cholesky.h"

enum {
    /* largest number of dofs of a nodal body (cloth) that is factorised; a factor of this size takes 36 MB and 9e9 flops */
    CST_NODAL_FACTOR_MAX = 3000
};

typedef enum cst_bodies_how {
    CST_BODIES_REDUCED = 0,     /* NODAL bodies are left out */
    CST_BODIES_WITH_NODAL = 1,  /* small NODAL bodies are factored */
    CST_BODIES_OWN_FACTORS = 2, /* no NODAL bodies, no given factors */
    CST_BODIES_NO_MOTION = 3,   /* no NODAL bodies, no free velocities */
} cst_bodies_how;

typedef struct cst_bodies {
    const cst_body_problem *problem;
    int64_t *offset;      /* array (bodies + 1): start of the velocities of each body in a vector of all velocities */
    cst_envelope *factor; /* array (bodies): size 0: no factor */
    bool *left_out;       /* (bodies) */
    /* array (dofs): velocities of the bodies if all impulses are zero; 0 for bodies that are not factorised (marked in
     * `left_out`) */
    double *free_velocity;
    int threads; /* number of threads for loops over bodies; 0 and 1 both mean one thread */
    /* array (bodies + 1): position of the first contact of each body in the list `touching` of the contacts of all bodies */
    int64_t *touch_start;
    int32_t *touching; /* the contacts of each body in increasing order, stored as 2 * contact + s, where the body is body s
                            * (0 or 1) of the contact */
} cst_bodies;

/* Factorises the matrices of the bodies and lists the contacts of each body, with memory from the arena. Returns CST_SOLVED,
 * CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message: a matrix is not positive definite, a callback failed, or a nodal body
 * (cloth) is too large. The problem must have passed cst_body_problem_check. */
cst_status cst_bodies_factor(const cst_body_problem *problem, cst_bodies_how how, int threads, cst_arena *arena, cst_bodies *out,
                             char *message, size_t message_size);

/* Lists the contacts of each body; the function cst_bodies_factor also makes these lists. Returns false if memory ran out. */
bool cst_bodies_list(cst_bodies *bodies, cst_arena *arena);

/* Computes x <- A^-1 x with the matrix A of one body. The matrix of the body must be factorised (not marked in the array
 * `left_out`). Returns false if the callback failed. */
bool cst_bodies_solve(const cst_bodies *bodies, int body, double *x);

/* Prefetches the factor of a small body, and its matrix if `matrix` is true; nothing if `body` is -1 or the number of bodies. A
 * loop over many small bodies would otherwise wait for memory. */
void cst_bodies_fetch(const cst_bodies *bodies, int body, bool matrix);

/* Computes f, the right-hand side of one body plus the effect of the impulses r of all contacts, summed in the order of the
 * contacts. */
void cst_bodies_force(const cst_bodies *bodies, int body, const double *r, double *f);

/* Computes the velocities v of all bodies from the impulses r; bodies without a factorised matrix (marked in `left_out`) keep
 * their velocities. Returns false if a callback failed. */
bool cst_bodies_velocities(const cst_bodies *bodies, const double *r, double *v);

/* Computes the velocity u of one contact from the velocities v of the bodies. `offset`: position of the first velocity of each
 * body in the vector `v`. */
void cst_contact_velocity(const cst_body_problem *problem, const int64_t *offset, int contact, const double *v, double *u);

/* Returns a copy of `side` (one body of a contact, and the contact Jacobian on this body), with the body index b replaced by
 * number[b]. */
static inline cst_contact_side cst_side_renumbered(const cst_contact_side *side, const int32_t *number)
{
    cst_contact_side out = *side;
    if (side->body >= 0)
        out.body = number[side->body];
    return out;
}

/* Adds the effect of the impulse r of a contact on one of its two bodies to the vector `f`, which has one entry per dof of this
 * body. */
void cst_side_impulse(int dim, const cst_contact_side *side, const double *r, double *f);

/* Adds the effect of the impulse r of one contact on its bodies to the vector `f`, which has one entry per dof of all bodies.
 * Bodies that are marked in the array `left_out` (no factorised matrix) are skipped; the array may be NULL. */
void cst_contact_impulse(const cst_body_problem *problem, const int64_t *offset, const bool *left_out, int contact,
                         const double *r, double *f);

#endif
