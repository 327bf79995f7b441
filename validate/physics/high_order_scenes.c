#include "physics/high_order_scenes.h"

#include <math.h>

/* All have the same section and the same disk or ring of 10 cm. */
static const double size = 0.1, radius = 2e-3, mass_per_length = 0.1, gravity = 9.81;

enum { ROLL = 0, ROCK, DRAW };

static const double tilt = 40.0 / 180.0, spin = -5.0 /* rad/s */, draw_length = 0.5;

static double length_of(int scene)
{
    return scene == ROLL ? 2.0 * acos(-1.0) * size : scene == ROCK ? acos(-1.0) * size : draw_length;
}

cst_high_order_scene cst_high_order_scene_of(int scene)
{
    static const char *const name[] = {"roll", "rock", "draw"};
    static const char *const about[] = {"a soft ring rolls", "an open shell rocks", "a spring drawn over a post"};
    return (cst_high_order_scene){.name = name[scene],
                                  .about = about[scene],
                                  .duration = 1.0,
                                  .weight = mass_per_length * gravity * length_of(scene),
                                  .size = size,
                                  .watched = {.s = scene == ROLL ? 0.5 * length_of(scene) : 0.0, .at_end = scene != ROLL}};
}

/* On the ground, its lowest point below the centre of its circle; the ring with the velocity of rolling. */
static void put_on_ground(int scene, cst_rod_def *rod)
{
    rod->bending_stiffness = 0.01;
    rod->natural_curvature = 1.0 / size;
    if (scene == ROLL) {
        rod->closed = true;
        rod->position[1] = radius;
        rod->angular_velocity = spin;
        return;
    }
    double turned = tilt * acos(-1.0);
    rod->angle = turned - 0.5 * acos(-1.0);
    rod->position[0] = -size * cos(turned);
    rod->position[1] = radius + size - size * sin(turned);
}

/* Arches over the post; is lowered on it, then drawn sideways until only its tip is left there. */
static void hold_over_post(cst_rod_def *rod, cst_key *key)
{
    key[1] = (cst_key){.time = 0.3, .translation = {0, -0.15}};
    key[2] = (cst_key){.time = 1.0, .translation = {0.3, -0.15}};
    rod->bending_stiffness = 0.05;
    rod->natural_curvature = 4.0;
    rod->viscosity = 0.02 * rod->bending_stiffness;
    rod->position[0] = 0.1;
    rod->position[1] = 0.3;
    rod->angle = acos(-1.0);
    rod->clamped = true;
    rod->root_motion = (cst_motion){.key = key, .keys = 3, .smooth = true};
}

cst_world *cst_high_order_world(int scene, int elements, cst_rod_contour contour, double dt, char *message, size_t message_size)
{
    cst_key key[3] = {{0}};
    cst_world_def def = cst_world_def_default(2);
    def.gravity[1] = -gravity;
    def.time_step.dt = dt;
    def.friction_coefficient = scene == DRAW ? 0.3 : 0.5;
    cst_rod_def rod = cst_rod_def_default();
    rod.elements = elements;
    rod.contour = contour;
    rod.length = length_of(scene);
    rod.radius = radius;
    rod.mass_per_length = mass_per_length;
    rod.viscosity = 0.005 * 0.01; /* 5 ms */
    cst_obstacle_def obstacle = cst_obstacle_def_default();
    if (scene == DRAW) {
        hold_over_post(&rod, key);
        obstacle.shape = CST_OBSTACLE_DISK;
        obstacle.radius = size;
    } else {
        put_on_ground(scene, &rod);
        obstacle.normal[1] = 1.0;
    }
    cst_world *world = cst_world_new(&def, message, message_size);
    if (world && cst_world_add_rod(world, &rod, message, message_size) &&
        cst_world_add_obstacle(world, &obstacle, message, message_size))
        return world;
    cst_world_free(world);
    return NULL;
}
