/* Space occupied by hair: straight pieces of the centrelines of laid hairs, in a spatial hash.
 *
 * A piece is stored in the cell of its middle, in blocks of eight, which are tested in parallel. Consider two pieces whose
 * middles differ by d, one along the unit vector t with half length h, the other with the half vector q. The distance of the two
 * pieces is more than D if
 *
 *     |d - (d.t) t|  >  D + |q - (q.t) t|      or      |d.t|  >  D + h + |q.t|.
 *
 * Hair lies parallel to its neighbours, so this test excludes most pairs of pieces; the nearest points are computed only for
 * the remaining pairs. Pieces are stored in single precision: one metre from the origin, a position has an error of 6e-8 m.
 *
 * Several occupied spaces can be chained, each with its own piece length and radius; earlier hair is kept. */
#ifndef CST_GROOM_TAKEN_H
#define CST_GROOM_TAKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct cst_taken cst_taken;

/* pieces: approximate number of pieces; half: their largest half length, m; near: approximate search distance, m; radius: radius
 * of all pieces, m. `earlier` is NULL or the space occupied by earlier hair, which is kept. Returns NULL if memory ran out. */
cst_taken *cst_taken_new(size_t pieces, double half, double near, double radius, const cst_taken *earlier, cst_arena *arena);

/* Adds a piece of a hair from a to b, or a stub that reserves the place of a hair not laid yet (`owner`: its number; -1:
 * permanent). Returns false if memory ran out. */
bool cst_taken_add(cst_taken *taken, const double a[3], const double b[3], int32_t owner);

/* cst_taken_reserve sets the number of hairs that have stubs, 0 .. hairs - 1. cst_taken_release removes the stub of one hair. */
bool cst_taken_reserve(cst_taken *taken, int hairs);
void cst_taken_release(cst_taken *taken, int hair);

/* Computes the least gap to the occupied space, as in cst_taken_room, for each piece of a polyline of this radius. `point`:
 * ((pieces + 1) x 3) points of the polyline. `away`: (pieces x 3) vectors. Consecutive pieces are searched together, which is
 * several times faster than one by one. */
void cst_taken_rooms(const cst_taken *taken, int hair, double radius, const double *point, int pieces, double limit, double *room,
                     double *away);

/* Returns the least gap between a piece of this radius and the occupied space, except stubs of `hair`: the distance minus the
 * radii of the two pieces, or `limit` if nothing is nearer. `away` (3, m): vector from the nearest point of the occupied space to
 * this piece, if any point is near. */
double cst_taken_room(const cst_taken *taken, int hair, double radius, const double a[3], const double b[3], double limit,
                      double away[3]);

#endif
