/* A brick of 1 kg falls on a plane at 1 m/s while it slides at 2 m/s: where does friction leave it?
 *
 *     cc brick.c $(pkg-config --cflags --libs capstan) -o brick && ./brick */
#include <capstan/friction.h>
#include <stdio.h>

int main(void)
{
    /* one body with three dofs (its velocity), one contact whose normal is +z: rows of H are normal, tangent, tangent */
    const double mass[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, momentum[3] = {2, 0, -1};
    const double h[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0}, offset[3] = {0}, mu[1] = {0.3};
    const int32_t dof[3] = {0, 1, 2};
    const cst_body brick = {.kind = CST_BODY_DENSE, .size = 3, .matrix = mass, .rhs = momentum};
    const cst_contact_side on_brick = {.body = 0, .dofs = 3, .dof = dof, .h = h}, plane = {.body = -1};
    const cst_body_problem problem = {.dim = 3, .bodies = 1, .body = &brick, .contacts = 1, .side_a = &on_brick,
                                      .side_b = &plane, .velocity_offset = offset, .mu = mu};

    cst_friction_options options = cst_friction_options_default();
    cst_friction_report report;
    double r[3] = {0}, u[3], v[3];
    options.tolerance = 1e-10;
    if (cst_friction_solve_bodies(&problem, &options, r, u, v, &report) != CST_SOLVED) {
        fprintf(stderr, "%s %s\n", cst_status_name(report.status), report.message);
        return 1;
    }
    printf("impulse  normal %.3f  tangential %.3f %.3f\n", r[0], r[1], r[2]);
    printf("velocity %.3f %.3f %.3f   E = %.1e\n", v[0], v[1], v[2], report.residual.error);
    return 0;
}
