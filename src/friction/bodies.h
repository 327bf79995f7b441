/* Bodies prepared for the solvers that have impulses as unknowns: the factor A = L L^T of each body, and its free velocity.
 *
 *     The free velocity is A^-1 rhs, the velocity under impulses is v = A^-1 (rhs + H^T r), and u = H v + u_f.
 *
 * DENSE and BAND bodies provide their factor or are factorised by cst_bodies_factor; SOLVE bodies use their callback. NODAL
 * bodies are factorised too if requested and small (at most CST_NODAL_FACTOR_MAX dofs). NODAL bodies without a factor are left
 * out, and the sweep solves for their velocities. Several threads prepare the bodies, each body by one thread. */
#ifndef CST_FRICTION_BODIES_H
#define CST_FRICTION_BODIES_H

#include "base/arena.h"
#include "capstan/friction.h"
#include "sparse/envelope_cholesky.h"

enum {
    CST_NODAL_FACTOR_MAX = 3000 /* largest number of dofs of a nodal body with a factor (36 MB, 9e9 multiplications) */
};

typedef enum cst_bodies_how {
    CST_BODIES_REDUCED = 0,     /* NODAL bodies are left out */
    CST_BODIES_WITH_NODAL = 1,  /* small NODAL bodies are factored */
    CST_BODIES_OWN_FACTORS = 2, /* like REDUCED, but factors from the caller are not used */
    CST_BODIES_NO_MOTION = 3,   /* like REDUCED, but the caller computes free_velocity */
} cst_bodies_how;

typedef struct cst_bodies {
    const cst_body_problem *problem;
    int64_t *offset;       /* (bodies + 1) where the velocities of a body start in v */
    cst_envelope *factor;  /* (bodies) factors; a factor of size 0: the body is solved by the caller, or left out */
    bool *left_out;        /* (bodies) */
    double *free_velocity; /* (dofs) A^-1 rhs; zero for bodies left out */
    int threads;           /* number of threads for loops over bodies; 0 or 1: one */
    int64_t *touch_start;  /* (bodies + 1) where the list of a body starts in `touching` */
    int32_t *touching;     /* contacts of each body as 2 * contact + side, in increasing order */
} cst_bodies;

/* Prepares the bodies with memory from the arena. Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message (a
 * matrix is not positive definite, a callback failed, or a nodal body is too large). The problem must have passed
 * cst_body_problem_check. */
cst_status cst_bodies_factor(const cst_body_problem *problem, cst_bodies_how how, int threads, cst_arena *arena, cst_bodies *out,
                             char *message, size_t message_size);

/* Lists the contacts of each body; cst_bodies_factor calls this function. Returns false if memory ran out. */
bool cst_bodies_list(cst_bodies *bodies, cst_arena *arena);

/* Computes x <- A^-1 x for one body that is not left out. Returns false if the callback failed. */
bool cst_bodies_solve(const cst_bodies *bodies, int body, double *x);

/* Computes f = rhs + H^T r of one body (f has the size of the body), summed in the order of the contacts. */
void cst_bodies_force(const cst_bodies *bodies, int body, const double *r, double *f);

/* Computes v (dofs) = A^-1 (rhs + H^T r); velocities of bodies that are left out do not change. Returns false if a callback
 * failed. */
bool cst_bodies_velocities(const cst_bodies *bodies, const double *r, double *v);

/* Computes u_i = H v + u_f of one contact; `offset` as in cst_bodies. */
void cst_contact_velocity(const cst_body_problem *problem, const int64_t *offset, int contact, const double *v, double *u);

/* Adds H^T r of one side to `f`, the vector of its body. */
void cst_side_impulse(int dim, const cst_contact_side *side, const double *r, double *f);

/* Adds H^T r of one contact to `f`, which has the layout of v. Bodies that are left out are skipped (`left_out` NULL: none). */
void cst_contact_impulse(const cst_body_problem *problem, const int64_t *offset, const bool *left_out, int contact,
                         const double *r, double *f);

#endif
