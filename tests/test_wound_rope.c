/* Friction problems of a rope that is wound around a bar and does not stretch: a chain of rigid links, hinged and bent stiffly, half a turn
 * with a contact at each joint. Along the rope and across it there are twice as many impulses as ways to move, so that W is singular.
 * The pull at one end grows from step to step while the contacts go from sticking to sliding, and gaps are no better known than in a
 * simulation: Newton's method with full steps has to find the states from the last step's impulses. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "capstan/friction.h"

enum { LINKS = 25, CONTACTS = LINKS + 1, DOFS = 6 + 3 * (LINKS - 1), ROWS = 3 * CONTACTS, STEPS = 12 };
static const double PI = 3.14159265358979323846, RADIUS = 0.054, MASS = 3.5e-4, STIFF = 0.02, DT = 2e-3, MU = 0.3;

typedef struct rope {
    double J[ROWS][DOFS]; /* velocities of the joints: x, y, z of each */
    double H[ROWS][DOFS]; /* the same, along the normal, along the rope, along the bar */
    double M[DOFS][DOFS]; /* mass, and dt^2 times the stiffness of the hinges; then its Cholesky factor */
    double Y[DOFS][ROWS]; /* M^-1 H^T */
    double W[ROWS][ROWS];
    int64_t row_start[CONTACTS + 1];
    int32_t column[CONTACTS * CONTACTS];
    double block[CONTACTS * CONTACTS * 9];
    double mu[CONTACTS];
} rope;

static void place_of(int i, double *x)
{
    const double angle = PI * i / LINKS;
    x[0] = -RADIUS * cos(angle);
    x[1] = 0.0;
    x[2] = RADIUS * sin(angle);
}

/* Column k of J: unit motion k, as the velocity of joint i. */
static void motion_of(int k, int i, double *v)
{
    double x[3], pivot[3], axis[3] = {0.0, 0.0, 0.0};
    const int joint = k < 6 ? 0 : (k - 6) / 3 + 1;
    memset(v, 0, 3 * sizeof *v);
    if (k < 3) {
        v[k] = 1.0;
        return;
    }
    if (i <= joint)
        return;
    place_of(i, x);
    place_of(joint, pivot);
    axis[k % 3] = 1.0;
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        v[c] = axis[d] * (x[e] - pivot[e]) - axis[e] * (x[d] - pivot[d]);
    }
}

static void factor(rope *of)
{
    for (int i = 0; i < DOFS; i++)
        for (int j = 0; j <= i; j++) {
            double sum = of->M[i][j];
            for (int k = 0; k < j; k++)
                sum -= of->M[i][k] * of->M[j][k];
            of->M[i][j] = i == j ? sqrt(sum) : sum / of->M[j][j];
        }
}

static void solve(const rope *of, double *x)
{
    for (int i = 0; i < DOFS; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= of->M[i][k] * x[k];
        x[i] /= of->M[i][i];
    }
    for (int i = DOFS - 1; i >= 0; i--) {
        for (int k = i + 1; k < DOFS; k++)
            x[i] -= of->M[k][i] * x[k];
        x[i] /= of->M[i][i];
    }
}

static void make_rope(rope *of)
{
    memset(of, 0, sizeof *of);
    for (int i = 0; i < CONTACTS; i++) {
        const double c = cos(PI * i / LINKS), s = sin(PI * i / LINKS), frame[3][3] = {{-c, 0.0, s}, {s, 0.0, c}, {0.0, 1.0, 0.0}};
        for (int k = 0; k < DOFS; k++) {
            double v[3];
            motion_of(k, i, v);
            for (int row = 0; row < 3; row++) {
                of->J[3 * i + row][k] = v[row];
                of->H[3 * i + row][k] = frame[row][0] * v[0] + frame[row][1] * v[1] + frame[row][2] * v[2];
            }
        }
        of->mu[i] = MU;
    }
    for (int a = 0; a < DOFS; a++) {
        for (int b = 0; b < DOFS; b++)
            for (int row = 0; row < ROWS; row++)
                of->M[a][b] += MASS * of->J[row][a] * of->J[row][b];
        of->M[a][a] += a < 3 ? 0.0 : a < 6 ? 1e-9 : DT * DT * STIFF;
    }
    factor(of);
    for (int row = 0; row < ROWS; row++) {
        double x[DOFS];
        memcpy(x, of->H[row], sizeof x);
        solve(of, x);
        for (int k = 0; k < DOFS; k++)
            of->Y[k][row] = x[k];
    }
    for (int a = 0; a < ROWS; a++)
        for (int b = 0; b < ROWS; b++)
            for (int k = 0; k < DOFS; k++)
                of->W[a][b] += of->H[a][k] * of->Y[k][b];
    for (int i = 0; i < CONTACTS; i++) {
        of->row_start[i + 1] = (i + 1) * CONTACTS;
        for (int j = 0; j < CONTACTS; j++) {
            of->column[i * CONTACTS + j] = j;
            for (int e = 0; e < 9; e++)
                of->block[(i * CONTACTS + j) * 9 + e] = of->W[3 * i + e / 3][3 * j + e % 3];
        }
    }
}

/* Velocities without contact, and gaps of micrometres. */
static void pull(const rope *of, double light, double heavy, cst_rng *rng, double *w)
{
    double v[DOFS];
    for (int k = 0; k < DOFS; k++)
        v[k] = -DT * (light * of->J[2][k] + heavy * of->J[ROWS - 1][k]);
    solve(of, v);
    for (int row = 0; row < ROWS; row++) {
        w[row] = row % 3 == 0 ? 1e-6 * cst_rng_uniform(rng) / DT : 0.0;
        for (int k = 0; k < DOFS; k++)
            w[row] += of->H[row][k] * v[k];
    }
}

static void ropes_that_begin_to_slide_are_solved_from_the_last_step(void **state)
{
    (void)state;
    static rope of;
    static double w[ROWS], r[ROWS], u[ROWS];
    cst_rng rng;
    make_rope(&of);
    cst_rng_seed(&rng, 7, 0);
    memset(r, 0, sizeof r);
    for (int step = 0; step <= STEPS; step++) {
        const cst_friction_problem problem = {.dim = 3,
                                              .contacts = CONTACTS,
                                              .row_start = of.row_start,
                                              .column = of.column,
                                              .block = of.block,
                                              .free_velocity = w,
                                              .mu = of.mu};
        cst_friction_options options = cst_friction_options_default();
        cst_friction_report report;
        options.tolerance = 1e-8;
        pull(&of, 1.0, 1.5 + 0.9 * step / STEPS, &rng, w);
        assert_int_equal(cst_friction_solve(&problem, &options, r, u, &report), CST_SOLVED);
        assert_true(step == 0 || report.iterations <= 60); /* 14 to 29; with rho in proportion to E up to 1520 */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ropes_that_begin_to_slide_are_solved_from_the_last_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
