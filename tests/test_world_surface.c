/* One rule of precedence for friction and restitution: pair, segment, owner, material, world. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "world/surface.h"
#include "world_fixture.h"

static const double UNSET = CST_UNSET;

/* Who says what: of a and of b, a segment, an owner, a material; of pairs, two owners, owner and material, two materials. */
typedef struct saying {
    double segment[2], owner[2], material[2];
    double owners, mixed, materials;
    double expected;
} saying;

static double asked(const saying *say, bool friction, bool swapped)
{
    cst_material material[2] = {{.friction = UNSET, .restitution = UNSET}, {.friction = UNSET, .restitution = UNSET}};
    cst_surface_side side[2] = {{.owner = {.body = 3}, .segment_friction = UNSET, .surface = {1, UNSET, UNSET}},
                                {.owner = {.obstacle = 3}, .segment_friction = UNSET, .surface = {2, UNSET, UNSET}}};
    cst_surface_pair pair[3];
    int pairs = 0;
    for (int s = 0; s < 2; s++) {
        *(friction ? &material[s].friction : &material[s].restitution) = say->material[s];
        *(friction ? &side[s].surface.friction : &side[s].surface.restitution) = say->owner[s];
        if (friction)
            side[s].segment_friction = say->segment[s];
    }
    const struct {
        cst_party a, b;
        double value;
    } named[] = {{{.material = 2}, {.material = 1}, say->materials},
                 {{.body = 3}, {.material = 2}, say->mixed},
                 {{.obstacle = 3}, {.body = 3}, say->owners}};
    for (int k = 0; k < 3; k++)
        if (named[k].value != UNSET)
            pair[pairs++] =
                (cst_surface_pair){named[k].a, named[k].b, friction ? named[k].value : UNSET, friction ? UNSET : named[k].value};
    const cst_surface_rules rules = {.pair = pair, .pairs = pairs, .material = material, .friction = 0.7, .restitution = 0.7};
    const cst_surface_values values = cst_surface_of_contact(&rules, side + swapped, side + !swapped);
    return friction ? values.friction : values.restitution;
}

static void finest_speaks(void **state)
{
    (void)state;
#define U UNSET
    const saying table[] = {
        {{U, U}, {U, U}, {U, U}, U, U, U, 0.7},                  /* the world */
        {{U, U}, {U, U}, {0.2, U}, U, U, U, 0.2},                /* one material */
        {{U, U}, {U, U}, {0.2, 0.8}, U, U, U, 0.4},              /* two: geometric mean */
        {{U, U}, {0.5, U}, {0.2, 0.8}, U, U, U, 0.5},            /* a body before materials */
        {{U, U}, {U, 0.1}, {0.2, 0.8}, U, U, U, 0.1},            /* an obstacle too */
        {{U, U}, {0.9, 0.1}, {0.2, 0.8}, U, U, U, 0.3},          /* both */
        {{U, U}, {0.9, 0.1}, {0.2, 0.8}, U, U, 0.6, 0.6},        /* a pair of materials before all of these */
        {{U, U}, {0.9, 0.1}, {0.2, 0.8}, U, 0.55, 0.6, 0.55},    /* an owner with a material is finer */
        {{U, U}, {0.9, 0.1}, {0.2, 0.8}, 0.65, 0.55, 0.6, 0.65}, /* two owners are finest */
        {{U, U}, {0.0, 0.9}, {U, U}, U, U, U, 0.0},              /* ice: nothing times anything */
    };
    const saying segments[] = {
        {{0.25, U}, {0.9, 0.1}, {0.2, 0.8}, U, U, U, 0.25},
        {{0.25, 0.16}, {0.9, 0.1}, {0.2, 0.8}, U, U, U, 0.2},
        {{0.25, U}, {U, U}, {U, U}, U, U, 0.6, 0.6},
    };
#undef U
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        for (int turn = 0; turn < 4; turn++)
            assert_near(asked(table + k, turn % 2 == 0, turn / 2 == 1), table[k].expected, 1e-15);
    for (size_t k = 0; k < sizeof segments / sizeof *segments; k++)
        for (int turn = 0; turn < 2; turn++)
            assert_near(asked(segments + k, true, turn == 1), segments[k].expected, 1e-15);
}

static double mu_of_only_contact(cst_world *world)
{
    const cst_contact_view *view;
    world_step(world);
    assert_int_equal(cst_world_contacts(world, &view), 1);
    return view->mu;
}

/* The same through a world: the last call for a pair counts. */
static void through_a_world(void **state)
{
    (void)state;
    char message[256];
    cst_world_def def = cst_world_def_default(2);
    cst_world *world = world_of(&def);
    cst_material_def rubber = cst_material_def_default(), steel = rubber;
    rubber.name = "rubber";
    rubber.friction = 0.9;
    steel.name = "steel";
    steel.friction = 0.4;
    const cst_material_id rubber_id = cst_world_add_material(world, &rubber, message, sizeof message);
    const cst_material_id steel_id = cst_world_add_material(world, &steel, message, sizeof message);
    assert_true(rubber_id == 1 && steel_id == 2);
    cst_obstacle_def floor = cst_obstacle_def_default();
    floor.surface.material = steel_id;
    world_obstacle(world, &floor);
    cst_rigid_def disk = cst_rigid_def_default();
    disk.radius = disk.position[1] = 0.1;
    disk.mass = 1.0;
    disk.surface.material = rubber_id;
    world_rigid(world, &disk);
    assert_near(mu_of_only_contact(world), 0.6, 1e-15);
    const cst_party a = {.material = rubber_id}, b = {.material = steel_id}, body = {.body = 1}, obstacle = {.obstacle = 1};
    assert_true(cst_world_set_pair(world, a, b, 0.25, CST_UNSET, message, sizeof message));
    assert_near(mu_of_only_contact(world), 0.25, 0.0);
    assert_true(cst_world_set_pair(world, b, a, 0.35, CST_UNSET, message, sizeof message));
    assert_near(mu_of_only_contact(world), 0.35, 0.0);
    assert_true(cst_world_set_pair(world, obstacle, body, 0.15, CST_UNSET, message, sizeof message));
    assert_near(mu_of_only_contact(world), 0.15, 0.0);

    assert_false(cst_world_set_pair(world, obstacle, (cst_party){.body = 2}, 0.1, 0.0, message, sizeof message));
    assert_non_null(strstr(message, "no body 2"));
    assert_false(cst_world_set_pair(world, obstacle, (cst_party){0}, 0.1, 0.0, message, sizeof message));
    assert_non_null(strstr(message, "one of"));
    assert_false(cst_world_set_pair(world, obstacle, body, -0.5, 0.0, message, sizeof message));
    assert_non_null(strstr(message, "friction"));
    assert_false(cst_world_set_pair(world, obstacle, body, 0.5, 1.5, message, sizeof message));
    assert_non_null(strstr(message, "restitution"));

    /* Told never to touch, the disk falls through the floor. */
    assert_false(cst_world_set_apart(world, a, body, message, sizeof message));
    assert_non_null(strstr(message, "two bodies"));
    assert_false(cst_world_set_apart(world, body, body, message, sizeof message));
    assert_false(cst_world_set_apart(world, obstacle, obstacle, message, sizeof message));
    assert_false(cst_world_set_apart(world, obstacle, (cst_party){.body = 2}, message, sizeof message));
    assert_int_equal(world_step(world).contacts, 1);
    assert_true(cst_world_set_apart(world, obstacle, body, message, sizeof message));
    assert_true(cst_world_set_apart(world, body, obstacle, message, sizeof message));
    assert_int_equal(world_step(world).contacts, 0);
    cst_world_free(world);
}

/* Elements of a rod with coefficients of their own. */
static void segments_of_a_rod(void **state)
{
    (void)state;
    cst_world_def def = cst_world_def_default(2);
    cst_world *world = world_of(&def);
    world_incline(world, 0.0);
    const double friction[4] = {0.1, CST_UNSET, 0.3, 0.0};
    cst_rod_def rod = rod_on_incline(0.0, 4, CST_ROD_CHAINED);
    rod.element_friction = friction;
    rod.surface.friction = 0.8;
    world_rod(world, &rod);
    world_step(world);
    const cst_contact_view *view;
    const int contacts = cst_world_contacts(world, &view);
    assert_true(contacts >= 5);
    for (int i = 0; i < contacts; i++) {
        const int element = view[i].s_a < 0.25 ? 0 : view[i].s_a < 0.5 ? 1 : view[i].s_a < 0.75 ? 2 : 3;
        assert_near(view[i].mu, element == 1 ? 0.8 : friction[element], 0.0);
    }
    cst_world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(finest_speaks), cmocka_unit_test(through_a_world),
                                       cmocka_unit_test(segments_of_a_rod)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
