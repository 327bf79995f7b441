#include "tests/tied_fibers.h"

#include <math.h>

static const double LENGTH = 0.15, DENSITY = 1e-3, RADIUS = 1e-3;

tied_fibers tied_fibers_default(int fibers)
{
    return (tied_fibers){.fibers = fibers,
                         .ball_held = true,
                         .ball_mass = 0.1,
                         .theta = 1.0,
                         .dt = 2e-3,
                         .iterations = 1,
                         .threads = 1,
                         .tolerance = 1e-8,
                         .kind = CST_CONSTRAINT_CLAMPED};
}

static bool add_ball(cst_world *world, const tied_fibers *of, double radius, char *message, size_t size)
{
    cst_rigid_def ball = cst_rigid_def_default();
    ball.shape = CST_RIGID_SPHERE;
    ball.radius = radius;
    ball.mass = of->ball_mass;
    if (!cst_world_add_rigid(world, &ball, message, size))
        return false;
    if (!of->ball_held)
        return true;
    cst_constraint_def held = cst_constraint_def_default();
    held.kind = CST_CONSTRAINT_CLAMPED;
    held.a.body = 1;
    return cst_world_add_constraint(world, &held, message, size) != 0;
}

/* Roots on the lower half of the ball (a spiral of equal areas), fibers radial. */
static bool add_fiber(cst_world *world, const tied_fibers *of, int index, double radius, char *message, size_t size)
{
    const double z = -1.0 + 0.9 * (index + 0.5) / of->fibers, across = sqrt(1.0 - z * z), turn = 2.39996322972865332 * index;
    const double t[3] = {across * cos(turn), across * sin(turn), z}, d1[3] = {-sin(turn), cos(turn), 0.0};
    const double d2[3] = {t[1] * d1[2] - t[2] * d1[1], t[2] * d1[0] - t[0] * d1[2], t[0] * d1[1] - t[1] * d1[0]};
    cst_fiber_def fiber = cst_fiber_def_default();
    fiber.elements = 5;
    fiber.length = LENGTH;
    fiber.radius = RADIUS;
    fiber.mass_per_length = DENSITY;
    fiber.bending_stiffness[0] = fiber.bending_stiffness[1] = 2e-7;
    fiber.twisting_stiffness = 1.5e-7;
    static const double STRAIGHT[5 * 3] = {0}; /* at first: none crosses another */
    fiber.curvature = STRAIGHT;
    fiber.natural_curvature[1] = 6.0;
    fiber.natural_curvature[2] = index % 3 - 1.0;
    fiber.viscosity = 0.02;
    for (int c = 0; c < 3; c++) {
        fiber.position[c] = (radius + RADIUS) * t[c];
        fiber.frame[3 * c] = t[c];
        fiber.frame[3 * c + 1] = d1[c];
        fiber.frame[3 * c + 2] = d2[c];
    }
    fiber.clamped = of->how == FIBERS_HELD;
    const cst_body_id id = cst_world_add_fiber(world, &fiber, message, size);
    if (id == 0 || of->how == FIBERS_FREE)
        return id != 0;
    if (of->how == FIBERS_HELD) {
        const cst_party ball = {.body = 1}, own = {.body = id};
        return cst_world_set_apart(world, ball, own, message, size);
    }
    cst_constraint_def tie = cst_constraint_def_default();
    tie.kind = of->kind;
    tie.a.body = id;
    tie.b.body = 1;
    tie.direction[2] = 1.0;
    return cst_world_add_constraint(world, &tie, message, size) != 0;
}

cst_world *tied_fibers_build(const tied_fibers *of, char *message, size_t message_size)
{
    cst_world_def def = cst_world_def_default(3);
    const double radius = 0.03 * sqrt(fmax(of->fibers, 20) / 225.0);
    def.time_step.dt = of->dt;
    def.time_step.theta = of->theta;
    def.time_step.iterations = of->iterations;
    def.friction.tolerance = of->tolerance;
    def.friction.threads = of->threads;
    def.friction.allocator = of->allocator;
    cst_world *world = cst_world_new(&def, message, message_size);
    bool good = world && add_ball(world, of, radius, message, message_size);
    for (int k = 0; k < of->fibers && good; k++)
        good = add_fiber(world, of, k, radius, message, message_size);
    if (good && of->floor) {
        cst_obstacle_def plane = cst_obstacle_def_default();
        plane.shape = CST_OBSTACLE_PLANE;
        plane.normal[0] = plane.normal[1] = 0.0;
        plane.normal[2] = 1.0;
        plane.position[2] = -radius - 0.04;
        good = cst_world_add_obstacle(world, &plane, message, message_size) != 0;
    }
    if (good)
        return world;
    cst_world_free(world);
    return NULL;
}
