/* A flexible rod slides down a slope on to a post: a world from the first line to the last.
 *
 *     cc slide.c $(pkg-config --cflags --libs capstan) -lm -o slide && ./slide */
#include <capstan/capstan.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    const double slope = 0.5; /* rad */
    char why[256] = "";
    cst_world_def def = cst_world_def_default(2);
    cst_world *world = cst_world_new(&def, why, sizeof why);

    cst_obstacle_def ground = cst_obstacle_def_default(); /* a half-plane through the origin */
    ground.normal[0] = sin(slope);
    ground.normal[1] = cos(slope);
    ground.surface.friction = 0.3;
    cst_obstacle_def post = cst_obstacle_def_default();
    post.shape = CST_OBSTACLE_DISK;
    post.radius = 0.1;
    post.position[0] = 3.0 * cos(slope);
    post.position[1] = -3.0 * sin(slope);

    cst_rod_def rod = cst_rod_def_default();
    rod.elements = 20;
    rod.length = 1.0;
    rod.radius = 0.01;
    rod.mass_per_length = 0.2;
    rod.bending_stiffness = 0.05;
    rod.viscosity = 1e-3;
    rod.angle = -slope;
    rod.position[0] = rod.radius * sin(slope);
    rod.position[1] = rod.radius * cos(slope);

    if (!world || !cst_world_add_obstacle(world, &ground, why, sizeof why) ||
        !cst_world_add_obstacle(world, &post, why, sizeof why) || !cst_world_add_rod(world, &rod, why, sizeof why)) {
        fprintf(stderr, "%s\n", why);
        cst_world_free(world);
        return 1;
    }

    const cst_place tip = {.body = 1, .at_end = true};
    double worst = 0.0, speed_at_one = 0.0;
    cst_step_report report = {0};
    while (cst_world_time(world) < 2.5) {
        if (cst_world_step(world, &report) > CST_TOLERANCE_MISSED) {
            fprintf(stderr, "step %lld: %s\n", (long long)report.step, report.message);
            cst_world_free(world);
            return 1;
        }
        worst = fmax(worst, report.residual.error);
        double velocity[3];
        cst_world_place(world, &tip, NULL, NULL, velocity);
        if (cst_world_whole_steps(world) == 1000)
            speed_at_one = hypot(velocity[0], velocity[1]);
    }
    double force[3];
    cst_world_obstacle_force(world, 2, force);
    printf("speed after 1 s  %.4f m/s  (%.4f by Coulomb)\n", speed_at_one, 9.81 * (sin(slope) - 0.3 * cos(slope)));
    printf("work of friction %.3f J, energy unexplained %.1e J\n", report.energy.friction, report.energy.unexplained);
    printf("law of Coulomb met to %.0e in every step; push on the post %.2f N\n", worst, hypot(force[0], force[1]));
    cst_world_free(world);
    return 0;
}
