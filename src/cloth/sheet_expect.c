/* Factorises the system matrix of a sheet (sheet.h) in an order in which nodes with expected contacts are eliminated last.
 *
 * The friction solver needs the Schur complement of the system matrix on the nodes with contacts (friction/nodal_condense.h). If
 * the nodes with contacts are eliminated last, the Schur complement on these nodes is a by-product of the factorisation.
 *
 * The nodes to be eliminated last are chosen before the contacts of the step are known: contact detection needs the motion
 * without contacts, and that motion needs the factorisation. The nodes chosen to be eliminated last are those that had contacts
 * in the previous step, and nodes around them. If a step is linearised again, the nodes to be eliminated last are chosen from the
 * contacts found last in this step, instead of those of the previous step. If a node that is not eliminated last gets a contact,
 * the friction solver computes the Schur complement anew from the system matrix.
 *
 * A step of a cloth of 10,000 vertices on a ball takes 0.79 s of processor time if the nodes with expected contacts are
 * eliminated last, and 0.91 s in the order of nested dissection.
 *
 * If the nodes with contacts are scattered or too many, the friction solver does not use the Schur complement, and the usual
 * order of nested dissection is kept. The elimination order depends only on the latest detected contacts, so that a resumed run
 * gives the same bits as an uninterrupted run. */
#include <string.h>

#include "cloth/sheet_parts.h"
#include "friction/condense_limits.h"

/* Marks in the array `grown` all nodes that are marked in the array `told`, and all their neighbours (nodes of the same
 * element). Returns the number of nodes marked in `grown`. */
static int grow(const cst_sheet *sheet, const bool *told, bool *grown)
{
    int count = 0;
    memset(grown, 0, sizeof *grown * (size_t)sheet->mesh.nodes);
    for (int i = 0; i < sheet->mesh.nodes; ++i)
        for (int64_t e = sheet->row_start[i]; told[i] && e < sheet->row_start[i + 1]; ++e)
            grown[sheet->column[e]] = true;
    for (int i = 0; i < sheet->mesh.nodes; ++i)
        count += grown[i];
    return count;
}

/* Returns true if `node` is in the set `set` of nodes, but at least one of its neighbours (nodes of the same element) is not. */
static bool is_rim(const cst_sheet *sheet, const bool *set, int32_t node)
{
    for (int64_t e = sheet->row_start[node]; e < sheet->row_start[node + 1]; ++e)
        if (!set[sheet->column[e]])
            return set[node];
    return false;
}

/* Analyses the system matrix for a factorisation that eliminates the nodes marked in the array `kept` last. Of the nodes marked
 * in `kept`, those with an unmarked neighbour are eliminated after all others, because the Schur complement on these border nodes
 * is nearly full. */
static bool analyse(cst_sheet *sheet)
{
    cst_sheet_late *late = &sheet->late;
    const int nodes = sheet->mesh.nodes;
    const int32_t *plain = sheet->factor.fronts.order;
    int at = 0;
    cst_arena_release(&late->arena, late->begin);
    int32_t *order = CST_TAKE_RAW(&late->arena, int32_t, (size_t)nodes);
    if (late->arena.failed)
        return false;
    for (int rim = 0; rim < 2; ++rim)
        for (int k = 0; k < nodes; ++k)
            if (is_rim(sheet, late->kept, plain[k]) == (rim == 1))
                order[at++] = plain[k];
    if (!cst_block_cholesky_begin_kept(&late->arena, nodes, 3, sheet->row_start, sheet->column, order, late->kept, false,
                                       &late->factor) ||
        !cst_schur_begin(&late->arena, &late->factor, sheet->row_start, sheet->column, &late->schur))
        return false;
    late->work = CST_TAKE_RAW(&late->arena, double, (size_t)late->factor.work_size);
    return !late->arena.failed;
}

/* Marks in the array `grown` the nodes that are expected to have contacts in the next step, and returns their number. The marked
 * nodes are the nodes with reported contacts (array `told`, which is overwritten) and their neighbours. Further layers of
 * neighbours are added as long as the number of marked nodes is at most MORE = 1.25 times the number of nodes with reported
 * contacts. Several layers of neighbouring nodes can be needed, because the border of a large contact area moves by several nodes
 * in a step. */
static int expect(const cst_sheet *sheet, bool *told, bool *grown)
{
    static const double MORE = 1.25; /* docs/constants.md */
    int count = 0, next;
    for (int i = 0; i < sheet->mesh.nodes; ++i)
        count += told[i];
    const double most = MORE * count;
    count = grow(sheet, told, grown);
    memcpy(told, grown, sizeof *told * (size_t)sheet->mesh.nodes);
    while ((next = grow(sheet, told, grown)) <= most && next > count) {
        memcpy(told, grown, sizeof *told * (size_t)sheet->mesh.nodes);
        count = next;
    }
    memcpy(grown, told, sizeof *told * (size_t)sheet->mesh.nodes);
    return count;
}

/* Returns true if the nodes with reported contacts are scattered: at least half of them, and at least CST_RIM_LEAST, have a
 * neighbour without a contact. The Schur complement on scattered nodes is nearly full, and the friction solver does not use it
 * (friction/nodal_active.h). */
static bool is_scattered(const cst_sheet *sheet, const bool *told)
{
    static const double RIM_SHARE = 0.5;
    int count = 0, rim = 0;
    for (int32_t i = 0; i < sheet->mesh.nodes; ++i) {
        count += told[i];
        rim += is_rim(sheet, told, i);
    }
    return rim >= CST_RIM_LEAST && rim >= RIM_SHARE * count;
}

/* Chooses the nodes that are eliminated last, after all contact points of a step have been reported (cst_sheet_expect). */
static void choose(cst_sheet *sheet)
{
    cst_sheet_late *late = &sheet->late;
    const size_t bytes = sizeof *late->told * (size_t)sheet->mesh.nodes;
    const bool scattered = is_scattered(sheet, late->told);
    const int count = expect(sheet, late->told, late->grown);
    memset(late->told, 0, bytes);
    late->used = !scattered && count > 0 && count < CST_CONDENSE_MOST * sheet->mesh.nodes;
    if (!late->used || (late->analysed && memcmp(late->kept, late->grown, bytes) == 0))
        return;
    memcpy(late->kept, late->grown, bytes);
    late->used = late->analysed = analyse(sheet);
    /* if memory ran out, the step uses the factorisation in the order of nested dissection */
    late->arena.failed = false;
}

void cst_sheet_expect(void *self, const cst_material_point *at)
{
    cst_sheet *sheet = self;
    if (!at) {
        choose(sheet);
        return;
    }
    for (int k = 0; k < 3; ++k)
        if (at->local[k] != 0.0)
            sheet->late.told[sheet->mesh.face[3 * (size_t)at->feature + (size_t)k]] = true;
}

bool cst_sheet_late_begin(cst_sheet *sheet)
{
    cst_sheet_late *late = &sheet->late;
    const size_t nodes = (size_t)sheet->mesh.nodes;
    late->told = CST_TAKE(&sheet->arena, bool, nodes);
    late->grown = CST_TAKE(&sheet->arena, bool, nodes);
    late->kept = CST_TAKE(&sheet->arena, bool, nodes);
    /* separate arena for the factorisation, emptied whenever other nodes are chosen to be eliminated last */
    cst_arena_begin(&late->arena, &sheet->arena.allocator);
    late->begin = cst_arena_mark_now(&late->arena);
    return !sheet->arena.failed;
}

int cst_sheet_factor(cst_sheet *sheet)
{
    cst_sheet_late *late = &sheet->late;
    return late->used
               ? cst_schur_factor(&late->factor, sheet->row_start, sheet->column, sheet->block, sheet->threads, &late->schur)
               : cst_block_cholesky_factor(&sheet->factor, sheet->block, sheet->threads);
}

void cst_sheet_solve(cst_sheet *sheet, double *x)
{
    if (sheet->late.used)
        cst_block_cholesky_solve(&sheet->late.factor, sheet->late.work, x);
    else
        cst_block_cholesky_solve(&sheet->factor, sheet->work, x);
}
