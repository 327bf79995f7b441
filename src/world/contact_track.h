/* Tracking: finds for each contact of this step the contact of the last step that it continues.
 *
 * A contact is identified by its owners and by its place on their material; its features (elements) may change as it slides. A
 * contact `now` may continue a contact `before` if both have the same owners and the place on each side moved by at most the
 * `reach` of this side. The nearest contacts are matched first, and contacts with agreeing normals before contacts with
 * opposite normals. If the matched contacts have opposite normals, the two sides may have passed through each other, and
 * `turned` is set. If distances are equal, contacts with the same features and branch are matched first; if these are also
 * equal, the order of the lists decides. A matched contact keeps its id and its impulse. The stored impulse (in the world's
 * frame) is converted to the new contact frame, multiplied by dt / dt_before and clipped to the friction cone. */
#ifndef CST_WORLD_CONTACT_TRACK_H
#define CST_WORLD_CONTACT_TRACK_H

#include "base/arena.h"
#include "world/contact.h"

/* Order of all lists of contacts: owners, then material coordinates, features, branch. */
int cst_contacts_compare(const cst_contact *x, const cst_contact *y);
void cst_contacts_sort(cst_contact *contact, cst_contact *scratch, int count); /* `scratch` holds `count` contacts */

/* Returns the index of the first contact in a sorted list that does not come before `of`. `compare`: the order by which the
 * list is sorted, or a coarser order. */
int cst_contacts_first(const cst_contact *contact, int count, const cst_contact *of,
                       int (*compare)(const cst_contact *x, const cst_contact *y));

/* Sets id, fresh and r (first guess) of the contacts `now`. An unmatched contact gets the next free id, r = 0 and fresh = true.
 * `successor` (count_before): for each old contact, the index of the contact in `now` that continues it, or -1. Returns the
 * number of unmatched contacts in `now`, or -1 if memory ran out. The function takes scratch memory from the arena and releases
 * it. */
int cst_contacts_track(const cst_contact *before, int count_before, double scale, cst_contact *now, int count_now, int threads,
                       uint64_t *next_id, int32_t *successor, cst_arena *arena);

/* Returns the distance of two contact ends on their owner: along the arc length, or between the positions in the owner's frame
 * for vertices, edges and faces. */
double cst_contact_end_distance(const cst_contact_end *x, const cst_contact_end *y);

/* Copies id, impulse, and normal and velocity at the start of the step from `before` to the contact `now` that continues it.
 * `turned`: the normals of the two contacts are opposite. */
void cst_contact_continue(const cst_contact *before, bool turned, double scale, cst_contact *now);

#endif
