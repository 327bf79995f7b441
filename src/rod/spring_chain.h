/* Mass-spring chains in 3D: only nodes, with stretch and bending but no twist (a body of body/body.h). Symbols:
 *     `x_i`: position of node i.
 *     `l`: edge length.
 *     `alpha`, `alpha_0`: angle between edges, natural angle.
 *
 * The bending energy of a joint depends on the natural shape of the chain:
 *     Straight: `EI/(2*l^3)*|x_(i-1)-2*x_i+x_(i+1)|^2`.
 *     Curved: `2*EI/l*(tan(alpha/2)-tan(alpha_0/2))^2`.
 *
 * The bending energy of a straight chain has constant second derivatives; for small angles alpha between edges of length l it
 * equals EI alpha^2 / (2 l). A chain has no preferred plane of bending, and a natural twist has no effect (docs/maths_rods.md,
 * 4.2).
 *
 * A chain cannot spin about its axis: transverse friction acts on the centreline, and the chain slides where a rod would roll.
 * The dofs are the node positions x_0, ..., x_n; the half-bandwidth is 6, or 8 if the chain is naturally curved. The state of a
 * chain consists of the positions of its nodes and their velocities. */
#ifndef CST_ROD_SPRING_CHAIN_H
#define CST_ROD_SPRING_CHAIN_H

#include "body/body.h"

/* Creates a chain from its definition and writes it to *out. Returns false with a message if a value of the rod's definition is
 * not valid. The function `destroy` of the chain's body class frees all memory of the chain. */
bool cst_spring_chain_create(const cst_fiber_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                             size_t message_size);

#endif
