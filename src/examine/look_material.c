/* Checks materials and forces: values that no material has, and confused units. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "examine/subject.h"
#include "math/vector3.h"
#include "scene/define.h"
#include "scene/values.h"

/* a density (kg/m3) outside these limits gives a warning (aerogel has 1, osmium 22600) */
static const double LIGHTEST = 1e-2, HEAVIEST = 1e5;
/* a Young's modulus (Pa) outside these limits gives a warning (jelly has 1e3 to 1e4, diamond 1.2e12) */
static const double SOFTEST = 1e3, HARDEST = 2e12;
static const double STRONG_GRAVITY = 50.0; /* m/s2: Jupiter has 25 */
/* largest ratio between the masses of two bodies that gives no warning; some scenes use rods of 1e-9 kg/m as massless rods */
static const double MASSES_APART = 1e9;
/* Largest dimensionless load F L^2 / EI of a held rod (force F, length L, bending stiffness EI) that gives no warning. A rod is
 * already strongly bent at a dimensionless load near 10, so a load above 1e5 most likely comes from a wrong unit. */
static const double RIGHT_AT_ONCE = 1e5;

static void look_at_density(cst_subject *subject, const cst_kind *kind)
{
    if (!(kind->density > 0.0) || (kind->density >= LIGHTEST && kind->density <= HEAVIEST))
        return;
    const bool light = kind->density < LIGHTEST;
    cst_find(&subject->findings, "density", kind->node, "density",
             "%.3g kg/m3 is %s than any material (water has 1000)\nwrite it in kg/m3: 1 g/cm3 is 1000", kind->density,
             light ? "lighter" : "heavier");
}

static void look_at_stiffness(cst_subject *subject, const cst_kind *kind)
{
    if (kind->young > 0.0 && kind->young < SOFTEST)
        cst_find(&subject->findings, "young-soft", kind->node, "young",
                 "%.3g Pa is softer than jelly: is it in %s?\nwrite it in Pa: steel has 2e11, rubber 1e6 to 1e7", kind->young,
                 kind->young < 400.0 ? "GPa" : "MPa");
    else if (kind->young > HARDEST)
        cst_find(&subject->findings, "young-hard", kind->node, "young",
                 "%.3g Pa is stiffer than diamond (1.2e12 Pa)\nwrite it in Pa: steel has 2e11, rubber 1e6 to 1e7", kind->young);
    else if (kind->sag < 0.5 * kind->longest && kind->sag < 0.2 * kind->length)
        cst_find(&subject->findings, "limp", kind->node,
                 cst_json_find(kind->node, "young")               ? "young"
                 : cst_json_find(kind->node, "bending_stiffness") ? "bending_stiffness"
                                                                  : NULL,
                 "it bends under its own weight within %.3g m, and its elements are %.3g m long: they cannot follow (m g L^3 / "
                 "EI = %.2g)\nuse at least %.0f elements, or check the units of stiffness and mass",
                 kind->sag, kind->longest, pow(kind->length / kind->sag, 3.0), ceil(2.0 * kind->length / kind->sag));
}

static void look_at_damping(cst_subject *subject, const cst_kind *kind)
{
    const char *key = cst_json_find(kind->node, "viscosity") ? "viscosity" : "damping_time";
    const double duration = subject->run->duration;
    if (kind->slender && kind->damping_time > duration)
        cst_find(&subject->findings, "damping", kind->node, key,
                 "it takes %.3g s to give way to a load, and the run lasts %.3g s: it hardly bends\nuse a damping time "
                 "(viscosity / EI) well below the times of interest, such as %.1g s",
                 kind->damping_time, duration, fmin(0.01 * duration, 0.01));
    const double weight = kind->mass * subject->gravity;
    if (kind->drag > 0.0 && weight > 0.0 && !kind->held && kind->radius > 0.0 && weight / kind->drag * duration < kind->radius)
        cst_find(&subject->findings, "drag", kind->node, "drag",
                 "its weight moves it by %.3g m/s against this drag: by %.2g of its radius in the whole run\nuse less drag: air "
                 "on a thin rod has some 1e-4 to 1e-2 kg/(m s)",
                 weight / kind->drag, weight / kind->drag * duration / kind->radius);
}

static void look_at_masses(cst_subject *subject)
{
    const cst_kind *light = NULL, *heavy = NULL;
    for (int i = 0; i < subject->kinds; i++) {
        const cst_kind *kind = subject->kind + i;
        light = !light || kind->mass < light->mass ? kind : light;
        heavy = !heavy || kind->mass > heavy->mass ? kind : heavy;
    }
    char name[2][96];
    if (light && light->mass > 0.0 && heavy->mass > MASSES_APART * light->mass)
        cst_find(&subject->findings, "masses-apart", light->node, NULL,
                 "%s weighs %.3g kg, %s %.3g kg: %.2g times as much\ncheck the units of mass, density and mass_per_length of "
                 "both",
                 cst_subject_kind_name(subject, light, name[0]), light->mass, cst_subject_kind_name(subject, heavy, name[1]),
                 heavy->mass, heavy->mass / light->mass);
}

static bool is_any_held(const cst_subject *subject)
{
    for (int i = 0; i < subject->kinds; i++)
        if (subject->kind[i].held)
            return true;
    return false;
}

static void look_at_gravity(cst_subject *subject)
{
    const double g = subject->gravity;
    if (g > STRONG_GRAVITY)
        cst_find(&subject->findings, "gravity", subject->root, "gravity",
                 "%.4g m/s2 is %.3g times the earth's%s\nwrite it in m/s2: the earth's is 9.81", g, g / 9.81,
                 g > 900.0 && g < 1100.0     ? ": is it in cm/s2?"
                 : g > 9000.0 && g < 11000.0 ? ": is it in mm/s2?"
                                             : "");
    /* Warns if all obstacles are planes and gravity points towards none of them, so that no body falls onto a plane. */
    const cst_json *list = cst_given(subject->root, "obstacles"), *plane = NULL;
    for (const cst_json *node = list ? list->first : NULL; node && g > 0.0; node = node->next) {
        const char *shape = cst_get_text(node, "shape");
        if (strcmp(shape, "plane") != 0 && strcmp(shape, "half_plane") != 0)
            return; /* another shape may catch them */
        double normal[3] = {0.0, 0.0, 0.0};
        cst_get_vector(node, "normal", normal);
        if (cst_given(node, "angle")) {
            const double angle = cst_get_real(node, "angle");
            normal[0] = -sin(angle);
            normal[1] = cos(angle);
        }
        cst_normalise3(normal);
        const double up = cst_dot3(normal, subject->def->gravity) / g;
        if (up < -1e-3)
            return;
        /* a plane parallel to gravity (a wall) gives no warning if a body is clamped or constrained, because such a body may
         * hang beside a wall */
        plane = up < 1e-3 && is_any_held(subject) ? plane : node;
    }
    if (plane && subject->kinds > 0)
        cst_find(&subject->findings, "gravity-away", subject->root, "gravity",
                 "no plane is below anything: gravity points along or away from \"%s\", bodies do not fall onto it\nturn gravity "
                 "round (in space z is up: [0, 0, -9.81]), or the normal of the plane",
                 cst_get_text(plane, "name"));
}

static void look_at_load(cst_subject *subject, const cst_json *node)
{
    const cst_load_def load = cst_define_load(node, subject->arena);
    const cst_place place = cst_scene_place(subject->scene, node);
    double force = sqrt(cst_dot3(load.force, load.force)), largest = load.times > 0 ? 0.0 : 1.0;
    for (int i = 0; i < load.times; i++)
        largest = fmax(largest, fabs(load.factor[i]));
    force *= largest;
    for (int i = 0; i < subject->kinds; i++) {
        const cst_kind *kind = subject->kind + i;
        const int body = (int)place.body - 1;
        if (!kind->slender || body < kind->first || body >= kind->first + kind->count)
            continue;
        const double bend = force * kind->length * kind->length / kind->stiffness;
        if (bend > RIGHT_AT_ONCE && kind->held)
            cst_find(&subject->findings, "load", node, "force",
                     "a force of %.3g N on \"%s\" is %.2g times EI / L^2 = %.2g N, which bends it through\ncheck the units: "
                     "forces in N, stiffness EI in N m2",
                     force, subject->scene->names.body[body].name, bend, kind->stiffness / (kind->length * kind->length));
    }
}

void cst_look_at_material(cst_subject *subject)
{
    for (int i = 0; i < subject->kinds; i++) {
        const cst_kind *kind = subject->kind + i;
        look_at_density(subject, kind);
        if (kind->slender)
            look_at_stiffness(subject, kind);
        look_at_damping(subject, kind);
    }
    look_at_masses(subject);
    look_at_gravity(subject);
    const cst_json *loads = cst_given(subject->root, "loads");
    for (const cst_json *node = loads ? loads->first : NULL; node; node = node->next)
        look_at_load(subject, node);
}
