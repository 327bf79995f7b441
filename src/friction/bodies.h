/* Bodies made ready for the dual forms: A = L L^T for each, and what follows from it without any contact.
 *
 *     free velocity  A^-1 rhs,     velocity under impulses  v = A^-1 (rhs + H^T r),     u = H v + u_f
 *
 * DENSE and BAND bodies lend their factor or are factored here; SOLVE bodies call back. NODAL bodies are factored too if asked for
 * and small (at most CST_NODAL_FACTOR_MAX dofs), otherwise left out: their velocities are solved in the sweep. Bodies are made ready
 * by several threads, each body by one. */
#ifndef CST_FRICTION_BODIES_H
#define CST_FRICTION_BODIES_H

#include "base/arena.h"
#include "capstan/friction.h"
#include "sparse/envelope_cholesky.h"

enum {
    CST_NODAL_FACTOR_MAX = 3000 /* dofs: at worst 36 MB and 9e9 multiplications for a factor */
};

typedef enum cst_bodies_how {
    CST_BODIES_REDUCED = 0,     /* NODAL bodies are left out */
    CST_BODIES_WITH_NODAL = 1,  /* small NODAL bodies are factored */
    CST_BODIES_OWN_FACTORS = 2, /* as REDUCED, and no factor is borrowed */
    CST_BODIES_NO_MOTION = 3,   /* as REDUCED, and free_velocity is left to the caller */
} cst_bodies_how;

typedef struct cst_bodies {
    const cst_body_problem *problem;
    int64_t *offset;       /* (bodies + 1) where a body's velocities begin in v */
    cst_envelope *factor;  /* (bodies) size 0: solved by the caller, or left out */
    bool *left_out;        /* (bodies) */
    double *free_velocity; /* (dofs) A^-1 rhs; zero for bodies left out */
    int threads;           /* of loops over bodies; 0 or 1: one */
    int64_t *touch_start;  /* (bodies + 1) where a body's list begins in `touching` */
    int32_t *touching;     /* 2 contact + side, in increasing order */
} cst_bodies;

/* Memory from the arena. CST_SOLVED, or CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message (a matrix that is not positive
 * definite, a callback that failed, a nodal body too large). The problem is expected to have passed cst_body_problem_check. */
cst_status cst_bodies_factor(const cst_body_problem *problem, cst_bodies_how how, int threads, cst_arena *arena, cst_bodies *out,
                             char *message, size_t message_size);

/* The lists of who touches a body; cst_bodies_factor has made them. False: out of memory. */
bool cst_bodies_list(cst_bodies *bodies, cst_arena *arena);

/* x <- A^-1 x for one body that is not left out. False: the callback failed. */
bool cst_bodies_solve(const cst_bodies *bodies, int body, double *x);

/* f = rhs + H^T r of one body (its own size), summed in the order of the contacts. */
void cst_bodies_force(const cst_bodies *bodies, int body, const double *r, double *f);

/* v (dofs) = A^-1 (rhs + H^T r); bodies left out keep what is there. False: a callback failed. */
bool cst_bodies_velocities(const cst_bodies *bodies, const double *r, double *v);

/* u_i = H v + u_f of one contact; offset as in cst_bodies. */
void cst_contact_velocity(const cst_body_problem *problem, const int64_t *offset, int contact, const double *v, double *u);

/* f += H^T r of one side, f its body's alone. */
void cst_side_impulse(int dim, const cst_contact_side *side, const double *r, double *f);

/* f += H^T r of one contact, f laid out as v, except on bodies left out (NULL: on all). */
void cst_contact_impulse(const cst_body_problem *problem, const int64_t *offset, const bool *left_out, int contact,
                         const double *r, double *f);

#endif
