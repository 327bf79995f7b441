/* The error of each contact of a friction problem, and the contacts whose error is not small yet.
 *
 * The velocity of a contact changes only if the impulse of a contact on one of its bodies changes. Therefore the errors need to
 * be computed again only near the contacts whose impulses have changed (cst_contact_errors_update). After some Gauss-Seidel
 * sweeps, large errors are left in a few regions only; cst_contact_errors_above lists the contacts to which the next sweeps can
 * be limited.
 *
 * Two contacts are coupled if the block of the Delassus matrix in the row of one and the column of the other is not zero. */
#ifndef CST_FRICTION_CONTACT_ERRORS_H
#define CST_FRICTION_CONTACT_ERRORS_H

#include "friction/system.h"

typedef struct cst_contact_errors {
    cst_system *system;
    bool fischer_burmeister; /* function that measures the error; false: Alart-Curnier */
    double *y;               /* array (contacts x dim): contact velocities */
    double *error;           /* array (contacts): error of each contact */
    uint8_t *mark;           /* array (contacts): work memory, 1 for a contact in a list that is being made */
    int32_t *list;           /* array (contacts): work memory */
    int32_t *column;         /* array (contacts): columns of one row */
} cst_contact_errors;

/* Returns false if memory ran out. */
bool cst_contact_errors_begin(cst_system *system, bool fischer_burmeister, cst_arena *arena, cst_contact_errors *out);

/* Computes the velocities and errors of all contacts for the impulses x. Returns the largest error. */
double cst_contact_errors_find(cst_contact_errors *errors, const double *x);

/* Does the same as cst_contact_errors_find, with the same bits, if only the impulses of the `count` contacts `changed`
 * (increasing) have changed since the errors were computed. */
double cst_contact_errors_update(cst_contact_errors *errors, const double *x, const int32_t *changed, int count);

/* Lists the contacts of `among` (increasing; NULL: all contacts) whose error exceeds `least`, and those coupled with one of them.
 * The list is increasing. Returns the length of the list, or -1 if the list would be longer than `most`. `list` may be `among`,
 * and is changed only if a list is returned. */
int cst_contact_errors_above(cst_contact_errors *errors, double least, const int32_t *among, int among_count, int most,
                             int32_t *list);

#endif
