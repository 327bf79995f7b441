#include "collide/pair_rows.h"

#include <string.h>

void cst_pair_flush(cst_pair_buffer *buffer)
{
    cst_pair_pool *pool = buffer->pool;
    int64_t at;
#pragma omp atomic capture
    {
        at = pool->found;
        pool->found += buffer->count;
    }
    if (at + buffer->count <= pool->room)
        memcpy(pool->pair + at, buffer->pair, (size_t)buffer->count * sizeof *buffer->pair);
    buffer->count = 0;
}

size_t cst_roomy(int64_t count)
{
    size_t step = 256;
    while (8 * step <= (size_t)count)
        step *= 2;
    return (size_t)count <= 4 * step ? 4 * step : ((size_t)count + step - 1) / step * step;
}

bool cst_pair_pool_grow(cst_pair_pool *pool, int64_t guess, cst_arena *arena)
{
    pool->room = (int64_t)cst_roomy(pool->found > 0 ? pool->found : guess);
    pool->found = 0;
    pool->pair = CST_TAKE_RAW(arena, cst_pair, (size_t)pool->room);
    return !arena->failed;
}

/* Heap sort: rows are short as a rule, but one large box may have a partner in every other. */
static void sift(int32_t *value, int64_t root, int64_t count)
{
    const int32_t moved = value[root];
    for (int64_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && value[child + 1] > value[child])
            ++child;
        if (value[child] <= moved)
            break;
        value[root] = value[child];
    }
    value[root] = moved;
}

static void sort_row(int32_t *value, int64_t count)
{
    if (count <= 16) {
        for (int64_t i = 1; i < count; ++i) {
            const int32_t moved = value[i];
            int64_t j = i;
            for (; j > 0 && value[j - 1] > moved; --j)
                value[j] = value[j - 1];
            value[j] = moved;
        }
        return;
    }
    for (int64_t i = count / 2; i-- > 0;)
        sift(value, i, count);
    for (int64_t last = count - 1; last > 0; --last) {
        const int32_t top = value[0];
        value[0] = value[last];
        value[last] = top;
        sift(value, 0, last);
    }
}

bool cst_pair_rows(const cst_pair_pool *pool, int rows, int threads, cst_arena *arena, cst_pair_list *out)
{
    (void)threads; /* nobody reads it in a build without OpenMP */
    out->partner = CST_TAKE_RAW(arena, int32_t, cst_roomy(pool->found));
    if (arena->failed)
        return false;
    /* Counted in place: the count of row a goes to row_start[a], becomes its start, and is moved to its end by filling. */
    int64_t sum = 0;
    for (int64_t i = 0; i < pool->found; ++i)
        ++out->row_start[pool->pair[i].a];
    for (int i = 0; i <= rows; ++i) {
        const int64_t here = out->row_start[i];
        out->row_start[i] = sum;
        sum += here;
    }
    for (int64_t i = 0; i < pool->found; ++i)
        out->partner[out->row_start[pool->pair[i].a]++] = pool->pair[i].b;
    for (int i = rows; i > 0; --i)
        out->row_start[i] = out->row_start[i - 1];
    out->row_start[0] = 0;
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads > 1 ? threads : 1)
    for (int i = 0; i < rows; ++i)
        sort_row(out->partner + out->row_start[i], out->row_start[i + 1] - out->row_start[i]);
    return true;
}
