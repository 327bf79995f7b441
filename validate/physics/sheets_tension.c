/* Strips of three measured fabrics, pulled at 0, 45 and 90 degrees from u, against the table they are made from.
 *
 * The table gives a stress S = C(E) E, C by the largest stretch and its direction (Wang et al. 2011), whose sides are free in a strip: with the
 * stretch along the strip as it is measured in its middle, S_22 = 0 gives the width (and at 45 degrees S_12 = 0 the shear), then the force per width
 * at rest is stretch times S_11. C is the plain one of the publication, linear in the stretch up to 1/6 and in the direction: none of the code of
 * the membrane is used for it. Between its two samples the ramp of the membrane is another one, and stress across the path has another share: that
 * is what is seen there. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/small_matrix.h"
#include "physics/sheets.h"

static const double RIGHT = 1.57079632679489661923;

typedef struct fabric_row {
    const char *name;
    double density, c[CST_STRETCH_ROWS][4];
} fabric_row;

/* Numbers of scenes/cloth/materials. */
static const fabric_row FABRICS[] = {{"gray-interlock",
                                      0.187,
                                      {{16.593832, -14.69599, 34.477123, 36.860302},
                                       {46.364765, 53.694656, 261.013855, -29.691301},
                                       {49.28511, 87.5961, 206.373993, 22.768457},
                                       {123.98922, 105.18177, 365.966217, 44.217571},
                                       {139.686325, 73.59256, 413.553162, -174.43853},
                                       {127.44381, 85.848587, 405.872833, 32.238411}}},
                                     {"camel-ponte-roma",
                                      0.284,
                                      {{31.146198, -12.802702, 44.028667, 31.896357},
                                       {78.707756, 26.754574, 268.680725, 27.743423},
                                       {67.368431, 77.767944, 182.273407, -14.661531},
                                       {113.367035, 54.802021, 175.126572, 44.65733},
                                       {144.29483, 111.404854, 138.42215, -29.861851},
                                       {143.933365, 49.654823, 191.777588, 39.491055}}},
                                     {"11oz-black-denim",
                                      0.324,
                                      {{205.352005, 10.234077, 1013.88629, 53.387184},
                                       {232.027634, 40.646339, 1052.84289, 64.980499},
                                       {224.592209, 40.384563, 1054.43444, 67.184807},
                                       {225.95105, 62.095657, 1059.59741, 83.99202},
                                       {226.039566, 40.502792, 1058.27771, 75.118423},
                                       {225.767487, 40.917892, 1051.55712, 71.810631}}}};

enum { FABRIC_COUNT = sizeof FABRICS / sizeof *FABRICS, STRETCHES = 5 };

/* C of the publication at a strain e = (E11, E22, 2 E12): linear in stretch and angle, made stable as the membrane does it. */
static void table_stiffness(const fabric_row *of, const double *e, double *c)
{
    const double x = e[0] - e[1], d = hypot(x, e[2]), stretch = sqrt(fmax(1.0 + e[0] + e[1] + d, 0.0)) - 1.0;
    const double angle = 0.5 * fabs(atan2(e[2], x)) / RIGHT * 4.0, share = fmin(fmax(6.0 * stretch, 0.0), 1.0);
    const int row = angle >= 3.0 ? 4 : 1 + (int)angle;
    const double between = angle + 1.0 - row;
    for (int k = 0; k < 4; k++) {
        double value[3] = {of->c[0][k], of->c[row][k], of->c[row + 1][k]};
        for (int i = 1; k == 3 && i < 3; i++)
            value[i] = fmax(value[i], value[0]);
        c[k] = (1.0 - share) * value[0] + share * ((1.0 - between) * value[1] + between * value[2]);
    }
}

/* Strain in the axes of the strip to those of the material, turned by `angle`. */
static void turn_strain(const double *own, double angle, double *e)
{
    const double c = cos(angle), s = sin(angle), g = 0.5 * own[2];
    e[0] = c * c * own[0] + s * s * own[1] - 2.0 * c * s * g;
    e[1] = s * s * own[0] + c * c * own[1] + 2.0 * c * s * g;
    e[2] = 2.0 * (c * s * (own[0] - own[1]) + (c * c - s * s) * g);
}

/* Stress in the axes of the strip. */
static void table_stress(const fabric_row *of, const double *own, double angle, double *stress)
{
    double e[3], c[4];
    turn_strain(own, angle, e);
    table_stiffness(of, e, c);
    const double s[3] = {c[0] * e[0] + c[1] * e[1], c[1] * e[0] + c[2] * e[1], 0.5 * c[3] * e[2]};
    const double k = cos(angle), t = sin(angle);
    stress[0] = k * k * s[0] + t * t * s[1] + 2.0 * k * t * s[2];
    stress[1] = t * t * s[0] + k * k * s[1] - 2.0 * k * t * s[2];
    stress[2] = k * t * (s[1] - s[0]) + (k * k - t * t) * s[2];
}

/* Force per width at rest of a strip that is stretched along itself, its sides free: Newton on width and shear. */
static double table_force(const fabric_row *of, double stretch, double angle)
{
    double own[3] = {0.5 * (stretch * stretch - 1.0), 0.0, 0.0}, stress[3];
    for (int pass = 0; pass < 200; pass++) {
        double J[4], right[2], step[2];
        table_stress(of, own, angle, stress);
        for (int k = 0; k < 2; k++) {
            double moved[3] = {own[0], own[1], own[2]}, there[3];
            moved[1 + k] += 1e-7;
            table_stress(of, moved, angle, there);
            J[k] = (there[1] - stress[1]) / 1e-7;
            J[2 + k] = (there[2] - stress[2]) / 1e-7;
        }
        right[0] = -stress[1];
        right[1] = -stress[2];
        cst_small_solve(2, J, right, 1e-12, step);
        own[1] += 0.5 * step[0];
        own[2] += 0.5 * step[1];
    }
    table_stress(of, own, angle, stress);
    return stretch * stress[0];
}

/* A strip pulled to `stretch`: force per width, and the stretch in its middle. */
static bool pull(cst_validation *about, const fabric_row *of, double angle, double stretch, double *force, double *inside)
{
    static const double LONG = 0.3, WIDE = 0.05;
    const double none[3] = {0, 0, 0};
    const int cells[2] = {36, 6};
    const cst_key keys[2] = {{.time = 0}, {.time = 2, .translation = {(stretch - 1) * LONG, 0, 0}}};
    cst_sheet_trial trial;
    cst_sheet_shape shape;
    int32_t held[2][16];
    if (!cst_sheet_trial_begin(about, &trial, 0.1, none))
        return false;
    cst_handle handle[2] = {{.node = held[0], .release_time = -1},
                            {.node = held[1], .motion = {.key = keys, .keys = 2}, .release_time = -1}};
    bool good = cst_sheet_rectangle(LONG, WIDE, cells, CST_CUT_CROSSED, &trial.arena, &shape);
    int middle[2] = {0, 0};
    for (int i = 0; good && i < shape.nodes; i++) {
        const double u = shape.rest[2 * i], v = shape.rest[2 * i + 1];
        if (u < 1e-9 || u > LONG - 1e-9) {
            cst_handle *end = handle + (u > 0.5 * LONG);
            held[u > 0.5 * LONG][end->nodes++] = i;
        }
        if (fabs(v - 0.5 * WIDE) < 1e-9 && fabs(u - LONG * 14 / 36) < 1e-9)
            middle[0] = i;
        if (fabs(v - 0.5 * WIDE) < 1e-9 && fabs(u - LONG * 22 / 36) < 1e-9)
            middle[1] = i;
        shape.rest[2 * i] = cos(angle) * u - sin(angle) * v;
        shape.rest[2 * i + 1] = sin(angle) * u + cos(angle) * v;
    }
    if (good) {
        cst_sheet_shape_use(&shape, &trial.def);
        trial.def.handle = handle;
        trial.def.handles = 2;
        trial.def.fabric =
            (cst_fabric){.density = of->density, .thickness = 1e-3, .membrane = CST_MEMBRANE_MEASURED, .damping = 0.02};
        memcpy(trial.def.fabric.stretching, of->c, sizeof of->c);
        for (int i = 0; i < CST_BEND_ROWS * CST_BEND_COLUMNS; i++)
            trial.def.fabric.bend[i / CST_BEND_COLUMNS][i % CST_BEND_COLUMNS] = 1e-5;
    }
    good = good && cst_sheet_trial_rest(about, &trial, 1e-6, 600);
    if (good) {
        double on[3];
        cst_world_handle_force(trial.world, trial.body, 1, on);
        *force = on[0] / WIDE;
        *inside = (trial.x[3 * middle[1]] - trial.x[3 * middle[0]]) / (LONG * 8 / 36);
    }
    cst_sheet_trial_end(&trial);
    return good;
}

/* What is asked. At the samples of the table 3%; between them, where the ramps differ, 15% along the threads. At 45 degrees fabrics shear, which the ends that are
 * held do not let them: the strip is not as free as the reference, and more than small strains is only shown (tests/test_cloth_models.c has the law
 * itself). */
static double bound_of(bool along_threads, int stretch)
{
    static const double ALONG[STRETCHES] = {0.03, 0.15, 0.15, 0.03, 0.03},
                        BETWEEN[STRETCHES] = {0.03, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    return along_threads ? ALONG[stretch] : BETWEEN[stretch];
}

bool cst_sheets_tension(cst_validation *about)
{
    static const char *const headings[] = {"fabric", "degrees", "stretch", "force [N/m]", "table [N/m]", "difference", NULL};
    static const double stretches[STRETCHES] = {1.0001, 1.05, 1.10, 7.0 / 6.0, 1.22};
    cst_table *table = cst_validation_table(headings);
    bool good = true;
    for (int f = 0; good && f < (about->quick ? 1 : FABRIC_COUNT); f++)
        for (int a = 0; good && a < 3; a += about->quick ? 2 : 1)
            for (int s = 0; good && s < STRETCHES; s += about->quick ? 3 : 1) {
                double force = 0, inside = 1;
                good = pull(about, FABRICS + f, 0.5 * a * RIGHT, stretches[s], &force, &inside);
                const double expected = table_force(FABRICS + f, inside, 0.5 * a * RIGHT), bound = bound_of(a != 1, s);
                cst_table_cell(table, "%s", FABRICS[f].name);
                cst_table_cell(table, "%d", 45 * a);
                cst_table_cell(table, "%.4f", inside);
                cst_table_cell(table, "%.4g", force);
                cst_table_cell(table, "%.4g", expected);
                cst_table_cell(table, "%.1f %%", 100 * (force / expected - 1));
                if (good && isfinite(bound))
                    cst_validation_at_most(about, fabs(force / expected - 1), bound,
                                           "tension, %s at %d degrees, stretched to %.5g: force by table", FABRICS[f].name,
                                           45 * a, stretches[s]);
            }
    cst_validation_print(table);
    return good;
}
