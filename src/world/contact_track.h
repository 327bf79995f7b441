/* Which contact of this step is which of the last one.
 *
 * A contact is known by its owners and by where it is on their material: features (elements) may change as it slides along. Of
 * all pairs (now, before) with the same owners whose material coordinates moved less than the reach of either side, the nearest
 * are matched first, those with agreeing normals before the others (opposite normals: a thin body may have been passed through;
 * `turned` says so); equal distances prefer the same features and branch, then the order of the lists.
 * A matched contact keeps its id and its impulse, carried in the world's frame: re-expressed in the frame of now, times
 * dt / dt_before, and clipped to the cone. */
#ifndef CST_WORLD_CONTACT_TRACK_H
#define CST_WORLD_CONTACT_TRACK_H

#include "base/arena.h"
#include "world/contact.h"

/* The order that all lists of contacts have: owners, then material coordinates, features, branch. */
int cst_contacts_compare(const cst_contact *x, const cst_contact *y);
void cst_contacts_sort(cst_contact *contact, cst_contact *scratch, int count); /* room for as many in scratch */

/* The first of the sorted contacts that does not come before `of`, in their order or by a coarser one. */
int cst_contacts_first(const cst_contact *contact, int count, const cst_contact *of,
                       int (*compare)(const cst_contact *x, const cst_contact *y));

/* Fills id, fresh and r (first guess) of `now`. Unmatched: id from *next_id, which moves on, r = 0 and fresh. successor
 * (count_before): who continues it, or -1. Returns how many of `now` are unmatched; -1: out of memory. Scratch from the arena,
 * given back. */
int cst_contacts_track(const cst_contact *before, int count_before, double scale, cst_contact *now, int count_now, int threads,
                       uint64_t *next_id, int32_t *successor, cst_arena *arena);

/* Along the material of the owner. */
double cst_contact_end_distance(const cst_contact_end *x, const cst_contact_end *y);

/* What a contact that continues another takes over from it; turned: its normal is the opposite one. */
void cst_contact_continue(const cst_contact *before, bool turned, double scale, cst_contact *now);

#endif
