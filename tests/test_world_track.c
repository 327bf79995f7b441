/* Contacts keep their names while they last: by material coordinates, over the joints of a rod, whatever else comes and goes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "world/contact_track.h"
#include "world_fixture.h"

static cst_contact contact_at(int32_t element, double s, double reach)
{
    return (cst_contact){.a = {.owner = 0, .feature = element, .s = s, .reach = reach},
                         .b = {.owner = 1, .s = s, .reach = HUGE_VAL},
                         .normal = {0.0, 1.0},
                         .mu = 0.5};
}

static int track(const cst_contact *before, int count_before, double scale, cst_contact *now, int count_now, uint64_t *next_id,
                 int32_t *successor)
{
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    assert_true(cst_contacts_sort(now, count_now, &arena));
    const int fresh = cst_contacts_track(before, count_before, scale, now, count_now, 1, next_id, successor, &arena);
    cst_arena_end(&arena);
    return fresh;
}

/* Three contacts slide along by 0.02, the middle one over a joint; one is new, one is gone. */
static void over_a_joint(void **state)
{
    (void)state;
    uint64_t next = 1;
    int32_t successor[4];
    cst_contact before[] = {contact_at(0, 0.02, 0.1), contact_at(0, 0.08, 0.1), contact_at(3, 0.35, 0.1),
                            contact_at(7, 0.75, 0.1)};
    assert_int_equal(track(NULL, 0, 1.0, before, 4, &next, successor), 4);
    for (int i = 0; i < 4; i++) {
        before[i].impulse[1] = 1.0 + i;
        assert_int_equal(before[i].id, i + 1);
        assert_true(before[i].fresh);
    }
    cst_contact now[] = {contact_at(3, 0.37, 0.1), contact_at(1, 0.1, 0.1), contact_at(0, 0.04, 0.1), contact_at(5, 0.55, 0.1)};
    assert_int_equal(track(before, 4, 2.0, now, 4, &next, successor), 1);
    const uint64_t id[] = {1, 2, 3, 5};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(now[i].id, id[i]);
        assert_near(now[i].r[0], i < 3 ? 2.0 * (1.0 + i) : 0.0, 0.0);
        assert_int_equal(now[i].fresh, i == 3);
    }
    for (int i = 0; i < 4; i++)
        assert_int_equal(successor[i], i < 3 ? i : -1);
    assert_int_equal(next, 6);
}

/* Impulses are carried in the world's frame and clipped to the cone; open contacts are fresh again. */
static void impulses_are_carried(void **state)
{
    (void)state;
    uint64_t next = 5;
    int32_t successor[2];
    cst_contact before[] = {contact_at(0, 0.0, 0.1), contact_at(0, 1.0, 0.1)};
    before[0].impulse[0] = 0.3;
    before[0].impulse[1] = 1.0;
    cst_contact now[] = {contact_at(0, 0.0, 0.1), contact_at(0, 1.0, 0.1)};
    const double angle = 0.2;
    now[0].normal[0] = -sin(angle);
    now[0].normal[1] = cos(angle);
    now[0].mu = 0.05;
    assert_int_equal(track(before, 2, 0.5, now, 2, &next, successor), 0);
    const double normal = 0.5 * (-0.3 * sin(angle) + cos(angle));
    assert_near(now[0].r[0], normal, 1e-15);
    assert_near(now[0].r[1], -0.05 * normal, 1e-15);
    assert_false(now[0].fresh);
    assert_true(now[1].fresh);
}

/* On a ring the way from the last element to the first is short. */
static void around_a_ring(void **state)
{
    (void)state;
    uint64_t next = 1;
    int32_t successor[1];
    cst_contact before[] = {contact_at(9, 0.99, 0.1)}, now[] = {contact_at(0, 0.01, 0.1)};
    before[0].a.period = now[0].a.period = 1.0;
    track(NULL, 0, 1.0, before, 1, &next, successor);
    assert_int_equal(track(before, 1, 1.0, now, 1, &next, successor), 0);
    assert_int_equal(now[0].id, 1);
}

/* A normal that has turned round while the bodies overlap is told; without overlap it is another contact. */
static void opposite_normals(void **state)
{
    (void)state;
    uint64_t next = 1;
    int32_t successor[1];
    cst_contact before[] = {contact_at(0, 0.5, 0.1)}, now[] = {contact_at(0, 0.5, 0.1)};
    track(NULL, 0, 1.0, before, 1, &next, successor);
    now[0].normal[1] = -1.0;
    now[0].gap = 0.01;
    assert_int_equal(track(before, 1, 1.0, now, 1, &next, successor), 1);
    now[0].gap = -0.01;
    assert_int_equal(track(before, 1, 1.0, now, 1, &next, successor), 0);
    assert_true(now[0].turned);
    assert_near(now[0].before[1], 1.0, 0.0);
}

/* A stiff rod drawn over a peg: one contact, one name, all along the rod. */
static void one_name_along_a_rod(void **state)
{
    (void)state;
    cst_world_def def = cst_world_def_default(2);
    def.friction_coefficient = 0.0;
    cst_world *world = world_of(&def);
    cst_obstacle_def peg = cst_obstacle_def_default();
    peg.shape = CST_OBSTACLE_DISK;
    peg.radius = 0.05;
    peg.position[0] = 0.5;
    world_obstacle(world, &peg);
    cst_rod_def rod = cst_rod_def_default();
    rod.elements = 10;
    rod.length = 1.0;
    rod.radius = 0.01;
    rod.mass_per_length = 1.0;
    rod.bending_stiffness = 1000.0;
    rod.position[1] = 0.06;
    rod.velocity[0] = 1.0;
    rod.angular_velocity = 0.0;
    world_rod(world, &rod);
    uint64_t id = 0;
    int elements_seen = 0, last = -1;
    for (int k = 0; k < 300; k++) {
        world_step(world);
        const cst_contact_view *view;
        const int contacts = cst_world_contacts(world, &view);
        for (int i = 0; i < contacts; i++) {
            if (!(view[i].r[0] > 0.0))
                continue;
            if (id == 0)
                id = view[i].id;
            assert_int_equal(view[i].id, id);
            const int element = (int)floor(view[i].s_a / 0.1);
            elements_seen += element != last;
            last = element;
        }
    }
    assert_true(id > 0);
    assert_true(elements_seen >= 3);
    cst_world_free(world);
}

/* Contacts in a random order, some at the same place, which keep their order: far too many moves for an insertion sort. */
static void many_in_disorder(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    static cst_contact contact[COUNT];
    static bool seen[COUNT];
    uint32_t random = 1;
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    for (int i = 0; i < COUNT; i++) {
        random = random * 1664525u + 1013904223u;
        contact[i] = contact_at((int)(random >> 24), 0.001 * (random >> 22), 0.1);
        contact[i].id = (uint64_t)i;
    }
    assert_true(cst_contacts_sort(contact, COUNT, &arena));
    assert_int_equal(cst_arena_mark_now(&arena).total, 0);
    int same = 0;
    for (int i = 0; i < COUNT; i++) {
        assert_false(seen[contact[i].id]);
        seen[contact[i].id] = true;
        const int order = i > 0 ? cst_contacts_compare(contact + i - 1, contact + i) : -1;
        assert_true(order < 0 || (order == 0 && contact[i - 1].id < contact[i].id));
        same += order == 0;
    }
    assert_true(same > 100);
    cst_arena_end(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_in_disorder),     cmocka_unit_test(over_a_joint),
                                       cmocka_unit_test(impulses_are_carried), cmocka_unit_test(around_a_ring),
                                       cmocka_unit_test(opposite_normals),     cmocka_unit_test(one_name_along_a_rod)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
