/* The matrices and vectors of a friction problem, as the file readers return them. The functions of this header check the data of
 * a friction problem, convert equalities to bilateral contacts, and assemble the local or the global problem of a
 * cst_problem_file. */
#ifndef CST_EXCHANGE_PROBLEM_PARTS_H
#define CST_EXCHANGE_PROBLEM_PARTS_H

#include "exchange/problem_file.h"
#include "files/fault.h"

/* The data of a local problem, as they are in the file. The unknowns of a local problem are the impulses r, the multipliers l
 * of equalities and the relative velocities u. `u = W*r+V*l+q`. `V^T*r+R*l+s = 0`. Matrices and vectors are allocated in the
 * file's arena, and their sizes are consistent. */
typedef struct cst_local_parts {
    int dim, contacts, equalities;
    cst_csr w;
    cst_csr v, r;    /* only with equalities */
    const double *q; /* (dim contacts) */
    const double *mu;
    const double *s; /* only with equalities */
} cst_local_parts;

/* The data of a global problem, as they are in the file. The unknowns of a global problem are the velocities v of the dofs,
 * the impulses r, the multipliers l of equalities and the relative velocities u. `M*v = H*r+G*l+f`. `u = H^T*v+w`. `G^T*v+b =
 * 0`. */
typedef struct cst_global_parts {
    int dim, contacts, equalities, dofs;
    cst_csr m, h;
    cst_csr g;       /* only with equalities */
    const double *f; /* (dofs) */
    const double *w; /* (dim contacts) */
    const double *mu;
    const double *b; /* only with equalities */
} cst_global_parts;

/* The function cst_check_finite checks that every entry of an array is finite, and cst_check_mu that every entry is a valid
 * friction coefficient. If an entry is invalid, cst_check_finite and cst_check_mu return false and record a fault with the text
 * `where` and the index of the entry. */
bool cst_check_finite(const double *value, int64_t count, const char *where, cst_fault *fault);
bool cst_check_mu(const double *mu, int64_t count, const char *where, cst_fault *fault);

bool cst_problem_file_set_local(cst_problem_file *file, cst_arena *scratch, const cst_local_parts *parts, cst_fault *fault);
bool cst_problem_file_set_global(cst_problem_file *file, cst_arena *scratch, const cst_global_parts *parts, cst_fault *fault);

#endif
