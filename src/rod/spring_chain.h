/* Mass-spring chains in space: nodes alone, with stretch and bending, no twist (a body of body/body.h).
 *
 * Straight by nature:   1/2 EI / l^3 |x_{i-1} - 2 x_i + x_{i+1}|^2 per joint, with constant derivatives: for small angles alpha
 * what
 *                       EI alpha^2 / (2 l) is;
 * curved by nature:     1/2 EI / l (2 tan(alpha / 2) - alpha_0)^2 with the angle alpha alone: nothing says in which plane it
 * bends,
 *                       and a natural twist means nothing (docs/maths_rods.md, 4.2).
 *
 * A chain cannot spin about itself: friction across it acts on its centreline, and it slides where a rod would roll. dofs: x_0,
 * ..., x_n. Half-bandwidth 6, 8 if curved by nature. State: nodes, velocities. */
#ifndef CST_ROD_SPRING_CHAIN_H
#define CST_ROD_SPRING_CHAIN_H

#include "body/body.h"

/* A chain as defined, in *out; false with a message that says which value is wrong and why. destroy gives all memory back. */
bool cst_spring_chain_create(const cst_fiber_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                             size_t message_size);

#endif
