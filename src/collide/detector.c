#include "collide/detector.h"

#include <string.h>

void cst_detector_begin(cst_detector *detector, const cst_allocator *allocator)
{
    memset(detector, 0, sizeof *detector);
    cst_arena_begin(&detector->arena, allocator);
    detector->empty = cst_arena_mark_now(&detector->arena);
    for (int i = 0; i < CST_DETECTOR_KEPT; ++i)
        cst_arena_begin(&detector->kept[i].arena, allocator);
    cst_kept_pairs_begin(&detector->pairs_kept, allocator);
}

void cst_detector_end(cst_detector *detector)
{
    cst_arena_end(&detector->arena);
    for (int i = 0; i < CST_DETECTOR_KEPT; ++i)
        cst_arena_end(&detector->kept[i].arena);
    cst_kept_pairs_end(&detector->pairs_kept);
}

const cst_pair_list *cst_detector_near(const cst_detector *detector, const float **gap, const cst_piece_way **way)
{
    *gap = detector->searched ? detector->pairs_kept.gap : NULL;
    *way = detector->searched ? detector->searched->way : NULL;
    return detector->searched ? &detector->pairs_kept.pairs : NULL;
}

void cst_detector_trim(cst_detector *detector)
{
    int last = 0;
    for (int i = 1; i < CST_DETECTOR_KEPT; ++i)
        if (detector->kept[i].used > detector->kept[last].used)
            last = i;
    for (int i = 0; i < CST_DETECTOR_KEPT; ++i) {
        cst_kept_touches *kept = &detector->kept[i];
        if (i == last || !cst_arena_is_large(&kept->arena))
            continue;
        kept->there = false;
        cst_arena_release_large(&kept->arena);
    }
}

void cst_detector_forget(cst_detector *detector)
{
    for (int i = 0; i < CST_DETECTOR_KEPT; ++i)
        detector->kept[i].there = false;
    detector->pairs_kept.there = false;
    detector->prepared = NULL;
}
