/* Assembles the system matrix A and the right-hand side of a sheet's step (sheet.h). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/threads.h"
#include "cloth/sheet_parts.h"
#include "math/vector3.h"

/* PARALLEL_ELEMENTS, PARALLEL_NODES: least number of elements of one colour, and of nodes, for which a loop uses several threads;
 * in a shorter loop, a second thread costs more time than it saves. */
enum { PARALLEL_ELEMENTS = 64, PARALLEL_NODES = 1024 };

/* Adds the product of a 3 x 3 block of a Hessian and the vector x to `out`. The Hessian has `width` columns. */
static void add_product(const double *block, int width, const double *x, double *out)
{
    for (int i = 0; i < 3; ++i)
        out[i] += block[i * width] * x[0] + block[i * width + 1] * x[1] + block[i * width + 2] * x[2];
}

static void add_element(cst_sheet *sheet, const cst_sheet_part *part, int element, bool moved, bool old)
{
    const cst_element_set *set = &part->set;
    const int n = set->nodes, width = 3 * n;
    const int32_t *node = set->node + (size_t)element * (size_t)n;
    const int64_t *at = part->block + (size_t)element * (size_t)(n * n);
    double x[CST_ELEMENT_DOFS] = {0}, gradient[CST_ELEMENT_DOFS], hessian[CST_ELEMENT_DOFS * CST_ELEMENT_DOFS];
    cst_element_gather(set, element, sheet->linear, x);
    set->model->evaluate(cst_element_rest(set, element), x, gradient, hessian, true);
    for (int a = 0; a < n; ++a) {
        double *f0 = sheet->f0 + 3 * (size_t)node[a];
        cst_add3(-1.0, gradient + 3 * a, f0);
        for (int b = 0; b < n; ++b) {
            const double *from = hessian + 3 * a * width + 3 * b;
            double *to = sheet->block + 9 * at[n * a + b];
            for (int k = 0; k < 9; ++k)
                to[k] += sheet->stiff * from[k / 3 * width + k % 3];
            if (moved)
                add_product(from, width, sheet->u + 3 * (size_t)node[b], f0);
            if (old)
                add_product(from, width, sheet->v + 3 * (size_t)node[b], sheet->h_v + 3 * (size_t)node[a]);
        }
    }
}

static void add_part(cst_sheet *sheet, const cst_sheet_part *part, bool moved, bool old)
{
    for (int c = 0; c < part->colours; ++c) {
        const int from = part->colour_start[c], to = part->colour_start[c + 1];
        const int threads = cst_threads_for(sheet->threads, to - from, PARALLEL_ELEMENTS);
        (void)threads; /* unused in a build without OpenMP */
#pragma omp parallel for schedule(static) num_threads(threads)
        for (int i = from; i < to; ++i)
            add_element(sheet, part, part->order[i], moved, old);
    }
}

/* Chooses the positions at which the elements are linearised. Without a guess of the final velocities, the elements are
 * linearised at the start of the step. With a guess of the final velocities, the elements are linearised at the positions reached
 * after the fraction theta of the step. */
static void find_linear(cst_sheet *sheet, const cst_step_frame *frame, const double *guess)
{
    const int dofs = 3 * sheet->mesh.nodes;
    if (!guess) {
        memcpy(sheet->linear, sheet->x, sizeof(double) * (size_t)dofs);
        memset(sheet->u, 0, sizeof(double) * (size_t)dofs);
        return;
    }
    cst_sheet_mean(sheet, frame, guess, sheet->z);
    for (int i = 0; i < dofs; ++i) {
        sheet->u[i] = frame->theta * frame->dt * sheet->z[i];
        sheet->linear[i] = sheet->x[i] + sheet->u[i];
    }
}

/* Adds the masses to the system matrix, and computes the right-hand side from momentum, weight and forces of the elements. */
static void add_nodes(cst_sheet *sheet, const cst_step_frame *frame, double old_share)
{
    const double dt = frame->dt, old = frame->quasi_static ? 0.0 : 1.0;
    const double by_h = old_share * dt * (sheet->fabric.damping + frame->theta * dt);
    const int threads = cst_threads_for(sheet->threads, sheet->mesh.nodes, PARALLEL_NODES);
    (void)threads; /* unused in a build without OpenMP */
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = 0; i < sheet->mesh.nodes; ++i)
        for (int k = 0; k < 3; ++k) {
            const size_t dof = 3 * (size_t)i + (size_t)k;
            sheet->block[9 * sheet->diagonal[i] + 4 * k] += sheet->mass[i];
            sheet->rhs[dof] =
                sheet->mass[i] * (old * sheet->v[dof] + dt * frame->gravity[k]) + dt * sheet->f0[dof] - by_h * sheet->h_v[dof];
        }
}

bool cst_sheet_assemble(void *self, const cst_step_frame *frame, const double *guess, char *message, size_t message_size)
{
    cst_sheet *sheet = self;
    const double old_share = cst_sheet_old_share(frame), dt = frame->dt;
    const size_t dofs = 3 * (size_t)sheet->mesh.nodes;
    sheet->threads = frame->threads;
    sheet->stiff = frame->theta * dt * (sheet->fabric.damping + frame->theta * dt);
    cst_sheet_impose(sheet, frame);
    find_linear(sheet, frame, guess);
    memset(sheet->block, 0, sizeof(double) * 9 * (size_t)sheet->row_start[sheet->mesh.nodes]);
    memset(sheet->f0, 0, sizeof(double) * dofs);
    memset(sheet->h_v, 0, sizeof(double) * dofs);
    memset(sheet->pushed, 0, sizeof(double) * dofs);
    for (int p = 0; p < CST_SHEET_PARTS; ++p)
        add_part(sheet, sheet->part + p, guess, old_share > 0.0);
    add_nodes(sheet, frame, old_share);
    cst_sheet_add_air(sheet, frame, old_share);
    cst_sheet_hold(sheet);
    const int wrong = cst_sheet_factor(sheet);
    if (wrong >= 0)
        snprintf(message, message_size,
                 "the matrix of a sheet is not definite at node %d: its shape is not finite, or too far from rest", wrong);
    return wrong < 0;
}

/* ------------------------------------------------------------------------------------------------------------- products */

/* Computes the product of the system matrix and the vector z. The rows of nodes with prescribed motion are taken from
 * sheet->held, because the stored matrix contains only the masses of these nodes. */
static void apply_matrix(const cst_sheet *sheet, const double *z, double *out)
{
    const int threads = cst_threads_for(sheet->threads, sheet->mesh.nodes, PARALLEL_NODES);
    (void)threads; /* unused in a build without OpenMP */
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = 0; i < sheet->mesh.nodes; ++i) {
        double sum[3] = {0.0, 0.0, 0.0};
        for (int64_t k = sheet->row_start[i]; k < sheet->row_start[i + 1]; ++k)
            add_product(sheet->block + 9 * k, 3, z + 3 * (size_t)sheet->column[k], sum);
        memcpy(out + 3 * (size_t)i, sum, sizeof sum);
    }
    for (int h = 0; h < sheet->holds; ++h) {
        const int32_t node = sheet->held[h].node;
        const double *v = z + 3 * (size_t)node;
        double *own = out + 3 * (size_t)node;
        memset(own, 0, 3 * sizeof *own);
        for (int64_t k = sheet->row_start[node]; k < sheet->row_start[node + 1]; ++k) {
            const double *block = sheet->held[h].block + 9 * (k - sheet->row_start[node]);
            const int32_t other = sheet->column[k];
            add_product(block, 3, z + 3 * (size_t)other, own);
            if (!sheet->is_held[other])
                for (int i = 0; i < 3; ++i)
                    out[3 * (size_t)other + (size_t)i] += block[i] * v[0] + block[3 + i] * v[1] + block[6 + i] * v[2];
        }
    }
}

void cst_sheet_stiffness(const cst_sheet *sheet, double implicit_air, const double *z, double *out)
{
    const int nodes = sheet->mesh.nodes;
    apply_matrix(sheet, z, out);
    for (int i = 0; i < nodes; ++i)
        cst_add3(-sheet->mass[i], z + 3 * (size_t)i, out + 3 * (size_t)i);
    /* Within a step, the air force is linear in the node velocities. The product of the drag matrix and z is the air force on
     * nodes at rest minus the air force on nodes with the velocities z. */
    if (sheet->wind.density > 0.0) {
        double *still = sheet->air_force, *moving = sheet->air_force + 3 * (size_t)nodes;
        cst_sheet_air_force(sheet, NULL, still);
        cst_sheet_air_force(sheet, z, moving);
        for (int i = 0; i < 3 * nodes; ++i)
            out[i] -= implicit_air * (still[i] - moving[i]);
    }
    for (int i = 0; i < 3 * nodes; ++i)
        out[i] /= sheet->stiff;
}

void cst_sheet_energies(cst_sheet *sheet, const double *x, double *out)
{
    for (int p = 0; p < CST_SHEET_PARTS; ++p) {
        const cst_element_set *set = &sheet->part[p].set;
        const int chunks = (set->count + CST_SHEET_CHUNK - 1) / CST_SHEET_CHUNK;
        const int threads = cst_threads_for(sheet->threads, chunks, 4);
        (void)threads; /* unused in a build without OpenMP */
#pragma omp parallel for schedule(static) num_threads(threads)
        for (int c = 0; c < chunks; ++c) {
            const int end = (c + 1) * CST_SHEET_CHUNK < set->count ? (c + 1) * CST_SHEET_CHUNK : set->count;
            double at[CST_ELEMENT_DOFS] = {0}, sum = 0.0;
            for (int i = c * CST_SHEET_CHUNK; i < end; ++i) {
                cst_element_gather(set, i, x, at);
                sum += set->model->evaluate(cst_element_rest(set, i), at, NULL, NULL, false);
            }
            sheet->chunk[c] = sum;
        }
        out[p] = 0.0;
        for (int c = 0; c < chunks; ++c)
            out[p] += sheet->chunk[c];
    }
}
