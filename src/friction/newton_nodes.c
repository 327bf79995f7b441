#include "friction/newton_nodes.h"

#include <string.h>

#include "base/sorted.h"
#include "friction/newton_bodies.h"
#include "math/small_matrix.h"

/* --------------------------------------------------------------------------------------------------------------- pattern */

static void sort_row(int32_t *column, int64_t count)
{
    for (int64_t k = 1; k < count; k++) {
        const int32_t kept = column[k];
        int64_t at = k;
        for (; at > 0 && column[at - 1] > kept; at--)
            column[at] = column[at - 1];
        column[at] = kept;
    }
}

/* Collects the column indices of each row of Newton's matrix, from the body matrices and from the contacts; an index may occur
 * several times. If `column` is NULL, the function only counts the columns of a row in start[row + 1]. If `column` is given, the
 * function writes the columns from position start[row] on, and advances start[row]. */
static void gather_columns(const cst_newton_nodes *newton, int64_t *start, int32_t *column)
{
    const cst_nodal_form *form = newton->form;
    const cst_nodes *nodes = form->nodes;
    for (int j = 0; j < form->vertices; j++) {
        const int64_t first = j < nodes->count ? nodes->row_start[j] : 0, last = j < nodes->count ? nodes->row_start[j + 1] : 0;
        if (!column) {
            start[j + 1] += 1 + last - first;
            continue;
        }
        column[start[j]++] = j;
        for (int64_t e = first; e < last; e++)
            column[start[j]++] = nodes->column[e];
    }
    for (int i = 0; i < newton->system->contacts; i++)
        for (int64_t p = form->touch_start[i]; p < form->touch_start[i + 1]; p++) {
            const int32_t row = form->touch[p].vertex;
            if (!column) {
                start[row + 1] += form->touch_start[i + 1] - form->touch_start[i];
                continue;
            }
            for (int64_t q = form->touch_start[i]; q < form->touch_start[i + 1]; q++)
                column[start[row]++] = form->touch[q].vertex;
        }
}

static bool take_pattern(cst_arena *arena, cst_arena *scratch, cst_newton_nodes *newton)
{
    const int vertices = newton->form->vertices, square = newton->system->dim * newton->system->dim;
    int64_t *start = CST_TAKE(scratch, int64_t, (size_t)vertices + 1);
    newton->row_start = CST_TAKE(arena, int64_t, (size_t)vertices + 1);
    if (scratch->failed || arena->failed)
        return false;
    gather_columns(newton, start, NULL);
    for (int j = 0; j < vertices; j++)
        start[j + 1] += start[j];
    int32_t *all = CST_TAKE_RAW(scratch, int32_t, start[vertices]);
    if (scratch->failed)
        return false;
    gather_columns(newton, start, all);
    int64_t kept = 0;
    for (int j = 0; j < vertices; j++) { /* sort and remove repeated columns */
        /* gather_columns has moved start[j] from the start to the end of row j, so row j begins at start[j - 1] */
        const int64_t first = j > 0 ? start[j - 1] : 0;
        sort_row(all + first, start[j] - first);
        newton->row_start[j] = kept;
        for (int64_t e = first; e < start[j]; e++)
            if (e == first || all[e] != all[e - 1])
                all[kept++] = all[e];
    }
    newton->row_start[vertices] = kept;
    newton->column = CST_TAKE_RAW(arena, int32_t, kept);
    newton->block = CST_TAKE_RAW(arena, double, (size_t)kept *(size_t)square);
    if (arena->failed)
        return false;
    memcpy(newton->column, all, sizeof *all * (size_t)kept);
    return true;
}

static int64_t find(const cst_newton_nodes *newton, int32_t row, int32_t column)
{
    const int64_t start = newton->row_start[row];
    return start + cst_sorted_place(newton->column + start, newton->row_start[row + 1] - start, column);
}

static bool find_places(cst_arena *arena, cst_newton_nodes *newton)
{
    const cst_nodal_form *form = newton->form;
    const cst_nodes *nodes = form->nodes;
    const int n = newton->system->contacts;
    newton->own = CST_TAKE_RAW(arena, int64_t, form->vertices);
    newton->given = CST_TAKE_RAW(arena, int64_t, nodes->row_start[nodes->count]);
    newton->pair_start = CST_TAKE_RAW(arena, int64_t, (size_t)n + 1);
    if (arena->failed)
        return false;
    for (int j = 0; j < form->vertices; j++)
        newton->own[j] = find(newton, j, j);
    for (int j = 0; j < nodes->count; j++)
        for (int64_t e = nodes->row_start[j]; e < nodes->row_start[j + 1]; e++)
            newton->given[e] = find(newton, j, nodes->column[e]);
    newton->pair_start[0] = 0;
    for (int i = 0; i < n; i++) {
        const int64_t touches = form->touch_start[i + 1] - form->touch_start[i];
        newton->pair_start[i + 1] = newton->pair_start[i] + touches * touches;
    }
    newton->pair = CST_TAKE_RAW(arena, int64_t, newton->pair_start[n]);
    if (arena->failed)
        return false;
    for (int i = 0; i < n; i++) {
        int64_t at = newton->pair_start[i];
        for (int64_t p = form->touch_start[i]; p < form->touch_start[i + 1]; p++)
            for (int64_t q = form->touch_start[i]; q < form->touch_start[i + 1]; q++)
                newton->pair[at++] = find(newton, form->touch[p].vertex, form->touch[q].vertex);
    }
    return true;
}

/* Analyses the sparsity pattern. The elimination order is that of nodal_condense.h if nodes without contacts were eliminated and
 * contacts act on no body other than cloth; otherwise it is a minimum degree order. */
static bool begin_lu(cst_arena *arena, cst_newton_nodes *newton)
{
    const cst_nodal_form *form = newton->form;
    const int dim = newton->system->dim;
    const int32_t *order = form->condensed && form->vertices == form->nodes->count ? form->condensed->order : NULL;
    return cst_block_lu_begin(arena, form->vertices, dim, newton->row_start, newton->column, order, &newton->lu);
}

bool cst_newton_nodes_begin(cst_arena *arena, const cst_system *system, cst_newton_nodes *newton)
{
    const size_t dim = (size_t)system->dim;
    cst_arena scratch;
    cst_arena_begin(&scratch, &arena->allocator);
    *newton = (cst_newton_nodes){.system = system, .form = cst_nodal_form_of(system)};
    newton->inverse = CST_TAKE_RAW(arena, double, (size_t)system->contacts *dim *dim);
    newton->f_u = CST_TAKE_RAW(arena, double, (size_t)system->contacts *dim *dim);
    newton->s = CST_TAKE_RAW(arena, double, (size_t)newton->form->vertices *dim);
    const bool done = take_pattern(arena, &scratch, newton) && find_places(arena, newton) && begin_lu(arena, newton);
    if (!done)
        arena->failed = true;
    cst_arena_end(&scratch);
    return done;
}

/* --------------------------------------------------------------------------------------------------------------- numeric */

/* Adds the scaled matrices of the bodies to Newton's matrix: the nodal matrix of cloth, and the identity for other bodies. */
static void add_bodies(cst_newton_nodes *newton)
{
    const cst_nodal_form *form = newton->form;
    const cst_nodes *nodes = form->nodes;
    const int dim = newton->system->dim, square = dim * dim;
    for (int j = 0; j < nodes->count; j++) {
        double *own = newton->block + newton->own[j] * square;
        for (int e = 0; e < square; e++)
            own[e] = nodes->diagonal[(int64_t)j * square + e] * (form->unit[j] * form->unit[j]);
        for (int64_t t = nodes->row_start[j]; t < nodes->row_start[j + 1]; t++) {
            double *to = newton->block + newton->given[t] * square;
            const double scale = form->unit[j] * form->unit[nodes->column[t]];
            for (int e = 0; e < square; e++)
                to[e] = nodes->block[t * square + e] * scale;
        }
    }
    for (int j = nodes->count; j < form->vertices; j++)
        for (int c = 0; c < dim; c++)
            newton->block[newton->own[j] * square + c * (dim + 1)] = 1.0;
}

/* Adds the term G^T D G of one contact to Newton's matrix (G: Jacobian of the contact). `d`: the matrix D = M^-1 f_u of the
 * contact (newton_nodes.h). */
static void add_contact(cst_newton_nodes *newton, int i, const double *d)
{
    const cst_nodal_form *form = newton->form;
    const int dim = newton->system->dim, square = dim * dim;
    int64_t at = newton->pair_start[i];
    for (int64_t p = form->touch_start[i]; p < form->touch_start[i + 1]; p++) {
        double turned[9], left[9] = {0}; /* G_p^T D */
        for (int e = 0; e < square; e++)
            turned[e] = form->touch[p].g[e % dim * dim + e / dim];
        cst_small_add_product(dim, turned, d, left);
        for (int64_t q = form->touch_start[i]; q < form->touch_start[i + 1]; q++, at++)
            cst_small_add_product(dim, left, form->touch[q].g, newton->block + newton->pair[at] * square);
    }
}

void cst_newton_nodes_factor(cst_newton_nodes *newton, const double *f_r, const double *f_u, double rho, double floor)
{
    const int dim = newton->system->dim, square = dim * dim;
    memcpy(newton->f_u, f_u, sizeof(double) * (size_t)newton->system->contacts * (size_t)square);
    memset(newton->block, 0, sizeof(double) * (size_t)newton->row_start[newton->form->vertices] * (size_t)square);
    add_bodies(newton);
    for (int i = 0; i < newton->system->contacts; i++) {
        double d[9] = {0}, *inverse = newton->inverse + (int64_t)i * square;
        bool open = true; /* f_u = 0 */
        cst_newton_invert(dim, f_r + (int64_t)i * square, f_u + (int64_t)i * square, rho, inverse);
        for (int e = 0; e < square; e++)
            open = open && f_u[(int64_t)i * square + e] == 0.0;
        if (open)
            continue;
        cst_small_add_product(dim, inverse, f_u + (int64_t)i * square, d);
        add_contact(newton, i, d);
    }
    cst_block_lu_factor(&newton->lu, newton->block, newton->form->rank, floor);
    newton->factored = true;
}

void cst_newton_nodes_solve(cst_newton_nodes *newton, const double *residual, double *dx, double *response)
{
    const cst_nodal_form *form = newton->form;
    const int dim = newton->system->dim, square = dim * dim;
    double t[3], part[3];
    memset(newton->s, 0, sizeof(double) * (size_t)form->vertices * (size_t)dim);
    for (int i = 0; i < newton->system->contacts; i++) {
        cst_small_apply(dim, newton->inverse + (int64_t)i * square, residual + (int64_t)i * dim, t);
        for (int64_t p = form->touch_start[i]; p < form->touch_start[i + 1]; p++) {
            cst_small_apply_transposed(dim, form->touch[p].g, t, part);
            for (int c = 0; c < dim; c++)
                newton->s[(int64_t)form->touch[p].vertex * dim + c] += part[c];
        }
    }
    cst_block_lu_solve(&newton->lu, newton->s);
    for (int i = 0; i < newton->system->contacts; i++) {
        double u[3] = {0}, left[3], own[3];
        for (int64_t p = form->touch_start[i]; p < form->touch_start[i + 1]; p++) {
            cst_small_apply(dim, form->touch[p].g, newton->s + (int64_t)form->touch[p].vertex * dim, part);
            for (int c = 0; c < dim; c++)
                u[c] += part[c];
        }
        cst_small_apply(dim, newton->f_u + (int64_t)i * square, u, own);
        for (int c = 0; c < dim; c++)
            left[c] = residual[(int64_t)i * dim + c] - own[c];
        cst_small_apply(dim, newton->inverse + (int64_t)i * square, left, t);
        for (int c = 0; c < dim; c++)
            dx[(int64_t)i * dim + c] += t[c];
        if (response)
            memcpy(response + (int64_t)i * dim, u, sizeof *u * (size_t)dim);
    }
}
