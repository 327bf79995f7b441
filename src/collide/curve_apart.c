#include "collide/curve_apart.h"

#include <string.h>

#include "math/vector3.h"

/* Returns true if the centreline continues beyond the given end of the segment (0: start, 1: end), so that the search of the
 * neighbouring segment finds contacts beyond this end. At a corner between two centreline pieces, the function returns false for
 * the piece that begins there, because only the search of this piece finds a contact at the corner. */
static bool goes_on(const cst_curve_side *side, int end)
{
    const cst_placed_piece *piece = side->piece;
    if (end == 1)
        return side->segment->rank + 1 < piece->count || piece->next >= 0;
    return side->segment->rank > 0 || (piece->prev >= 0 && memcmp(piece->before, piece->t[0], sizeof piece->before) == 0);
}

void cst_pair_find_past(cst_curve_pair *pair)
{
    /* OUTSIDE: largest distance of an accepted contact point beyond an end of its segment, as a share of the segment's length */
    static const double OUTSIDE = 0.1;
    for (int i = 0; i < 2; ++i) {
        const cst_curve_side *side = &pair->side[i];
        const double h = side->segment->h, c = side->piece->piece->curvature * (pair->effort + 0.55 * h);
        const double inside = (1.0 + OUTSIDE) * (c - 1.0), outside = OUTSIDE * (1.0 + c);
        const double bound = h * h * (inside > outside ? inside : outside) + pair->level * pair->effort * h;
        for (int end = 0; end < 2; ++end)
            pair->past[i][end] = goes_on(side, end) ? bound : INFINITY;
    }
}

/* Returns the scalar product (y - x).x' for a point y, an end x of a segment and the tangent x' there (unit tangent times segment
 * length). At the start of the segment, the function returns -(y - x).x', so that the result is positive if y lies beyond this
 * end. */
static inline double phi_at(const cst_segment *segment, int end, const double *y)
{
    double r[3];
    cst_subtract3(y, segment->x[end], r);
    const double phi = cst_dot3(r, segment->m[end]);
    return end ? phi : -phi;
}

bool cst_pair_is_past(const cst_curve_pair *pair, int i, const double *y)
{
    const cst_segment *segment = pair->side[i].segment;
    return phi_at(segment, 0, y) > pair->past[i][0] || phi_at(segment, 1, y) > pair->past[i][1];
}

/* Returns true if all points of the other segment of the pair (number 1 - i) lie so far beyond one end of segment i that they
 * have no contact with it (curve_apart.h). */
static bool other_is_past(const cst_curve_pair *pair, int i)
{
    const cst_segment *segment = pair->side[i].segment, *other = pair->side[1 - i].segment;
    for (int end = 0; end < 2; ++end) {
        const double most = pair->past[i][end] + other->wide * segment->h;
        if (phi_at(segment, end, other->line[0]) > most && phi_at(segment, end, other->line[1]) > most)
            return true;
    }
    return false;
}

/* Returns an upper bound (m) for how far the curve of a segment lies beyond its shifted chord (cst_segment.line) in the direction
 * of the unit vector n. */
static double deviation(const cst_curve_side *side, const double *n)
{
    const cst_segment *segment = side->segment;
    double chord[3];
    cst_subtract3(segment->x[1], segment->x[0], chord);
    const double along = cst_dot3(n, chord);
    const double o0 = 0.25 * (cst_dot3(n, segment->m[0]) - along), o1 = 0.25 * (along - cst_dot3(n, segment->m[1]));
    const double middle = 0.25 * (o0 + o1), larger = o0 > o1 ? o0 : o1;
    return (larger > 0.0 ? larger : 0.0) - middle + 2.0 * side->piece->off;
}

bool cst_pair_is_apart(const cst_curve_pair *pair, const cst_segments *nearest)
{
    static const double ROUNDING = 1.0 + 1e-9; /* relative tolerance for rounding errors */
    if (other_is_past(pair, 0) || other_is_past(pair, 1))
        return true;
    const cst_segment *a = pair->side[0].segment, *b = pair->side[1].segment;
    if (!(nearest->distance > pair->reach))
        return false;
    double n[3], back[3];
    for (int k = 0; k < 3; ++k) {
        n[k] = (b->line[0][k] + nearest->t * (b->line[1][k] - b->line[0][k]) - a->line[0][k] -
                nearest->s * (a->line[1][k] - a->line[0][k])) /
               nearest->distance;
        back[k] = -n[k];
    }
    return nearest->distance - deviation(&pair->side[0], n) - deviation(&pair->side[1], back) > ROUNDING * pair->reach;
}
