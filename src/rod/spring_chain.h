/* Mass-spring chains in 3D: only nodes, with stretch and bending but no twist (a body of body/body.h).
 *
 * Bending energy per joint:
 *   * Naturally straight chain: the energy of a joint is 1/2 EI / l^3 |x_{i-1} - 2 x_i + x_{i+1}|^2, with constant second
 *     derivatives. For small angles alpha between the edges, this energy equals EI alpha^2 / (2 l).
 *   * Naturally curved chain: the energy of a joint is 1/2 EI / l (2 tan(alpha / 2) - alpha_0)^2, which depends only on the
 *     angle alpha between the edges. A chain has no preferred plane of bending, and a natural twist has no effect
 *     (docs/maths_rods.md, 4.2).
 *
 * A chain cannot spin about its axis: transverse friction acts on the centreline, and the chain slides where a rod would roll.
 * The dofs are x_0, ..., x_n with half-bandwidth 6, or 8 if naturally curved. The state consists of the nodes and their
 * velocities. */
#ifndef CST_ROD_SPRING_CHAIN_H
#define CST_ROD_SPRING_CHAIN_H

#include "body/body.h"

/* Creates a chain from its definition in *out. Returns false with a message that says which value is wrong and why. The function
 * `destroy` of the class frees all memory. */
bool cst_spring_chain_create(const cst_fiber_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                             size_t message_size);

#endif
