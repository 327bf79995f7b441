/* Which contacts meet in a body: the pattern of W, walked without being stored. */
#ifndef CST_FRICTION_MEETING_H
#define CST_FRICTION_MEETING_H

#include "friction/half.h"

typedef struct cst_meetings {
    int sides;            /* as in cst_halves */
    const cst_half *half; /* (contacts x sides) */
    int64_t *start;       /* (bodies + 1) */
    int32_t *touching;    /* (start[bodies]) halves on each body, increasing; half h belongs to contact h / sides */
} cst_meetings;

/* False: out of memory. */
bool cst_meetings_build(const cst_half *half, int sides, int contacts, int bodies, cst_arena *arena, cst_meetings *out);

/* Walks over the contacts that share a body with one of them, itself included, in increasing order. */
typedef struct cst_meeting {
    const cst_half *own;                 /* (sides) */
    const cst_half *met[CST_HALVES_MAX]; /* halves of the other on the same bodies; NULL where it is not */
    int64_t at[CST_HALVES_MAX];
} cst_meeting;

void cst_meeting_begin(const cst_meetings *meetings, int contact, cst_meeting *meeting);
int cst_meeting_next(const cst_meetings *meetings, cst_meeting *meeting); /* -1 at the end */

/* block = W_ij of the contact walked from and the one met last. */
void cst_meeting_couple(int dim, const cst_meetings *meetings, const cst_meeting *meeting, double *block);

#endif
