#include "speed/scale_worlds.h"

#include <math.h>
#include <string.h>

#include "generate/scalp.h"

static const double PI = 3.14159265358979323846;
static const double SCALP = 0.1, LENGTH = 0.3; /* m */
enum { ELEMENTS = 5, MESSAGE = 512 };

/* Of a wisp: 8 g/m and EI = 5e-6 N m2, as in scenes/fibers/wavy_hair.json. */
static cst_fiber_def wisp(double length, int elements, double radius)
{
    cst_fiber_def fiber = cst_fiber_def_default();
    fiber.elements = elements;
    fiber.length = length;
    fiber.radius = radius;
    fiber.mass_per_length = 8e-3;
    fiber.bending_stiffness[0] = fiber.bending_stiffness[1] = 5e-6;
    fiber.twisting_stiffness = 3.3e-6;
    fiber.viscosity = 0.05;
    fiber.drag = 0.04;
    return fiber;
}

static bool add_fiber(const cst_scale *about, cst_scale_world *to, const cst_fiber_def *fiber)
{
    char message[MESSAGE] = "";
    return cst_world_add_fiber(to->world, fiber, message, sizeof message) || cst_validation_fault(&about->base, "%s", message);
}

static bool add_obstacle(const cst_scale *about, cst_scale_world *to, const cst_obstacle_def *obstacle)
{
    char message[MESSAGE] = "";
    return cst_world_add_obstacle(to->world, obstacle, message, sizeof message) ||
           cst_validation_fault(&about->base, "%s", message);
}

cst_world_def cst_scale_def(void)
{
    cst_world_def def = cst_world_def_default(3);
    def.time_step.dt = 1e-3;
    def.friction.tolerance = 1e-6;
    return def;
}

bool cst_scale_add_hair(const cst_scale *about, cst_scale_world *to, int hairs, int dense)
{
    cst_fiber_def fiber = wisp(LENGTH, ELEMENTS, 1e-3 * sqrt(1920.0 / dense));
    fiber.natural_curvature[0] = 60.0; /* a wave of 1e-2 m every 0.1 m */
    fiber.natural_curvature[1] = 12.0;
    fiber.clamped = true;
    bool good = true;
    for (int i = 0; good && i < hairs; i++) {
        const cst_hair_root root = cst_hair_root_of(i, hairs, SCALP);
        memcpy(fiber.position, root.position, sizeof root.position);
        memcpy(fiber.frame, root.frame, sizeof root.frame);
        good = add_fiber(about, to, &fiber);
    }
    return good;
}

/* Layer 0 is below, turned by +20 degrees; layer 1 above, by -20. */
static double layer_angle(int layer)
{
    return (layer == 0 ? 20.0 : -20.0) * PI / 180.0;
}

/* One fiber of the mat, centre (x, y). A clamped one turns about the middle of the mat. */
static bool add_mat_fiber(const cst_scale *about, cst_scale_world *to, cst_fiber_def *fiber, int layer, double x, double y)
{
    const double closing = fiber->clamped ? 0.0 : 0.02; /* m/s */
    const double c = cos(layer_angle(layer)), s = sin(layer_angle(layer)), frame[9] = {c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0};
    memcpy(fiber->frame, frame, sizeof frame);
    fiber->position[0] = x - 0.5 * LENGTH * c;
    fiber->position[1] = y - 0.5 * LENGTH * s;
    fiber->position[2] = layer == 0 ? 0.0 : 2.0 * fiber->radius;
    fiber->velocity[2] = layer == 0 ? 0.5 * closing : -0.5 * closing;
    for (int k = 0; k < 2; k++)
        fiber->root_motion.about[k] = -fiber->position[k];
    return add_fiber(about, to, fiber);
}

bool cst_scale_add_mat(const cst_scale *about, cst_scale_world *to, cst_scale_mat *mat)
{
    enum { LAYERS = 2 };
    const double across = 0.02, along = LENGTH + 0.01, golden = 0.6180339887498949;
    const double half = 0.5 * sqrt(mat->fibers / (double)LAYERS * across * along);
    const int lines = (int)(2.0 * half / across) + 1, files = (int)(2.0 * half / along) + 2;
    cst_fiber_def fiber = wisp(LENGTH, ELEMENTS, 5e-4);
    const double turns_for = 10.0; /* s */
    const cst_key key[2] = {{.time = 0.0}, {.time = turns_for, .rotation = {0.0, 0.0, mat->turning * turns_for}}};
    fiber.clamped = !mat->loose;
    fiber.root_motion = (cst_motion){.key = key, .keys = mat->turning != 0.0 ? 2 : 0};
    bool good = true;
    int made = 0;
    for (int layer = 0; layer < LAYERS; layer++) {
        const double c = cos(layer_angle(layer)), s = sin(layer_angle(layer));
        for (int j = -lines; good && j <= lines; j++)
            for (int i = -files; good && i <= files; i++) {
                /* fibers of neighbouring lines end at different places, so that no gap goes through the mat */
                const double u = (i + fmod(golden * (j + lines), 1.0)) * along, w = j * across;
                const double x = c * u - s * w, y = s * u + c * w;
                if (fabs(x) > half || fabs(y) > half)
                    continue;
                good = add_mat_fiber(about, to, &fiber, layer, x, y);
                made++;
            }
    }
    mat->fibers = made;
    mat->side = 2.0 * half;
    mat->mass = made * LENGTH * fiber.mass_per_length;
    return good;
}

bool cst_scale_add_comb(const cst_scale *about, cst_scale_world *to, int fibers)
{
    const int rows = (int)ceil(sqrt((double)fibers));
    const double spacing = 0.02, down[9] = {0.0, 1.0, 0.0, 0.0, 0.0, -1.0, -1.0, 0.0, 0.0};
    cst_fiber_def fiber = wisp(LENGTH, ELEMENTS, 5e-4);
    const double straight[3 * ELEMENTS] = {0.0};
    fiber.natural_curvature[1] = 2.0;
    fiber.curvature = straight;
    memcpy(fiber.frame, down, sizeof down);
    bool good = true;
    for (int i = 0; good && i < fibers; i++) {
        fiber.position[0] = spacing * (i % rows - 0.5 * (rows - 1));
        fiber.position[1] = spacing * (i / rows - 0.5 * (rows - 1));
        good = add_fiber(about, to, &fiber);
    }
    return good;
}

bool cst_scale_add_bundle(const cst_scale *about, cst_scale_world *to, int rows, double spacing, double speed)
{
    enum { PIECES = 10 };
    /* Rounding bends those that fly. At rest exactly straight ones would be an easier problem: nearest points need no search. */
    double bent[3 * PIECES];
    for (int i = 0; i < 3 * PIECES; i++)
        bent[i] = i % 3 == 0 ? 0.0 : 1e-13;
    cst_fiber_def fiber = wisp(0.5, PIECES, 1e-3);
    fiber.curvature = bent;
    fiber.drag = 0.0; /* it would brake those that fly */
    fiber.velocity[1] = fiber.velocity[2] = speed / sqrt(2.0);
    bool good = true;
    for (int i = 0; good && i < rows * rows; i++) {
        fiber.position[1] = spacing * (i % rows);
        fiber.position[2] = spacing * (i / rows);
        good = add_fiber(about, to, &fiber);
    }
    return good;
}

bool cst_scale_add_nodal(const cst_scale *about, cst_scale_world *to, int elements, double x)
{
    const double below = -1.0; /* m */
    cst_fiber_def fiber = wisp(0.6, elements, 1e-3);
    fiber.model = CST_FIBER_CORDE;
    fiber.position[0] = x;
    fiber.position[2] = below + fiber.radius;
    fiber.velocity[0] = 0.05;
    cst_obstacle_def floor = cst_obstacle_def_default();
    floor.shape = CST_OBSTACLE_PLANE;
    floor.position[2] = below;
    floor.normal[1] = 0.0;
    floor.normal[2] = 1.0;
    return add_obstacle(about, to, &floor) && add_fiber(about, to, &fiber);
}

bool cst_scale_add_holder(const cst_scale *about, cst_scale_world *to, double half_side, double mass, bool tied)
{
    char message[MESSAGE] = "";
    cst_rigid_def box = cst_rigid_def_default();
    box.shape = CST_RIGID_BOX;
    box.size[0] = box.size[1] = half_side;
    box.size[2] = 0.01;
    box.mass = mass;
    box.position[2] = 0.02;
    box.collides = false;
    const int fibers = cst_world_bodies(to->world);
    const cst_body_id holder = cst_world_add_rigid(to->world, &box, message, sizeof message);
    bool good = holder != 0;
    cst_constraint_def tie = cst_constraint_def_default();
    tie.kind = CST_CONSTRAINT_CLAMPED;
    tie.b.body = holder;
    for (int i = 1; good && tied && i <= fibers; i++) {
        tie.a.body = (cst_body_id)i;
        good = cst_world_add_constraint(to->world, &tie, message, sizeof message) != 0;
    }
    return good || cst_validation_fault(&about->base, "%s", message);
}
