/* W = H A^-1 H^T the way it is done without looking at the structure, to compare cst_friction_assemble with (Daviet et al. 2011,
 * figure 6).
 *
 *   sparse   H and A^-1 as scalar compressed rows, two row-by-row products (Gustavson 1978): knows zeros, but not bodies, blocks
 *            or symmetry
 *   dense    H and A^-1 as dense matrices, two products of three nested loops
 *
 * A^-1 is worked out beforehand by both, per body and not timed. */
#ifndef CST_VALIDATE_SOLVERS_PLAIN_ASSEMBLY_H
#define CST_VALIDATE_SOLVERS_PLAIN_ASSEMBLY_H

#include "capstan/friction.h"

typedef struct cst_plain_assembly {
    double sparse_seconds;
    double dense_seconds;    /* NaN if the problem was too large for it */
    double largest_mismatch; /* of sparse and dense against `reference`, relative to its largest entry */
} cst_plain_assembly;

/* Dense bodies only. false if memory ran out or a body is not dense and positive definite. */
bool cst_plain_assemble(const cst_body_problem *problem, const cst_friction_problem *reference, int dense_contacts_max,
                        cst_plain_assembly *out);

#endif
