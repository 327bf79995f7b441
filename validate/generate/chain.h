/* A rod as a chain of nodes, implicit in its elasticity, as a dense body:
 *
 *     A = m I + k_s sum_edges t t^T (x) (-1, 1)(-1, 1)^T + k_b sum_bends I (x) (1, -2, 1)(1, -2, 1)^T,
 *
 * t the tangent of an edge; dt^2 is in the stiffnesses. */
#ifndef CST_GENERATE_CHAIN_H
#define CST_GENERATE_CHAIN_H

/* tangent ((nodes - 1) x 3) unit vectors; matrix (3 nodes x 3 nodes) comes zeroed. */
void cst_chain_matrix(int nodes, double mass, double stretch, double bend, const double *tangent, double *matrix);

#endif
