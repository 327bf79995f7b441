#include "tests/friction_fixture.h"

/* ------------------------------------------------------------------------------------------------------------- problems */

static void *new_memory(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size); /* one more: an empty array is still an array */
    if (!memory)
        abort();
    return memory;
}

double *new_doubles(size_t count)
{
    return new_memory(count, sizeof(double));
}

bool same_bits(const double *a, const double *b, size_t count)
{
    return memcmp(a, b, count * sizeof *a) == 0;
}

owned_problem problem_new(int dim, int contacts, int64_t blocks)
{
    const size_t n = (size_t)contacts, d = (size_t)dim;
    owned_problem owned = {.row_start = new_memory(n + 1, sizeof(int64_t)),
                           .column = new_memory((size_t)blocks, sizeof(int32_t)),
                           .block = new_doubles((size_t)blocks * d * d),
                           .free_velocity = new_doubles(n * d),
                           .mu = new_doubles(n),
                           .law = new_memory(n, sizeof(uint8_t))};
    owned.problem = (cst_friction_problem){.dim = dim,
                                           .contacts = contacts,
                                           .row_start = owned.row_start,
                                           .column = owned.column,
                                           .block = owned.block,
                                           .free_velocity = owned.free_velocity,
                                           .mu = owned.mu,
                                           .law = owned.law};
    return owned;
}

void problem_free(owned_problem *owned)
{
    free(owned->row_start);
    free(owned->column);
    free(owned->block);
    free(owned->free_velocity);
    free(owned->mu);
    free(owned->law);
    *owned = (owned_problem){0};
}

owned_problem problem_from_dense(int dim, int contacts, const double *W, const double *w, const double *mu, const uint8_t *law)
{
    const int m = dim * contacts, square = dim * dim;
    owned_problem owned = problem_new(dim, contacts, (int64_t)contacts * contacts);
    int64_t filled = 0;
    for (int i = 0; i < contacts; i++) {
        for (int j = 0; j < contacts; j++) {
            bool kept = i == j;
            double *block = owned.block + filled * square;
            for (int k = 0; k < square; k++) {
                block[k] = W[(i * dim + k / dim) * m + j * dim + k % dim];
                kept = kept || block[k] != 0.0;
            }
            if (kept)
                owned.column[filled++] = j;
        }
        owned.row_start[i + 1] = filled;
        owned.mu[i] = mu[i];
        owned.law[i] = law ? law[i] : CST_LAW_COULOMB;
    }
    memcpy(owned.free_velocity, w, (size_t)m * sizeof(double));
    return owned;
}

owned_problem problem_copy(const cst_friction_problem *problem)
{
    owned_problem nothing = problem_new(problem->dim, 0, 0);
    owned_problem copy = problem_side_by_side(problem, &nothing.problem);
    problem_free(&nothing);
    return copy;
}

double *problem_diagonal(const owned_problem *owned, int contact)
{
    const int square = owned->problem.dim * owned->problem.dim;
    int64_t e = owned->row_start[contact];
    while (owned->column[e] != contact)
        e++;
    return owned->block + e * square;
}

owned_problem problem_side_by_side(const cst_friction_problem *a, const cst_friction_problem *b)
{
    const cst_friction_problem *part[2] = {a, b};
    const size_t d = (size_t)a->dim;
    owned_problem both = problem_new(a->dim, a->contacts + b->contacts, a->row_start[a->contacts] + b->row_start[b->contacts]);
    int first = 0;
    int64_t filled = 0;
    for (int p = 0; p < 2; p++) {
        const size_t n = (size_t)part[p]->contacts, at = (size_t)first;
        const int64_t blocks = part[p]->row_start[n];
        for (size_t i = 0; i < n; i++)
            both.row_start[at + i + 1] = filled + part[p]->row_start[i + 1];
        for (int64_t e = 0; e < blocks; e++)
            both.column[filled + e] = part[p]->column[e] + first;
        memcpy(both.block + (size_t)filled * d * d, part[p]->block, (size_t)blocks * d * d * sizeof(double));
        memcpy(both.free_velocity + at * d, part[p]->free_velocity, n * d * sizeof(double));
        memcpy(both.mu + at, part[p]->mu, n * sizeof(double));
        if (part[p]->law)
            memcpy(both.law + at, part[p]->law, n);
        first += part[p]->contacts;
        filled += blocks;
    }
    return both;
}

/* One row of W r + w, summed in extended precision. */
static long double velocity(const cst_friction_problem *problem, const double *r, int contact, int row)
{
    const int dim = problem->dim;
    long double sum = problem->free_velocity[contact * dim + row];
    for (int64_t e = problem->row_start[contact]; e < problem->row_start[contact + 1]; e++)
        for (int k = 0; k < dim; k++)
            sum += (long double)problem->block[(e * dim + row) * dim + k] * r[problem->column[e] * dim + k];
    return sum;
}

void problem_velocities(const cst_friction_problem *problem, const double *r, double *u)
{
    for (int k = 0; k < problem->contacts * problem->dim; k++)
        u[k] = (double)velocity(problem, r, k / problem->dim, k % problem->dim);
}

/* ---------------------------------------------------------------------------------------------------------------- judge */

static long double length(const long double *x, int first, int dim)
{
    long double sum = 0;
    for (int k = first; k < dim; k++)
        sum += x[k] * x[k];
    return sqrtl(sum);
}

/* max(0, r_N - u_N) - r_N and P_disc(mu r_N)(r_T - u_T) - r_T */
static long double alart_curnier(int dim, long double mu, const long double *r, const long double *u)
{
    const long double radius = fmaxl(0, mu * r[0]);
    long double f[3], y[3] = {0};
    f[0] = fmaxl(0, r[0] - u[0]) - r[0];
    for (int k = 1; k < dim; k++)
        y[k] = r[k] - u[k];
    const long double t = length(y, 1, dim), factor = t > radius ? radius / t : 1;
    for (int k = 1; k < dim; k++)
        f[k] = factor * y[k] - r[k];
    return length(f, 0, dim);
}

/* r - P_K(r - u~), u~ = u + mu |u_T| e_N */
static long double natural_map(int dim, long double mu, const long double *r, const long double *u)
{
    long double z[3] = {0}, p[3] = {0}, f[3];
    for (int k = 0; k < dim; k++)
        z[k] = r[k] - u[k];
    z[0] -= mu * length(u, 1, dim);
    const long double t = length(z, 1, dim);
    if (t <= mu * z[0]) {
        memcpy(p, z, sizeof p);
    } else if (mu * t > -z[0]) {
        p[0] = (z[0] + mu * t) / (1 + mu * mu);
        for (int k = 1; k < dim; k++)
            p[k] = mu * p[0] * z[k] / t;
    }
    for (int k = 0; k < dim; k++)
        f[k] = r[k] - p[k];
    return length(f, 0, dim);
}

static bool is_bilateral(const cst_friction_problem *problem, int contact)
{
    return problem->law && problem->law[contact] == CST_LAW_BILATERAL;
}

static long double approach_scale(const cst_friction_problem *problem)
{
    long double approach = 0, largest = 0, w[3];
    for (int i = 0; i < problem->contacts; i++) {
        for (int k = 0; k < problem->dim; k++)
            w[k] = problem->free_velocity[i * problem->dim + k];
        const long double size = length(w, 0, problem->dim);
        largest = fmaxl(largest, size);
        approach = fmaxl(approach, is_bilateral(problem, i) ? size : -w[0]);
    }
    const long double V = fmaxl(approach, 1e-6L * largest);
    return V > 0 ? V : 1;
}

static long double own_compliance(const cst_friction_problem *problem, int contact)
{
    const int dim = problem->dim;
    long double trace = 0;
    for (int64_t e = problem->row_start[contact]; e < problem->row_start[contact + 1]; e++)
        for (int k = 0; problem->column[e] == contact && k < dim; k++)
            trace += problem->block[(e * dim + k) * dim + k];
    return trace / dim;
}

static long double compliance(const cst_friction_problem *problem, int contact)
{
    const long double w = own_compliance(problem, contact);
    if (w > 0)
        return w;
    long double largest = 0;
    for (int i = 0; i < problem->contacts; i++)
        largest = fmaxl(largest, own_compliance(problem, i));
    return largest > 0 ? largest : 1;
}

verdict judge(const cst_friction_problem *problem, const double *r, double scale)
{
    const int dim = problem->dim;
    const long double V = scale > 0 ? scale : approach_scale(problem);
    verdict out = {.V = (double)V, .worst = -1};
    for (int i = 0; i < problem->contacts; i++) {
        const long double w = compliance(problem, i), mu = problem->mu[i];
        long double rs[3] = {0}, us[3] = {0};
        bool finite = true;
        for (int k = 0; k < dim; k++) {
            rs[k] = w * r[i * dim + k] / V;
            us[k] = velocity(problem, r, i, k) / V;
            finite = finite && isfinite(rs[k]) && isfinite(us[k]);
        }
        double ac = HUGE_VAL, natural = HUGE_VAL;
        if (finite && is_bilateral(problem, i))
            ac = natural = (double)length(us, 0, dim);
        else if (finite) {
            ac = (double)alart_curnier(dim, mu, rs, us);
            natural = (double)natural_map(dim, mu, rs, us);
        }
        if (out.worst < 0 || ac > out.alart_curnier)
            out.worst = i;
        out.alart_curnier = fmax(out.alart_curnier, ac);
        out.natural = fmax(out.natural, natural);
    }
    return out;
}

static double distance(const cst_friction_problem *problem, const double *a, const double *b, bool impulses)
{
    const int dim = problem->dim;
    const long double V = approach_scale(problem);
    double largest = 0.0;
    for (int i = 0; i < problem->contacts; i++) {
        long double difference[3] = {0};
        for (int k = 0; k < dim; k++)
            difference[k] = (long double)a[i * dim + k] - b[i * dim + k];
        const double d = (double)(length(difference, 0, dim) * (impulses ? compliance(problem, i) : 1) / V);
        if (!(d <= largest))
            largest = isnan(d) ? HUGE_VAL : d;
    }
    return largest;
}

double velocity_distance(const cst_friction_problem *problem, const double *a, const double *b)
{
    return distance(problem, a, b, false);
}

double impulse_distance(const cst_friction_problem *problem, const double *a, const double *b)
{
    return distance(problem, a, b, true);
}

/* -------------------------------------------------------------------------------------------------------- known answers */

void draw_in_law(cst_rng *rng, int dim, double mu, bool bilateral, double *r, double *u)
{
    double direction[2] = {0};
    const double size = cst_rng_range(rng, 0.2, 2.0);
    if (dim == 2)
        direction[0] = cst_rng_uniform(rng) < 0.5 ? -1.0 : 1.0;
    else
        cst_rng_direction(rng, 2, direction);
    memset(r, 0, (size_t)dim * sizeof *r);
    memset(u, 0, (size_t)dim * sizeof *u);
    if (bilateral) {
        for (int k = 0; k < dim; k++)
            r[k] = cst_rng_normal(rng);
        return;
    }
    switch (cst_rng_integer(rng, 8)) {
    case 0: /* grazing: neither impulse nor velocity */
        break;
    case 1:
    case 2: /* take-off */
        u[0] = size;
        for (int k = 1; k < dim; k++)
            u[k] = cst_rng_normal(rng);
        break;
    case 3: /* sticking on the edge of the cone */
        r[0] = size;
        for (int k = 1; k < dim; k++)
            r[k] = mu * size * direction[k - 1];
        break;
    case 4:
    case 5: { /* sticking */
        const double share = cst_rng_uniform(rng);
        r[0] = size;
        for (int k = 1; k < dim; k++)
            r[k] = share * mu * size * direction[k - 1];
        if (mu == 0.0) /* without friction it slides as it likes */
            for (int k = 1; k < dim; k++)
                u[k] = cst_rng_normal(rng);
        break;
    }
    default: { /* sliding */
        const double speed = cst_rng_range(rng, 0.1, 2.0);
        r[0] = size;
        for (int k = 1; k < dim; k++) {
            r[k] = mu * size * direction[k - 1];
            u[k] = -speed * direction[k - 1];
        }
        break;
    }
    }
}

/* The coupling of contacts i < j (or i = j): the same numbers whoever asks. Row and column sums of |S_ij| are at most 0.1. */
static void coupling_block(uint64_t seed, int dim, int64_t pair, bool diagonal, double *block)
{
    cst_rng rng;
    double largest = 0.0;
    cst_rng_seed(&rng, seed, 1000 + (uint64_t)pair);
    for (int k = 0; k < dim * dim; k++)
        block[k] = cst_rng_normal(&rng);
    for (int a = 0; diagonal && a < dim; a++)
        for (int b = 0; b < a; b++)
            block[a * dim + b] = block[b * dim + a];
    for (int a = 0; a < dim; a++) {
        double row = 0.0, column = 0.0;
        for (int b = 0; b < dim; b++) {
            row += fabs(block[a * dim + b]);
            column += fabs(block[b * dim + a]);
        }
        largest = fmax(largest, fmax(row, column));
    }
    for (int k = 0; k < dim * dim; k++)
        block[k] = 0.1 * block[k] / largest + (diagonal && k % (dim + 1) == 0 ? 1.0 : 0.0);
}

static int by_value(const void *a, const void *b)
{
    return *(const int32_t *)a - *(const int32_t *)b;
}

/* Itself and at most four others, increasing: a circulant graph. */
static int neighbours(int contacts, const int step[2], int contact, int32_t *out)
{
    int32_t all[5] = {contact, (contact + step[0]) % contacts, (contact + step[1]) % contacts,
                      (contact + contacts - step[0]) % contacts, (contact + contacts - step[1]) % contacts};
    int count = 0;
    qsort(all, 5, sizeof all[0], by_value);
    for (int k = 0; k < 5; k++)
        if (k == 0 || all[k] != all[k - 1])
            out[count++] = all[k];
    return count;
}

known_problem known_unique(uint64_t seed, known_shape shape)
{
    const int n = shape.contacts, dim = shape.dim;
    known_problem known = {.owned = problem_new(dim, n, 5 * (int64_t)n),
                           .r = new_doubles((size_t)n * (size_t)dim),
                           .u = new_doubles((size_t)n * (size_t)dim)};
    owned_problem *owned = &known.owned;
    double *scale = new_doubles((size_t)n);
    cst_rng rng;
    cst_rng_seed(&rng, seed, 0);
    int step[2] = {1 % n, 2 % n};
    for (int k = 0; !shape.natural_order && k < 2; k++)
        step[k] = cst_rng_integer(&rng, n);
    for (int i = 0; i < n; i++) {
        const bool bilateral = cst_rng_uniform(&rng) < shape.bilateral;
        owned->law[i] = bilateral ? CST_LAW_BILATERAL : CST_LAW_COULOMB;
        owned->mu[i] = cst_rng_uniform(&rng) < 0.1 ? 0.0 : cst_rng_range(&rng, 0.01, 0.3);
        draw_in_law(&rng, dim, owned->mu[i], bilateral, known.r + i * dim, known.u + i * dim);
        scale[i] = shape.spread > 1.0 ? cst_rng_log_range(&rng, 1.0 / shape.spread, shape.spread) : 1.0;
        for (int k = 0; k < dim; k++) {
            known.r[i * dim + k] /= scale[i];
            known.u[i * dim + k] *= scale[i];
        }
    }
    for (int i = 0; i < n; i++) {
        int64_t filled = owned->row_start[i];
        const int count = neighbours(n, step, i, owned->column + filled);
        for (int64_t e = filled; e < filled + count; e++) {
            const int j = owned->column[e], low = i < j ? i : j, high = i < j ? j : i;
            double S[9];
            coupling_block(seed, dim, (int64_t)low * n + high, i == j, S);
            for (int a = 0; a < dim; a++)
                for (int b = 0; b < dim; b++)
                    owned->block[(e * dim + a) * dim + b] = scale[i] * scale[j] * (i <= j ? S[a * dim + b] : S[b * dim + a]);
        }
        owned->row_start[i + 1] = filled + count;
    }
    /* w = u - W r; w is still zero, and each entry is read before it is written */
    problem_velocities(&owned->problem, known.r, owned->free_velocity);
    for (int k = 0; k < n * dim; k++)
        owned->free_velocity[k] = known.u[k] - owned->free_velocity[k];
    free(scale);
    return known;
}

void known_free(known_problem *known)
{
    problem_free(&known->owned);
    free(known->r);
    free(known->u);
}

/* -------------------------------------------------------------------------------------------------------------- solving */

outcome solve_with_options(const cst_friction_problem *problem, const cst_friction_options *options)
{
    const size_t size = (size_t)problem->contacts * (size_t)problem->dim;
    outcome out = {.r = new_doubles(size), .u = new_doubles(size)};
    cst_friction_solve(problem, options, out.r, out.u, &out.report);
    return out;
}

outcome solve_with(const cst_friction_problem *problem, cst_solver solver, double tolerance, int max_iterations)
{
    cst_friction_options options = cst_friction_options_default();
    options.solver = solver;
    options.tolerance = tolerance;
    options.max_iterations = max_iterations;
    return solve_with_options(problem, &options);
}

void outcome_free(outcome *out)
{
    free(out->r);
    free(out->u);
    *out = (outcome){0};
}

void check_solved(const cst_friction_problem *problem, const outcome *out, double tolerance, const char *name, const char *file,
                  int line)
{
    const verdict seen = judge(problem, out->r, 0.0);
    /* the library judges in double: at the tolerance the two may differ by rounding */
    if (out->report.status == CST_SOLVED && seen.alart_curnier <= tolerance * (1.0 + 1e-6) + 1e-14)
        return;
    print_error("%s: %s, E %.3e judged from outside %.3e (wanted %.1e), %d iterations, worst contact %d %s\n", name,
                cst_status_name(out->report.status), out->report.residual.error, seen.alart_curnier, tolerance,
                out->report.iterations, seen.worst, out->report.message);
    _fail(file, line);
}
