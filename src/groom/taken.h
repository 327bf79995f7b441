/* Space that hair has taken: straight pieces of the centrelines of hairs that have been laid, found by where they are.
 *
 * A piece is in the cell of its middle, eight to a block, so that eight are looked at side by side. Of two pieces with middles apart by d, one
 * along the unit vector t with half length h, the other with the half vector q, the distance is more than D if
 *
 *     |d - (d.t) t|  >  D + |q - (q.t) t|      or      |d.t|  >  D + h + |q.t|;
 *
 * hair lies along its neighbours, so this leaves a few; for them the nearest points are found. Pieces are kept in single precision: at a metre from the
 * origin a place errs by 6e-8 m.
 *
 * Several may be in a row, with pieces and radii of their own: what was laid before stays. */
#ifndef CST_GROOM_TAKEN_H
#define CST_GROOM_TAKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct cst_taken cst_taken;

/* pieces: about how many will come; half: m, the largest of their half lengths; near: m, the distance at which they are looked for,
 * about; radius: m, of all of them. earlier: NULL, or what was laid before; it stays. NULL: out of memory. */
cst_taken *cst_taken_new(size_t pieces, double half, double near, double radius, const cst_taken *earlier, cst_arena *arena);

/* A piece from a to b of a hair, or what keeps the place of one that is not yet laid (`owner`: its number; -1: it stays). False: no memory. */
bool cst_taken_add(cst_taken *taken, const double a[3], const double b[3], int32_t owner);

/* From now on nothing keeps a place for this hair; hair 0 .. hairs - 1 of those that cst_taken_reserve told. */
bool cst_taken_reserve(cst_taken *taken, int hairs);
void cst_taken_release(cst_taken *taken, int hair);

/* Of each of the pieces of a polyline (point: (pieces + 1) x 3), of this radius: the least room between it and all that is taken, as below; away: (pieces x 3). Those that follow each other look together,
 * which is several times faster than one by one. */
void cst_taken_rooms(const cst_taken *taken, int hair, double radius, const double *point, int pieces, double limit, double *room,
                     double *away);

/* The least room between a piece of this radius and all that is taken, except what is kept for `hair`: distance less both radii, not looked at beyond
 * `limit`, which is returned if there is nothing; away (3, m): from the nearest point there to here, if there is one. */
double cst_taken_room(const cst_taken *taken, int hair, double radius, const double a[3], const double b[3], double limit,
                      double away[3]);

#endif
