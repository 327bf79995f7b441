/* Tracking: finds for each contact of this step the contact of the last step that it continues.
 *
 * A contact is identified by its owners and by its place on their material; its features (elements) may change as it slides. A
 * pair (now, before) is possible if the owners are the same and the material coordinates moved less than the reach of either
 * side. The nearest pairs are matched first, and pairs with agreeing normals before pairs with opposite normals. Opposite normals
 * mean that a thin body may have been passed through; `turned` is then set. If distances are equal, pairs with the same features
 * and branch come first; then the order of the lists decides. A matched contact keeps its id and its impulse. The impulse is
 * stored in the world's frame; it is expressed in the present contact frame, scaled by dt / dt_before and clipped to the cone. */
#ifndef CST_WORLD_CONTACT_TRACK_H
#define CST_WORLD_CONTACT_TRACK_H

#include "base/arena.h"
#include "world/contact.h"

/* Order of all lists of contacts: owners, then material coordinates, features, branch. */
int cst_contacts_compare(const cst_contact *x, const cst_contact *y);
void cst_contacts_sort(cst_contact *contact, cst_contact *scratch, int count); /* `scratch` holds `count` contacts */

/* Returns the index of the first of the sorted contacts that does not come before `of`. `compare`: the order of the list or a
 * coarser one. */
int cst_contacts_first(const cst_contact *contact, int count, const cst_contact *of,
                       int (*compare)(const cst_contact *x, const cst_contact *y));

/* Sets id, fresh and r (first guess) of the contacts `now`. An unmatched contact gets the next free id, r = 0 and fresh = true.
 * `successor` (count_before): index in `now` of the contact that continues each old one, or -1. Returns the number of unmatched
 * contacts in `now`, or -1 if memory ran out. Scratch memory is taken from the arena and released. */
int cst_contacts_track(const cst_contact *before, int count_before, double scale, cst_contact *now, int count_now, int threads,
                       uint64_t *next_id, int32_t *successor, cst_arena *arena);

/* Returns the distance along the material of the owner. */
double cst_contact_end_distance(const cst_contact_end *x, const cst_contact_end *y);

/* Copies id, impulse and start data from `before` to the contact that continues it. `turned`: the normals of the two contacts are
 * opposite. */
void cst_contact_continue(const cst_contact *before, bool turned, double scale, cst_contact *now);

#endif
