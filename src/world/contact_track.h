/* Contact tracking: finds, for each contact of this step, the contact of the last step that it continues.
 *
 * A contact is identified by its two bodies (or body and obstacle) and by the touching material points. The touching elements
 * can change as a contact slides. A new contact can continue an old contact of the same two bodies if, on each body, the
 * material points of the two contacts are at most the distance `reach` apart. Among the possible matches, the best one is taken
 * first:
 *     * Matches whose normals make an angle below 90 degrees come first; normals with an angle of 90 degrees or more count as
 *       opposite.
 *     * Matches at a small distance along the bodies come before matches at a large distance.
 *     * Matches on the same features (elements, vertices, faces) come before matches on different features.
 * If two matches are equally good, the order of the contact lists decides. If matched contacts have opposite normals, the two
 * bodies may have passed through each other, and the flag `turned` is set.
 *
 * A matched contact keeps the id and the impulse of the old contact. The impulse is converted from the world's frame to the new
 * contact frame, multiplied by the ratio of the step lengths, and clipped to the friction cone. */
#ifndef CST_WORLD_CONTACT_TRACK_H
#define CST_WORLD_CONTACT_TRACK_H

#include "base/arena.h"
#include "world/contact.h"

/* Compares two contacts in the order of all contact lists: by owners (bodies or obstacles), then by material coordinates, then
 * by touching features. */
int cst_contacts_compare(const cst_contact *x, const cst_contact *y);
/* Sorts contacts in this order. `arena`: for working memory, which is released again. Returns false if memory ran out; the
 * contacts are then partly sorted. */
bool cst_contacts_sort(cst_contact *contact, int count, cst_arena *arena);

/* Returns the index, in a sorted list, of the first contact that does not come before the contact `of`. `compare`:
 * cst_contacts_compare, or a function that compares only the owners (bodies or obstacles) of two contacts. */
int cst_contacts_first(const cst_contact *contact, int count, const cst_contact *of,
                       int (*compare)(const cst_contact *x, const cst_contact *y));

/* Sets for each contact of this step (`now`) the id, the first guess r of the impulse, and the flag `fresh`, which is true if the
 * contact is new or had no impulse. A contact without a match gets the next free id and the impulse zero. Returns the number of
 * contacts without a match, or -1 if memory ran out. The function releases the arena memory that it has taken, unless memory ran
 * out.
 *
 *     `scale`: factor on the old impulses, the ratio of the new to the old step length.
 *     `successor`: array (count_before): for each old contact, the index of the new contact that continues it, or -1. */
int cst_contacts_track(const cst_contact *before, int count_before, double scale, cst_contact *now, int count_now, int threads,
                       uint64_t *next_id, int32_t *successor, cst_arena *arena);

/* Returns the distance (m) of two contact points on one body: along the arc length for points of a curve, otherwise between the
 * positions in the body's frame. */
double cst_contact_end_distance(const cst_contact_end *x, const cst_contact_end *y);

/* Passes data of the old contact `before` on to the contact `now` that continues it: the id, the normal and velocity at the start
 * of the step, the flag `jammed` if the old contact had an impulse, and the impulse. The impulse is multiplied by `scale`,
 * converted to the frame of `now`, and clipped to the friction cone. `turned`: true if the old and the new contact have opposite
 * normals. */
void cst_contact_continue(const cst_contact *before, bool turned, double scale, cst_contact *now);

#endif
