#include "collide/capsule_tree.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/simd.h"
#include "collide/code_order.h"

enum { FAN = CST_BOX_FAN, AXIS_BITS = 10, CODE_BITS = 6 * AXIS_BITS };

/* What single precision may take from a distance, relative to the lengths that go into it. */
static const float ROUNDING = 4e-6f;

/* A lane without a capsule: so far inside out that it is near to nothing, and no sum with it overflows. */
static const float NOTHING = -1e30f;

static bool proper(const cst_capsule *of)
{
    return of->radius >= 0.0;
}

/* ----------------------------------------------------------------------------------------------------------------- order */

/* Five bits of x with five zeros after each: of the copies of x at every fifth bit, bit i of the copy i. */
static uint64_t spread_five(uint32_t x)
{
    return (x & 31u) * 0x108421u & 0x1041041u;
}

static uint64_t spread_bits(uint32_t x)
{
    return spread_five(x) | spread_five(x >> 5) << 30;
}

/* Middle, and half the line; it has no direction, so the one that is positive along its longest component. */
static void place_of(const cst_capsule *of, double *place)
{
    int longest = 0;
    for (int k = 1; k < 3; ++k)
        longest = fabs(of->half[k]) > fabs(of->half[longest]) ? k : longest;
    const double sign = of->half[longest] < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 3; ++k) {
        place[k] = of->center[k];
        place[3 + k] = sign * of->half[k];
    }
}

typedef struct extent {
    double low[6], scale; /* one scale for all axes: what is near must be near in all of them */
    double largest;
} extent;

static double size_of(const cst_capsule *of)
{
    return fmax(fmax(fabs(of->half[0]), fabs(of->half[1])), fabs(of->half[2])) + of->radius;
}

static extent extent_of(const cst_capsule *capsule, int capsules)
{
    extent out = {.largest = 0.0};
    double high[6], widest = 0.0;
    for (int k = 0; k < 6; ++k) {
        out.low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (int i = 0; i < capsules; ++i) {
        const double size = size_of(capsule + i);
        if (!proper(capsule + i) || !isfinite(size))
            continue;
        double place[6];
        place_of(capsule + i, place);
        out.largest = size > out.largest ? size : out.largest;
        for (int k = 0; k < 6; ++k) {
            out.low[k] = place[k] < out.low[k] ? place[k] : out.low[k];
            high[k] = place[k] > high[k] ? place[k] : high[k];
        }
    }
    for (int k = 0; k < 6; ++k)
        widest = fmax(widest, high[k] - out.low[k]);
    out.scale = widest > 0.0 ? ((1 << AXIS_BITS) - 1) / widest : 0.0;
    return out;
}

/* Size classes in factors of four come first, so that a large ball does not blow up a leaf of small ones. */
static uint64_t code_of(const extent *e, const cst_capsule *of)
{
    const double size = size_of(of), most = (1 << AXIS_BITS) - 1;
    if (!isfinite(size))
        return 0;
    uint64_t class = 1;
    for (double larger = 0.25 * e->largest; class < 3 && size < larger; larger *= 0.25)
        ++class;
    uint64_t code = class << CODE_BITS;
    double place[6];
    place_of(of, place);
    for (int k = 0; k < 6; ++k) {
        const double c = (place[k] - e->low[k]) * e->scale;
        code |= spread_bits(c > 0.0 ? (uint32_t)(c < most ? c : most) : 0) << k;
    }
    return code;
}

/* ------------------------------------------------------------------------------------------------------------------ tree */

static void clear_row(cst_capsule_row *row)
{
    for (int i = 0; i < FAN; ++i) {
        for (int k = 0; k < 3; ++k)
            row->center[k][i] = row->half[k][i] = row->way[k][i] = 0.0f;
        for (int k = 0; k < 3; ++k) {
            row->low[k][i] = INFINITY;
            row->high[k][i] = -INFINITY;
        }
        row->radius[i] = NOTHING;
        row->spread[i] = 0.0f;
    }
}

/* Floats that are not below x, not above it. The next float of a finite one has the next bits, as nextafterf finds at greater length. */
static float round_up(double x)
{
    float f = (float)x;
    if ((double)f < x) {
        int32_t bits;
        memcpy(&bits, &f, sizeof bits);
        bits += f >= 0.0f ? 1 : -1;
        memcpy(&f, &bits, sizeof bits);
    }
    return f;
}

static float round_down(double x)
{
    return -round_up(-x);
}

static void set_lane(cst_capsule_row *row, int lane, const cst_capsule *of)
{
    double size = of->radius, turn = 0.0;
    for (int k = 0; k < 3; ++k) {
        row->center[k][lane] = (float)of->center[k];
        row->half[k][lane] = (float)of->half[k];
        row->way[k][lane] = (float)of->way[k];
        size += fabs(of->center[k]) + fabs(of->half[k]);
        turn += fabs(of->way[k]);
    }
    row->radius[lane] = round_up(of->radius + (double)ROUNDING * size);
    row->spread[lane] = round_up(of->spread + (double)ROUNDING * turn);
}

static void set_leaf(cst_capsule_row *row, int lane, const cst_capsule *of)
{
    set_lane(row, lane, of);
    for (int k = 0; k < 3; ++k) {
        row->low[k][lane] = round_down(of->center[k] - fabs(of->half[k]) - of->radius);
        row->high[k][lane] = round_up(of->center[k] + fabs(of->half[k]) + of->radius);
    }
}

static double lane_dot(const float part[3][FAN], int lane, const double *u)
{
    return (double)part[0][lane] * u[0] + (double)part[1][lane] * u[1] + (double)part[2][lane] * u[2];
}

/* Mean direction of the lines of a row, which have none of their own: as the first of them, along its longest component. */
static void direction_of(const cst_capsule_row *from, int count, double *u)
{
    int longest = 0;
    double square = 0.0;
    for (int k = 1; k < 3; ++k)
        longest = fabsf(from->half[k][0]) > fabsf(from->half[longest][0]) ? k : longest;
    for (int k = 0; k < 3; ++k) {
        u[k] = 0.0;
        for (int i = 0; i < count; ++i)
            u[k] += (double)(from->half[longest][i] < 0.0f ? -from->half[k][i] : from->half[k][i]);
        square += u[k] * u[k];
    }
    for (int k = 0; k < 3; ++k)
        u[k] = square > 0.0 ? u[k] / sqrt(square) : k == 2;
}

/* The capsule around the first `count` of a row, with its line through `center` along u. */
static void fit_line(const cst_capsule_row *from, int count, const double *u, cst_capsule *out)
{
    double low = INFINITY, high = -INFINITY;
    const double middle = out->center[0] * u[0] + out->center[1] * u[1] + out->center[2] * u[2];
    for (int i = 0; i < count; ++i) {
        const double c = lane_dot(from->center, i, u) - middle, e = lane_dot(from->half, i, u);
        low = fmin(low, c - fabs(e));
        high = fmax(high, c + fabs(e));
        for (int sign = -1; sign <= 1; sign += 2) {
            double across = 0.0;
            for (int k = 0; k < 3; ++k) {
                const double x =
                    (double)from->center[k][i] + sign * (double)from->half[k][i] - out->center[k] - (c + sign * e) * u[k];
                across += x * x;
            }
            out->radius = across >= 0.0 ? fmax(out->radius, sqrt(across) + (double)from->radius[i]) : INFINITY;
        }
    }
    for (int k = 0; k < 3; ++k) {
        out->center[k] += 0.5 * (low + high) * u[k];
        out->half[k] = 0.5 * (high - low) * u[k];
    }
}

/* The capsule around a row, into a lane of the row above. Lanes that are filled come first. */
static void set_around(const cst_capsule_row *from, cst_capsule_row *to, int lane)
{
    cst_capsule around = {.radius = 0.0};
    double u[3];
    int count = 0;
    while (count < FAN && from->radius[count] >= 0.0f)
        ++count;
    if (!count)
        return;
    for (int k = 0; k < 3; ++k) {
        to->low[k][lane] = INFINITY;
        to->high[k][lane] = -INFINITY;
        for (int i = 0; i < count; ++i) {
            around.center[k] += (double)from->center[k][i] / count;
            around.way[k] += (double)from->way[k][i] / count;
            to->low[k][lane] = fminf(to->low[k][lane], from->low[k][i]);
            to->high[k][lane] = fmaxf(to->high[k][lane], from->high[k][i]);
        }
    }
    direction_of(from, count, u);
    fit_line(from, count, u, &around);
    for (int i = 0; i < count; ++i) {
        double turn = 0.0;
        for (int k = 0; k < 3; ++k) {
            const double w = (double)from->way[k][i] - around.way[k];
            turn += w * w;
        }
        around.spread = turn >= 0.0 ? fmax(around.spread, sqrt(turn) + (double)from->spread[i]) : INFINITY;
    }
    set_lane(to, lane, &around);
}

bool cst_capsule_tree_build(const cst_capsule *capsule, int capsules, cst_arena *arena, cst_capsule_tree *tree)
{
    *tree = (cst_capsule_tree){.levels = 0};
    const int leaves = capsules / FAN + 1;
    tree->index = CST_TAKE_RAW(arena, int32_t, (size_t)leaves * FAN);
    for (int rows = leaves;; rows = (rows + FAN - 1) / FAN) {
        tree->rows[tree->levels] = rows;
        tree->row[tree->levels++] = CST_TAKE_RAW(arena, cst_capsule_row, rows);
        if (rows == 1)
            break;
    }
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    cst_coded *code = CST_TAKE_RAW(arena, cst_coded, capsules), *other = CST_TAKE_RAW(arena, cst_coded, capsules);
    if (arena->failed)
        return false;
    const extent e = extent_of(capsule, capsules);
    int count = 0;
    for (int i = 0; i < capsules; ++i)
        if (proper(capsule + i))
            code[count++] = (cst_coded){.code = code_of(&e, capsule + i), .index = i};
    const cst_coded *sorted = cst_sort_by_code(code, other, count, CODE_BITS + 2, arena);
    if (!sorted)
        return false;
    for (int l = 0; l < tree->levels; ++l)
        for (int r = 0; r < tree->rows[l]; ++r)
            clear_row(&tree->row[l][r]);
    for (int i = 0; i < leaves * FAN; ++i)
        tree->index[i] = i < count ? sorted[i].index : -1;
    for (int i = 0; i < count; ++i)
        set_leaf(&tree->row[0][i / FAN], i % FAN, capsule + sorted[i].index);
    for (int l = 1; l < tree->levels; ++l)
        for (int r = 0; r < tree->rows[l - 1]; ++r)
            set_around(&tree->row[l - 1][r], &tree->row[l][r / FAN], r % FAN);
    cst_arena_release(arena, mark);
    return true;
}

/* ----------------------------------------------------------------------------------------------------------------- tests */

cst_capsule_probe cst_capsule_row_probe(const cst_capsule_row *row, int lane)
{
    cst_capsule_probe out = {.radius = row->radius[lane], .spread = row->spread[lane]};
    for (int k = 0; k < 3; ++k) {
        out.low[k] = row->low[k][lane];
        out.high[k] = row->high[k][lane];
        out.center[k] = row->center[k][lane];
        out.half[k] = row->half[k][lane];
        out.way[k] = row->way[k][lane];
    }
    return out;
}

/* Four numbers side by side, in registers: compilers leave a loop over lanes scalar because of its comparisons. */
enum { WIDTH = 4 };
typedef float lanes __attribute__((vector_size(16)));
typedef int32_t lane_bits __attribute__((vector_size(16)));

static inline lanes load(const float *x)
{
    lanes out;
    memcpy(&out, x, sizeof out);
    return out;
}

static inline lanes choose(lane_bits which, lanes yes, lanes no)
{
    return (lanes)((which & (lane_bits)yes) | (~which & (lane_bits)no));
}

static inline lanes clamp(lanes x)
{
    const lanes one = {1.0f, 1.0f, 1.0f, 1.0f};
    const lanes low = choose(x < -one, -one, x);
    return choose(low > one, one, low);
}

static inline lanes size(lanes x)
{
    const lane_bits sign = {INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN};
    return (lanes)(~sign & (lane_bits)x);
}

/* Boxes that may meet, and how far each goes relative to the probe. */
static inline uint32_t boxes_near(const cst_capsule_row *row, const float *low, const float *high, const float *way, float spread,
                                  float *about)
{
    int hit[FAN], any = 0;
    for (int i = 0; i < FAN; ++i) {
        const float wx = row->way[0][i] - way[0], wy = row->way[1][i] - way[1], wz = row->way[2][i] - way[2];
        const float by = sqrtf(wx * wx + wy * wy + wz * wz) + row->spread[i] + spread;
        about[i] = by;
        hit[i] = (row->low[0][i] - by <= high[0]) & (row->high[0][i] + by >= low[0]) & (row->low[1][i] - by <= high[1]) &
                 (row->high[1][i] + by >= low[1]) & (row->low[2][i] - by <= high[2]) & (row->high[2][i] + by >= low[2]);
        any |= hit[i];
    }
    uint32_t bits = 0;
    for (uint32_t i = 0; any && i < FAN; ++i)
        bits |= (uint32_t)-hit[i] & 1u << i;
    return bits;
}

/* Nearest points c_a + s e_a, c_b + t e_b: s without the bounds of t, then t for that s, then s for that t. */
static inline uint32_t lines_near(const cst_capsule_row *row, int from, const cst_capsule_probe *probe, const float *about)
{
    const float ax = probe->half[0], ay = probe->half[1], az = probe->half[2];
    const float aa = ax * ax + ay * ay + az * az + FLT_MIN;
    const lanes bx = load(row->half[0] + from), by = load(row->half[1] + from), bz = load(row->half[2] + from);
    const lanes dx = load(row->center[0] + from) - probe->center[0], dy = load(row->center[1] + from) - probe->center[1];
    const lanes dz = load(row->center[2] + from) - probe->center[2];
    const lanes bb = bx * bx + by * by + bz * bz + FLT_MIN, ab = ax * bx + ay * by + az * bz;
    const lanes ad = ax * dx + ay * dy + az * dz, bd = bx * dx + by * dy + bz * dz;
    const lanes det = aa * bb - ab * ab, least = 1e-6f * aa * bb + FLT_MIN;
    const lanes s0 = clamp((ad * bb - ab * bd) / choose(det > least, det, least));
    const lanes t = clamp((ab * s0 - bd) / bb), s = clamp((ab * t + ad) / aa);
    const lanes rx = dx + t * bx - s * ax, ry = dy + t * by - s * ay, rz = dz + t * bz - s * az;
    const lanes apart = rx * dx + ry * dy + rz * dz - size(rx * ax + ry * ay + rz * az) - size(rx * bx + ry * by + rz * bz);
    const lanes reach = (1.0f + ROUNDING) * (load(row->radius + from) + probe->radius + load(about + from));
    const lane_bits far = (apart > 0.0f) & (apart * apart > reach * reach * (rx * rx + ry * ry + rz * rz));
    const lane_bits each = {1, 2, 4, 8}, near = ~far & each;
    uint64_t two[2];
    memcpy(two, &near, sizeof two);
    return (uint32_t)(two[0] | two[1] | (two[0] | two[1]) >> 32) << from;
}

static inline uint32_t row_near(const cst_capsule_row *row, const cst_capsule_probe *probe)
{
    float about[FAN];
    const uint32_t bits = boxes_near(row, probe->low, probe->high, probe->way, probe->spread, about);
    const uint32_t half = (1u << WIDTH) - 1;
    uint32_t near = 0;
    if (bits & half) /* most rows have hits in one half, or none */
        near = lines_near(row, 0, probe, about);
    if (bits & ~half)
        near |= lines_near(row, WIDTH, probe, about);
    return bits & near;
}

CST_MULTIVERSION uint32_t cst_capsule_row_near(const cst_capsule_row *row, const cst_capsule_probe *probe)
{
    return row_near(row, probe);
}

cst_box_probe cst_box_probe_of(const cst_box *box, const double *way, double spread)
{
    double turn = 0.0;
    cst_box_probe out;
    for (int k = 0; k < 3; ++k) {
        out.low[k] = round_down(box->low[k]);
        out.high[k] = round_up(box->high[k]);
        out.way[k] = (float)way[k];
        turn += fabs(way[k]);
    }
    out.spread = round_up(spread + (double)ROUNDING * turn);
    return out;
}

CST_MULTIVERSION uint32_t cst_capsule_row_near_box(const cst_capsule_row *row, const cst_box_probe *probe)
{
    float about[FAN];
    return boxes_near(row, probe->low, probe->high, probe->way, probe->spread, about);
}

/* ------------------------------------------------------------------------------------------------------------- traversal */

typedef struct place {
    int level, row;
} place;

/* Rows below the lanes of `bits`, from the leaf `first` on, onto the stack. */
static int push_rows(uint32_t bits, place at, int first, place *stack, int depth)
{
    int leaves = 1; /* under a row of the level below */
    for (int l = 1; l < at.level; ++l)
        leaves *= FAN;
    const int skip = first / leaves - at.row * FAN; /* rows that end before the first leaf */
    if (skip > 0)
        bits = skip < FAN ? bits >> skip << skip : 0;
    for (int i = 0; bits >> i; ++i)
        if (bits >> i & 1u)
            stack[depth++] = (place){.level = at.level - 1, .row = at.row * FAN + i};
    return depth;
}

/* Leaf rows near a capsule or, if that is NULL, near a box. */
static inline __attribute__((always_inline)) void descend(const cst_capsule_tree *tree, int first,
                                                          const cst_capsule_probe *capsule, const cst_box_probe *box,
                                                          cst_leaf_visit visit, void *user)
{
    place stack[CST_BOX_LEVELS * FAN] = {{.level = tree->levels - 1, .row = 0}};
    for (int depth = 1; depth;) {
        const place at = stack[--depth];
        if (at.level == 0) {
            visit(user, at.row);
            continue;
        }
        const cst_capsule_row *row = &tree->row[at.level][at.row];
        depth = push_rows(capsule ? row_near(row, capsule) : cst_capsule_row_near_box(row, box), at, first, stack, depth);
    }
}

CST_MULTIVERSION void cst_capsule_tree_visit(const cst_capsule_tree *tree, int first, const cst_capsule_probe *probe,
                                             cst_leaf_visit visit, void *user)
{
    descend(tree, first, probe, NULL, visit, user);
}

void cst_capsule_tree_visit_box(const cst_capsule_tree *tree, const cst_box_probe *probe, cst_leaf_visit visit, void *user)
{
    descend(tree, 0, NULL, probe, visit, user);
}
