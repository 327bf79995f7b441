/* Checkpoints: a world that was saved, loaded into a fresh one and run on has the same bits; anything else is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/checksum.h"
#include "scene/scene.h"
#include "world_fixture.h"

/* Disks and a rod that fall on a slope and a turning drum; a pendulum; a load. Adaptive steps. */
static cst_world *busy_world(double dt)
{
    char message[256];
    const cst_key key[] = {{.time = 0.0}, {.time = 1.0, .rotation = {0.0, 0.0, 6.0}}};
    cst_world_def def = cst_world_def_default(2);
    def.time_step.dt = dt;
    def.time_step.adaptive = true;
    def.time_step.halvings = 4;
    cst_world *world = world_of(&def);
    world_incline(world, 0.2);
    cst_obstacle_def drum = cst_obstacle_def_default();
    drum.shape = CST_OBSTACLE_DISK;
    drum.radius = 0.2;
    drum.position[0] = 0.4;
    drum.position[1] = 0.3;
    drum.motion = (cst_motion){.key = key, .keys = 2, .period = 1.0};
    world_obstacle(world, &drum);
    for (int k = 0; k < 6; k++)
        world_disk(world, 0.05, -0.3 + 0.11 * k, 0.6 + 0.02 * (k % 3));
    cst_rod_def rod = cst_rod_def_default();
    rod.elements = 10;
    rod.length = 0.8;
    rod.radius = 0.01;
    rod.mass_per_length = 0.1;
    rod.bending_stiffness = 0.01;
    rod.natural_curvature = 1.0;
    rod.position[1] = 0.75;
    const cst_body_id id = world_rod(world, &rod);
    cst_constraint_def pin = cst_constraint_def_default();
    pin.a.body = id;
    assert_int_equal(cst_world_add_constraint(world, &pin, message, sizeof message), 1);
    cst_load_def load = cst_load_def_default();
    load.at = (cst_place){.body = id, .at_end = true};
    load.force[1] = 0.1;
    assert_int_equal(cst_world_add_load(world, &load, message, sizeof message), 1);
    return world;
}

static void run(cst_world *world, int steps)
{
    cst_step_report report;
    for (int k = 0; k < steps; k++)
        if (cst_world_step(world, &report) > CST_TOLERANCE_MISSED)
            fail_msg("%s", report.message);
}

static void continues_with_the_same_bits(void **state)
{
    (void)state;
    char message[256];
    size_t half_size, size, other_size;
    cst_world *straight = busy_world(1e-3);
    run(straight, 100);
    void *half = world_bytes(straight, &half_size);
    run(straight, 100);
    void *bytes = world_bytes(straight, &size);

    cst_world *resumed = busy_world(1e-3);
    if (!cst_world_load(resumed, half, half_size, message, sizeof message))
        fail_msg("%s", message);
    void *again = world_bytes(resumed, &other_size);
    assert_int_equal(other_size, half_size);
    assert_memory_equal(again, half, half_size);
    free(again);
    run(resumed, 100);
    void *other = world_bytes(resumed, &other_size);
    assert_int_equal(other_size, size);
    assert_memory_equal(other, bytes, size);

    const cst_contact_view *view, *other_view;
    const int contacts = cst_world_contacts(straight, &view);
    assert_true(contacts > 3);
    assert_int_equal(cst_world_contacts(resumed, &other_view), contacts);
    for (int i = 0; i < contacts; i++) {
        assert_true(view[i].id == other_view[i].id && view[i].id > 0);
        assert_memory_equal(view[i].force, other_view[i].force, sizeof view[i].force);
    }
    double force[3], moment[3], other_force[3], other_moment[3];
    cst_world_constraint_force(straight, 1, force, moment);
    cst_world_constraint_force(resumed, 1, other_force, other_moment);
    assert_memory_equal(force, other_force, sizeof force);
    free(half);
    free(bytes);
    free(other);
    cst_world_free(straight);
    cst_world_free(resumed);
}

/* Each refusal says why, and leaves the world as it was. */
static void refused(cst_world *world, const void *bytes, size_t size, const char *why)
{
    char message[256] = "";
    size_t before_size, after_size;
    void *before = world_bytes(world, &before_size);
    assert_false(cst_world_load(world, bytes, size, message, sizeof message));
    if (!strstr(message, why))
        fail_msg("\"%s\" does not say \"%s\"", message, why);
    void *after = world_bytes(world, &after_size);
    assert_int_equal(after_size, before_size);
    assert_memory_equal(after, before, before_size);
    free(before);
    free(after);
}

static void bad_ones_are_refused(void **state)
{
    (void)state;
    size_t size;
    cst_world *world = busy_world(1e-3), *other = busy_world(2e-3);
    run(world, 50);
    unsigned char *bytes = world_bytes(world, &size);
    refused(world, bytes, 0, "bytes");
    refused(world, bytes, size - 3, "bytes");
    refused(world, bytes, size - 8, "damaged");
    refused(other, bytes, size, "dt");
    for (size_t at = 16; at < size; at += 97) {
        bytes[at] ^= 0x10;
        refused(world, bytes, size, "damaged");
        bytes[at] ^= 0x10;
    }
    bytes[0] ^= 1;
    refused(world, bytes, size, "not a checkpoint");
    bytes[0] ^= 1;
    bytes[8] ^= 2;
    refused(world, bytes, size, "version");
    bytes[8] ^= 2;
    world_disk(other, 0.1, 5.0, 5.0);
    refused(other, bytes, size, "bodies");
    free(bytes);
    cst_world_free(world);
    cst_world_free(other);
}

/* A buffer that is too small is left alone. */
static void tells_its_size(void **state)
{
    (void)state;
    cst_world *world = busy_world(1e-3);
    run(world, 20);
    unsigned char little[8] = {7, 7, 7, 7, 7, 7, 7, 7};
    const size_t size = cst_world_save(world, NULL, 0);
    assert_int_equal(cst_world_save(world, little, sizeof little), size);
    for (size_t k = 0; k < sizeof little; k++)
        assert_int_equal(little[k], 7);
    cst_world_free(world);
}

static cst_world *scene_world(const char *text)
{
    char message[256];
    cst_scene *scene = cst_scene_read_text(text, strlen(text), "space", NULL, 0, NULL);
    const cst_scene_fault *fault;
    if (cst_scene_faults(scene, &fault) > 0)
        fail_msg("%s: %s", fault->key, fault->message);
    cst_world *world = cst_scene_world(scene, 1, message, sizeof message);
    if (!world)
        fail_msg("%s", message);
    cst_scene_free(scene);
    return world;
}

/* A cloth on a box and a fiber on the cloth: contacts of vertices, edges and faces of a sheet. */
static cst_world *sheet_world(void)
{
    return scene_world(
        "{\"capstan\": 1, \"dim\": 3, \"duration\": 1, \"time_step\": {\"dt\": 1e-3}, \"friction\": 0.4, \"fabrics\": ["
        "{\"name\": \"felt\", \"density\": 0.3, \"thickness\": 1e-3, \"stretching\": [500, 0, 500, 250], \"bend\": 1e-5}], "
        "\"sheets\": ["
        "{\"name\": \"cloth\", \"shape\": \"rectangle\", \"width\": 0.3, \"height\": 0.3, \"edge\": 0.1, "
        "\"fabric\": \"felt\", \"position\": [-0.15, -0.15, 0.1006]}], \"fibers\": ["
        "{\"name\": \"over\", \"model\": \"discrete-rod\", \"elements\": 4, \"length\": 0.2, \"radius\": 0.005, \"density\": "
        "1000, \"young\": 1e6, \"position\": [-0.1, 0.02, 0.1062]}], \"obstacles\": ["
        "{\"name\": \"table\", \"shape\": \"box\", \"edges\": [0.12, 0.12, 0.2]}]}");
}

/* A fiber and a ball on a box, a fiber on a plane, a brick on the box: contacts of curves, solids and features. */
static cst_world *space_world(void)
{
    return scene_world(
        "{\"capstan\": 1, \"dim\": 3, \"duration\": 1, \"time_step\": {\"dt\": 1e-3}, \"friction\": 0.4, \"fibers\": ["
        "{\"name\": \"over\", \"model\": \"discrete-rod\", \"elements\": 6, \"length\": 0.3, \"radius\": 0.01, \"density\": "
        "1000, \"young\": 1e6,"
        " \"position\": [-0.15, 0, 0.1101]},"
        "{\"name\": \"under\", \"model\": \"discrete-rod\", \"elements\": 6, \"length\": 0.3, \"radius\": 0.01, \"density\": "
        "1000, \"young\": 1e6,"
        " \"position\": [-0.15, 0.5, 0.0101]}], \"rigid_bodies\": ["
        "{\"name\": \"brick\", \"shape\": \"box\", \"edges\": [0.1, 0.1, 0.1], \"mass\": 1, \"position\": [0, 0.15, 0.1501]}], "
        "\"obstacles\": ["
        "{\"name\": \"ground\", \"shape\": \"plane\", \"normal\": [0, 0, 1]},"
        "{\"name\": \"table\", \"shape\": \"box\", \"edges\": [0.5, 0.5, 0.2]}]}");
}

static void put_word(unsigned char *bytes, size_t size, size_t word, int64_t value)
{
    memcpy(bytes + 8 * word, &value, sizeof value);
    const uint64_t sum = cst_checksum(0, bytes, size - 8);
    memcpy(bytes + size - 8, &sum, sizeof sum);
}

/* Contacts stand at the end, before the checksum: words of one, and those of them that are indices or choices. */
enum { CONTACT_WORDS = 76, A_OWNER = 1, A_KIND, A_FEATURE, B_OWNER = 16, B_KIND, B_FEATURE, SHAPE_A = 31, SHAPE_B, CASE = 75 };

/* Whatever number stands in a contact, with the checksum put right: it is refused, or steps go on without reading what is not there
 * (which a sanitizer would tell). */
static void spoil_contacts(cst_world *world)
{
    static const int index[] = {A_OWNER, A_KIND, A_FEATURE, B_OWNER, B_KIND, B_FEATURE, SHAPE_A, SHAPE_B, CASE};
    static const int64_t other[] = {-1, 1, 7, 1 << 20, INT32_MAX, 0x7ff8000000000000};
    char message[256];
    size_t size;
    unsigned char *bytes = world_bytes(world, &size);
    const cst_contact_view *view;
    const int contacts = cst_world_contacts(world, &view);
    const size_t first = size / 8 - 1 - (size_t)contacts * CONTACT_WORDS;
    assert_true(contacts > 2);
    for (int i = 0; i<contacts; i += contacts> 4 ? contacts / 4 : 1) {
        const size_t at = first + (size_t)i * CONTACT_WORDS;
        for (size_t k = 0; k < CONTACT_WORDS; k++) {
            int64_t kept;
            memcpy(&kept, bytes + 8 * (at + k), sizeof kept);
            for (size_t v = 0; v < sizeof other / sizeof *other; v++) {
                bool is_index = false;
                for (size_t n = 0; n < sizeof index / sizeof *index; n++)
                    is_index = is_index || index[n] == (int)k;
                put_word(bytes, size, at + k, other[v]);
                const bool loaded = cst_world_load(world, bytes, size, message, sizeof message);
                /* a face of a convex solid is known by its place, not by its number */
                const bool by_place = k == A_FEATURE || k == B_FEATURE;
                if (loaded && is_index && (other[v] == -1 || (other[v] == INT32_MAX && !by_place)))
                    fail_msg("contact %d, word %zu: %lld was taken", i, k, (long long)other[v]);
                cst_step_report report;
                if (loaded)
                    cst_world_step(world, &report);
            }
            put_word(bytes, size, at + k, kept);
        }
    }
    assert_true(cst_world_load(world, bytes, size, message, sizeof message));
    free(bytes);
    cst_world_free(world);
}

static void contacts_are_looked_at(void **state)
{
    (void)state;
    cst_world *plane = busy_world(1e-3), *space = space_world(), *sheet = sheet_world();
    run(plane, 200);
    spoil_contacts(plane);
    run(space, 5);
    spoil_contacts(space);
    run(sheet, 5);
    spoil_contacts(sheet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(continues_with_the_same_bits), cmocka_unit_test(bad_ones_are_refused),
                                       cmocka_unit_test(tells_its_size), cmocka_unit_test(contacts_are_looked_at)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
