/* How contacts are found: what the plane and space have in common (touches_plane.c, touches_space.c). */
#ifndef CST_WORLD_TOUCHES_H
#define CST_WORLD_TOUCHES_H

#include "world/attempt.h"

typedef struct cst_touch_source {
    /* Memory for the shapes of the step. False: out of memory. */
    bool (*begin)(cst_attempt *attempt);
    /* Touches of the bodies as they are placed now and of the obstacles at `time`; with margins for the step, or without. Returns
     * how many; -1: out of memory. */
    int (*find)(cst_attempt *attempt, double time, bool margins);
    /* Who and where of a touch: both ends, shapes, branch, normal, centre, gap. Valid until the next find. */
    void (*take)(const cst_attempt *attempt, int touch, cst_contact *out);
    /* The normal of contact->before was opposite: if it has gone through it is turned back, with the gap of the whole way back. */
    void (*keep_side)(const cst_attempt *attempt, cst_contact *contact);
    /* `before`, seen where shapes are now, at the same point of side a. False: it is let go (contact_hold.h). */
    bool (*hold)(const cst_attempt *attempt, const cst_contact *before, cst_contact *out);
    /* All shapes as they are placed now, without margins, for `follow`. */
    void (*place)(cst_attempt *attempt, double time);
    /* As hold, of a contact that is not let go. */
    void (*follow)(const cst_attempt *attempt, cst_contact *contact);
    /* Does it roll? NULL: nobody knows. */
    void (*find_bend)(const cst_attempt *attempt, cst_contact *contact);
    /* Contacts of one pair of owners at the same s of a may be at different places of b. */
    bool both_ends;
} cst_touch_source;

const cst_touch_source *cst_touch_source_of(int dim);

extern const cst_touch_source cst_touches_plane, cst_touches_space;

#endif
