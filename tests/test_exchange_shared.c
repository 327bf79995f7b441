/* The files of other people: every one is read, has the size the manifest says, and the originals agree with the conversions
 * that were made of them independently (by numpy and h5py). Skipped where the files are absent. */
#include "exchange_fixture.h"

#include <math.h>

typedef struct manifest_row {
    char name[80];
    int dim, contacts, unknowns, dofs; /* dofs: those that any contact touches; 0 for local problems */
    long blocks;
    double asymmetry; /* max |W - W^T| / max |W| */
} manifest_row;

enum { ROWS_MAX = 100 };

static int read_manifest(manifest_row *rows)
{
    const char *path = shared_problem("MANIFEST.csv");
    if (!path) {
        print_message("third-party problems are absent (set CAPSTAN_PROBLEMS): skipped\n");
        skip();
    }
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[1024];
    int count = 0;
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        assert_true(count < ROWS_MAX);
        manifest_row *row = &rows[count++];
        *row = (manifest_row){0};
        /* fields may be empty, which strtok would skip */
        char *at = line;
        for (int field = 0; at; field++) {
            char *end = strchr(at, ',');
            if (end)
                *end++ = '\0';
            switch (field) {
            case 0:
                snprintf(row->name, sizeof row->name, "%.79s", at);
                break;
            case 3:
                row->dim = atoi(at);
                break;
            case 5:
                row->contacts = atoi(at);
                break;
            case 6:
                row->unknowns = atoi(at);
                break;
            case 7:
                row->blocks = atol(at);
                break;
            case 11:
                row->dofs = atoi(at);
                break;
            case 18:
                row->asymmetry = atof(at);
                break;
            default:
                break;
            }
            at = end;
        }
    }
    fclose(file);
    return count;
}

/* W of a small problem, dense. */
static double *dense(const cst_friction_problem *problem)
{
    int m = problem->dim * problem->contacts, d = problem->dim;
    double *w = calloc((size_t)m * (size_t)m + 1, sizeof *w);
    assert_non_null(w);
    for (int i = 0; i < problem->contacts; i++)
        for (int64_t k = problem->row_start[i]; k < problem->row_start[i + 1]; k++)
            for (int a = 0; a < d * d; a++)
                w[(i * d + a / d) * m + problem->column[k] * d + a % d] = problem->block[k * d * d + a];
    return w;
}

static double asymmetry_of(const double *w, int m)
{
    double worst = 0.0, largest = 0.0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            worst = fmax(worst, fabs(w[i * m + j] - w[j * m + i]));
            largest = fmax(largest, fabs(w[i * m + j]));
        }
    return largest > 0.0 ? worst / largest : 0.0;
}

static void check_shape(const cst_friction_problem *problem)
{
    assert_int_equal(problem->row_start[0], 0);
    for (int i = 0; i < problem->contacts; i++) {
        bool diagonal = false;
        for (int64_t k = problem->row_start[i]; k < problem->row_start[i + 1]; k++) {
            diagonal = diagonal || problem->column[k] == i;
            assert_in_range(problem->column[k], 0, problem->contacts - 1);
            if (k > problem->row_start[i])
                assert_true(problem->column[k] > problem->column[k - 1]);
        }
        assert_true(diagonal);
    }
}

static void test_manifest(void **state)
{
    (void)state;
    static manifest_row rows[ROWS_MAX];
    int count = read_manifest(rows);
    assert_true(count >= 47);
    for (int k = 0; k < count; k++) {
        char name[128];
        snprintf(name, sizeof name, "hdf5/%.79s.hdf5", rows[k].name);
        const char *path = shared_problem(name);
        assert_non_null(path);
        cst_problem_file *file = get_file(path);
        assert_true(file->has_local);
        assert_int_equal(file->format, CST_FILE_FCLIB_LOCAL);
        assert_int_equal(file->dim, rows[k].dim);
        assert_int_equal(file->contacts, rows[k].contacts);
        assert_int_equal(file->dim * file->contacts, rows[k].unknowns);
        assert_int_equal(file->local.row_start[file->contacts], rows[k].blocks);
        assert_string_equal(file->title, rows[k].name);
        check_shape(&file->local);
        if (rows[k].unknowns <= 1500) {
            double *w = dense(&file->local), asymmetry = asymmetry_of(w, rows[k].unknowns);
            assert_true(fabs(asymmetry - rows[k].asymmetry) <= 1e-12 * rows[k].asymmetry);
            free(w);
        }
        cst_problem_file_free(file);
    }
    print_message("%d converted files read\n", count);
}

/* Relative differences of W and q (each by its own largest entry) and of mu. */
static double difference(const cst_friction_problem *a, const cst_friction_problem *b)
{
    assert_int_equal(a->dim, b->dim);
    assert_int_equal(a->contacts, b->contacts);
    int m = a->dim * a->contacts;
    double *wa = dense(a), *wb = dense(b), worst = 0.0, size = 0.0;
    for (int k = 0; k < m * m; k++) {
        worst = fmax(worst, fabs(wa[k] - wb[k]));
        size = fmax(size, fabs(wb[k]));
    }
    double result = size > 0.0 ? worst / size : worst;
    worst = size = 0.0;
    for (int k = 0; k < m; k++) {
        worst = fmax(worst, fabs(a->free_velocity[k] - b->free_velocity[k]));
        size = fmax(size, fabs(b->free_velocity[k]));
    }
    result = fmax(result, size > 0.0 ? worst / size : worst);
    for (int i = 0; i < a->contacts; i++)
        result = fmax(result, fabs(a->mu[i] - b->mu[i]));
    free(wa);
    free(wb);
    return result;
}

static void test_originals_agree_with_conversions(void **state)
{
    (void)state;
    static const struct {
        const char *name, *converted;
        cst_file_format format;
        double tolerance; /* 0: the same bits; otherwise two ways of condensing the same numbers */
    } pairs[] = {
        {"Box_Stacks-i0122-82-5.hdf5", "Box_Stacks-i0122-82-5_condensed", CST_FILE_FCLIB_GLOBAL, 1e-13},
        {"BoxesStack1-i100000-32.hdf5.dat", "BoxesStack1-i100000-32", CST_FILE_SICONOS_LOCAL, 0.0},
        {"Capsules-i101-404.dat", "Capsules-i101-404", CST_FILE_SICONOS_LOCAL, 0.0},
        {"Capsules-i125-1213.hdf5", "Capsules-i125-1213", CST_FILE_FCLIB_LOCAL, 0.0},
        {"Confeti-ex03-Fc3D-SBM.dat", "Confeti-ex03-Fc3D-SBM", CST_FILE_SICONOS_LOCAL, 0.0},
        {"Confeti-ex13-4contact-Fc3D-SBM.dat", "Confeti-ex13-4contact-Fc3D-SBM", CST_FILE_SICONOS_LOCAL, 0.0},
        {"FC2D_SliderCrankLagrangian00000.dat", "FC2D_SliderCrankLagrangian00000", CST_FILE_SICONOS_LOCAL, 0.0},
        {"FC3D_Example1.dat", "FC3D_Example1", CST_FILE_SICONOS_LOCAL, 0.0},
        {"FC3D_Example1_SBM.dat", "FC3D_Example1_SBM", CST_FILE_SICONOS_LOCAL, 0.0},
        {"FrictionContact3D_1c.dat", "FrictionContact3D_1c", CST_FILE_SICONOS_LOCAL, 0.0},
        {"FrictionContact3D_RR_1c.dat", "FrictionContact3D_RR_1c", CST_FILE_SICONOS_LOCAL, 0.0},
        {"FrictionContactProblem00031.dat", "FrictionContactProblem00031", CST_FILE_SICONOS_LOCAL, 0.0},
        {"FrictionContactProblem00071.dat", "FrictionContactProblem00071", CST_FILE_SICONOS_LOCAL, 0.0},
        {"FrictionContactProblem00374.dat", "FrictionContactProblem00374", CST_FILE_SICONOS_LOCAL, 0.0},
        {"GFC3D_Example00.dat", "GFC3D_Example00_condensed", CST_FILE_SICONOS_GLOBAL, 1e-15},
        {"GFC3D_Example00_badly_scaled.dat", "GFC3D_Example00_badly_scaled_condensed", CST_FILE_SICONOS_GLOBAL, 1e-15},
        {"GFC3D_Example0_SBM.dat", "GFC3D_Example0_SBM_condensed", CST_FILE_SICONOS_GLOBAL, 1e-15},
        {"GFC3D_OneContact.dat", "GFC3D_OneContact_condensed", CST_FILE_SICONOS_GLOBAL, 1e-12},
        {"GFC3D_TwoRods1.dat", "GFC3D_TwoRods1_condensed", CST_FILE_SICONOS_GLOBAL, 1e-12},
        {"LMGC_100_PR_PerioBox-i00361-60-03000.hdf5", "LMGC_100_PR_PerioBox-i00361-60-03000", CST_FILE_FCLIB_LOCAL, 0.0},
        {"NESpheres_10_1.dat", "NESpheres_10_1", CST_FILE_SICONOS_LOCAL, 0.0},
        {"RockPile_tob1.dat", "RockPile_tob1", CST_FILE_SICONOS_LOCAL, 0.0},
        {"Rover1039.dat", "Rover1039", CST_FILE_SICONOS_LOCAL, 0.0},
        {"Rover1040.dat", "Rover1040", CST_FILE_SICONOS_LOCAL, 0.0},
        {"Rover4396.dat", "Rover4396", CST_FILE_SICONOS_LOCAL, 0.0},
        {"fc2d_granularflowonwall_00667_00000.dat", "fc2d_granularflowonwall_00667_00000", CST_FILE_SICONOS_LOCAL, 0.0},
        {"gfc2d_granularflowonwall_00069_00350.dat", "gfc2d_granularflowonwall_00069_00350_condensed", CST_FILE_SICONOS_GLOBAL,
         1e-13},
        {"spheres-in-a-box-98-i10000-256-10.hdf5", "spheres-in-a-box-98-i10000-256-10_condensed", CST_FILE_FCLIB_GLOBAL, 1e-13},
    };
    static manifest_row rows[ROWS_MAX];
    int count = read_manifest(rows);
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        char name[160], message[512];
        snprintf(name, sizeof name, "original/%s", pairs[k].name);
        assert_non_null(shared_problem(name));
        cst_problem_file *original = get_file(shared_problem(name));
        snprintf(name, sizeof name, "hdf5/%s.hdf5", pairs[k].converted);
        cst_problem_file *converted = get_file(shared_problem(name));
        assert_int_equal(original->format, pairs[k].format);
        if (original->has_global) {
            assert_true(original->global.asymmetry <= CST_MASS_SYMMETRIC);
            /* the manifest counts the dofs that H touches, of M with its untouched bodies */
            const cst_csr *h = &original->global.jacobian;
            int touched = 0, row = 0;
            for (int32_t i = 0; i < h->rows; i++)
                touched += h->row_start[i + 1] > h->row_start[i];
            while (row < count && strcmp(rows[row].name, pairs[k].converted) != 0)
                row++;
            assert_true(row < count);
            assert_true(touched <= rows[row].dofs && rows[row].dofs <= original->file_dofs);
        }
        if (!cst_problem_file_condense(original, message, sizeof message))
            fail_msg("%s", message);
        check_shape(&original->local);
        assert_int_equal(original->local.row_start[original->contacts], converted->local.row_start[converted->contacts]);
        double found = difference(&original->local, &converted->local);
        if (!(found <= pairs[k].tolerance))
            fail_msg("%s differs from its conversion by %g", pairs[k].name, found);
        if (pairs[k].tolerance > 0.0)
            print_message("%-45s condensed within %.1e\n", pairs[k].name, found);
        cst_problem_file_free(original);
        cst_problem_file_free(converted);
    }
}

/* A granular flow before anything touches: no contacts, and still a problem. */
static void test_no_contacts(void **state)
{
    (void)state;
    const char *path = shared_problem("original/gfc2d_granularflowonwall_00000_00117.dat");
    if (!path)
        skip();
    cst_problem_file *file = get_file(path);
    char message[512];
    cst_body_problem bodies;
    assert_int_equal(file->format, CST_FILE_SICONOS_GLOBAL);
    assert_int_equal(file->contacts, 0);
    assert_int_equal(file->file_dofs, 900);
    assert_true(cst_problem_file_bodies(file, &bodies, message, sizeof message));
    assert_int_equal(bodies.contacts, 0);
    assert_true(cst_problem_file_condense(file, message, sizeof message));
    assert_int_equal(file->local.contacts, 0);
    assert_int_equal(file->local.row_start[0], 0);
    cst_problem_file_free(file);
}

static void test_guesses(void **state)
{
    (void)state;
    const char *path = shared_problem("original/Capsules-i125-1213.hdf5");
    if (!path)
        skip();
    cst_problem_file *file = get_file(path);
    assert_int_equal(file->guess_source, CST_GUESS_GUESSES);
    assert_non_null(file->guess);
    cst_problem_file_free(file);
    file = get_file(shared_problem("original/LMGC_100_PR_PerioBox-i00361-60-03000.hdf5"));
    assert_int_equal(file->guess_source, CST_GUESS_NONE);
    assert_null(file->guess);
    cst_problem_file_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_manifest),
        cmocka_unit_test(test_originals_agree_with_conversions),
        cmocka_unit_test(test_no_contacts),
        cmocka_unit_test(test_guesses),
    };
    return cmocka_run_group_tests_name("exchange: third-party files", tests, NULL, fixture_end);
}
