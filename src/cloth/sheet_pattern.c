/* Data that depend on the triangles of a sheet alone: the sparsity pattern of the system matrix, the places of the elements'
 * blocks in the system matrix, and a colouring of the elements. Elements of the same colour share no node. */
#include <string.h>

#include "base/merge_sort.h"
#include "base/sorted.h"
#include "cloth/sheet_parts.h"
#include "sparse/coloring.h"
#include "sparse/dissection.h"

static int by_index(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return x < y ? -1 : x > y;
}

/* Counts the entries of each matrix row: the nodes of all elements that contain the row's node, where a node of several of these
 * elements counts several times. */
static void count_pairs(const cst_sheet_part *part, int64_t *start)
{
    const int n = part->set.nodes;
    for (int64_t i = 0; i < (int64_t)part->set.count * n; ++i)
        start[part->set.node[i] + 1] += n;
}

static void list_pairs(const cst_sheet_part *part, int64_t *cursor, int32_t *list)
{
    const int n = part->set.nodes;
    for (int i = 0; i < part->set.count; ++i) {
        const int32_t *node = part->set.node + (size_t)i * (size_t)n;
        for (int a = 0; a < n; ++a)
            for (int b = 0; b < n; ++b)
                list[cursor[node[a]]++] = node[b];
    }
}

/* Sorts the column indices of each matrix row and removes duplicates. Returns the number of 3 x 3 blocks that the system matrix
 * stores. */
static int64_t tidy_rows(int nodes, const int64_t *start, int32_t *list, int32_t *room, int64_t *row_start)
{
    int64_t kept = 0;
    row_start[0] = 0;
    for (int i = 0; i < nodes; ++i) {
        int32_t *row = list + start[i];
        const int64_t count = start[i + 1] - start[i];
        cst_merge_sort(row, room, (size_t)count, sizeof *row, by_index);
        for (int64_t k = 0; k < count; ++k)
            if (k == 0 || row[k] != row[k - 1])
                list[kept++] = row[k];
        row_start[i + 1] = kept;
    }
    return kept;
}

static int64_t find_block(const cst_sheet *sheet, int32_t row, int32_t column)
{
    const int64_t start = sheet->row_start[row];
    return start + cst_sorted_place(sheet->column + start, sheet->row_start[row + 1] - start, column);
}

static bool find_blocks(cst_sheet *sheet, cst_sheet_part *part)
{
    const int n = part->set.nodes;
    part->block = CST_TAKE_RAW(&sheet->arena, int64_t, (size_t)part->set.count * (size_t)(n * n));
    for (int i = 0; part->block && i < part->set.count; ++i) {
        const int32_t *node = part->set.node + (size_t)i * (size_t)n;
        for (int k = 0; k < n * n; ++k)
            part->block[(size_t)i * (size_t)(n * n) + (size_t)k] = find_block(sheet, node[k / n], node[k % n]);
    }
    return part->block;
}

/* Greedy colouring: an element gets the lowest colour that no element with a common node has. The colours are tried in groups of
 * 64: if no colour of one group is free for an element, the colours of the next group are tried. */
static bool colour_elements(cst_sheet *sheet, cst_sheet_part *part)
{
    const int n = part->set.nodes, count = part->set.count;
    part->order = CST_TAKE_RAW(&sheet->arena, int32_t, count);
    int32_t *colour = CST_TAKE_RAW(&sheet->arena, int32_t, count);
    uint64_t *met = CST_TAKE_RAW(&sheet->arena, uint64_t, sheet->mesh.nodes);
    if (sheet->arena.failed)
        return false;
    int left = count, first = 0;
    for (int i = 0; i < count; ++i)
        colour[i] = -1;
    for (; left > 0; first = part->colours) {
        memset(met, 0, sizeof *met * (size_t)sheet->mesh.nodes);
        for (int i = 0; i < count; ++i) {
            uint64_t taken = 0, bit = 1;
            if (colour[i] >= 0)
                continue;
            for (int a = 0; a < n; ++a)
                taken |= met[part->set.node[(size_t)i * (size_t)n + (size_t)a]];
            if (taken == UINT64_MAX)
                continue;
            for (colour[i] = first; taken & bit; ++colour[i])
                bit <<= 1;
            part->colours = colour[i] >= part->colours ? colour[i] + 1 : part->colours;
            --left;
            for (int a = 0; a < n; ++a)
                met[part->set.node[(size_t)i * (size_t)n + (size_t)a]] |= bit;
        }
    }
    return cst_coloring_sort(count, colour, part->colours, &sheet->arena, part->order, &part->colour_start);
}

/* Orders the nodes by nested dissection of the flat rest shape. A node on a seam has several positions in the rest shape; the
 * nested dissection uses one of them. */
static bool begin_factor(cst_sheet *sheet)
{
    const cst_sheet_mesh *mesh = &sheet->mesh;
    double *place = CST_TAKE_RAW(&sheet->arena, double, 2 * (size_t)mesh->nodes);
    int32_t *order = CST_TAKE_RAW(&sheet->arena, int32_t, (size_t)mesh->nodes);
    if (sheet->arena.failed)
        return false;
    for (int i = 0; i < mesh->corners; ++i)
        memcpy(place + 2 * (int64_t)mesh->node_of[i], mesh->rest + 2 * (int64_t)i, 2 * sizeof *place);
    return cst_order_dissection(&sheet->arena, mesh->nodes, sheet->row_start, sheet->column, place, order) &&
           cst_block_cholesky_begin(&sheet->arena, mesh->nodes, 3, sheet->row_start, sheet->column, order, &sheet->factor);
}

bool cst_sheet_pattern(cst_sheet *sheet)
{
    cst_arena *arena = &sheet->arena;
    const int nodes = sheet->mesh.nodes;
    sheet->row_start = CST_TAKE(arena, int64_t, nodes + 1);
    sheet->diagonal = CST_TAKE(arena, int64_t, nodes);
    int64_t *start = CST_TAKE(arena, int64_t, nodes + 1), *cursor = CST_TAKE_RAW(arena, int64_t, nodes + 1);
    if (arena->failed)
        return false;
    for (int p = 0; p < CST_SHEET_PARTS; ++p)
        count_pairs(sheet->part + p, start);
    for (int i = 0; i < nodes; ++i)
        start[i + 1] += start[i];
    memcpy(cursor, start, sizeof *cursor * ((size_t)nodes + 1));
    int32_t *list = CST_TAKE_RAW(arena, int32_t, start[nodes]), *room = CST_TAKE_RAW(arena, int32_t, start[nodes]);
    if (arena->failed)
        return false;
    for (int p = 0; p < CST_SHEET_PARTS; ++p)
        list_pairs(sheet->part + p, cursor, list);
    const int64_t entries = tidy_rows(nodes, start, list, room, sheet->row_start);
    sheet->column = list;
    sheet->block = CST_TAKE(arena, double, 9 * entries);
    if (arena->failed)
        return false;
    for (int32_t i = 0; i < nodes; ++i)
        sheet->diagonal[i] = find_block(sheet, i, i);
    for (int p = 0; p < CST_SHEET_PARTS; ++p)
        if (!find_blocks(sheet, sheet->part + p) || !colour_elements(sheet, sheet->part + p))
            return false;
    return begin_factor(sheet);
}
