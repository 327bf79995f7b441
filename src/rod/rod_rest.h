/* Checks whether the equilibrium of a rod can be computed: the start of the rod must be clamped, and the tolerance must be
 * positive. */
#ifndef CST_ROD_ROD_REST_H
#define CST_ROD_ROD_REST_H

#include <stdbool.h>
#include <stdio.h>

/* `what`: "rod" or "fiber". If the equilibrium of the rod cannot be computed, returns false with a message that gives the
 * reason. */
static inline bool cst_rod_may_rest(const char *what, bool clamped, double tolerance, char *message, size_t message_size)
{
    if (!clamped)
        snprintf(message, message_size, "a %s whose root is not clamped has no equilibrium of its own", what);
    else if (!(tolerance > 0.0))
        snprintf(message, message_size, "the tolerance of an equilibrium must be positive, not %g", tolerance);
    return clamped && tolerance > 0.0;
}

#endif
