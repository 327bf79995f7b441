/* Block matrix A of all cloth nodes in a friction problem: one row of blocks per node. Symbols:
 *     `v_j`: velocity of node j.
 *     `rhs_j`: right-hand side of node j.
 *     `r_c`: impulse of contact c.
 *     `A_jk`: block of A.
 *     `H_cj`: block of the contact Jacobian.
 *
 * The momentum balance of node j has a sum over all other nodes k and a sum over the contacts c of the node:
 *
 *     `A_jj*v_j = rhs_j-sum_k(A_jk*v_k)+sum_c(H_cj^T*r_c)`.
 *
 * The cloth nodes are numbered body by body. */
#ifndef CST_FRICTION_NODES_H
#define CST_FRICTION_NODES_H

#include "base/arena.h"
#include "capstan/friction.h"

typedef struct cst_nodes {
    int dim;
    int count;
    int64_t *place; /* array (count): position of the node's velocity in the velocity vector of all bodies */
    /* array (count + 1): first off-diagonal block of each row of the nodal matrix A, as an index into `column` and `block` */
    int64_t *row_start;
    int32_t *column;
    double *block;    /* off-diagonal blocks, dim x dim */
    double *diagonal; /* array (count x dim x dim): diagonal block A_jj of the nodal matrix for each node j */
    double *inverse;  /* array (count x dim x dim): inverse of the diagonal block A_jj of each node j */
    double *rhs;      /* (count x dim) */
    /* nodes of each contact, with their blocks of the contact Jacobian: entries touch_start[i] to touch_start[i + 1] - 1 of the
     * arrays touch_node and touch_h belong to contact i */
    int64_t *touch_start; /* array (contacts + 1) */
    int32_t *touch_node;
    double *touch_h; /* dim x dim each, row-major */
} cst_nodes;

/* Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM if a diagonal block of the nodal matrix is not positive definite. */
cst_status cst_nodes_build(const cst_body_problem *problem, cst_arena *arena, cst_nodes *out, char *message, size_t message_size);

/* Computes sum_k A_jk v_k over all nodes k except the given node j (A_jk: block of the nodal matrix, v_k: velocity of node k). */
void cst_nodes_off_diagonal(const cst_nodes *nodes, int node, const double *v, double *out);

/* Computes the momentum defect of node j, `rhs_j+impulse_j-sum_k(A_jk*v_k)` with the sum over all nodes k, with nearly twice the
 * precision of a double. `impulse` (count x dim): sum of the contact impulses on each node. Double precision is not enough for
 * cloth that is stiff against stretching and moves fast: the terms of the momentum defect cancel, and their rounding error can
 * exceed the tolerance. */
void cst_nodes_defect(const cst_nodes *nodes, int node, const double *v, const double *impulse, double *out);

/* Adds the compliance of cloth at a contact to `block`, as if all neighbours of the contact's nodes were fixed. With fixed
 * neighbours, the compliance is the sum of H_j A_jj^-1 H_j^T over the nodes j of the contact (H_j: block of the contact
 * Jacobian, A_jj: diagonal block of the nodal matrix). */
void cst_nodes_add_compliance(const cst_nodes *nodes, int contact, double *block);

/* Adds the impulses r of all contacts, as impulses on the cloth nodes, to the vector `force` (count x dim). */
void cst_nodes_add_impulses(const cst_nodes *nodes, int contacts, const double *r, double *force);

/* Copies the velocities of the cloth nodes out of the velocity vector of all bodies (`gather`), or into it (`scatter`). */
void cst_nodes_gather(const cst_nodes *nodes, const double *v, double *of_nodes);
void cst_nodes_scatter(const cst_nodes *nodes, const double *of_nodes, double *v);

/* Returns true if the caller provides the factor of the matrix of every sheet of cloth. */
bool cst_nodes_lent(const cst_body_problem *problem);

/* Computes the node velocities v = A^-1 rhs with factors of A that the caller provides. The caller of cst_nodes_guess must check
 * the result v by a multiplication with the nodal matrix A, because the factors are not checked. `v` is allowed to be `rhs`.
 * Returns false if memory ran out. */
bool cst_nodes_guess(const cst_body_problem *problem, const cst_nodes *nodes, const double *rhs, cst_arena *arena, double *v);

/* Computes the node velocities v = A^-1 rhs by conjugate gradients from the given v, preconditioned by the diagonal blocks A_jj.
 * The velocity defect of node j is the length of A_jj^-1 (rhs - A v)_j, with the nodal matrix A and its diagonal block A_jj. The
 * iteration stops when the largest velocity defect is at most `tolerance` times the largest velocity defect at v = 0. Returns the
 * largest velocity defect divided by the largest velocity defect at v = 0, or a negative number if memory ran out. If
 * cst_nodes_solve reaches its largest number of iterations, the returned ratio of velocity defects exceeds `tolerance`. */
double cst_nodes_solve(const cst_nodes *nodes, const double *rhs, double tolerance, cst_arena *arena, double *v);

#endif
