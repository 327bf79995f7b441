/* Mass-spring chains in 3D: only nodes, with stretch and bending but no twist (a body of body/body.h).
 *
 * The bending energy of a joint depends on the natural shape of the chain:
 * * Naturally straight chain: with the edge length l and the node positions x, the energy of joint i is 1/2 EI / l^3 |x_{i-1} - 2
 *   x_i + x_{i+1}|^2. Its second derivatives are constant. For small angles alpha between the edges, the bending energy of a
 *   joint of a straight chain equals EI alpha^2 / (2 l), with the edge length l.
 * * Naturally curved chain: the energy of a joint is 1/2 EI / l (2 tan(alpha / 2) - alpha_0)^2, with the edge length l, the angle
 *   alpha between the edges and its natural value alpha_0. A chain has no preferred plane of bending, and a natural twist has no
 *   effect (docs/maths_rods.md, 4.2).
 *
 * A chain cannot spin about its axis: transverse friction acts on the centreline, and the chain slides where a rod would roll.
 * The dofs are the node positions x_0, ..., x_n; the half-bandwidth is 6, or 8 if the chain is naturally curved. The state
 * consists of the nodes and their velocities. */
#ifndef CST_ROD_SPRING_CHAIN_H
#define CST_ROD_SPRING_CHAIN_H

#include "body/body.h"

/* Creates a chain from its definition in *out. Returns false with a message that says which value is wrong and why. The function
 * `destroy` of the chain's body class frees all memory of the chain. */
bool cst_spring_chain_create(const cst_fiber_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                             size_t message_size);

#endif
