/* Finds the contacts that share a body with a given contact, from the contact lists of the bodies, without the Delassus
 * matrix. */
#ifndef CST_FRICTION_MEETING_H
#define CST_FRICTION_MEETING_H

#include "friction/half.h"

typedef struct cst_meetings {
    int sides;            /* number of entries in the array `half` for each contact (cst_halves.sides) */
    const cst_half *half; /* array (contacts x sides): half solves L^-1 H^T of the contacts (half.h) */
    int64_t *start;       /* array (bodies + 1): position of the first entry of each body in the array `touching` */
    /* array (start[bodies]): contact lists of all bodies, one after the other; each entry is an index h of the array `half`, and
     * h / sides (integer division) is the contact; the entries of each list increase */
    int32_t *touching;
} cst_meetings;

/* Returns false if memory ran out. */
bool cst_meetings_build(const cst_half *half, int sides, int contacts, int bodies, cst_arena *arena, cst_meetings *out);

/* Iterates in increasing order over the contacts that share a body with a given contact, including the given contact. */
typedef struct cst_meeting {
    const cst_half *own; /* half solves of the given contact */
    /* for each body of the given contact: the half solve L^-1 H^T (half.h) on this body of the contact that cst_meeting_next
     * returned last; NULL if that contact does not act on this body */
    const cst_half *met[CST_HALVES_MAX];
    int64_t at[CST_HALVES_MAX];
} cst_meeting;

void cst_meeting_begin(const cst_meetings *meetings, int contact, cst_meeting *meeting);
int cst_meeting_next(const cst_meetings *meetings, cst_meeting *meeting); /* returns -1 at the end */

/* Computes the block of the Delassus matrix in the row of the given contact and the column of the contact that
 * cst_meeting_next returned last. */
void cst_meeting_couple(int dim, const cst_meetings *meetings, const cst_meeting *meeting, double *block);

#endif
