/* The matrices of all cloth (nodal bodies) in a friction problem, joined to one block matrix A with a row of blocks per node.
 * Symbols:
 *     `v_j`: velocity of node j.
 *     `rhs_j`: right-hand side of node j.
 *     `r_c`: impulse of contact c.
 *     `A_jk`: block of A.
 *     `H_cj`: block of the contact Jacobian.
 *
 * The momentum balance of node j is a sum over all other nodes k and over the contacts c of the node:
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
    int64_t *place; /* array (count): position of each node's velocity in the velocity vector of all bodies */
    /* array (count + 1): position of the first off-diagonal block of each row of A in the arrays `column` and `block` */
    int64_t *row_start;
    int32_t *column;
    double *block;    /* off-diagonal blocks of A, each dim x dim and row-major */
    double *diagonal; /* array (count x dim x dim): A_jj */
    double *inverse;  /* array (count x dim x dim): A_jj^-1 */
    double *rhs;      /* (count x dim) */
    /* the contact Jacobian: the nodes of contact i, and the blocks on these nodes, are the entries touch_start[i] to
     * touch_start[i + 1] - 1 of the arrays touch_node and touch_h */
    int64_t *touch_start; /* array (contacts + 1) */
    int32_t *touch_node;
    double *touch_h; /* blocks of the contact Jacobian, each dim x dim and row-major */
} cst_nodes;

/* Returns CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM if a diagonal block is not positive definite. */
cst_status cst_nodes_build(const cst_body_problem *problem, cst_arena *arena, cst_nodes *out, char *message, size_t message_size);

/* Computes the sum of A_jk v_k over all nodes k except the given node j. */
void cst_nodes_off_diagonal(const cst_nodes *nodes, int node, const double *v, double *out);

/* Computes the momentum defect of node j, `rhs_j+impulse_j-sum_k(A_jk*v_k)`, with nearly twice the precision of a double.
 * `impulse` (count x dim): sum of the contact impulses on each node. In fast cloth that is stiff against stretching, the terms
 * of the momentum defect cancel, and in double precision their rounding error can exceed the tolerance of the residual. */
void cst_nodes_defect(const cst_nodes *nodes, int node, const double *v, const double *impulse, double *out);

/* Adds the compliance that cloth has at a contact to the matrix `block`. The compliance is computed as if all neighbours of the
 * contact's nodes were fixed: the sum of H_j A_jj^-1 H_j^T over the nodes j of the contact, with the blocks H_j of the contact
 * Jacobian. */
void cst_nodes_add_compliance(const cst_nodes *nodes, int contact, double *block);

/* Adds the impulses r of all contacts, as impulses on the cloth nodes, to the vector `force` (count x dim). */
void cst_nodes_add_impulses(const cst_nodes *nodes, int contacts, const double *r, double *force);

/* Copies the velocities of the cloth nodes from the velocity vector of all bodies (`gather`), or back into it (`scatter`). */
void cst_nodes_gather(const cst_nodes *nodes, const double *v, double *of_nodes);
void cst_nodes_scatter(const cst_nodes *nodes, const double *of_nodes, double *v);

/* Returns true if the caller provides the factor of the matrix of every sheet of cloth. */
bool cst_nodes_lent(const cst_body_problem *problem);

/* Computes the node velocities v = A^-1 rhs with the factors that the caller provides. The factors are not trusted: a later
 * multiplication by A checks the velocities. `v` is allowed to be `rhs`. Returns false if memory ran out. */
bool cst_nodes_guess(const cst_body_problem *problem, const cst_nodes *nodes, const double *rhs, cst_arena *arena, double *v);

/* Computes the node velocities v = A^-1 rhs by conjugate gradients, starting from the given v. The diagonal blocks A_jj are the
 * preconditioner. The velocity defect of node j is the length of A_jj^-1 (rhs - A v)_j. The iteration stops when the largest
 * velocity defect is at most `tolerance` times its value at v = 0. Returns the largest velocity defect divided by its value at
 * v = 0; the result exceeds `tolerance` if the limit of iterations was reached. Returns a negative number if memory ran out. */
double cst_nodes_solve(const cst_nodes *nodes, const double *rhs, double tolerance, cst_arena *arena, double *v);

#endif
