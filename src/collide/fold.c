#include "collide/fold.h"

#include <math.h>

/* Of the sum of the radii: an edge that is no shorter than this may fold onto the one beside it, and their far ends meet before they are in
 * each other. */
static const double FOLDS = 2.0;

static bool is_long(const cst_piece *one, const cst_piece *two, double length)
{
    return length >= FOLDS * (one->radius + two->radius);
}

bool cst_piece_folds_at(const cst_placed_piece *piece, cst_on_piece at, const cst_placed_piece *other)
{
    const cst_piece *low = (at == CST_PIECE_END ? piece : other)->piece, *high = (at == CST_PIECE_END ? other : piece)->piece;
    const bool meet = at == CST_PIECE_END ? piece->next >= 0 && piece->next == other->prev : piece->prev >= 0 && piece->prev == other->next;
    if (!meet || at == CST_PIECE_INSIDE || low->owner != high->owner || !piece->straight || !other->straight)
        return false;
    const double between = high->s - (low->s + low->length);
    return is_long(low, high, between < 0.0 ? between + low->owner_length : between);
}

bool cst_pieces_fold_at_end(const cst_placed_piece *a, const cst_placed_piece *b)
{
    return a->straight && b->straight && a->piece->owner == b->piece->owner && (a->prev < 0 || b->next < 0) &&
           cst_pieces_meet(a->piece, b->piece, false) && is_long(a->piece, b->piece, fmin(a->piece->length, b->piece->length));
}

bool cst_pieces_fold(const cst_placed_piece *a, const cst_placed_piece *b)
{
    return cst_piece_folds_at(a, CST_PIECE_START, b) || cst_piece_folds_at(a, CST_PIECE_END, b) || cst_pieces_fold_at_end(a, b);
}
