#include "collide/fold.h"

#include "math/vector3.h"

/* FOLDS: least length of an edge that can fold onto its neighbour, divided by the sum of the radii of the two pieces in contact.
 * For two pieces of the radius r, an edge that can fold onto its neighbour is at least 2.5 r long. If an edge of the length 2.5 r
 * is perpendicular to its neighbour, the gap between its far end and the neighbour is r/2 (r: radius of both), the sum of the two
 * contact margins. With a larger value of FOLDS, the first edge of a clamped rod, which is half as long as the other edges, would
 * not fold (`capstan-bench random`, seed 1713). */
static const double FOLDS = 1.25;

/* Returns true if an edge is long enough to fold onto its neighbour. `length`: rest length of the edge; `x`, `y`: current ends of
 * the edge. An edge also counts as too short if it is compressed to less than the sum of the two radii, because it then overlaps
 * its neighbours in any position. */
static bool is_long(const cst_piece *one, const cst_piece *two, double length, const double *x, const double *y)
{
    const double radii = one->radius + two->radius;
    double now[3];
    cst_subtract3(x, y, now);
    return length >= FOLDS * radii && cst_dot3(now, now) >= radii * radii;
}

bool cst_piece_folds_at(const cst_placed_piece *piece, cst_on_piece at, const cst_placed_piece *other)
{
    const cst_piece *low = (at == CST_PIECE_END ? piece : other)->piece, *high = (at == CST_PIECE_END ? other : piece)->piece;
    const int32_t from = at == CST_PIECE_END ? piece->next : other->next, to = at == CST_PIECE_END ? other->prev : piece->prev;
    const bool meet = from >= 0 && to >= 0 && (to == from || to == from + 1); /* one or two pieces in between */
    if (!meet || at == CST_PIECE_INSIDE || low->owner != high->owner || !other->straight)
        return false;
    const double between = high->s - (low->s + low->length);
    return is_long(low, high, between < 0.0 ? between + low->owner_length : between, piece->end[at == CST_PIECE_END],
                   other->end[at != CST_PIECE_END]);
}

bool cst_pieces_fold_at_end(const cst_placed_piece *a, const cst_placed_piece *b)
{
    return a->straight && b->straight && a->piece->owner == b->piece->owner && (a->prev < 0 || b->next < 0) &&
           cst_pieces_meet(a->piece, b->piece, false) && is_long(a->piece, b->piece, a->piece->length, a->end[0], a->end[1]) &&
           is_long(a->piece, b->piece, b->piece->length, b->end[0], b->end[1]);
}

bool cst_pieces_fold(const cst_placed_piece *a, const cst_placed_piece *b)
{
    return cst_piece_folds_at(a, CST_PIECE_START, b) || cst_piece_folds_at(a, CST_PIECE_END, b) || cst_pieces_fold_at_end(a, b);
}
