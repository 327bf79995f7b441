/* Where bodies say that their pieces went in a step (cst_body_surface.moved), against the way of every point. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "collide/placed_arc.h"
#include "world/world_state.h"
#include "world_fixture.h"

enum { DOFS_MAX = 200, PIECES_MAX = 40, SAMPLES = 16 };

/* How much of the spread was used at most, by any piece. */
typedef struct extremes {
    double used;
    int pieces;
} extremes;

static void where(const cst_body_model *model, int dim, int piece, double share, double *length, double *x)
{
    const cst_body_surface *surface = model->class->surface;
    if (dim == 2) {
        cst_arc arc = {0};
        cst_placed_arc placed;
        surface->arc(model->self, piece, &arc);
        cst_place_arc(&arc, &placed);
        x[2] = 0.0;
        cst_arc_at(&placed, share * arc.l, x, NULL);
        *length = arc.material_length > 0.0 ? arc.material_length : arc.l;
        return;
    }
    cst_curve_piece of = {0};
    surface->piece(model->self, piece, &of);
    surface->curve(model->self, piece, share * of.length, x, NULL);
    *length = of.length;
}

static int pieces_of(const cst_body_model *model, int dim)
{
    return dim == 2 ? model->class->surface->arcs(model->self) : model->class->surface->pieces(model->self);
}

static void check_body(cst_world *world, int body, double speed, cst_rng *rng, extremes *out)
{
    static double before[PIECES_MAX][SAMPLES + 1][3];
    const cst_body_model *model = world->model + body;
    const cst_step_frame frame = cst_world_frame(world, 0.01);
    const int dofs = model->class->dynamics->dofs(model->self), dim = frame.dim, pieces = pieces_of(model, dim);
    cst_piece_move move[PIECES_MAX];
    double v[DOFS_MAX], length, x[3], d[SAMPLES + 1][3];
    assert_true(dofs <= DOFS_MAX && pieces <= PIECES_MAX);
    for (int i = 0; i < dofs; i++)
        v[i] = speed * cst_rng_range(rng, -1.0, 1.0);
    assert_true(model->class->dynamics->place(model->self, &frame, NULL));
    for (int p = 0; p < pieces; p++)
        for (int i = 0; i <= SAMPLES; i++)
            where(model, dim, p, (double)i / SAMPLES, &length, before[p][i]);
    assert_true(model->class->dynamics->place(model->self, &frame, v));
    model->class->surface->moved(model->self, move);
    for (int p = 0; p < pieces; p++) {
        const cst_piece_way *went = &move[p].went;
        for (int i = 0; i <= SAMPLES; i++) {
            const double share = (double)i / SAMPLES;
            double off = 0.0, turned = 0.0, was[3], wrong = 0.0;
            where(model, dim, p, share, &length, x);
            for (int k = 0; k < 3; k++) {
                const double way = (1.0 - share) * went->way[0][k] + share * went->way[1][k];
                off += (x[k] - before[p][i][k] - way) * (x[k] - before[p][i][k] - way);
                d[i][k] = x[k] - before[p][i][k];
                turned += i > 0 ? (d[i][k] - d[i - 1][k]) * (d[i][k] - d[i - 1][k]) : 0.0;
            }
            assert_true(sqrt(turned) <= move[p].turned * length / SAMPLES + 1e-12);
            assert_true(sqrt(off) <= went->spread + 1e-12);
            if (went->spread > 0.0)
                out->used = fmax(out->used, sqrt(off) / went->spread);
            if (!model->class->surface->before)
                continue;
            model->class->surface->before(model->self, p, share * length, x, was);
            for (int k = 0; k < 3; k++)
                wrong = fmax(wrong, fabs(was[k] - before[p][i][k]));
            assert_true(wrong < 1e-12);
        }
    }
    out->pieces += pieces;
    model->class->dynamics->place(model->self, &frame, NULL);
}

static void check_world(cst_world *world, double used)
{
    cst_rng rng;
    extremes all = {0};
    cst_rng_seed(&rng, 5, 0);
    for (int i = 0; i < 40; i++)
        for (int body = 0; body < cst_world_bodies(world); body++)
            check_body(world, body, pow(10.0, cst_rng_range(&rng, -3.0, 2.5)), &rng, &all);
    assert_true(all.used > used); /* the bound is not far from what happens */
    assert_true(all.pieces > 0);
    cst_world_free(world);
}

static void fibers(void **state)
{
    (void)state;
    char message[256];
    const cst_world_def def = cst_world_def_default(3);
    cst_world *world = world_of(&def);
    const cst_fiber_model models[] = {CST_FIBER_SUPER_HELIX, CST_FIBER_CORDE, CST_FIBER_DISCRETE_ROD};
    for (int m = 0; m < 3; m++)
        for (int clamped = 0; clamped < 2; clamped++) {
            cst_fiber_def fiber = cst_fiber_def_default();
            fiber.model = models[m];
            fiber.elements = 7;
            fiber.length = 0.3;
            fiber.radius = 1e-3;
            fiber.mass_per_length = 3e-3;
            fiber.bending_stiffness[0] = fiber.bending_stiffness[1] = fiber.twisting_stiffness = 1e-5;
            fiber.natural_curvature[0] = 20.0;
            fiber.natural_curvature[1] = 30.0;
            fiber.clamped = clamped == 1;
            assert_true(cst_world_add_fiber(world, &fiber, message, sizeof message) > 0);
        }
    check_world(world, 0.3);
}

static void planar_bodies(void **state)
{
    (void)state;
    char message[256];
    const cst_world_def def = cst_world_def_default(2);
    cst_world *world = world_of(&def);
    for (int kind = 0; kind < 3; kind++) {
        cst_rod_def rod = cst_rod_def_default();
        rod.formulation = kind == 1 ? CST_ROD_MIXED : CST_ROD_CHAINED;
        rod.contour = kind == 2 ? CST_ROD_CHORDS : CST_ROD_ARCS;
        rod.elements = 6;
        rod.length = 0.5;
        rod.radius = 1e-3;
        rod.mass_per_length = 0.01;
        rod.bending_stiffness = 1e-3;
        rod.natural_curvature = 8.0;
        assert_true(cst_world_add_rod(world, &rod, message, sizeof message) > 0);
    }
    const double corner[8] = {0.0, 0.0, 0.1, 0.0, 0.1, 0.05, 0.0, 0.05};
    cst_rigid_def rigid = cst_rigid_def_default();
    rigid.shape = CST_RIGID_POLYGON;
    rigid.corner = corner;
    rigid.corners = 4;
    rigid.radius = 1e-3;
    rigid.mass = 1.0;
    assert_true(cst_world_add_rigid(world, &rigid, message, sizeof message) > 0);
    rigid.shape = CST_RIGID_DISK;
    rigid.corners = 0;
    rigid.corner = NULL;
    rigid.radius = 0.05;
    assert_true(cst_world_add_rigid(world, &rigid, message, sizeof message) > 0);
    check_world(world, 0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fibers), cmocka_unit_test(planar_bodies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
