#include "friction/newton_system.h"

#include <math.h>
#include <string.h>

#include "base/simd.h"
#include "friction/cone.h"
#include "friction/planar_state.h"
#include "friction/product.h"
#include "math/small_matrix.h"

/* ----------------------------------------------------------------------------------------------------------------- set-up */

/* Off-diagonal blocks of the scaled Delassus matrix, row by row (cst_coupling.row). */
typedef struct given_rows {
    int64_t *start;
    int32_t *column;
    double *block;
    int64_t *by_column_start; /* row indices, column by column */
    int32_t *row;
} given_rows;

static bool read_rows(cst_arena *arena, const cst_system *system, given_rows *given)
{
    const cst_coupling *coupling = system->coupling;
    const int n = system->contacts, square = system->dim * system->dim;
    given->start = CST_TAKE(arena, int64_t, (size_t)n + 1);
    given->by_column_start = CST_TAKE(arena, int64_t, (size_t)n + 2);
    if (arena->failed)
        return false;
    for (int i = 0; i < n; i++)
        given->start[i + 1] = given->start[i] + coupling->row_length(system, i);
    given->column = CST_TAKE(arena, int32_t, given->start[n]);
    given->row = CST_TAKE(arena, int32_t, given->start[n]);
    given->block = CST_TAKE(arena, double, (size_t)given->start[n] * (size_t)square);
    if (arena->failed)
        return false;
    int64_t *column_start = given->by_column_start + 1; /* shifted while it is filled */
    for (int i = 0; i < n; i++)
        coupling->row(system, i, given->column + given->start[i], given->block + given->start[i] * square);
    for (int64_t e = 0; e < given->start[n]; e++)
        column_start[given->column[e] + 1]++;
    for (int j = 0; j < n; j++)
        column_start[j + 1] += column_start[j];
    for (int i = 0; i < n; i++)
        for (int64_t e = given->start[i]; e < given->start[i + 1]; e++)
            given->row[column_start[given->column[e]]++] = i;
    return true;
}

/* Lists the columns of row i of the symmetric sparsity pattern: the diagonal, and the blocks of row i of the Delassus matrix and
 * of its transpose. If `column` is NULL, the function only counts the columns of row i. While row i is listed, stamp[j] = i + 1
 * means that row i of the Delassus matrix has a block in column j. */
static int64_t symmetric_row(const given_rows *given, int i, int32_t *stamp, int32_t *column)
{
    int64_t count = 0;
    if (column)
        column[count] = i;
    count++;
    for (int64_t e = given->start[i]; e < given->start[i + 1]; e++) {
        stamp[given->column[e]] = i + 1;
        if (column)
            column[count] = given->column[e];
        count++;
    }
    for (int64_t e = given->by_column_start[i]; e < given->by_column_start[i + 1]; e++) {
        if (stamp[given->row[e]] == i + 1)
            continue;
        if (column)
            column[count] = given->row[e];
        count++;
    }
    return count;
}

/* Stores the scaled Delassus matrix with a symmetric sparsity pattern: a missing block whose transposed block exists is stored
 * as zero. */
static bool take_matrix(cst_arena *arena, cst_newton *newton)
{
    const cst_system *system = newton->system;
    const int n = system->contacts;
    const size_t square = (size_t)system->dim * (size_t)system->dim;
    cst_arena scratch;
    cst_arena_begin(&scratch, &arena->allocator);
    given_rows given;
    bool done = read_rows(&scratch, system, &given);
    int32_t *stamp = CST_TAKE(&scratch, int32_t, 2 * (size_t)n);
    newton->row_start = CST_TAKE(arena, int64_t, (size_t)n + 1);
    if (done && !scratch.failed && !arena->failed) {
        for (int i = 0; i < n; i++)
            newton->row_start[i + 1] = newton->row_start[i] + symmetric_row(&given, i, stamp, NULL);
        newton->column = CST_TAKE(arena, int32_t, newton->row_start[n]);
        newton->block = CST_TAKE(arena, double, (size_t)newton->row_start[n] * square);
        newton->jacobian = CST_TAKE(arena, double, (size_t)newton->row_start[n] * square);
    }
    done = done && !scratch.failed && !arena->failed;
    for (int i = 0; done && i < n; i++) {
        const int64_t row = newton->row_start[i];
        double *block = newton->block + (size_t)row * square;
        symmetric_row(&given, i, stamp + n, newton->column + row);
        memcpy(block, system->diagonal + (size_t)i * square, square * sizeof *block);
        memcpy(block + square, given.block + (size_t)given.start[i] * square,
               (size_t)(given.start[i + 1] - given.start[i]) * square * sizeof *block);
    }
    if (!done)
        arena->failed = true;
    cst_arena_end(&scratch);
    return done;
}

/* Returns true if Newton's method should eliminate the contacts, and not the bodies, from its linear system. TIMES: eliminating
 * the bodies is cheaper if the number of contact unknowns is at most TIMES times the number of dofs of the bodies (measured on
 * grains, boxes, rods and strands). If the bodies are eliminated, open and sliding contacts have fewer unknowns than sticking
 * contacts, and the solution rarely needs iterative refinement. */
static bool without_contacts(const cst_system *system, cst_newton_elimination elimination)
{
    enum { TIMES = 3 };
    int sides, bodies;
    const int64_t *state;
    if (elimination == CST_NEWTON_ELIMINATE_BODIES || !cst_newton_bodies_apply(system))
        return false;
    cst_product_halves(system, &sides, &bodies, &state);
    /* bilateral constraints between bodies (ties.h) couple all contacts of these bodies, so the Delassus matrix is dense, but
     * the matrix of the bodies is sparse */
    if (sides > 2)
        return true;
    return elimination == CST_NEWTON_ELIMINATE_CONTACTS || TIMES * state[bodies] < (int64_t)system->contacts * system->dim;
}

bool cst_newton_eliminates_contacts(const cst_system *system)
{
    return without_contacts(system, CST_NEWTON_ELIMINATE_FEWER);
}

bool cst_newton_is_sparse(const cst_system *system)
{
    int sides, bodies;
    const int64_t *state;
    return !cst_product_halves(system, &sides, &bodies, &state) || sides <= 2 || cst_newton_bodies_apply(system);
}

bool cst_newton_begin(cst_arena *arena, cst_system *system, cst_newton_elimination elimination, cst_newton *newton)
{
    const size_t n = (size_t)system->contacts, size = n * (size_t)system->dim, square = size * (size_t)system->dim;
    const bool nodal = cst_nodal_form_of(system) != NULL;
    *newton = (cst_newton){.system = system, .unreduced = nodal || without_contacts(system, elimination), .nodal = nodal};
    newton->rank = CST_TAKE(arena, uint8_t, n);
    CST_TAKE_VECTORS(arena, square, &newton->f_r, &newton->f_u, &newton->rows, &newton->basis);
    CST_TAKE_VECTORS(arena, size, &newton->f, &newton->residual, &newton->fixed, &newton->direction, &newton->response,
                     &newton->trial_x, &newton->trial_y, &newton->trial_f, &newton->no_b);
    if (arena->failed)
        return false;
    if (newton->nodal) {
        if (!cst_newton_nodes_begin(arena, system, &newton->nodes) ||
            (cst_newton_reuse_pays(&newton->nodes) && !cst_newton_reuse_begin(arena, &newton->nodes, &newton->reuse)))
            return false;
        newton->flops = newton->nodes.lu.flops;
        return true;
    }
    if (newton->unreduced) {
        if (!cst_newton_bodies_begin(arena, system, &newton->bodies))
            return false;
        newton->flops = newton->bodies.lu.flops;
        return true;
    }
    if (!take_matrix(arena, newton) ||
        !cst_block_lu_begin(arena, system->contacts, system->dim, newton->row_start, newton->column, NULL, &newton->lu))
        return false;
    newton->flops = newton->lu.flops;
    return true;
}

/* --------------------------------------------------------------------------------------------------------------- function */

/* Computes the velocity of a contact plus its proximal term rho (x - centre), with the impulse x and the proximal weight rho. */
static void proximal_velocity(const cst_newton_settings *settings, int dim, size_t at, const double *x, const double *y,
                              double *u)
{
    for (int k = 0; k < dim; k++)
        u[k] = y[at + (size_t)k];
    if (settings->proximal > 0.0)
        for (int k = 0; k < dim; k++)
            u[k] += settings->proximal * (x[at + (size_t)k] - settings->centre[at + (size_t)k]);
}

double cst_newton_values(const cst_newton *newton, const cst_newton_settings *settings, const double *x, const double *y,
                         double *f)
{
    const cst_system *system = newton->system;
    const int dim = system->dim;
    double sum = 0.0;
    for (int i = 0; i < system->contacts; i++) {
        const size_t at = (size_t)i * (size_t)dim;
        double u[3];
        proximal_velocity(settings, dim, at, x, y, u);
        if (system->law[i] == CST_LAW_BILATERAL) {
            memcpy(f + at, u, (size_t)dim * sizeof *f);
        } else if (settings->function == CST_NEWTON_FISCHER_BURMEISTER) {
            const double scale = 1.0 / fmax(1.0, system->mu[i]);
            cst_fischer_burmeister(dim, system->mu[i], x + at, u, f + at);
            for (int k = 0; k < dim; k++)
                f[at + (size_t)k] *= scale;
        } else {
            cst_alart_curnier(dim, system->mu[i], x + at, u, f + at);
        }
        for (int k = 0; k < dim; k++)
            sum += f[at + (size_t)k] * f[at + (size_t)k];
    }
    return 0.5 * sum;
}

static void identity(int dim, double *matrix)
{
    for (int k = 0; k < dim * dim; k++)
        matrix[k] = k % (dim + 1) == 0 ? 1.0 : 0.0;
}

/* Solves in advance those linearised Alart-Curnier equations of one contact that contain no impulse of another contact. Returns
 * `rank`, the number of equations and unknowns of the contact that remain in the linear system. Other output:
 *     `rows`: array (rank x dim): each remaining equation is a weighted sum of the `dim` equations, with the entries of one row
 *         of `rows` as weights.
 *     `fixed`, `basis`: the part of Newton's step for this contact is fixed + basis * (remaining unknowns).
 *
 * The zero entries of the derivatives f_r and f_u show whether the contact is open, sticks or slides. */
static int solve_own_rows(int dim, double mu, const double *f, const double *f_r, const double *f_u, double *rows, double *basis,
                          double *fixed)
{
    memset(rows, 0, (size_t)(dim * dim) * sizeof *rows);
    memset(basis, 0, (size_t)(dim * dim) * sizeof *basis);
    memset(fixed, 0, (size_t)dim * sizeof *fixed);
    int rank = 0;
    const bool closed = f_u[0] != 0.0; /* open: f_N = -r_N */
    if (closed) {
        rows[0] = 1.0;
        basis[0] = 1.0;
        rank = 1;
    } else {
        fixed[0] = f[0];
    }
    const bool slides = f_r[dim] != 0.0 || f_r[(dim - 1) * dim] != 0.0; /* the column mu n */
    const bool sticks = !slides && f_u[dim + 1] != 0.0;
    if (sticks) {
        for (int k = 1; k < dim; k++, rank++) {
            rows[rank * dim + k] = 1.0;
            basis[k * dim + rank] = 1.0;
        }
    } else if (!slides) { /* radius 0: f_T = -r_T */
        for (int k = 1; k < dim; k++)
            fixed[k] = f[k];
    } else { /* sliding: solves for n.d_T */
        double n[3] = {0.0, 0.0, 0.0}, along = 0.0;
        for (int k = 1; k < dim; k++) {
            n[k] = f_r[k * dim] / mu;
            along += n[k] * f[k];
        }
        for (int k = 1; k < dim; k++) {
            fixed[k] = (along + mu * fixed[0]) * n[k];
            if (closed)
                basis[k * dim] = mu * n[k];
        }
        if (dim == 3) { /* the direction across n stays unknown */
            rows[rank * dim + 1] = basis[dim + rank] = -n[2];
            rows[rank * dim + 2] = basis[2 * dim + rank] = n[1];
            rank++;
        }
    }
    return rank;
}

static void keep_all_rows(cst_newton *newton, int i, int dim)
{
    const size_t at = (size_t)i * (size_t)dim, square = at * (size_t)dim;
    identity(dim, newton->rows + square);
    identity(dim, newton->basis + square);
    memset(newton->fixed + at, 0, (size_t)dim * sizeof *newton->fixed);
    newton->rank[i] = (uint8_t)dim;
}

void cst_newton_linearise(cst_newton *newton, const cst_newton_settings *settings, const double *x, const double *y)
{
    const cst_system *system = newton->system;
    const int dim = system->dim;
    for (int i = 0; i < system->contacts; i++) {
        const size_t at = (size_t)i * (size_t)dim, square = at * (size_t)dim;
        double *f = newton->f + at, *f_r = newton->f_r + square, *f_u = newton->f_u + square, u[3];
        proximal_velocity(settings, dim, at, x, y, u);
        if (system->law[i] == CST_LAW_COULOMB && settings->function != CST_NEWTON_FISCHER_BURMEISTER) {
            if (settings->function == CST_NEWTON_PLANAR_STATES)
                cst_planar_state(system->diagonal + square, system->mu[i], x + at, u, f, f_r, f_u);
            else
                cst_alart_curnier_jacobian(dim, system->mu[i], x + at, u, f, f_r, f_u);
            newton->rank[i] = (uint8_t)solve_own_rows(dim, system->mu[i], f, f_r, f_u, newton->rows + square,
                                                      newton->basis + square, newton->fixed + at);
            continue;
        }
        if (system->law[i] == CST_LAW_BILATERAL) {
            memcpy(f, u, (size_t)dim * sizeof *f);
            memset(f_r, 0, (size_t)(dim * dim) * sizeof *f_r);
            identity(dim, f_u);
        } else {
            const double scale = 1.0 / fmax(1.0, system->mu[i]);
            cst_fischer_burmeister_jacobian(dim, system->mu[i], x + at, u, f, f_r, f_u);
            for (int k = 0; k < dim; k++)
                f[k] *= scale;
            for (int k = 0; k < dim * dim; k++) {
                f_r[k] *= scale;
                f_u[k] *= scale;
            }
        }
        keep_all_rows(newton, i, dim);
    }
}

/* -------------------------------------------------------------------------------------------------------------- direction */

/* Computes the matrix product out = left * right, with `left` (rank x dim) and `right` (dim x columns); all rows have stride
 * dim. */
static inline __attribute__((always_inline)) void small_product(int dim, int rank, int columns, const double *left,
                                                                const double *right, double *out)
{
    for (int i = 0; i < rank; i++)
        for (int j = 0; j < columns; j++) {
            double sum = left[i * dim] * right[j];
            for (int k = 1; k < dim; k++)
                sum += left[i * dim + k] * right[k * dim + j];
            out[i * dim + j] = sum;
        }
}

/* Assembles the matrix of Newton's linear system, which contains only the equations that are not solved in advance. Symbols:
 *     `A_ij`: block of the scaled Delassus matrix.
 *     `rho`: proximal weight.
 *     `f_r`, `f_u`: derivatives of the residual of contact i.
 *     `rows_i`: matrix that combines the equations of contact i to those equations that remain in the linear system.
 *     `basis_j`: matrix that turns the remaining unknowns of contact j into its part of Newton's step.
 *
 * The assembled matrix has these off-diagonal blocks (i, j) and diagonal blocks (i, i):
 *
 *     `rows_i*(f_u*A_ij)*basis_j`.
 *     `rows_i*(f_u*A_ii+f_r+rho*f_u)*basis_i`. */
static inline __attribute__((always_inline)) void assemble(cst_newton *newton, double proximal, int dim)
{
    const int square = dim * dim;
    for (int i = 0; i < newton->system->contacts; i++) {
        const int rank = newton->rank[i];
        if (rank == 0)
            continue;
        const double *rows = newton->rows + (size_t)(i * square);
        double kept_u[9], kept_r[9], product[9];
        small_product(dim, rank, dim, rows, newton->f_u + (size_t)(i * square), kept_u);
        small_product(dim, rank, dim, rows, newton->f_r + (size_t)(i * square), kept_r);
        for (int64_t e = newton->row_start[i]; e < newton->row_start[i + 1]; e++) {
            const int32_t j = newton->column[e];
            if (newton->rank[j] == 0)
                continue;
            small_product(dim, rank, dim, kept_u, newton->block + e * square, product);
            if (j == i)
                for (int k = 0; k < rank * dim; k++)
                    product[k] += proximal * kept_u[k] + kept_r[k];
            small_product(dim, rank, newton->rank[j], product, newton->basis + (size_t)(j * square),
                          newton->jacobian + e * square);
        }
    }
}

CST_MULTIVERSION
static void assemble_3d(cst_newton *newton, double proximal)
{
    assemble(newton, proximal, 3);
}

CST_MULTIVERSION
static void assemble_2d(cst_newton *newton, double proximal)
{
    assemble(newton, proximal, 2);
}

/* Computes the product A d of the scaled Delassus matrix with Newton's step d. The free velocities b are replaced by zero,
 * because A d computed as (A d + b) - b would lose digits if A d is small. */
static void multiply(const cst_newton *newton, const double *d, double *out)
{
    cst_system linear = *newton->system;
    linear.b = newton->no_b;
    cst_system_multiply(&linear, d, out);
}

/* Computes the defect of Newton's linear system for the step d, from the product `response` = A d, and returns its largest
 * absolute entry. */
static double defect(const cst_newton *newton, double proximal, const double *d, const double *response, double *residual)
{
    const int dim = newton->system->dim;
    double worst = 0.0;
    for (int i = 0; i < newton->system->contacts; i++) {
        const size_t at = (size_t)i * (size_t)dim;
        const double *f_r = newton->f_r + at * (size_t)dim, *f_u = newton->f_u + at * (size_t)dim;
        for (int k = 0; k < dim; k++) {
            double sum = -newton->f[at + (size_t)k];
            for (int l = 0; l < dim; l++) {
                const double d_l = d[at + (size_t)l];
                sum -= f_u[k * dim + l] * (response[at + (size_t)l] + proximal * d_l) + f_r[k * dim + l] * d_l;
            }
            residual[at + (size_t)k] = sum;
            if (!(fabs(sum) <= worst)) /* a NaN counts as largest */
                worst = isnan(sum) ? HUGE_VAL : fabs(sum);
        }
    }
    return worst;
}

/* Solves the factorised linear system, which contains only the equations that are not solved in advance, for the right-hand side
 * `residual`. Adds the solution to Newton's step d. */
static void correct_reduced(cst_newton *newton, const double *residual, double *d)
{
    const int dim = newton->system->dim;
    double *z = newton->trial_f;
    for (int i = 0; i < newton->system->contacts; i++) {
        const size_t at = (size_t)i * (size_t)dim;
        for (int k = 0; k < newton->rank[i]; k++)
            z[at + (size_t)k] = cst_small_dot(dim, newton->rows + at * (size_t)dim + (size_t)(k * dim), residual + at);
    }
    cst_block_lu_solve(&newton->lu, z);
    for (int i = 0; i < newton->system->contacts; i++) {
        const size_t at = (size_t)i * (size_t)dim;
        const double *basis = newton->basis + at * (size_t)dim;
        for (int k = 0; k < dim; k++)
            for (int l = 0; l < newton->rank[i]; l++)
                d[at + (size_t)k] += basis[k * dim + l] * z[at + (size_t)l];
    }
}

/* Settings of the linear solver: the first value of each array is used if newton->exact is false, the second value if it is true.
 *     PIVOT_FLOOR: smallest magnitude of a pivot; smaller pivots are replaced by PIVOT_FLOOR with their sign.
 *     REFINEMENTS: largest number of steps of iterative refinement of one solution.
 *     WANTED: iterative refinement ends when the defect is at most WANTED times the largest residual of a contact.
 *
 * If the Delassus matrix is nearly singular, some impulses hardly change any velocity, and their pivots may be smaller than
 * the rounding errors of other pivots. */
static const double PIVOT_FLOOR[] = {1e-13, 1e-20};
static const int REFINEMENTS[] = {2, 4};
static const double WANTED[] = {1e-10, 1e-22};

void cst_newton_factor(cst_newton *newton, double proximal)
{
    static const double RHO_LEAST = 1e-12; /* singular for rho = 0 */
    const double floor = PIVOT_FLOOR[newton->exact];
    newton->factorisations++;
    newton->stale = newton->reuse.ready && newton->nodes.factored;
    if (newton->stale)
        return;
    if (newton->nodal) {
        cst_newton_nodes_factor(&newton->nodes, newton->f_r, newton->f_u, fmax(proximal, RHO_LEAST), floor);
        return;
    }
    if (newton->unreduced) {
        cst_newton_bodies_factor(&newton->bodies, newton->f_r, newton->f_u, fmax(proximal, RHO_LEAST), floor);
        return;
    }
    if (newton->system->dim == 3)
        assemble_3d(newton, proximal);
    else
        assemble_2d(newton, proximal);
    cst_block_lu_factor(&newton->lu, newton->jacobian, newton->rank, floor);
}

/* Adds to Newton's step d the solution of Newton's linear system for the right-hand side newton->residual. If GMRES with the
 * factors of an earlier Newton matrix fails, the present Newton matrix is factorised. */
static void correct(cst_newton *newton, double proximal, double *d)
{
    const size_t size = (size_t)newton->system->contacts * (size_t)newton->system->dim;
    if (newton->stale) {
        if (cst_newton_reuse_solve(&newton->reuse, &newton->nodes, newton->f_r, newton->f_u, proximal, newton->residual)) {
            for (size_t k = 0; k < size; k++)
                d[k] += newton->residual[k];
            return;
        }
        newton->nodes.factored = false;
        cst_newton_factor(newton, proximal);
    }
    if (newton->nodal)
        cst_newton_nodes_solve(&newton->nodes, newton->residual, d, NULL);
    else if (newton->unreduced)
        cst_newton_bodies_solve(&newton->bodies, newton->residual, d);
    else
        correct_reduced(newton, newton->residual, d);
}

bool cst_newton_solve(cst_newton *newton, double proximal)
{
    /* largest accepted defect of a solution of Newton's linear system, as a share of the largest residual of a contact */
    static const double ACCEPTED = 1e-6;
    /* largest accepted defect of a solution by GMRES, as a share of the largest residual of a contact */
    const double inexact = 10.0 * newton->reuse.tolerance;
    const size_t size = (size_t)newton->system->contacts * (size_t)newton->system->dim;
    double *d = newton->direction, largest = 0.0;
    for (size_t k = 0; k < size; k++)
        largest = fmax(largest, fabs(newton->f[k]));
    if (newton->unreduced)
        memset(d, 0, size * sizeof *d);
    else
        memcpy(d, newton->fixed, size * sizeof *d);
    multiply(newton, d, newton->response);
    for (int round = 0;; round++) {
        const double left = defect(newton, proximal, d, newton->response, newton->residual);
        if (!isfinite(left))
            return false;
        if (round > 0 && left <= (newton->stale ? inexact : WANTED[newton->exact]) * largest)
            return true;
        if (round > REFINEMENTS[newton->exact]) {
            if (!newton->stale)
                return left <= ACCEPTED * largest;
            newton->nodes.factored = false;
            cst_newton_factor(newton, proximal);
            round = 0;
        }
        correct(newton, proximal, d);
        multiply(newton, d, newton->response);
    }
}

void cst_newton_keep_rows(cst_newton *newton)
{
    for (int i = 0; i < newton->system->contacts; i++)
        keep_all_rows(newton, i, newton->system->dim);
}

bool cst_newton_direction(cst_newton *newton, const cst_newton_settings *settings, const double *x, const double *y)
{
    cst_newton_linearise(newton, settings, x, y);
    cst_newton_factor(newton, settings->proximal);
    return cst_newton_solve(newton, settings->proximal);
}
