/* Contact tracking finds, for each contact of this step, the contact of the last step that it continues.
 *
 * A contact is identified by its two bodies (or body and obstacle) and by its material points on them; the elements that it
 * touches may change as the contact slides. A new contact can be matched with an old contact of the same two bodies if, on
 * each body, the material points of the two contacts are at most the distance `reach` apart. Among all possible matches, those
 * with agreeing normals come before those with opposite normals, and nearer ones before farther ones. If matched contacts have
 * opposite normals, the two bodies may have passed through each other, and the flag `turned` is set. Of several matches at the
 * same distance, the match with the same features (elements, vertices or faces) is taken first; if no match or several matches
 * have the same features, the order of the lists decides. A matched contact keeps the id and the impulse of the old contact.
 * The impulse of the old contact (in the world's frame) is converted to the frame of the new contact, multiplied by the ratio
 * of the step lengths and clipped to the friction cone. */
#ifndef CST_WORLD_CONTACT_TRACK_H
#define CST_WORLD_CONTACT_TRACK_H

#include "base/arena.h"
#include "world/contact.h"

/* Order in which all lists of contacts are sorted: by owners (bodies or obstacles), then by material coordinates, then by the
 * features that touch. */
int cst_contacts_compare(const cst_contact *x, const cst_contact *y);
void cst_contacts_sort(cst_contact *contact, cst_contact *scratch, int count); /* `scratch` holds `count` contacts */

/* Returns the index, in a sorted list, of the first contact that does not come before the contact `of`. The argument `compare`
 * is cst_contacts_compare, or a function that compares only the numbers of the two bodies or obstacles. */
int cst_contacts_first(const cst_contact *contact, int count, const cst_contact *of,
                       int (*compare)(const cst_contact *x, const cst_contact *y));

/* For each contact of this step (`now`), sets the id, the first guess r of the impulse, and the flag `fresh`, which is true if
 * the contact is new or had no impulse. A contact of this step without a match gets the next free id and the impulse r = 0.
 * The array `successor` (count_before) gives, for each old contact, the index of the new contact that continues it, or -1.
 * Returns the number of new contacts without a match, or -1 if memory ran out. The function cst_contacts_track releases all
 * memory that it has taken from the arena. */
int cst_contacts_track(const cst_contact *before, int count_before, double scale, cst_contact *now, int count_now, int threads,
                       uint64_t *next_id, int32_t *successor, cst_arena *arena);

/* Returns the distance of two contact points on the same body: along the arc length if they are on a curve; otherwise between
 * their positions in the body's frame. */
double cst_contact_end_distance(const cst_contact_end *x, const cst_contact_end *y);

/* Copies the data of the old contact `before` to the contact `now` that continues it: id, impulse, and the normal and velocity
 * at the start of the step. The flag `turned` is true if the contacts `before` and `now` have opposite normals. */
void cst_contact_continue(const cst_contact *before, bool turned, double scale, cst_contact *now);

#endif
