#include "world/apart_pairs.h"

#include "base/merge_sort.h"
#include "base/order.h"
#include "world/contact.h"

static int compare_pairs(const void *p, const void *q)
{
    const cst_owner_pair *x = p, *y = q;
    return cst_order_keys((int64_t[]){x->low, x->high}, (int64_t[]){y->low, y->high}, 2);
}

int cst_apart_pairs(const cst_owner_pair *given, int count, const cst_constraint *constraint, int constraints,
                    const cst_step_frame *frame, cst_arena *arena, const cst_owner_pair **out)
{
    cst_owner_pair *apart = CST_TAKE(arena, cst_owner_pair, constraints + count);
    cst_owner_pair *scratch = CST_TAKE(arena, cst_owner_pair, constraints + count);
    int listed = 0, kept = 0;
    if (arena->failed)
        return -1;
    for (int k = 0; k < count; k++)
        apart[listed++] = given[k];
    for (int k = 0; k < constraints; k++) {
        const int32_t a = constraint[k].body[0], b = constraint[k].body[1];
        if (a < 0 || b < 0 || a == b || !cst_constraint_active(constraint + k, frame->time, cst_frame_span(frame)))
            continue;
        apart[listed++] = (cst_owner_pair){.low = cst_owner_of_body(a < b ? a : b), .high = cst_owner_of_body(a < b ? b : a)};
    }
    cst_merge_sort(apart, scratch, (size_t)listed, sizeof *apart, compare_pairs);
    for (int k = 0; k < listed; k++)
        if (kept == 0 || compare_pairs(apart + kept - 1, apart + k) != 0)
            apart[kept++] = apart[k];
    *out = apart;
    return kept;
}
