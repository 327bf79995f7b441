/* Handles: groups of nodes whose positions are prescribed, either fixed or moved by keyframes.
 *
 * A held node is a node with prescribed motion. At the end of every step, a held node is at its prescribed position; its velocity
 * in the step is its displacement divided by dt. The force of a handle on the sheet is the change of momentum of its nodes in the
 * step, divided by dt, minus all other forces on its nodes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "body/motion.h"
#include "cloth/sheet_parts.h"
#include "math/rotation_vector.h"
#include "math/vector3.h"

static bool check_handle(const cst_sheet_def *def, int which, uint8_t *taken, const cst_complaint *to)
{
    const cst_handle *handle = def->handle + which;
    char what[32];
    snprintf(what, sizeof what, "sheet: handle %d", which);
    if (handle->nodes < 1)
        return cst_complain(to, "%s holds no node", what);
    if (!isfinite(handle->release_time) || !isfinite(handle->centre[0] + handle->centre[1] + handle->centre[2]))
        return cst_complain(to, "%s: a number is not finite", what);
    for (int i = 0; i < handle->nodes; ++i) {
        const int32_t node = handle->node[i];
        if (node < 0 || node >= def->nodes)
            return cst_complain(to, "%s holds node %d, and there are %d (from 0)", what, (int)node, def->nodes);
        if (taken[node])
            return cst_complain(to, "%s holds node %d, which is held already", what, (int)node);
        taken[node] = 1;
    }
    return cst_motion_check(&handle->motion, what, to->message, to->size);
}

bool cst_sheet_take_handles(cst_sheet *sheet, const cst_sheet_def *def, const cst_complaint *to)
{
    cst_arena *arena = &sheet->arena;
    memset(sheet->is_held, 0, (size_t)def->nodes);
    sheet->handles = def->handles;
    sheet->handle = CST_TAKE(arena, cst_sheet_handle, def->handles);
    if (arena->failed)
        return cst_complain(to, "sheet: out of memory");
    for (int k = 0; k < def->handles; ++k) {
        const cst_handle *from = def->handle + k;
        cst_sheet_handle *own = sheet->handle + k;
        if (!check_handle(def, k, sheet->is_held, to))
            return false;
        *own = (cst_sheet_handle){.def = *from,
                                  .node = CST_TAKE(arena, int32_t, from->nodes),
                                  .offset = CST_TAKE(arena, double, 3 * (size_t)from->nodes)};
        if (arena->failed || !cst_motion_copy(arena, &from->motion, &own->def.motion))
            return cst_complain(to, "sheet: out of memory");
        memcpy(own->node, from->node, sizeof *own->node * (size_t)from->nodes);
        for (int i = 0; i < from->nodes; ++i)
            cst_subtract3(def->position + 3 * (size_t)from->node[i], from->centre, own->offset + 3 * (size_t)i);
        sheet->handled += from->nodes;
    }
    memset(sheet->is_held, 0, (size_t)def->nodes);
    return true;
}

static void place_handle(const cst_sheet_handle *handle, double time, double *x)
{
    double translation[3], rotation[3], R[9];
    cst_motion_sample(&handle->def.motion, time, translation, rotation, NULL, NULL);
    cst_rotation_vector_exp(rotation, R);
    for (int i = 0; i < handle->def.nodes; ++i) {
        double arm[3], *at = x + 3 * (size_t)handle->node[i];
        cst_subtract3(handle->offset + 3 * (size_t)i, handle->def.motion.about, arm);
        cst_apply3(R, arm, at);
        for (int k = 0; k < 3; ++k)
            at[k] += handle->def.centre[k] + handle->def.motion.about[k] + translation[k];
    }
}

static bool holds(const cst_sheet_handle *handle, double time)
{
    return handle->def.release_time < 0.0 || time < handle->def.release_time;
}

void cst_sheet_place_handles(cst_sheet *sheet, double time, double *x)
{
    for (int k = 0; k < sheet->handles; ++k)
        if (holds(sheet->handle + k, time))
            place_handle(sheet->handle + k, time, x);
}

void cst_sheet_impose(cst_sheet *sheet, const cst_step_frame *frame)
{
    sheet->holds = 0;
    memset(sheet->is_held, 0, (size_t)sheet->mesh.nodes);
    for (int k = 0; k < sheet->handles; ++k) {
        const cst_sheet_handle *handle = sheet->handle + k;
        if (!holds(handle, frame->time))
            continue;
        place_handle(handle, cst_frame_end(frame), sheet->imposed);
        for (int i = 0; i < handle->def.nodes; ++i) {
            const int32_t node = handle->node[i];
            double *v = sheet->imposed + 3 * (size_t)node;
            cst_held_row *row = sheet->held + sheet->holds++;
            row->node = node;
            row->handle = k;
            sheet->is_held[node] = 1;
            for (int c = 0; c < 3; ++c)
                v[c] = (v[c] - sheet->x[3 * (size_t)node + (size_t)c]) / frame->dt;
        }
    }
}

/* Subtracts `block^T*v` from the right-hand side of a free node: `block` is the block of the system matrix that couples the free
 * node and a held node, and v is the prescribed velocity of the held node. */
static void move_to_right(const double *block, const double *v, double *rhs)
{
    for (int i = 0; i < 3; ++i)
        rhs[i] -= block[i] * v[0] + block[3 + i] * v[1] + block[6 + i] * v[2];
}

static int64_t find_column(const cst_sheet *sheet, int32_t row, int32_t column)
{
    int64_t k = sheet->row_start[row];
    while (sheet->column[k] != column)
        ++k;
    return k;
}

void cst_sheet_hold(cst_sheet *sheet)
{
    for (int h = 0; h < sheet->holds; ++h) {
        const int32_t node = sheet->held[h].node;
        const int64_t begin = sheet->row_start[node], length = sheet->row_start[node + 1] - begin;
        memcpy(sheet->held[h].block, sheet->block + 9 * begin, sizeof(double) * 9 * (size_t)length);
    }
    for (int h = 0; h < sheet->holds; ++h) {
        const int32_t node = sheet->held[h].node;
        const double *v = sheet->imposed + 3 * (size_t)node, mass = sheet->mass[node];
        for (int64_t k = sheet->row_start[node]; k < sheet->row_start[node + 1]; ++k) {
            const int32_t other = sheet->column[k];
            double *block = sheet->block + 9 * k;
            if (other != node) {
                if (!sheet->is_held[other])
                    move_to_right(block, v, sheet->rhs + 3 * (size_t)other);
                memset(sheet->block + 9 * find_column(sheet, other, node), 0, 9 * sizeof *block);
            }
            memset(block, 0, 9 * sizeof *block);
        }
        for (int c = 0; c < 3; ++c) {
            sheet->block[9 * sheet->diagonal[node] + 4 * c] = mass;
            sheet->rhs[3 * (size_t)node + (size_t)c] = mass * v[c];
        }
    }
}
