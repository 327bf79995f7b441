/* Checks whether the equilibrium of a rod can be computed: the root must be clamped, and the tolerance must be positive. */
#ifndef CST_ROD_ROD_REST_H
#define CST_ROD_ROD_REST_H

#include <stdbool.h>
#include <stdio.h>

/* `what`: "rod" or "fiber". Returns false with a message if the root is not clamped or the tolerance is not positive. */
static inline bool cst_rod_may_rest(const char *what, bool clamped, double tolerance, char *message, size_t message_size)
{
    if (!clamped)
        snprintf(message, message_size, "a %s whose root is not clamped has no equilibrium of its own", what);
    else if (!(tolerance > 0.0))
        snprintf(message, message_size, "the tolerance of an equilibrium must be positive, not %g", tolerance);
    return clamped && tolerance > 0.0;
}

#endif
