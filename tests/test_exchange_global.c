/* Global problems, M v = H r + f, u = H^T v + w, by three routes that share no code: as bodies, condensed, and by dense
 * elimination here. For random r all must give the same u. */
#include "exchange_fixture.h"

#include <math.h>

enum { N_MAX = 240 };

/* x <- A^-1 x by Gauss with partial pivoting; A (n x n) is destroyed. */
static void dense_solve(int n, double *a, double *x)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            best = fabs(a[i * n + k]) > fabs(a[best * n + k]) ? i : best;
        assert_true(a[best * n + k] != 0.0);
        for (int j = 0; j < n && best != k; j++) {
            double swap = a[k * n + j];
            a[k * n + j] = a[best * n + j];
            a[best * n + j] = swap;
        }
        double swap = x[k];
        x[k] = x[best];
        x[best] = swap;
        for (int i = k + 1; i < n; i++) {
            double factor = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n; j++)
                a[i * n + j] -= factor * a[k * n + j];
            x[i] -= factor * x[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            x[i] -= a[i * n + j] * x[j];
        x[i] /= a[i * n + i];
    }
}

/* u and v straight from the file's M, H, f, w. */
static void exact_velocities(const cst_global_problem *g, const double *r, double *u, double *v)
{
    int n = g->dofs, m = g->dim * g->contacts;
    double *mass = calloc((size_t)n * (size_t)n, sizeof *mass);
    for (int i = 0; i < n; i++) {
        v[i] = g->force[i];
        for (int64_t k = g->mass.row_start[i]; k < g->mass.row_start[i + 1]; k++)
            mass[i * n + g->mass.column[k]] = g->mass.value[k];
        for (int64_t k = g->jacobian.row_start[i]; k < g->jacobian.row_start[i + 1]; k++)
            v[i] += g->jacobian.value[k] * r[g->jacobian.column[k]];
    }
    dense_solve(n, mass, v);
    memcpy(u, g->velocity_offset, (size_t)m * sizeof *u);
    for (int i = 0; i < n; i++)
        for (int64_t k = g->jacobian.row_start[i]; k < g->jacobian.row_start[i + 1]; k++)
            u[g->jacobian.column[k]] += g->jacobian.value[k] * v[i];
    free(mass);
}

static void body_matrix(const cst_body *body, double *dense)
{
    int n = body->size, b = body->bandwidth;
    memset(dense, 0, (size_t)n * (size_t)n * sizeof *dense);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double value = 0.0;
            if (body->kind == CST_BODY_DENSE)
                value = body->matrix[i * n + j];
            else if (i - j <= b)
                value = body->matrix[i * (b + 1) + j - i + b];
            dense[i * n + j] = dense[j * n + i] = value;
        }
}

/* u and v from the bodies; v in their order. */
static void body_velocities(const cst_body_problem *p, const double *r, double *u, double *v)
{
    static double dense[N_MAX * N_MAX];
    int start[N_MAX + 1] = {0};
    for (int b = 0; b < p->bodies; b++) {
        start[b + 1] = start[b] + p->body[b].size;
        memcpy(v + start[b], p->body[b].rhs, (size_t)p->body[b].size * sizeof *v);
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < p->contacts; c++)
            for (int s = 0; s < 2; s++) {
                const cst_contact_side *side = s ? &p->side_b[c] : &p->side_a[c];
                for (int k = 0; k < side->dofs; k++) {
                    assert_in_range(side->body, 0, p->bodies - 1);
                    assert_in_range(side->dof[k], k ? side->dof[k - 1] + 1 : 0, p->body[side->body].size - 1);
                    for (int a = 0; a < p->dim; a++) {
                        double h = side->h[a * side->dofs + k], *place = &v[start[side->body] + side->dof[k]];
                        if (pass)
                            u[c * p->dim + a] += h * *place;
                        else
                            *place += h * r[c * p->dim + a];
                    }
                }
            }
        for (int b = 0; b < p->bodies && !pass; b++) {
            body_matrix(&p->body[b], dense);
            dense_solve(p->body[b].size, dense, v + start[b]);
        }
        if (!pass)
            memcpy(u, p->velocity_offset, (size_t)(p->dim * p->contacts) * sizeof *u);
    }
}

static void local_velocities(const cst_friction_problem *p, const double *r, double *u)
{
    int d = p->dim;
    memcpy(u, p->free_velocity, (size_t)(d * p->contacts) * sizeof *u);
    for (int i = 0; i < p->contacts; i++)
        for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++)
            for (int a = 0; a < d * d; a++)
                u[i * d + a / d] += p->block[k * d * d + a] * r[p->column[k] * d + a % d];
}

static double worst(int count, const double *a, const double *b)
{
    double difference = 0.0, size = 1e-300;
    for (int k = 0; k < count; k++) {
        difference = fmax(difference, fabs(a[k] - b[k]));
        size = fmax(size, fabs(b[k]));
    }
    return difference / size;
}

/* The three routes, for some r. With bodies NULL, only two. */
static void check_routes(cst_problem_file *file, const cst_body_problem *bodies, double tolerance)
{
    const cst_global_problem *g = &file->global;
    int m = g->dim * g->contacts;
    double r[200], u[200], u_exact[200], v[N_MAX], v_exact[N_MAX];
    char message[512];
    assert_true(m <= 200 && g->dofs <= N_MAX);
    if (!cst_problem_file_condense(file, message, sizeof message))
        fail_msg("%s", message);
    uint64_t seed = 99;
    for (int trial = 0; trial < 3; trial++) {
        for (int k = 0; k < m; k++)
            r[k] = trial ? noise(&seed) : 0.0;
        exact_velocities(g, r, u_exact, v_exact);
        local_velocities(&file->local, r, u);
        assert_true(worst(m, u, u_exact) <= tolerance);
        if (!bodies)
            continue;
        body_velocities(bodies, r, u, v);
        assert_true(worst(m, u, u_exact) <= tolerance);
        for (int k = 0; k < g->dofs; k++)
            assert_true(fabs(v[k] - v_exact[file->body_dof[k]]) <= tolerance * (1.0 + fabs(v[k])));
    }
}

static cst_problem_file *write_and_read(const global_sample *s, cst_body_problem *bodies)
{
    char message[512];
    const char *path = scratch_path("global.hdf5");
    put_global(path, s, CST_FCLIB_CSC);
    cst_problem_file *file = get_file(path);
    if (bodies && !cst_problem_file_bodies(file, bodies, message, sizeof message))
        fail_msg("%s", message);
    return file;
}

/* Rigid bodies: M diagonal, contacts between runs of 6 dofs (3 in 2D). */
static void test_rigid_bodies(void **state)
{
    (void)state;
    static global_sample s;
    static double mass[30 * 30], jacobian[30 * 18];
    for (int dim = 2; dim <= 3; dim++) {
        int run = dim == 3 ? 6 : 3, n = 5 * run, contacts = 6, m = dim * contacts;
        uint64_t seed = 20;
        memset(mass, 0, sizeof mass);
        memset(jacobian, 0, sizeof jacobian);
        for (int k = 0; k < n; k++)
            mass[k * n + k] = 2.0 + noise(&seed);
        for (int c = 0; c < contacts; c++) /* 0-1, 1-2, 2-3, 3-0, 0-ground, 1-ground; body 4 is alone */
            for (int side = 0; side < (c < 4 ? 2 : 1); side++)
                for (int k = 0; k < run; k++)
                    for (int a = 0; a < dim; a++)
                        jacobian[((c + side) % 4 * run + k) * m + c * dim + a] = noise(&seed);
        sample_global(&s, dim, contacts, n, mass, jacobian, 21);
        cst_body_problem bodies;
        cst_problem_file *file = write_and_read(&s, &bodies);
        assert_int_equal(bodies.bodies, 5);
        assert_int_equal(bodies.body[0].size, run);
        assert_int_equal(bodies.side_a[3].body, 0);
        assert_int_equal(bodies.side_b[3].body, 3);
        assert_int_equal(bodies.side_b[4].body, -1);
        check_routes(file, &bodies, 1e-13);
        cst_problem_file_free(file);
    }
}

/* A chain of 220 dofs numbered at random and a small dense body: the chain is a band of width 1 after renumbering. */
static void test_band_body(void **state)
{
    (void)state;
    static global_sample s;
    static double mass[N_MAX * N_MAX], jacobian[N_MAX * 12];
    enum { CHAIN = 220, SMALL = 5, N = CHAIN + SMALL };
    int order[CHAIN];
    uint64_t seed = 30;
    for (int k = 0; k < CHAIN; k++)
        order[k] = k;
    for (int k = CHAIN - 1; k > 0; k--) {
        int other = (int)((noise(&seed) + 1.0) * 0.5 * (k + 1)) % (k + 1), swap = order[k];
        order[k] = order[other];
        order[other] = swap;
    }
    for (int k = 0; k < CHAIN; k++) {
        mass[order[k] * N + order[k]] = 3.0 + noise(&seed);
        if (k > 0)
            mass[order[k] * N + order[k - 1]] = mass[order[k - 1] * N + order[k]] = noise(&seed);
    }
    for (int i = 0; i < SMALL; i++)
        for (int j = 0; j <= i; j++)
            mass[(CHAIN + i) * N + CHAIN + j] = mass[(CHAIN + j) * N + CHAIN + i] = noise(&seed) + (i == j ? 6.0 : 0.0);
    for (int c = 0; c < 4; c++)
        for (int a = 0; a < 3; a++) {
            for (int k = 0; k < 4; k++)
                jacobian[order[50 * c + k] * 12 + 3 * c + a] = noise(&seed);
            jacobian[(CHAIN + (c + a) % SMALL) * 12 + 3 * c + a] = noise(&seed);
        }
    sample_global(&s, 3, 4, N, mass, jacobian, 31);
    cst_body_problem bodies;
    cst_problem_file *file = write_and_read(&s, &bodies);
    assert_int_equal(bodies.bodies, 2);
    assert_int_equal(bodies.body[0].kind, CST_BODY_BAND);
    assert_int_equal(bodies.body[0].bandwidth, 1);
    assert_int_equal(bodies.body[1].kind, CST_BODY_DENSE);
    check_routes(file, &bodies, 1e-12);
    cst_problem_file_free(file);
}

/* A contact between three bodies: they become one, and the fourth stays. */
static void test_contact_on_three_bodies(void **state)
{
    (void)state;
    enum { N = 12 };
    static global_sample s;
    double mass[N * N] = {0}, jacobian[N * 4] = {0};
    static const int start[5] = {0, 3, 6, 9, N};
    uint64_t seed = 40;
    for (int b = 0; b < 4; b++)
        for (int i = start[b]; i < start[b + 1]; i++)
            for (int j = start[b]; j <= i; j++)
                mass[i * N + j] = mass[j * N + i] = noise(&seed) + (i == j ? 6.0 : 0.0);
    for (int a = 0; a < 2; a++) {
        jacobian[1 * 4 + a] = jacobian[5 * 4 + a] = noise(&seed);
        jacobian[8 * 4 + a] = noise(&seed);
        jacobian[3 * 4 + 2 + a] = jacobian[10 * 4 + 2 + a] = noise(&seed);
    }
    sample_global(&s, 2, 2, N, mass, jacobian, 41);
    cst_body_problem bodies;
    cst_problem_file *file = write_and_read(&s, &bodies);
    assert_int_equal(bodies.bodies, 2);
    assert_int_equal(bodies.body[0].size, 9);
    assert_int_equal(bodies.side_b[0].body, -1);
    assert_int_equal(bodies.side_b[1].body, 1);
    check_routes(file, &bodies, 1e-13);
    cst_problem_file_free(file);
}

/* M that is not symmetric has no bodies, but its condensed form is exact, and not symmetric either. */
static void test_unsymmetric_mass(void **state)
{
    (void)state;
    static global_sample s;
    double mass[64] = {0}, jacobian[8 * 6] = {0};
    uint64_t seed = 50;
    for (int k = 0; k < 64; k++)
        mass[k] = noise(&seed) + (k % 9 == 0 ? 0.5 : 0.0); /* pivoting needed */
    for (int k = 0; k < 48; k++)
        jacobian[k] = noise(&seed);
    sample_global(&s, 3, 2, 8, mass, jacobian, 51);
    cst_body_problem bodies;
    char message[512];
    cst_problem_file *file = write_and_read(&s, NULL);
    assert_true(file->global.asymmetry > 0.1);
    assert_false(cst_problem_file_bodies(file, &bodies, message, sizeof message));
    assert_non_null(strstr(message, "M is not symmetric (relative asymmetry "));
    check_routes(file, NULL, 1e-11);
    const double *ab = file->local.block + 9, *ba = file->local.block + 18;
    assert_true(fabs(ab[1] - ba[3]) > 1e-3);
    cst_problem_file_free(file);
}

static void test_singular_mass(void **state)
{
    (void)state;
    static global_sample s;
    double mass[9] = {1, 1, 0, 1, 1, 0, 0, 0, 1}, jacobian[6] = {1, 0, 0, 1, 0, 0};
    sample_global(&s, 2, 1, 3, mass, jacobian, 60);
    char message[512];
    cst_body_problem bodies;
    cst_problem_file *file = write_and_read(&s, &bodies); /* not positive definite: the solver's factor will say so */
    assert_false(cst_problem_file_condense(file, message, sizeof message));
    assert_non_null(strstr(message, "M is singular: no pivot for dof 1"));
    assert_false(file->has_local);
    cst_problem_file_free(file);
    mass[4] = 0.0; /* a dof without mass that nothing feels is nobody's trouble */
    mass[1] = mass[3] = 0.0;
    jacobian[3] = 0.0;
    jacobian[5] = 1.0;
    sample_global(&s, 2, 1, 3, mass, jacobian, 60);
    file = write_and_read(&s, NULL);
    assert_true(cst_problem_file_condense(file, message, sizeof message));
    cst_problem_file_free(file);
    /* regular to the letter, and still no W that a double can hold */
    mass[0] = 1e-300;
    jacobian[0] = 1e10;
    sample_global(&s, 2, 1, 3, mass, jacobian, 60);
    file = write_and_read(&s, NULL);
    assert_false(cst_problem_file_condense(file, message, sizeof message));
    assert_non_null(strstr(message, "is not finite at contact"));
    cst_problem_file_free(file);
    /* a local problem has neither */
    static sample l;
    sample_local(&l, 2, 3, 61);
    put_local(scratch_path("local.hdf5"), &l, CST_FCLIB_CSR);
    file = get_file(scratch_path("local.hdf5"));
    assert_true(cst_problem_file_condense(file, message, sizeof message));
    assert_false(cst_problem_file_bodies(file, &bodies, message, sizeof message));
    assert_non_null(strstr(message, "is a local problem"));
    cst_problem_file_free(file);
}

/* W would be 30000 x 30000 blocks from a file of 2 MB, M a dense matrix of 40000: said, not tried. */
static void test_too_large(void **state)
{
    (void)state;
    enum { CONTACTS = 30000, DOFS = 40000 };
    char message[512];
    const char *path = scratch_path("large.hdf5");
    int64_t *start = calloc(DOFS + 1, sizeof *start);
    int32_t *column = calloc(2 * DOFS, sizeof *column);
    double *value = calloc(3 * CONTACTS + 2 * DOFS, sizeof *value), *zero = calloc(3 * CONTACTS, sizeof *zero);
    assert_true(start && column && value && zero);
    for (int k = 0; k < 3 * CONTACTS + 2 * DOFS; k++)
        value[k] = 1.0;
    int64_t one_start[2] = {0, 1};
    int32_t one_column[1] = {0};
    for (int32_t k = 0; k < CONTACTS; k++)
        column[k] = 2 * k;
    int64_t touch_start[2] = {0, CONTACTS};
    cst_global_problem problem = {.dim = 2,
                                  .contacts = CONTACTS,
                                  .dofs = 1,
                                  .mass = {1, 1, one_start, one_column, value},
                                  .jacobian = {1, 2 * CONTACTS, touch_start, column, value},
                                  .force = zero,
                                  .velocity_offset = zero,
                                  .mu = zero};
    watched_allocator watched;
    watched_begin(&watched, 0);
    assert_true(cst_fclib_write_global(path, &problem, CST_FCLIB_CSR, NULL, NULL, NULL, message, sizeof message));
    cst_problem_file *file = cst_problem_file_read(path, &watched.allocator, message, sizeof message);
    assert_non_null(file);
    assert_false(cst_problem_file_condense(file, message, sizeof message));
    assert_non_null(strstr(message, "condensed, W would take more than 4096 MB"));
    cst_problem_file_free(file);
    /* an arrow: the last dof tied to all others, a band as wide as the matrix in any order */
    int64_t filled = 0;
    for (int32_t i = 0; i < DOFS; i++) {
        column[filled++] = i;
        start[i + 1] = filled;
    }
    for (int32_t i = 0; i + 1 < DOFS; i++)
        column[filled - 1 + i] = i;
    column[filled + DOFS - 2] = DOFS - 1;
    start[DOFS] = filled + DOFS - 1;
    double row_zero[DOFS] = {0};
    int64_t *h_start = calloc(DOFS + 1, sizeof *h_start);
    assert_non_null(h_start);
    for (int32_t i = 0; i < DOFS; i++)
        h_start[i + 1] = 1;
    problem = (cst_global_problem){.dim = 2,
                                   .contacts = 1,
                                   .dofs = DOFS,
                                   .mass = {DOFS, DOFS, start, column, value},
                                   .jacobian = {DOFS, 2, h_start, one_column, value},
                                   .force = row_zero,
                                   .velocity_offset = zero,
                                   .mu = zero};
    assert_true(cst_fclib_write_global(path, &problem, CST_FCLIB_CSR, NULL, NULL, NULL, message, sizeof message));
    file = cst_problem_file_read(path, &watched.allocator, message, sizeof message);
    assert_non_null(file);
    assert_true(file->global.asymmetry > 0.1);
    assert_false(cst_problem_file_condense(file, message, sizeof message));
    assert_non_null(strstr(message, "M has a group of 40000 coupled dofs with bandwidth"));
    file->global.asymmetry = 0.0; /* to get to the question of size */
    cst_body_problem bodies;
    assert_false(cst_problem_file_bodies(file, &bodies, message, sizeof message));
    assert_non_null(strstr(message, "M has a body of 40000 dofs"));
    cst_problem_file_free(file);
    assert_int_equal(watched.held, 0);
    assert_true(watched.largest < 50000000);
    free(start);
    free(h_start);
    free(column);
    free(value);
    free(zero);
}

/* ---------------------------------------------------------------------------------------------------------- equalities */

/* A matrix group as triplets, from a dense matrix. */
static void h5_matrix(const char *path, const char *name, int rows, int columns, const double *dense)
{
    char set[64];
    int row[64], column[64], count = 0;
    double value[64];
    for (int k = 0; k < rows * columns; k++)
        if (dense[k] != 0.0) {
            row[count] = k / columns;
            column[count] = k % columns;
            value[count++] = dense[k];
        }
    h5_group(path, name);
    const struct {
        const char *name;
        int value;
    } scalars[] = {{"m", rows}, {"n", columns}, {"nz", count}, {"nzmax", count}};
    for (int k = 0; k < 4; k++) {
        snprintf(set, sizeof set, "%s/%s", name, scalars[k].name);
        h5_integers(path, set, 1, &scalars[k].value);
    }
    snprintf(set, sizeof set, "%s/i", name);
    h5_integers(path, set, count, row);
    snprintf(set, sizeof set, "%s/p", name);
    h5_integers(path, set, count, column);
    snprintf(set, sizeof set, "%s/x", name);
    h5_doubles(path, set, count, value);
}

/* M v = H r + G l + f, G^T v + b = 0, with two equalities: as a global file, and eliminated by hand into W, V, R, q, s as a local
 * file. Both become a problem with a bilateral contact, and must be the same one. */
static void test_equalities(void **state)
{
    (void)state;
    enum { N = 6, M = 3, P = 2 };
    static global_sample s;
    double mass[N * N] = {0}, h[N * M], g[N * P], b[P], guess_l[P] = {0.5, -0.5}, r[M] = {1, 2, 3};
    uint64_t seed = 70;
    for (int k = 0; k < N; k++)
        mass[k * N + k] = 2.0 + noise(&seed);
    for (int k = 0; k < N * M; k++)
        h[k] = noise(&seed);
    for (int k = 0; k < N * P; k++)
        g[k] = noise(&seed);
    for (int k = 0; k < P; k++)
        b[k] = noise(&seed);
    sample_global(&s, 3, 1, N, mass, h, 71);
    const char *global_path = scratch_path("global.hdf5"), *local_path = scratch_path("local.hdf5");
    put_global(global_path, &s, CST_FCLIB_CSR);
    h5_matrix(global_path, "/fclib_global/G", N, P, g);
    h5_doubles(global_path, "/fclib_global/vectors/b", P, b);
    h5_group(global_path, "/guesses");
    h5_group(global_path, "/guesses/1");
    h5_doubles(global_path, "/guesses/1/r", M, r);
    h5_doubles(global_path, "/guesses/1/l", P, guess_l);

    double w[M * M] = {0}, v[M * P] = {0}, rr[P * P] = {0}, q[M], sv[P];
    memcpy(q, s.offset, sizeof q);
    memcpy(sv, b, sizeof sv);
    for (int k = 0; k < N; k++) {
        double inverse = 1.0 / mass[k * N + k];
        for (int i = 0; i < M; i++) {
            for (int j = 0; j < M; j++)
                w[i * M + j] += h[k * M + i] * inverse * h[k * M + j];
            for (int j = 0; j < P; j++)
                v[i * P + j] += h[k * M + i] * inverse * g[k * P + j];
            q[i] += h[k * M + i] * inverse * s.force[k];
        }
        for (int i = 0; i < P; i++) {
            for (int j = 0; j < P; j++)
                rr[i * P + j] += g[k * P + i] * inverse * g[k * P + j];
            sv[i] += g[k * P + i] * inverse * s.force[k];
        }
    }
    static sample l;
    sample_local(&l, 3, 1, 72);
    memcpy(l.block, w, sizeof w);
    memcpy(l.q, q, sizeof q);
    memcpy(l.mu, s.mu, sizeof(double));
    put_local(local_path, &l, CST_FCLIB_CSR);
    h5_matrix(local_path, "/fclib_local/V", M, P, v);
    h5_matrix(local_path, "/fclib_local/R", P, P, rr);
    h5_doubles(local_path, "/fclib_local/vectors/s", P, sv);

    char message[512];
    cst_body_problem bodies;
    cst_problem_file *global = get_file(global_path), *local = get_file(local_path);
    assert_true(cst_problem_file_bodies(global, &bodies, message, sizeof message));
    check_routes(global, &bodies, 1e-13);
    cst_problem_file *files[2] = {global, local};
    for (int k = 0; k < 2; k++) {
        const cst_friction_problem *p = &files[k]->local;
        assert_int_equal(files[k]->file_contacts, 1);
        assert_int_equal(files[k]->equalities, P);
        assert_int_equal(files[k]->contacts, 2);
        assert_int_equal(p->contacts, 2);
        assert_int_equal(p->law[0], CST_LAW_COULOMB);
        assert_int_equal(p->law[1], CST_LAW_BILATERAL);
        assert_true(p->mu[0] == 0.5 && p->mu[1] == 0.0);
        assert_int_equal(p->row_start[2], 4);
        /* the unknown that fills the bilateral contact up is alone, and zero */
        const double *last = p->block + 27;
        assert_true(last[8] > 0.0 && last[2] == 0.0 && last[5] == 0.0 && last[6] == 0.0 && last[7] == 0.0);
        for (int a = 0; a < 3; a++)
            assert_true(p->block[9 + 3 * a + 2] == 0.0 && p->block[18 + 6 + a] == 0.0);
        assert_true(p->free_velocity[5] == 0.0);
    }
    for (int k = 0; k < 36; k++)
        if (k != 35)
            assert_true(fabs(global->local.block[k] - local->local.block[k]) < 1e-13);
    assert_true(worst(6, global->local.free_velocity, local->local.free_velocity) < 1e-13);
    assert_int_equal(global->file_dofs, N);
    assert_int_equal(global->global.dofs, N + 1);
    static const double guess[6] = {1, 2, 3, 0.5, -0.5, 0};
    assert_memory_equal(global->guess, guess, sizeof guess);
    cst_problem_file_free(global);
    cst_problem_file_free(local);
}

/* The shared global files, where they are: bodies and condensed agree there too. */
static void test_shared_files(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int bodies;
    } cases[] = {
        {"original/GFC3D_OneContact.dat", 1}, {"original/GFC3D_TwoRods1.dat", 2}, {"original/GFC3D_Example0_SBM.dat", 2}};
    if (!shared_problem(cases[0].name)) {
        print_message("third-party problems are absent (set CAPSTAN_PROBLEMS): skipped\n");
        skip();
    }
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char message[512];
        cst_body_problem bodies;
        cst_problem_file *file = get_file(shared_problem(cases[k].name));
        assert_true(cst_problem_file_bodies(file, &bodies, message, sizeof message));
        assert_int_equal(bodies.bodies, cases[k].bodies);
        check_routes(file, &bodies, 1e-11);
        cst_problem_file_free(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rigid_bodies),
        cmocka_unit_test(test_band_body),
        cmocka_unit_test(test_contact_on_three_bodies),
        cmocka_unit_test(test_unsymmetric_mass),
        cmocka_unit_test(test_singular_mass),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_equalities),
        cmocka_unit_test(test_shared_files),
    };
    return cmocka_run_group_tests_name("exchange: global problems", tests, NULL, fixture_end);
}
