/* The nodes of all cloth as one block matrix A, and the blocks of the contact Jacobian H on these nodes. Symbols:
 *     `v_j`: velocity of node j.
 *     `r_c`: impulse of contact c.
 *     `A_jk`: block of A.
 *     `H_cj`: block of H.
 *
 * The momentum balance of node j has a sum over all other nodes k and a sum over the contacts c of the node:
 *
 *     `A_jj*v_j = rhs_j-sum_k(A_jk*v_k)+sum_c(H_cj^T*r_c)`.
 *
 * The cloth nodes are numbered body by body. A vector over all nodes has count x dim entries. */
#ifndef CST_FRICTION_NODES_H
#define CST_FRICTION_NODES_H

#include "base/arena.h"
#include "capstan/friction.h"

typedef struct cst_nodes {
    int dim;
    int count;
    int64_t *place; /* array (count): position at which the velocity of each node starts in the velocity vector of all
                         * bodies */
    /* array (count + 1): position of the first block of each row of the nodal matrix A in the arrays `column` and `block` */
    int64_t *row_start;
    int32_t *column;
    double *block;    /* dim x dim each, row-major */
    double *diagonal; /* array (count x dim x dim): A_jj */
    double *inverse;  /* array (count x dim x dim): A_jj^-1 */
    double *rhs;      /* (count x dim) */
    /* the blocks of the Jacobian of contact i are the entries touch_start[i] to touch_start[i + 1] - 1 of the arrays touch_node
     * and touch_h; each node of the contact occurs once */
    int64_t *touch_start; /* (contacts + 1) */
    int32_t *touch_node;
    double *touch_h; /* dim x dim each, row-major */
} cst_nodes;

/* Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM if a diagonal block is not positive definite. */
cst_status cst_nodes_build(const cst_body_problem *problem, cst_arena *arena, cst_nodes *out, char *message, size_t message_size);

/* Computes the sum of A_jk v_k over all nodes k other than the given node j, with the blocks A_jk of the nodal matrix and the
 * velocities v_k. */
void cst_nodes_off_diagonal(const cst_nodes *nodes, int node, const double *v, double *out);

/* Computes the momentum defect of a node j with nearly twice the precision of a double (math/exact_sum.h):
 * `rhs_j+impulse_j-sum_k(A_jk*v_k)`. `impulse` (count x dim): sum of the contact impulses on each cloth node. For a sheet that is
 * stiff against stretching and moves fast, double precision is not enough: the terms of the momentum defect cancel, and their
 * rounding error can exceed the tolerance of the residual. */
void cst_nodes_defect(const cst_nodes *nodes, int node, const double *v, const double *impulse, double *out);

/* Adds the compliance of nodal bodies (cloth) at a contact to the matrix `block`; all neighbours of the contact's nodes are
 * assumed to be fixed. With all neighbours fixed, the compliance is the sum of H_j A_jj^-1 H_j^T over the nodes j of the contact,
 * with the blocks H_j of the contact Jacobian and the diagonal blocks A_jj of the nodal matrix. */
void cst_nodes_add_compliance(const cst_nodes *nodes, int contact, double *block);

/* Adds the contact impulses on the cloth nodes to the vector `force`. */
void cst_nodes_add_impulses(const cst_nodes *nodes, int contacts, const double *r, double *force);

/* Converts between the vector of all cloth node velocities and the velocity vector of all bodies. */
void cst_nodes_gather(const cst_nodes *nodes, const double *v, double *of_nodes);
void cst_nodes_scatter(const cst_nodes *nodes, const double *of_nodes, double *v);

/* Returns true if the caller provides the Cholesky factor of the matrix of every nodal body (cloth). */
bool cst_nodes_lent(const cst_body_problem *problem);

/* Computes the node velocities v = A^-1 rhs with the factorised nodal matrices that the caller provides. The computed velocities
 * v are only an estimate: the function cst_nodes_solve or the residual checks them by multiplication with A. `v` may be `rhs`.
 * Returns false if memory ran out. */
bool cst_nodes_guess(const cst_body_problem *problem, const cst_nodes *nodes, const double *rhs, cst_arena *arena, double *v);

/* Computes the node velocities v = A^-1 rhs by conjugate gradients, preconditioned by the diagonal blocks of the nodal matrix A,
 * starting from the given v. The velocity defect of node j is A_jj^-1 (rhs - A v)_j, with its diagonal block A_jj of the nodal
 * matrix. The iteration stops when no velocity defect exceeds `tolerance` times the largest velocity defect at v = 0. Returns the
 * ratio of the largest velocity defect to the largest velocity defect at v = 0; this ratio exceeds `tolerance` if the limit of
 * iterations was reached. Returns a negative number if memory ran out. */
double cst_nodes_solve(const cst_nodes *nodes, const double *rhs, double tolerance, cst_arena *arena, double *v);

#endif
