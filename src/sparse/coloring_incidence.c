#include "sparse/coloring_incidence.h"

/* The colours that the items of one group use, as a bit set. A word has one bit for each of 64 successive colours, and the words
 * are sorted by their index. A word in which no bit is set is not stored, so a group of d items needs at most d words. */
typedef struct used_word {
    int64_t index;
    uint64_t bits;
} used_word;

typedef struct used_colours {
    int count;
    used_word *word; /* array (size of the group) */
} used_colours;

/* Returns the lowest colour that is used neither in group `a` nor in group `b`; `a` and `b` may be NULL. */
static int64_t lowest_free(const used_colours *a, const used_colours *b)
{
    int at_a = 0, at_b = 0;
    for (int64_t index = 0;; index++) {
        uint64_t bits = 0;
        if (a && at_a < a->count && a->word[at_a].index == index)
            bits |= a->word[at_a++].bits;
        if (b && at_b < b->count && b->word[at_b].index == index)
            bits |= b->word[at_b++].bits;
        if (~bits != 0)
            return 64 * index + __builtin_ctzll(~bits);
    }
}

static void use(used_colours *used, int64_t colour)
{
    const int64_t index = colour / 64;
    int at = used->count;
    while (at > 0 && used->word[at - 1].index >= index)
        at--;
    if (at == used->count || used->word[at].index != index) {
        for (int k = used->count++; k > at; k--)
            used->word[k] = used->word[k - 1];
        used->word[at] = (used_word){.index = index};
    }
    used->word[at].bits |= (uint64_t)1 << (colour % 64);
}

/* Sorts the items by the size of the larger of their two groups, the largest first; the sort is stable. `order`: output.
 * `starts` (size of the largest group + 2): scratch. */
static void busiest_first(int items, const int32_t *group, const int32_t *size, int largest, int32_t *starts, int32_t *order)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < items; i++) {
            int busy = 0;
            for (int s = 0; s < 2; s++)
                if (group[2 * (int64_t)i + s] >= 0 && size[group[2 * (int64_t)i + s]] > busy)
                    busy = size[group[2 * (int64_t)i + s]];
            if (pass == 0)
                starts[largest - busy + 1]++;
            else
                order[starts[largest - busy]++] = i;
        }
        for (int k = 0; pass == 0 && k <= largest; k++)
            starts[k + 1] += starts[k];
    }
}

int cst_colour_incidence(int items, int groups, const int32_t *group, cst_arena *arena, int32_t *colour)
{
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    int32_t *size = CST_TAKE(arena, int32_t, (size_t)groups);
    used_colours *used = CST_TAKE(arena, used_colours, (size_t)groups);
    used_word *words = CST_TAKE(arena, used_word, 2 * (size_t)items);
    int32_t *order = CST_TAKE(arena, int32_t, (size_t)items);
    if (arena->failed)
        return -1;
    int largest = 0, colours = 0;
    for (int64_t k = 0; k < 2 * (int64_t)items; k++)
        if (group[k] >= 0 && ++size[group[k]] > largest)
            largest = size[group[k]];
    int32_t *starts = CST_TAKE(arena, int32_t, (size_t)largest + 2);
    if (arena->failed)
        return -1;
    for (int g = 0; g < groups; g++) {
        used[g].word = words;
        words += size[g];
    }
    busiest_first(items, group, size, largest, starts, order);
    for (int k = 0; k < items; k++) {
        const int32_t *met = group + 2 * (int64_t)order[k];
        used_colours *a = met[0] >= 0 ? used + met[0] : NULL, *b = met[1] >= 0 ? used + met[1] : NULL;
        const int64_t free = lowest_free(a, b);
        if (a)
            use(a, free);
        if (b)
            use(b, free);
        colour[order[k]] = (int32_t)free;
        if (free >= colours)
            colours = (int)free + 1;
    }
    cst_arena_release(arena, mark);
    return colours;
}
