/* Rigid bodies in space: what others touch of them, how they are drawn, what is refused, memory that runs out. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collide/mesh_space.h"
#include "math/rotation_vector.h"
#include "math/vector3.h"
#include "rigid/rigid_space.h"
#include "rigid_fixture.h"
#include "tests/failing_allocator.h"

static cst_rigid_def solid(cst_rigid_shape shape)
{
    cst_rigid_def def = cst_rigid_def_default();
    def.shape = shape;
    def.mass = 1.7;
    def.radius = 0.2;
    memcpy(def.size, (const double[3]){0.3, 0.1, 0.5}, sizeof def.size);
    memcpy(def.position, (const double[3]){0.4, -0.3, 1.0}, sizeof def.position);
    cst_rotation_vector_exp((const double[3]){0.4, -0.8, 0.3}, def.frame);
    return def;
}

/* An L of three unit cubes along x and y, 1 high: one edge in a groove, one level seam on top and one below. */
static const double ell[] = {0, 0, 0, 2, 0, 0, 2, 1, 0, 1, 1, 0, 1, 2, 0, 0, 2, 0,
                             0, 0, 1, 2, 0, 1, 2, 1, 1, 1, 1, 1, 1, 2, 1, 0, 2, 1};
static const int32_t ell_sides[] = {0,  3, 1,  1,  3,  2, 0,  5, 3, 3, 5,  4, 6,  7,  9, 7, 8, 9, 6, 9,
                                    11, 9, 10, 11, 0,  1, 7,  0, 7, 6, 1,  2, 8,  1,  8, 7, 2, 3, 9, 2,
                                    9,  8, 3,  4,  10, 3, 10, 9, 4, 5, 11, 4, 11, 10, 5, 0, 6, 5, 6, 11};

static cst_rigid_def ell_def(void)
{
    cst_rigid_def def = solid(CST_RIGID_MESH);
    def.radius = 0.01;
    def.mesh = (cst_mesh){.vertex = ell, .triangle = ell_sides, .vertices = 12, .triangles = 20, .closed = true};
    return def;
}

static void balls_and_capsules_are_pieces(void **state)
{
    (void)state;
    const cst_rigid_shape shape[2] = {CST_RIGID_SPHERE, CST_RIGID_CAPSULE};
    for (int i = 0; i < 2; i++) {
        const cst_rigid_def def = solid(shape[i]);
        cst_body_model body = made(&def);
        cst_curve_piece piece;
        double x[3], t[3];
        assert_int_equal(body.class->surface->pieces(body.self), 1);
        assert_int_equal(body.class->surface->solids(body.self), 0);
        assert_null(body.class->surface->arcs); /* no shapes of the plane */
        assert_int_equal(body.class->look->triangles(body.self, NULL), 0);
        body.class->surface->piece(body.self, 0, &piece);
        near(piece.length, i == 0 ? 0.0 : 0.6, 0.0);
        near(piece.radius, 0.2, 0.0);
        near(piece.curvature, 0.0, 0.0);
        assert_false(body.class->surface->features(body.self, NULL, NULL, &(cst_feature_body){0}));
        body.class->surface->curve(body.self, 0, 0.25 * piece.length, x, t);
        const double axis[3] = {def.frame[2], def.frame[5], def.frame[8]};
        near3(t, axis, 1e-15);
        for (int k = 0; k < 3; k++)
            near(x[k], def.position[k] - 0.25 * piece.length * axis[k], 1e-15);
        body.class->destroy(body.self);
    }
}

static void boxes_are_solids_with_surfaces(void **state)
{
    (void)state;
    const cst_rigid_def def = solid(CST_RIGID_BOX);
    cst_body_model body = made(&def);
    assert_int_equal(body.class->surface->pieces(body.self), 0);
    assert_int_equal(body.class->surface->solids(body.self), 1);
    cst_solid out;
    body.class->surface->solid(body.self, 0, &out);
    assert_int_equal(out.kind, CST_SOLID_BOX);
    near3(out.size, def.size, 0.0);
    near(out.rounding, 0.2, 0.0);
    near3(out.position, def.position, 0.0);
    cst_feature_body surface;
    assert_true(body.class->surface->features(body.self, NULL, NULL, &surface));
    near(surface.rounding, 0.2, 0.0);
    near3(surface.x[0], def.position, 0.0);
    near3(surface.x[1], def.position, 0.0);
    near(surface.mesh->thickness, 2.0 * fmin(def.size[0], fmin(def.size[1], def.size[2])), 1e-14);
    int along[3] = {0, 0, 0};
    for (int i = 0; i < surface.mesh->edges; i++) { /* each that touches joins two corners, along one of the axes */
        const cst_feature_edge *edge = surface.mesh->edge + i;
        const double *from = surface.mesh->vertex + 3 * edge->from, *to = surface.mesh->vertex + 3 * edge->to;
        int differs = 0, axis = 0;
        for (int m = 0; m < 3; m++) {
            near(fabs(from[m]), def.size[m], 1e-14);
            if (from[m] * to[m] < 0.0) {
                differs++;
                axis = m;
            }
        }
        assert_int_equal(differs, edge->touches ? 1 : 2);
        along[axis] += edge->touches;
    }
    assert_int_equal(along[0], 4);
    assert_int_equal(along[1], 4);
    assert_int_equal(along[2], 4);
    body.class->destroy(body.self);
}

static void meshes_have_the_edges_that_stand_out(void **state)
{
    (void)state;
    const cst_rigid_def def = ell_def();
    cst_body_model body = made(&def);
    /* 6 below, 6 above, 6 upright without the one in the groove */
    cst_feature_body surface;
    assert_true(body.class->surface->features(body.self, NULL, NULL, &surface));
    int touching = 0;
    for (int i = 0; i < surface.mesh->edges; i++)
        touching += surface.mesh->edge[i].touches;
    assert_int_equal(touching, 17);
    assert_int_equal(body.class->surface->pieces(body.self), 0);
    cst_solid out;
    body.class->surface->solid(body.self, 0, &out);
    assert_int_equal(out.kind, CST_SOLID_MESH);
    assert_true(cst_mesh_space_closed(out.mesh));
    /* centre of mass of the three cubes: 5/6, 5/6, 1/2 */
    const cst_box box = cst_mesh_space_box(out.mesh);
    near3(box.low, (const double[3]){-5.0 / 6.0, -5.0 / 6.0, -0.5}, 1e-15);
    double vertex[36], expected[3];
    int32_t triangle[60];
    const cst_drawing drawing = body.class->look->draw(body.self, 1, vertex, NULL, NULL);
    assert_int_equal(drawing.as, CST_DRAWN_MESH);
    assert_int_equal(drawing.vertices, 12);
    assert_int_equal(body.class->look->triangles(body.self, triangle), 20);
    assert_memory_equal(triangle, ell_sides, sizeof triangle);
    cst_apply3(def.frame, (const double[3]){-5.0 / 6.0, -5.0 / 6.0, -0.5}, expected);
    cst_add3(1.0, def.position, expected);
    near3(vertex, expected, 1e-15);
    body.class->destroy(body.self);
}

static void ghosts_touch_nothing(void **state)
{
    (void)state;
    for (int i = CST_RIGID_SPHERE; i <= CST_RIGID_MESH; i++) {
        cst_rigid_def def = i == CST_RIGID_MESH ? ell_def() : solid((cst_rigid_shape)i);
        def.collides = false;
        cst_body_model body = made(&def);
        assert_int_equal(body.class->surface->pieces(body.self), 0);
        assert_int_equal(body.class->surface->solids(body.self), 0);
        assert_true(body.class->look->draw(body.self, 1, NULL, NULL, NULL).vertices >= 2);
        body.class->destroy(body.self);
    }
}

static void drawn_where_they_are(void **state)
{
    (void)state;
    double vertex[24], radius[8];
    cst_rigid_def def = solid(CST_RIGID_SPHERE);
    cst_body_model ball = made(&def);
    cst_drawing drawing = ball.class->look->draw(ball.self, 4, vertex, radius, NULL);
    assert_int_equal(drawing.as, CST_DRAWN_DISK);
    assert_int_equal(drawing.vertices, 3);
    near3(vertex, def.position, 0.0);
    for (int k = 0; k < 3; k++) {
        near(vertex[3 + k], def.position[k] + 0.2 * def.frame[3 * k], 1e-15);
        near(vertex[6 + k], def.position[k] + 0.2 * def.frame[3 * k + 1], 1e-15);
    }
    ball.class->destroy(ball.self);
    def = solid(CST_RIGID_BOX);
    cst_body_model box = made(&def);
    drawing = box.class->look->draw(box.self, 4, vertex, radius, NULL);
    assert_int_equal(drawing.as, CST_DRAWN_MESH);
    assert_int_equal(drawing.vertices, 8);
    double expected[3];
    cst_apply3(def.frame, (const double[3]){0.5, -0.3, -0.7}, expected); /* grown by the rounding */
    cst_add3(1.0, def.position, expected);
    near3(vertex + 3, expected, 1e-15);
    box.class->destroy(box.self);
}

static void refused(const cst_rigid_def *def, const char *part)
{
    cst_body_model body;
    char message[256] = "";
    if (cst_rigid_space_create(def, NULL, &body, message, sizeof message))
        fail_msg("accepted; expected a message with \"%s\"", part);
    if (!strstr(message, part))
        fail_msg("\"%s\" does not say \"%s\"", message, part);
}

static void refusals(void **state)
{
    (void)state;
    cst_rigid_def def = solid(CST_RIGID_DISK);
    refused(&def, "no such shape in space: 0");
    def = solid(CST_RIGID_SPHERE);
    def.mass = 0.0;
    refused(&def, "mass must be positive");
    def = solid(CST_RIGID_SPHERE);
    def.radius = 0.0;
    refused(&def, "radius must be positive");
    def = solid(CST_RIGID_BOX);
    def.size[1] = 0.0;
    refused(&def, "each edge of a box");
    def = solid(CST_RIGID_CAPSULE);
    def.size[0] = NAN;
    refused(&def, "axis of a capsule");
    def = solid(CST_RIGID_BOX);
    def.spin[2] = INFINITY;
    refused(&def, "not finite");
    def = solid(CST_RIGID_BOX);
    def.drag = -1.0;
    refused(&def, "drag must be 0 or more");
    def = solid(CST_RIGID_BOX);
    def.frame[4] = 3.0;
    refused(&def, "not a rotation");
    def = solid(CST_RIGID_SPHERE);
    memcpy(def.inertia_matrix, (const double[9]){1, 0, 0, 0, 1, 0, 0, 0, 2.1}, sizeof def.inertia_matrix);
    refused(&def, "no mass has this inertia");
    memcpy(def.inertia_matrix, (const double[9]){1, 0.1, 0, 0, 1, 0, 0, 0, 1}, sizeof def.inertia_matrix);
    refused(&def, "symmetric and positive");
    memcpy(def.inertia_matrix, (const double[9]){1, 0, 0, 0, 1, 0, 0, 0, 2.0}, sizeof def.inertia_matrix);
    cst_body_model flat = made(&def); /* a disk: the limit */
    flat.class->destroy(flat.self);

    int32_t turned[60];
    memcpy(turned, ell_sides, sizeof turned);
    for (int i = 0; i < 20; i++) {
        turned[3 * i] = ell_sides[3 * i + 1];
        turned[3 * i + 1] = ell_sides[3 * i];
    }
    def = ell_def();
    def.mesh.triangle = turned;
    refused(&def, "counter-clockwise seen from outside (volume -3 m3)");
    def = ell_def();
    def.mesh.triangles = 19;
    refused(&def, "not closed: its edge between vertices");
    memcpy(turned, ell_sides, sizeof turned);
    turned[57] = ell_sides[58];
    turned[58] = ell_sides[57];
    def.mesh.triangles = 20;
    def.mesh.triangle = turned;
    refused(&def, "the same way along it");
}

static void memory_runs_out(void **state)
{
    (void)state;
    const cst_rigid_def def = ell_def();
    bool ok = false;
    int tries = 0;
    for (; !ok && tries < 100; tries++) {
        int left = tries;
        const cst_allocator allocator = fixture_failing_allocator(&left);
        cst_body_model body;
        char message[256] = "";
        ok = cst_rigid_space_create(&def, &allocator, &body, message, sizeof message);
        if (ok)
            body.class->destroy(body.self);
        else
            assert_non_null(strstr(message, "memory"));
    }
    assert_true(ok && tries > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_and_capsules_are_pieces),
        cmocka_unit_test(boxes_are_solids_with_surfaces),
        cmocka_unit_test(meshes_have_the_edges_that_stand_out),
        cmocka_unit_test(ghosts_touch_nothing),
        cmocka_unit_test(drawn_where_they_are),
        cmocka_unit_test(refusals),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
