#include "generate/sheet.h"

#include <math.h>

#include "generate/makers.h"
#include "generate/vector.h"
#include "generate/wave.h"

enum { STREAM = 5, WIDEST_ROW = 13 };
static const double DT = 5e-3, GRAVITY = 9.81; /* s, m/s^2 */
static const double SPACING = 0.02;            /* m */
static const double AREAL_DENSITY = 0.2;       /* kg/m^2 */
static const double THICKNESS = 1e-3;          /* m, between folded layers */
static const double STRETCH = 50;              /* N/m */

/* ----------------------------------------------------------------------------------------------------------------- ground */

void cst_ground_draw(cst_rng *rng, cst_ground *ground)
{
    for (int k = 0; k < CST_SHEET_MODES; k++) {
        cst_rng_direction(rng, 2, ground->per_metre[k]);
        double wavelength = cst_rng_range(rng, 0.1, 0.3);
        ground->per_metre[k][0] /= wavelength;
        ground->per_metre[k][1] /= wavelength;
        ground->amplitude[k] = 0.03 * wavelength * cst_rng_normal(rng);
        ground->phase[k] = cst_rng_uniform(rng);
    }
}

double cst_ground_height(const cst_ground *ground, double x, double y)
{
    double height = 0;
    for (int k = 0; k < CST_SHEET_MODES; k++)
        height += ground->amplitude[k] * cst_wave(ground->per_metre[k][0] * x + ground->per_metre[k][1] * y + ground->phase[k]);
    return height;
}

void cst_ground_normal(const cst_ground *ground, double x, double y, double *normal)
{
    double h = 1e-3;
    normal[0] = cst_ground_height(ground, x - h, y) - cst_ground_height(ground, x + h, y);
    normal[1] = cst_ground_height(ground, x, y - h) - cst_ground_height(ground, x, y + h);
    normal[2] = 2 * h;
    cst_normalise3(normal);
}

/* ------------------------------------------------------------------------------------------------------------------ sheet */

/* Column of the grid that lies under or over column i of a sheet folded after `fold` columns. */
static int folded_on(int fold, int i)
{
    return 2 * fold - 1 - i;
}

static int fold_column(const cst_sheet *sheet)
{
    return sheet->across - 2 * sheet->across / 5;
}

bool cst_sheet_lay(cst_sheet *sheet, int nodes, bool fold, const cst_ground *ground, cst_rng *rng, cst_arena *arena)
{
    int across = (int)ceil(sqrt((double)nodes));
    across = across < 3 ? 3 : across;
    int along = (nodes + across / 2) / across;
    along = along < 3 ? 3 : along;
    *sheet = (cst_sheet){.across = across,
                         .along = along,
                         .nodes = across * along,
                         .spacing = SPACING,
                         .mass = AREAL_DENSITY * SPACING * SPACING,
                         .x = CST_TAKE(arena, double, 3 * (size_t)across * (size_t)along)};
    if (!sheet->x)
        return false;
    for (int j = 0; j < along; j++)
        for (int i = 0; i < across; i++) {
            double *x = sheet->x + 3 * (j * across + i);
            bool above = fold && i >= fold_column(sheet);
            int column = above ? folded_on(fold_column(sheet), i) : i;
            x[0] = SPACING * (column + 0.1 * cst_rng_normal(rng));
            x[1] = SPACING * (j + 0.1 * cst_rng_normal(rng));
            x[2] = cst_ground_height(ground, x[0], x[1]) + (above ? THICKNESS : 0);
        }
    return true;
}

typedef struct spring {
    int i, j;                  /* from (0, 0) to (i, j) of the grid */
    double stretch, isotropic; /* shares of the stretch stiffness */
} spring;

static const spring SPRINGS[] = {{1, 0, 1, 0.02},    {0, 1, 1, 0.02}, {1, 1, 0.5, 0.01},
                                 {1, -1, 0.5, 0.01}, {2, 0, 0, 0.02}, {0, 2, 0, 0.02}};

static bool inside(const cst_sheet *sheet, int i, int j)
{
    return i >= 0 && i < sheet->across && j >= 0 && j < sheet->along;
}

/* Blocks of a node: all nodes within two steps of the grid, in the order of their numbers. */
static int pattern_row(const cst_sheet *sheet, int node, int32_t *column)
{
    int i = node % sheet->across, j = node / sheet->across, count = 0;
    for (int dj = -2; dj <= 2; dj++)
        for (int di = -2; di <= 2; di++)
            if ((di < 0 ? -di : di) + (dj < 0 ? -dj : dj) <= 2 && inside(sheet, i + di, j + dj))
                column[count++] = (j + dj) * sheet->across + i + di;
    return count;
}

static double *block_at(cst_builder *builder, int body, int row, int column)
{
    const cst_body *b = builder->body + body;
    int64_t k = b->row_start[row];
    while (b->column[k] != column)
        k++;
    return builder->matrix[body] + 9 * k;
}

static void add_spring(cst_builder *builder, int body, const cst_sheet *sheet, int p, int q, double stretch, double isotropic)
{
    double t[3], *block[4] = {block_at(builder, body, p, p), block_at(builder, body, q, q), block_at(builder, body, p, q),
                              block_at(builder, body, q, p)};
    for (int k = 0; k < 3; k++)
        t[k] = sheet->x[3 * q + k] - sheet->x[3 * p + k];
    cst_normalise3(t);
    for (int which = 0; which < 4; which++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                block[which][3 * a + b] += (which < 2 ? 1 : -1) * (stretch * t[a] * t[b] + (a == b ? isotropic : 0));
}

bool cst_sheet_body(cst_builder *builder, int body, const cst_sheet *sheet, double stretch, double dt, cst_rng *rng)
{
    int64_t *row_start = CST_TAKE(&builder->scratch, int64_t, sheet->nodes + 1);
    int32_t *column = CST_TAKE(&builder->scratch, int32_t, WIDEST_ROW * (size_t)sheet->nodes);
    if (!row_start || !column)
        return false;
    for (int node = 0; node < sheet->nodes; node++)
        row_start[node + 1] = row_start[node] + pattern_row(sheet, node, column + row_start[node]);
    if (!cst_builder_nodal(builder, body, sheet->nodes, row_start, column))
        return false;

    cst_ground swell; /* its waves serve as the smooth part of the velocity */
    cst_ground_draw(rng, &swell);
    double direction[3];
    cst_rng_direction(rng, 3, direction);
    for (int node = 0; node < sheet->nodes; node++) {
        double *diagonal = block_at(builder, body, node, node), *x = sheet->x + 3 * node;
        double smooth = 20 * cst_ground_height(&swell, x[0], x[1]);
        for (int k = 0; k < 3; k++) {
            diagonal[4 * k] += sheet->mass;
            double velocity = smooth * direction[k] + 0.05 * cst_rng_normal(rng) - (k == 2 ? dt * GRAVITY : 0);
            builder->rhs[body][3 * node + k] = sheet->mass * velocity;
        }
        int i = node % sheet->across, j = node / sheet->across;
        for (size_t s = 0; s < sizeof SPRINGS / sizeof SPRINGS[0]; s++)
            if (inside(sheet, i + SPRINGS[s].i, j + SPRINGS[s].j))
                add_spring(builder, body, sheet, node, (j + SPRINGS[s].j) * sheet->across + i + SPRINGS[s].i,
                           dt * dt * stretch * SPRINGS[s].stretch, dt * dt * stretch * SPRINGS[s].isotropic);
    }
    return true;
}

void cst_sheet_set_contact(cst_builder *builder, int contact, const double *normal, double mu, double dt, cst_rng *rng)
{
    double hint[3];
    cst_rng_direction(rng, 3, hint);
    cst_frame3(normal, hint, builder->frame + 9 * (size_t)contact);
    builder->mu[contact] = mu;
    builder->velocity_offset[3 * contact] = cst_rng_log_range(rng, 1e-6, 1e-4) / dt;
}

bool cst_sheet_touch_obstacle(cst_builder *builder, int contact, int body, int node, const double *normal, double mu, double dt,
                              cst_rng *rng)
{
    const int32_t which = node;
    const double whole = 1;
    cst_sheet_set_contact(builder, contact, normal, mu, dt, rng);
    cst_builder_attach_obstacle(builder, contact, 'b');
    return cst_builder_attach_nodes(builder, contact, 'a', body, 1, &which, &whole);
}

/* ----------------------------------------------------------------------------------------------------------------- family */

typedef struct touching {
    int a, b; /* nodes; b: -1 the ground, -2 the wall */
} touching;

/* Four nodes in five touch what is under them, the first column a wall too: some nodes have two contacts, some three. */
static int find_touches(const cst_sheet *sheet, cst_rng *rng, touching *out)
{
    int fold = fold_column(sheet), count = 0;
    for (int node = 0; node < sheet->nodes; node++) {
        int i = node % sheet->across, row = node - i;
        if (cst_rng_uniform(rng) < 0.8)
            out[count++] = (touching){node, i < fold ? -1 : row + folded_on(fold, i)};
        if (i == 0 && cst_rng_uniform(rng) < 0.8)
            out[count++] = (touching){node, -2};
    }
    return count;
}

static bool make_touch(cst_builder *builder, const cst_sheet *sheet, const cst_ground *ground, const touching *touch, int contact,
                       double mu, cst_rng *rng)
{
    double normal[3] = {1, 0, 0};
    const double *x = sheet->x + 3 * touch->a;
    if (touch->b != -2)
        cst_ground_normal(ground, x[0], x[1], normal);
    if (touch->b < 0)
        return cst_sheet_touch_obstacle(builder, contact, 0, touch->a, normal, mu, DT, rng);
    const int32_t a = touch->a, b = touch->b;
    const double whole = 1;
    cst_sheet_set_contact(builder, contact, normal, mu, DT, rng);
    return cst_builder_attach_nodes(builder, contact, 'a', 0, 1, &a, &whole) &&
           cst_builder_attach_nodes(builder, contact, 'b', 0, 1, &b, &whole);
}

CST_MAKER(cst_make_sheet)
{
    cst_family_parameters asked = cst_asked(parameters);
    double mu = cst_or_not_negative(asked.mu, 0.3);
    cst_rng rng;
    cst_rng_seed(&rng, seed, STREAM);
    cst_ground ground;
    cst_ground_draw(&rng, &ground);
    cst_builder builder;
    cst_sheet sheet;
    if (!cst_builder_begin(&builder, 3, seed, allocator) || !cst_builder_bodies(&builder, 1) ||
        !cst_sheet_lay(&sheet, cst_or_count(asked.nodes, cst_or_count(asked.contacts, 100)), true, &ground, &rng,
                       &builder.scratch) ||
        !cst_sheet_body(&builder, 0, &sheet, cst_or_positive(asked.stretch, STRETCH), DT, &rng))
        return cst_builder_abandon(&builder);
    touching *touches = CST_TAKE(&builder.scratch, touching, 2 * (size_t)sheet.nodes);
    int n = touches ? find_touches(&sheet, &rng, touches) : 0;
    bool ok = touches && cst_builder_contacts(&builder, n);
    for (int i = 0; ok && i < n; i++)
        ok = make_touch(&builder, &sheet, &ground, touches + i, i, mu, &rng);
    if (!ok)
        return cst_builder_abandon(&builder);
    return cst_builder_finish(&builder, "sheet %d nodes mu=%.3g (%d)", sheet.nodes, mu, n);
}
