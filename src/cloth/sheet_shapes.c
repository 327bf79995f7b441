#include "cloth/sheet_shapes.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

const char *cst_sheet_cut_name(int cut)
{
    static const char *const NAME[CST_CUT_COUNT] = {"diagonal", "staggered", "crossed"};
    return cut >= 0 && cut < CST_CUT_COUNT ? NAME[cut] : NULL;
}

static bool take(cst_arena *arena, int nodes, int corners, int triangles, cst_sheet_shape *out)
{
    *out = (cst_sheet_shape){.corners = corners,
                             .position = CST_TAKE(arena, double, 3 * (size_t)nodes),
                             .rest = CST_TAKE(arena, double, 2 * (size_t)corners),
                             .triangle = CST_TAKE(arena, int32_t, 3 * (size_t)triangles)};
    return !arena->failed;
}

static void add_triangle(cst_sheet_shape *shape, int a, int b, int c)
{
    int32_t *to = shape->triangle + 3 * (size_t)shape->triangles++;
    to[0] = a;
    to[1] = b;
    to[2] = c;
}

static void add_flat_node(cst_sheet_shape *shape, double u, double v)
{
    const size_t i = (size_t)shape->nodes++;
    shape->position[3 * i] = shape->rest[2 * i] = u;
    shape->position[3 * i + 1] = shape->rest[2 * i + 1] = v;
}

/* ------------------------------------------------------------------------------------------------------------- rectangle */

/* Divides the squares of the grid into triangles. Node (i, j) of the grid has the index i + j (cells[0] + 1). */
static void cut_squares(const int *cells, cst_sheet_cut cut, cst_sheet_shape *out)
{
    const int row = cells[0] + 1;
    for (int j = 0; j < cells[1]; ++j)
        for (int i = 0; i < cells[0]; ++i) {
            const int a = i + j * row, b = a + 1, c = a + row + 1, d = a + row;
            if (cut == CST_CUT_CROSSED && (i + j) % 2 == 1) {
                add_triangle(out, a, b, d);
                add_triangle(out, b, c, d);
            } else {
                add_triangle(out, a, b, c);
                add_triangle(out, a, c, d);
            }
        }
}

/* Makes the triangles between two neighbouring rows of nodes. `low`, `high`: indices of the first nodes of the two rows. Each new
 * triangle takes the next node from the row whose next node has the smaller coordinate u. */
static void join_rows(cst_sheet_shape *shape, int low, int lows, int high, int highs)
{
    int i = 0, j = 0;
    while (i + 1 < lows || j + 1 < highs) {
        const double next_low = i + 1 < lows ? shape->rest[2 * (low + i + 1)] : HUGE_VAL,
                     next_high = j + 1 < highs ? shape->rest[2 * (high + j + 1)] : HUGE_VAL;
        if (next_low < next_high) {
            add_triangle(shape, low + i, low + i + 1, high + j);
            ++i;
        } else if (next_low > next_high) {
            add_triangle(shape, low + i, high + j + 1, high + j);
            ++j;
        } else {
            /* If the next nodes of both rows have the same coordinate u (at the border of the sheet), the triangle takes the next
             * node of the row with more remaining nodes. */
            const bool upper = highs - j > lows - i;
            add_triangle(shape, low + i, upper ? high + j + 1 : low + i + 1, high + j);
            i += upper ? 0 : 1;
            j += upper ? 1 : 0;
        }
    }
}

static bool staggered(double width, double height, const int *cells, cst_arena *arena, cst_sheet_shape *out)
{
    const int across = cells[0], rows = cells[1] + 1, nodes = rows * (across + 1) + rows / 2;
    if (!take(arena, nodes, nodes, cells[1] * (2 * across + 1), out))
        return false;
    int before = 0, count_before = 0;
    for (int j = 0; j < rows; ++j) {
        const int start = out->nodes, odd = j % 2;
        for (int i = 0; i <= across + odd; ++i) {
            const double at = i - 0.5 * odd;
            add_flat_node(out, width * fmin(fmax(at, 0.0), across) / across, height * j / cells[1]);
        }
        if (j > 0)
            join_rows(out, before, count_before, start, out->nodes - start);
        before = start;
        count_before = out->nodes - start;
    }
    return true;
}

bool cst_sheet_rectangle(double width, double height, const int *cells, cst_sheet_cut cut, cst_arena *arena, cst_sheet_shape *out)
{
    if (cut == CST_CUT_STAGGERED)
        return staggered(width, height, cells, arena, out);
    const int nodes = (cells[0] + 1) * (cells[1] + 1);
    if (!take(arena, nodes, nodes, 2 * cells[0] * cells[1], out))
        return false;
    for (int j = 0; j <= cells[1]; ++j)
        for (int i = 0; i <= cells[0]; ++i)
            add_flat_node(out, width * i / cells[0], height * j / cells[1]);
    cut_squares(cells, cut, out);
    return true;
}

/* ------------------------------------------------------------------------------------------------------------ round ones */

/* Ring k of the disk has 6 k nodes, and its first node has the index 1 + 3 k (k - 1). */
bool cst_sheet_disk(double radius, int rings, cst_arena *arena, cst_sheet_shape *out)
{
    const int nodes = 1 + 3 * rings * (rings + 1);
    if (!take(arena, nodes, nodes, 6 * rings * rings, out))
        return false;
    add_flat_node(out, 0.0, 0.0);
    for (int k = 1; k <= rings; ++k) {
        const int start = out->nodes, inner = k == 1 ? 0 : start - 6 * (k - 1), around = 6 * k, inside = k == 1 ? 1 : 6 * (k - 1);
        for (int i = 0; i < around; ++i) {
            const double angle = 2.0 * PI * i / around;
            add_flat_node(out, radius * k / rings * cos(angle), radius * k / rings * sin(angle));
        }
        for (int side = 0; side < 6; ++side)
            for (int i = 0; i < k; ++i) {
                const int a = start + side * k + i, b = start + (side * k + i + 1) % around;
                const int c = inner + (side * (k - 1) + i) % inside, d = inner + (side * (k - 1) + i + inside - 1) % inside;
                add_triangle(out, a, b, c);
                if (i > 0)
                    add_triangle(out, a, c, d);
            }
    }
    return true;
}

bool cst_sheet_tube(double radius, double height, const int *cells, cst_arena *arena, cst_sheet_shape *out)
{
    const int around = cells[0], nodes = around * (cells[1] + 1), corners = nodes + cells[1] + 1;
    if (!take(arena, nodes, corners, 2 * around * cells[1], out))
        return false;
    out->node_of = CST_TAKE(arena, int32_t, corners);
    if (arena->failed)
        return false;
    /* width (m) of a cell around the tube: the chord, not the arc, so that the tube is not stretched initially */
    const double edge = 2.0 * radius * sin(PI / around);
    out->nodes = nodes;
    for (int j = 0; j <= cells[1]; ++j)
        for (int i = 0; i <= around; ++i) {
            const int corner = i + j * (around + 1), node = i % around + j * around;
            const double angle = 2.0 * PI * (i % around) / around, z = height * j / cells[1];
            const double at[3] = {radius * cos(angle), radius * sin(angle), z};
            memcpy(out->position + 3 * (size_t)node, at, sizeof at);
            out->rest[2 * corner] = edge * i;
            out->rest[2 * corner + 1] = z;
            out->node_of[corner] = node;
        }
    cut_squares(cells, CST_CUT_CROSSED, out);
    return true;
}

void cst_sheet_shape_use(const cst_sheet_shape *shape, cst_sheet_def *def)
{
    def->nodes = shape->nodes;
    def->position = shape->position;
    def->corners = shape->corners;
    def->rest = shape->rest;
    def->node_of = shape->node_of;
    def->triangles = shape->triangles;
    def->triangle = shape->triangle;
}
