/* Energies and works. An impulse p at a point works  p . v_theta,  v_theta = theta v+ + (1 - theta) v  the velocity of the point: so
 *
 *     kinetic+ - kinetic = works - (theta - 1/2) |v+ - v|_M^2
 *
 * exactly, for a constant M. What is left over (unexplained) is what the linearisation of the geometry leaves. Contacts work on
 * the bodies with the bodies' own velocity: a moving obstacle gives energy, a resting one only takes it. */
#include "world/energy.h"

void cst_budget_add(const cst_attempt *attempt)
{
    cst_world *world = attempt->world;
    cst_energies *work = &world->budget.work;
    double *v_theta = attempt->force; /* scratch by now */
    work->normal += attempt->work.normal;
    work->friction += attempt->work.friction;
    for (int k = 0; k < world->loads; k++) {
        const cst_load *load = world->load + k;
        cst_attempt_theta_velocity(attempt, load->body, v_theta);
        work->loads += cst_load_work(load, &attempt->frame, v_theta);
    }
    for (int k = 0; k < world->constraints; k++)
        work->constraints += world->constraint[k].work;
}

void cst_budget_add_bodies(cst_world *world)
{
    cst_energies *work = &world->budget.work;
    for (int k = 0; k < world->bodies; k++) {
        cst_body_work own;
        world->model[k].class->work(world->model[k].self, &own);
        work->loads += own.loads;
        work->constraints += own.constraint;
        work->viscosity += own.viscosity;
        work->drag += own.drag;
        work->scheme += own.scheme;
        work->forgotten += own.forgotten;
    }
}

void cst_world_energies(const cst_world *world, cst_energies *out)
{
    *out = world->budget.work;
    out->kinetic = out->elastic = out->gravity = 0.0;
    for (int k = 0; k < world->bodies; k++) {
        cst_body_energy energy;
        world->model[k].class->energy(world->model[k].self, world->def.gravity, &energy);
        out->kinetic += energy.kinetic;
        out->elastic += energy.elastic;
        out->gravity += energy.gravity;
    }
    const double works =
        out->loads + out->constraints + out->normal + out->friction + out->viscosity + out->drag + out->scheme + out->forgotten;
    out->unexplained = (out->kinetic + out->elastic + out->gravity) - world->budget.energy_at_start - works;
}
