#include "collide/pair_rows.h"

#include <string.h>

#include "base/threads.h"

size_t cst_roomy(int64_t count)
{
    size_t step = 256;
    while (8 * step <= (size_t)count)
        step *= 2;
    return (size_t)count <= 4 * step ? 4 * step : ((size_t)count + step - 1) / step * step;
}

static void fail(cst_pair_pool *pool)
{
#pragma omp atomic write
    pool->failed = true;
}

bool cst_pair_pool_failed(const cst_pair_pool *pool)
{
    bool failed;
#pragma omp atomic read
    failed = pool->failed;
    return failed;
}

static void add_chunk(cst_pair_pool *pool, int64_t pairs)
{
    const int64_t before = pool->chunks > 0 ? pool->end[pool->chunks - 1] : 0, room = (int64_t)cst_roomy(pairs);
    cst_pair *chunk = pool->chunks < CST_PAIR_CHUNKS ? CST_TAKE_RAW(pool->arena, cst_pair, (size_t)room) : NULL;
    if (!chunk) {
        fail(pool);
        return;
    }
    pool->chunk[pool->chunks] = chunk;
    pool->end[pool->chunks++] = before + room;
}

void cst_pair_pool_begin(cst_pair_pool *pool, int64_t guess, int64_t most, cst_arena *arena)
{
    *pool = (cst_pair_pool){.arena = arena, .most = most};
    cst_lock_begin(&pool->lock);
    add_chunk(pool, guess);
}

/* The caller must hold pool->lock. */
static void put_all(cst_pair_pool *pool, const cst_pair *pair, int64_t count)
{
    if (pool->most > 0 && count > pool->most - pool->found) {
        pool->crowded = true;
        fail(pool);
    }
    while (count > 0 && !pool->failed) {
        const int last = pool->chunks - 1;
        const int64_t start = last > 0 ? pool->end[last - 1] : 0, room = pool->end[last] - pool->found;
        const int64_t now = count < room ? count : room;
        memcpy(pool->chunk[last] + (pool->found - start), pair, (size_t)now * sizeof *pair);
        pool->found += now;
        pair += now;
        count -= now;
        if (count > 0)
            add_chunk(pool, pool->end[last] / 2);
    }
}

void cst_pair_flush(cst_pair_buffer *buffer)
{
    cst_lock_take(&buffer->pool->lock);
    put_all(buffer->pool, buffer->pair, buffer->count);
    cst_lock_give(&buffer->pool->lock);
    buffer->count = 0;
}

/* Long rows are sorted by heap sort. Most rows are short, but the row of a large box that overlaps every other box is long. */
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

static int64_t pairs_in(const cst_pair_pool *pool, int chunk)
{
    const int64_t start = chunk > 0 ? pool->end[chunk - 1] : 0;
    return (chunk + 1 < pool->chunks ? pool->end[chunk] : pool->found) - start;
}

bool cst_pair_rows(const cst_pair_pool *pool, int rows, int threads, cst_arena *arena, cst_pair_list *out)
{
    out->partner = pool->failed ? NULL : CST_TAKE_RAW(arena, int32_t, cst_roomy(pool->found));
    if (!out->partner)
        return false;
    /* Counting sort in place: row_start[a] is first the number of pairs in row a, and then the index at which row a starts.
     * While the pairs are written, row_start[a] grows from the start of row a to its end. */
    int64_t sum = 0;
    for (int c = 0; c < pool->chunks; ++c)
        for (int64_t i = 0; i < pairs_in(pool, c); ++i)
            ++out->row_start[pool->chunk[c][i].a];
    for (int i = 0; i <= rows; ++i) {
        const int64_t here = out->row_start[i];
        out->row_start[i] = sum;
        sum += here;
    }
    for (int c = 0; c < pool->chunks; ++c)
        for (int64_t i = 0; i < pairs_in(pool, c); ++i)
            out->partner[out->row_start[pool->chunk[c][i].a]++] = pool->chunk[c][i].b;
    for (int i = rows; i > 0; --i)
        out->row_start[i] = out->row_start[i - 1];
    out->row_start[0] = 0;
    CST_PARALLEL_FOR(threads, schedule(dynamic, 256), (int i = 0; i < rows; ++i),
                     { sort_row(out->partner + out->row_start[i], out->row_start[i + 1] - out->row_start[i]); });
    return true;
}
