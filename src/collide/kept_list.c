#include <math.h>
#include <string.h>

#include "base/simd.h"
#include "base/threads.h"
#include "collide/capsule_meet.h"
#include "collide/kept_pairs.h"

enum { CAPSULES_A_PAIR = 4, WIDTH = 4, ROW = 2 * WIDTH }; /* ROW: capsules tested at once */

static void list_box(const cst_capsule_groups *now, int g, int32_t box, cst_pair_buffer *out)
{
    const int32_t number = now->first[now->groups] + box;
    for (int32_t a = now->first[g]; a < now->first[g + 1]; ++a)
        if (cst_capsule_meets_box(now->capsule + a, now->box + box) && now->rule(now->user, a, number))
            cst_pair_put(out, a, number);
}

/* Bounding balls of all capsules: a first test of the balls excludes most pairs and needs no square root. The radius of a
 * bounding ball includes the uncertainty of the capsule's displacement. Each array has ROW spare entries at its end, because
 * ROW capsules are tested at once. */
typedef struct balls {
    double *center[3], *way[3], *radius; /* negative radius: no capsule */
} balls;

static bool take_balls(const cst_capsule_groups *now, int threads, cst_arena *arena, balls *out)
{
    const int capsules = now->first[now->groups];
    const size_t room = cst_roomy((int64_t)capsules + ROW);
    for (int k = 0; k < 3; ++k) {
        out->center[k] = CST_TAKE_RAW(arena, double, room);
        out->way[k] = CST_TAKE_RAW(arena, double, room);
    }
    out->radius = CST_TAKE_RAW(arena, double, room);
    if (arena->failed)
        return false;
    CST_PARALLEL_FOR(threads, schedule(static), (int i = 0; i < capsules + ROW; ++i), {
        const cst_capsule *of = now->capsule + (i < capsules ? i : 0);
        const bool there = i < capsules && of->radius >= 0.0;
        for (int k = 0; k < 3; ++k) {
            out->center[k][i] = there ? of->center[k] : 0.0;
            out->way[k][i] = there ? of->way[k] : 0.0;
        }
        out->radius[i] = there ? cst_capsule_ball(of) : -INFINITY;
    });
    return true;
}

typedef double lanes __attribute__((vector_size(8 * WIDTH), aligned(8), may_alias));
typedef int64_t lane_bits __attribute__((vector_size(8 * WIDTH)));

/* Tests the bounding ball of capsule a against the bounding balls of ROW consecutive capsules, from capsule b on. Bit i of the
 * result is set if the balls of the capsules a and b + i can meet in the step. */
CST_MULTIVERSION static uint32_t row_near(const balls *of, int32_t a, int32_t b)
{
    static const double ROUNDING = 1.0 + 1e-9;
    static const lane_bits EACH = {1, 2, 4, 8}, SIZE = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    uint32_t near = 0;
    for (int from = 0; from < ROW; from += WIDTH) {
        lanes square = {0.0}, way = {0.0};
        for (int k = 0; k < 3; ++k) {
            const lanes d = *(const lanes *)(of->center[k] + b + from) - of->center[k][a];
            const lanes w = *(const lanes *)(of->way[k] + b + from) - of->way[k][a];
            square += d * d;
            way += (lanes)((lane_bits)w & SIZE);
        }
        const lanes reach = ROUNDING * (*(const lanes *)(of->radius + b + from) + of->radius[a] + way);
        const lane_bits hit = (reach >= 0.0) & (square <= reach * reach) & EACH;
        near |= (uint32_t)(hit[0] | hit[1] | hit[2] | hit[3]) << from;
    }
    return near;
}

/* Lists the pairs of capsules of two centreline pieces that can meet in the step. Returns false if no capsule of one piece can
 * meet a capsule of the other. */
static bool list_groups(const cst_capsule_groups *now, const balls *ball, int32_t g, int32_t other, cst_pair_buffer *out)
{
    const int32_t end = now->first[other + 1];
    bool met = false;
    for (int32_t a = now->first[g]; a < now->first[g + 1]; ++a)
        for (int32_t row = other == g ? a + 1 : now->first[other]; row < end; row += ROW) {
            uint32_t near = row_near(ball, a, row);
            near &= end - row < ROW ? (1u << (end - row)) - 1 : ~0u;
            for (; near; near &= near - 1) {
                const int32_t b = row + __builtin_ctz(near);
                const bool meets = cst_capsules_meet(now->capsule + a, now->capsule + b);
                met = met || meets;
                if (meets && now->rule(now->user, a, b))
                    cst_pair_put(out, a, b);
            }
        }
    return met;
}

static void list_group(const cst_kept_pairs *kept, const cst_capsule_groups *now, const balls *ball, int32_t g,
                       cst_pair_buffer *out)
{
    if (now->first[g + 1] == now->first[g] || cst_pair_pool_failed(out->pool))
        return;
    for (int64_t p = kept->pairs.row_start[g]; p < kept->pairs.row_start[g + 1]; ++p) {
        const int32_t other = kept->pairs.partner[p];
        if (other >= now->groups) {
            if (other - now->groups < now->boxes)
                list_box(now, g, other - now->groups, out);
        } else if (kept->look[p] && !list_groups(now, ball, g, other, out) && other != g && kept->gap[p] < 0.0f) {
            kept->gap[p] = 0.0f;
        }
    }
}

bool cst_kept_pairs_list(cst_kept_pairs *kept, const cst_capsule_groups *now, cst_arena *arena, cst_pair_list *out)
{
    const int capsules = now->first[now->groups], threads = cst_group_threads(now);
    cst_pair_pool pool;
    balls ball;
    out->row_start = CST_TAKE(arena, int64_t, (size_t)capsules + 1);
    if (arena->failed || !take_balls(now, threads, arena, &ball))
        return false;
    cst_pair_pool_begin(&pool, capsules / CAPSULES_A_PAIR, cst_pairs_most(capsules), arena);
    if (threads > 1) {
#pragma omp parallel num_threads(threads)
        {
            cst_pair_buffer found;
            found.pool = &pool;
            found.count = 0;
#pragma omp for schedule(dynamic, 64)
            for (int g = 0; g < now->groups; ++g)
                list_group(kept, now, &ball, g, &found);
            cst_pair_flush(&found);
        }
    } else {
        cst_pair_buffer found;
        found.pool = &pool;
        found.count = 0;
        for (int g = 0; g < now->groups; ++g)
            list_group(kept, now, &ball, g, &found);
        cst_pair_flush(&found);
    }
    kept->crowded = pool.crowded;
    return cst_pair_rows(&pool, capsules, threads, arena, out);
}
