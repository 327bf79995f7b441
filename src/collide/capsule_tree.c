#include "collide/capsule_tree.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/simd.h"
#include "collide/capsule_order.h"

enum { FAN = CST_BOX_FAN };

/* ROUNDING: largest rounding error of a distance in single precision, as a fraction of the sum of the absolute values from which
 * the distance is computed. */
static const float ROUNDING = 4e-6f;

/* NOTHING: negative radius that marks an unused entry of a row of eight capsules. */
static const float NOTHING = -1e30f;

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

/* Returns the smallest float that is not below the number x. The next float is found by changing the bit pattern by 1, which is
 * faster than nextafterf. */
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

/* Computes the mean direction u of the axes of `count` capsules. An axis has no orientation. Axis vectors are reversed where
 * necessary, so that none has a negative component in the coordinate in which the first axis is longest. */
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

/* Copies one vector of each of the `count` capsules in a row, converted to double. The unused entries of `to` get the first
 * capsule's vector, so that all eight entries are valid numbers. */
static void take_lanes(const float from[3][FAN], int count, double to[3][FAN])
{
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < FAN; ++i)
            to[k][i] = (double)from[k][i < count ? i : 0];
}

/* Positions of eight capsules relative to the axis of their bounding capsule:
 *     `low`, `high`: range of a capsule's axis along the axis of the bounding capsule (m).
 *     `across`: largest squared distance of a capsule's axis from the axis of the bounding capsule.
 *     `turn`: |w - w0|^2, with the displacement w of the capsule and the displacement w0 of the bounding capsule. */
typedef struct lanes_off {
    double low[FAN], high[FAN], across[FAN], turn[FAN];
} lanes_off;

CST_MULTIVERSION static void measure_lanes(double center[3][FAN], double half[3][FAN], double way[3][FAN], const double *u,
                                           const cst_capsule *from, lanes_off *out)
{
    const double middle = from->center[0] * u[0] + from->center[1] * u[1] + from->center[2] * u[2];
    for (int i = 0; i < FAN; ++i) {
        const double c = center[0][i] * u[0] + center[1][i] * u[1] + center[2][i] * u[2] - middle;
        const double e = half[0][i] * u[0] + half[1][i] * u[1] + half[2][i] * u[2];
        double one = 0.0, two = 0.0, turn = 0.0;
        for (int k = 0; k < 3; ++k) {
            const double x = center[k][i] - from->center[k] - c * u[k], y = half[k][i] - e * u[k], w = way[k][i] - from->way[k];
            one += (x + y) * (x + y);
            two += (x - y) * (x - y);
            turn += w * w;
        }
        out->low[i] = c - fabs(e);
        out->high[i] = c + fabs(e);
        out->across[i] = one > two ? one : two;
        out->turn[i] = turn;
    }
}

/* Computes the bounding capsule `around` of `count` capsules. The caller has already set around->center to the mean of the
 * capsules' centres and around->way to the mean of the capsules' displacements. */
static void fit_capsule(const cst_capsule_row *from, int count, cst_capsule *around)
{
    double u[3], center[3][FAN], half[3][FAN], way[3][FAN], low = INFINITY, high = -INFINITY, sum = 0.0;
    lanes_off off;
    direction_of(from, count, u);
    take_lanes(from->center, count, center);
    take_lanes(from->half, count, half);
    take_lanes(from->way, count, way);
    measure_lanes(center, half, way, u, around, &off);
    for (int i = 0; i < count; ++i) {
        const double radius = sqrt(off.across[i]) + (double)from->radius[i], spread = sqrt(off.turn[i]) + (double)from->spread[i];
        low = off.low[i] < low ? off.low[i] : low;
        high = off.high[i] > high ? off.high[i] : high;
        around->radius = radius > around->radius ? radius : around->radius;
        around->spread = spread > around->spread ? spread : around->spread;
        sum += off.low[i] + off.high[i] + radius + spread;
    }
    if (isnan(sum))
        around->radius = around->spread = INFINITY;
    for (int k = 0; k < 3; ++k) {
        around->center[k] += 0.5 * (low + high) * u[k];
        around->half[k] = 0.5 * (high - low) * u[k];
    }
}

/* Computes the bounding capsule and the bounding box of the capsules of the row `from`, and writes them to entry `lane` of the
 * row `to`. */
static void set_around(const cst_capsule_row *from, cst_capsule_row *to, int lane)
{
    cst_capsule around = {.radius = 0.0};
    int count = 0;
    while (count < FAN && from->radius[count] >= 0.0f)
        ++count;
    if (!count)
        return;
    for (int k = 0; k < 3; ++k) {
        float low = INFINITY, high = -INFINITY;
        for (int i = 0; i < count; ++i) {
            around.center[k] += (double)from->center[k][i] / count;
            around.way[k] += (double)from->way[k][i] / count;
            low = from->low[k][i] < low ? from->low[k][i] : low;
            high = from->high[k][i] > high ? from->high[k][i] : high;
        }
        to->low[k][lane] = low;
        to->high[k][lane] = high;
    }
    fit_capsule(from, count, &around);
    set_lane(to, lane, &around);
}

/* Sorts one block of capsules and makes its leaves at once, so that each capsule is read from memory only once. */
static void make_leaves(const cst_capsule *capsule, int capsules, int first, cst_capsule_tree *tree)
{
    const int from = first * FAN, end = capsules < from + CST_CAPSULE_BLOCK ? capsules : from + CST_CAPSULE_BLOCK;
    if (end > from)
        cst_capsule_order_block(capsule, tree->index + from, end - from);
    for (int r = first; r < tree->rows[0] && r < first + FAN; ++r) {
        clear_row(&tree->row[0][r]);
        for (int i = r * FAN; i < end && i < (r + 1) * FAN; ++i)
            set_leaf(&tree->row[0][r], i % FAN, capsule + tree->index[i]);
    }
}

static void make_node(cst_capsule_tree *tree, int level, int index)
{
    cst_capsule_row *row = &tree->row[level][index];
    clear_row(row);
    for (int i = 0; i < FAN && index * FAN + i < tree->rows[level - 1]; ++i)
        set_around(&tree->row[level - 1][index * FAN + i], row, i);
}

void cst_capsule_row_fill(const cst_capsule *capsule, int count, double more, cst_capsule_row *row)
{
    clear_row(row);
    for (int i = 0, lane = 0; i < count; ++i)
        if (capsule[i].radius >= 0.0) {
            cst_capsule wide = capsule[i];
            wide.radius += more;
            set_leaf(row, lane++, &wide);
        }
}

void cst_capsule_row_bound(const cst_capsule_row *from, cst_capsule_row *to)
{
    clear_row(to);
    set_around(from, to, 0);
}

bool cst_capsule_tree_build(const cst_capsule *capsule, int capsules, cst_arena *arena, cst_capsule_tree *tree)
{
    *tree = (cst_capsule_tree){.levels = 0};
    const int leaves = capsules / FAN + 1;
    tree->index = CST_TAKE_RAW(arena, int32_t, (size_t)leaves * FAN);
    tree->levels = cst_box_levels(leaves, tree->rows);
    for (int l = 0; l < tree->levels; ++l)
        tree->row[l] = CST_TAKE_RAW(arena, cst_capsule_row, tree->rows[l]);
    const int count = arena->failed ? -1 : cst_capsule_order(capsule, capsules, arena, tree->index);
    if (count < 0)
        return false;
    for (int i = count; i < leaves * FAN; ++i)
        tree->index[i] = -1;
    for (int r = 0; r < tree->rows[0]; r += FAN) {
        make_leaves(capsule, count, r, tree);
        if (tree->levels > 1)
            make_node(tree, 1, r / FAN);
    }
    for (int l = 2; l < tree->levels; ++l)
        for (int r = 0; r < tree->rows[l]; ++r)
            make_node(tree, l, r);
    return true;
}

/* ----------------------------------------------------------------------------------------------------------------- tests */

static CST_LANES_INLINE void replace(const cst_lane_bits *which, const cst_lanes *by, cst_lanes *x)
{
    *x = (cst_lanes)((*which & (cst_lane_bits)*by) | (~*which & (cst_lane_bits)*x));
}

static CST_LANES_INLINE void clamp(cst_lanes *x)
{
    const cst_lanes one = {1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f}, less = -one;
    const cst_lane_bits below = *x<less, above = *x> one;
    replace(&below, &less, x);
    replace(&above, &one, x);
}

static CST_LANES_INLINE void make_positive(cst_lanes *x)
{
    *x = (cst_lanes)((cst_lane_bits)*x & INT32_MAX);
}

/* Tests whether the bounding box of one capsule, number `lane` of the row `of`, may meet the bounding boxes of the eight capsules
 * of `row` in the step. `about`: output; for each capsule of `row`, its largest possible displacement (m) relative to the tested
 * capsule. */
static CST_LANES_INLINE uint32_t boxes_near(const cst_capsule_row *row, const cst_capsule_row *of, int lane, cst_lanes *about)
{
    const cst_lanes wx = *cst_lanes_at(row->way[0]) - of->way[0][lane], wy = *cst_lanes_at(row->way[1]) - of->way[1][lane];
    const cst_lanes wz = *cst_lanes_at(row->way[2]) - of->way[2][lane];
    float goes[FAN];
    *(cst_lanes *)goes = wx * wx + wy * wy + wz * wz;
    for (int i = 0; i < FAN; ++i)
        goes[i] = sqrtf(goes[i]);
    const cst_lanes by = *cst_lanes_at(goes) + *cst_lanes_at(row->spread) + of->spread[lane];
    *about = by;
    const cst_lane_bits hit =
        (*cst_lanes_at(row->low[0]) - by <= of->high[0][lane]) & (*cst_lanes_at(row->high[0]) + by >= of->low[0][lane]) &
        (*cst_lanes_at(row->low[1]) - by <= of->high[1][lane]) & (*cst_lanes_at(row->high[1]) + by >= of->low[1][lane]) &
        (*cst_lanes_at(row->low[2]) - by <= of->high[2][lane]) & (*cst_lanes_at(row->high[2]) + by >= of->low[2][lane]);
    return cst_lanes_set(&hit);
}

/* Compares a lower bound for the distance between the axes of two capsules with the sum of their radii and their largest possible
 * relative displacement `about` (m). The nearest points of the axes a and b are found in three steps: the position s on axis a,
 * with b infinitely long; the position t on axis b for this s; the position s on axis a again, for this t. */
static CST_LANES_INLINE uint32_t lines_near(const cst_capsule_row *row, const cst_capsule_row *of, int lane,
                                            const cst_lanes *about)
{
    const float ax = of->half[0][lane], ay = of->half[1][lane], az = of->half[2][lane];
    const float aa = ax * ax + ay * ay + az * az + FLT_MIN;
    const cst_lanes bx = *cst_lanes_at(row->half[0]), by = *cst_lanes_at(row->half[1]), bz = *cst_lanes_at(row->half[2]);
    const cst_lanes dx = *cst_lanes_at(row->center[0]) - of->center[0][lane],
                    dy = *cst_lanes_at(row->center[1]) - of->center[1][lane];
    const cst_lanes dz = *cst_lanes_at(row->center[2]) - of->center[2][lane];
    const cst_lanes bb = bx * bx + by * by + bz * bz + FLT_MIN, ab = ax * bx + ay * by + az * bz;
    const cst_lanes ad = ax * dx + ay * dy + az * dz, bd = bx * dx + by * dy + bz * dz;
    const cst_lanes least = 1e-6f * aa * bb + FLT_MIN;
    cst_lanes det = aa * bb - ab * ab;
    const cst_lane_bits parallel = ~(det > least);
    replace(&parallel, &least, &det);
    cst_lanes s0 = (ad * bb - ab * bd) / det;
    clamp(&s0);
    cst_lanes t = (ab * s0 - bd) / bb;
    clamp(&t);
    cst_lanes s = (ab * t + ad) / aa;
    clamp(&s);
    const cst_lanes rx = dx + t * bx - s * ax, ry = dy + t * by - s * ay, rz = dz + t * bz - s * az;
    cst_lanes along_a = rx * ax + ry * ay + rz * az, along_b = rx * bx + ry * by + rz * bz;
    make_positive(&along_a);
    make_positive(&along_b);
    const cst_lanes apart = rx * dx + ry * dy + rz * dz - along_a - along_b;
    const cst_lanes reach = (1.0f + ROUNDING) * (*cst_lanes_at(row->radius) + of->radius[lane] + *about);
    const cst_lane_bits near = ~((apart > 0.0f) & (apart * apart > reach * reach * (rx * rx + ry * ry + rz * rz)));
    return cst_lanes_set(&near);
}

static CST_LANES_INLINE uint32_t row_near(const cst_capsule_row *row, const cst_capsule_row *of, int lane)
{
    cst_lanes about;
    const uint32_t bits = boxes_near(row, of, lane, &about);
    return bits ? bits & lines_near(row, of, lane, &about) : 0;
}

CST_MULTIVERSION uint32_t cst_capsule_row_near(const cst_capsule_row *row, const cst_capsule_row *of, int lane)
{
    return row_near(row, of, lane);
}

CST_MULTIVERSION uint32_t cst_capsule_row_near_box(const cst_capsule_row *row, const cst_capsule_row *box)
{
    cst_lanes about;
    return boxes_near(row, box, 0, &about);
}

void cst_capsule_row_set_box(const cst_box *box, const double *way, double spread, cst_capsule_row *to)
{
    double turn = 0.0;
    clear_row(to);
    for (int k = 0; k < 3; ++k) {
        to->low[k][0] = round_down(box->low[k]);
        to->high[k][0] = round_up(box->high[k]);
        to->way[k][0] = (float)way[k];
        turn += fabs(way[k]);
    }
    to->spread[0] = round_up(spread + (double)ROUNDING * turn);
}

/* ------------------------------------------------------------------------------------------------------------- traversal */

typedef struct place {
    int level, row;
} place;

/* Pushes the children of the tree node `at` whose bit is set in `bits` onto the stack. A child is left out if all rows of the
 * tree level `level` below it have numbers less than `first`. */
static int push_rows(uint32_t bits, place at, int level, int first, place *stack, int depth)
{
    int below = 1; /* rows of `level` below one child */
    for (int l = level + 1; l < at.level; ++l)
        below *= FAN;
    const int skip = first / below - at.row * FAN; /* children before row `first` */
    if (skip > 0)
        bits = skip < FAN ? bits >> skip << skip : 0;
    for (int i = 0; bits >> i; ++i)
        if (bits >> i & 1u)
            stack[depth++] = (place){.level = at.level - 1, .row = at.row * FAN + i};
    return depth;
}

/* If `box` is true, entry 0 of the row `of` is a moving box instead of a capsule, and only bounding boxes are compared. */
static CST_LANES_INLINE void descend(const cst_capsule_tree *tree, int level, int first, const cst_capsule_row *of, int lane,
                                     bool box, cst_leaf_visit visit, void *user)
{
    place stack[CST_BOX_LEVELS * FAN] = {{.level = tree->levels - 1, .row = 0}};
    for (int depth = 1; depth;) {
        const place at = stack[--depth];
        if (at.level == level) {
            visit(user, at.row);
            continue;
        }
        const cst_capsule_row *row = &tree->row[at.level][at.row];
        depth = push_rows(box ? cst_capsule_row_near_box(row, of) : row_near(row, of, lane), at, level, first, stack, depth);
    }
}

CST_MULTIVERSION void cst_capsule_tree_visit(const cst_capsule_tree *tree, int level, int first, const cst_capsule_row *of,
                                             int lane, cst_leaf_visit visit, void *user)
{
    descend(tree, level, first, of, lane, false, visit, user);
}

void cst_capsule_tree_visit_box(const cst_capsule_tree *tree, const cst_capsule_row *box, cst_leaf_visit visit, void *user)
{
    descend(tree, 0, 0, box, 0, true, visit, user);
}
