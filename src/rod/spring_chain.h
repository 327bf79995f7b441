/* Mass-spring chains in 3D: bodies (body/body.h) that consist only of nodes, with stretch and bending but no twist. Symbols:
 *     `x_i`: position of node i.
 *     `l`: edge length.
 *     `EI`: bending stiffness.
 *     `alpha`, `alpha_0`: joint angle, natural angle.
 *
 * The formula for the bending energy of a joint depends on the natural shape of the chain:
 *     Naturally straight: `EI/(2*l^3)*|x_(i-1)-2*x_i+x_(i+1)|^2`.
 *     Naturally curved: `2*EI/l*(tan(alpha/2)-tan(alpha_0/2))^2`.
 *
 * The bending energy of a naturally straight chain has constant second derivatives. A chain has the same bending stiffness in all
 * directions and no twist (docs/maths_rods.md, 4.2). A natural twist has no effect on a naturally straight chain, and slightly
 * changes the natural angles of a naturally curved one. A chain cannot spin about its axis: friction acts on the centreline, and
 * the chain slides where a rod would roll. The half-bandwidth of the matrix of a chain is 6, or 8 if the chain is naturally
 * curved. */
#ifndef CST_ROD_SPRING_CHAIN_H
#define CST_ROD_SPRING_CHAIN_H

#include "body/body.h"

/* Creates a chain from its definition and writes it to *out. Returns false with a message if the definition is not valid or
 * memory ran out. The function `destroy` of the body class frees all memory of the chain. */
bool cst_spring_chain_create(const cst_fiber_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                             size_t message_size);

#endif
