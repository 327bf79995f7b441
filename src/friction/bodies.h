/* Bodies made ready for the dual forms: A = L L^T for each, and what follows from it without any contact.
 *
 *     free velocity  A^-1 rhs,     velocity under impulses  v = A^-1 (rhs + H^T r),     u = H v + u_f
 *
 * DENSE and BAND bodies are factored; SOLVE bodies call back. NODAL bodies are factored too if asked for and small (at most
 * CST_NODAL_FACTOR_MAX dofs), otherwise left out: their velocities are solved in the sweep. */
#ifndef CST_FRICTION_BODIES_H
#define CST_FRICTION_BODIES_H

#include "base/arena.h"
#include "capstan/friction.h"
#include "sparse/envelope_cholesky.h"

enum {
    CST_NODAL_FACTOR_MAX = 3000 /* dofs: at worst 36 MB and 9e9 multiplications for a factor */
};

typedef struct cst_bodies {
    const cst_body_problem *problem;
    int64_t *offset;       /* (bodies + 1) where a body's velocities begin in v */
    cst_envelope *factor;  /* (bodies) size 0: solved by the caller, or left out */
    bool *left_out;        /* (bodies) */
    double *free_velocity; /* (dofs) A^-1 rhs; zero for bodies left out */
} cst_bodies;

/* Memory from the arena. CST_SOLVED, or CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message (a matrix that is not positive
 * definite, a callback that failed, a nodal body too large). The problem is expected to have passed cst_body_problem_check. */
cst_status cst_bodies_factor(const cst_body_problem *problem, bool factor_nodal, cst_arena *arena, cst_bodies *out, char *message,
                             size_t message_size);

/* x <- A^-1 x for one body that is not left out. False: the callback failed. */
bool cst_bodies_solve(const cst_bodies *bodies, int body, double *x);

/* v (dofs) = A^-1 (rhs + H^T r); bodies left out keep what is there. False: a callback failed. */
bool cst_bodies_velocities(const cst_bodies *bodies, const double *r, double *v);

/* u_i = H v + u_f of one contact; offset as in cst_bodies. */
void cst_contact_velocity(const cst_body_problem *problem, const int64_t *offset, int contact, const double *v, double *u);

/* f += H^T r of one contact, f laid out as v, except on bodies left out (NULL: on all). */
void cst_contact_impulse(const cst_body_problem *problem, const int64_t *offset, const bool *left_out, int contact,
                         const double *r, double *f);

#endif
