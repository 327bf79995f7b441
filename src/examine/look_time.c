/* Compares the time step with the duration, the speeds, the frames and the oscillations of the bodies. */
#include <math.h>
#include <stdio.h>

#include "examine/subject.h"
#include "math/vector3.h"
#include "scene/define.h"
#include "scene/define_space.h"
#include "scene/values.h"

/* largest number of steps of a run that gives no warning; small scenes run at 1e3 to 1e4 steps per second */
static const double MANY_STEPS = 1e7;
static const double STEPS_A_SECOND = 3e3;
static const double FAST = 100.0; /* m/s */
static const double LAGS = 0.02;  /* largest lag/duration without warning */
static const double pi = 3.14159265358979323846;

/* Finds where dt is given in the scene: as "time_step": 1e-3, or as time_step.dt. */
static void find_at_dt(cst_subject *subject, const cst_json **node, const char **key)
{
    const cst_json *step = cst_given(subject->root, "time_step");
    const bool object = step && step->kind == CST_JSON_OBJECT;
    *node = object ? step : subject->root;
    *key = object ? "dt" : "time_step";
}

static void look_at_run(cst_subject *subject)
{
    const cst_scene_run *run = subject->run;
    const double dt = subject->def->time_step.dt;
    const cst_json *node, *output = cst_given(subject->root, "output");
    const char *key;
    find_at_dt(subject, &node, &key);
    if (dt > run->duration * (1.0 + 1e-9))
        cst_find(&subject->findings, "dt-longer-than-run", node, key,
                 "one step of %.3g s is longer than the whole run of %.3g s\nuse steps of %.1g s, or a longer duration", dt,
                 run->duration, run->duration / 100.0);
    else if (run->frame_interval > run->duration * (1.0 + 1e-9))
        cst_find(
            &subject->findings, "no-frames", output ? output : subject->root, output ? "frame_interval" : "duration",
            "a frame every %.3g s of a run of %.3g s: only its start and its end are saved\nset output.frame_interval to %.3g s",
            run->frame_interval, run->duration, dt * fmax(1.0, floor(run->duration / (20.0 * dt))));
    if ((double)run->total_steps > MANY_STEPS)
        cst_find(&subject->findings, "many-steps", node, key,
                 "%.3g s in steps of %.3g s are %.3g steps: %.2g days even at %.0f steps a second\nuse larger steps (1e-3 s is "
                 "the default) or a shorter run; adaptive halves dt only where it has to be",
                 run->duration, dt, (double)run->total_steps, (double)run->total_steps / STEPS_A_SECOND / 86400.0,
                 STEPS_A_SECOND);
}

/* ------------------------------------------------------------------------------------------------------------------ speeds */

static void look_at_speed(cst_subject *subject, const cst_json *node, const char *key, double speed, double advance,
                          double radius, const char *what)
{
    const cst_time_step *step = &subject->def->time_step;
    /* A quasi-static step with several linearisations satisfies the contact conditions at its end, however far the bodies move in
     * the step. */
    const bool checked = step->adaptive || (step->quasi_static && step->iterations > 1);
    if (speed > FAST)
        cst_find(&subject->findings, "fast", node, key,
                 "%s moves at up to %.3g m/s\nwrite positions in m, times in s and angles in rad (or \"30deg\")", what, speed);
    else if (!checked && radius < HUGE_VAL && radius > 0.0 && advance * step->dt > radius)
        cst_find(&subject->findings, "fast-for-dt", node, key,
                 "%s moves at up to %.3g m/s: by %.3g m in a step of %.3g s, %.2g times the radius of what it may meet\nset "
                 "time_step.adaptive to true, or dt to %.1g s",
                 what, advance, advance * step->dt, step->dt, advance * step->dt / radius, 0.5 * radius / advance);
}

/* Returns true if the world has more than one body or obstacle in all. A scene with a single body and no obstacles gets neither
 * of the warnings `fast-for-dt` and `dt-falls`. */
static bool meets_something(const cst_subject *subject)
{
    return cst_world_obstacles(subject->world) + cst_world_bodies(subject->world) > 1;
}

/* Returns the largest acceptable motion per step (m) of bodies of this kind: the contact radius, or CST_SHEET_STEP thicknesses
 * for a sheet. Returns 0 for bodies with sharp edges, which have no contact radius. */
static double room_of(const cst_kind *kind)
{
    return kind->rigid || kind->slender ? kind->thinnest : 2.0 * CST_SHEET_STEP * kind->thinnest;
}

static double least_room(const cst_subject *subject)
{
    double least = HUGE_VAL;
    for (int i = 0; i < subject->kinds; i++)
        if (room_of(subject->kind + i) > 0.0)
            least = fmin(least, room_of(subject->kind + i));
    return least;
}

static void look_at_bodies(cst_subject *subject)
{
    const cst_time_step *step = &subject->def->time_step;
    char name[96];
    int when;
    for (int i = 0; i < subject->kinds; i++) {
        const cst_kind *kind = subject->kind + i;
        cst_subject_kind_name(subject, kind, name);
        const double radius = meets_something(subject) ? (room_of(kind) > 0.0 ? room_of(kind) : least_room(subject)) : HUGE_VAL;
        if (!step->quasi_static)
            look_at_speed(subject, kind->node, cst_json_find(kind->node, "velocity") ? "velocity" : "angular_velocity",
                          kind->speed, kind->advance, radius, name);
        /* The clamped start of a rod may rotate about another point; it then moves on a circle around this point. */
        const double arm = sqrt(cst_dot3(kind->motion.about, kind->motion.about)) + kind->length;
        const double fastest = cst_motion_fastest(&kind->motion, arm, &when);
        look_at_speed(subject, kind->node, "motion", fastest, fastest, radius, "its clamped start");
    }
}

static void look_at_motions(cst_subject *subject)
{
    const bool space = subject->def->dim == 3;
    const double origin[3] = {0.0, 0.0, 0.0};
    int when;
    const cst_json *list = cst_given(subject->root, "obstacles");
    for (const cst_json *node = list ? list->first : NULL; node; node = node->next) {
        const cst_obstacle_def def = (space ? cst_define_space_obstacle : cst_define_obstacle)(node, subject->arena);
        const double size = subject->obstacle_size[node->index] > 0.0 ? subject->obstacle_size[node->index] : subject->longest;
        const double arm = 0.5 * size + sqrt(cst_dot3(def.motion.about, def.motion.about));
        const double fastest = cst_motion_fastest(&def.motion, arm, &when);
        look_at_speed(subject, node, "motion", fastest, fastest, least_room(subject), "the obstacle");
    }
    list = cst_given(subject->root, "constraints");
    for (const cst_json *node = list ? list->first : NULL; node; node = node->next) {
        const cst_json *given = cst_given(node, "motion");
        const cst_motion motion =
            space ? cst_define_space_motion(given, origin, subject->arena) : cst_define_motion(given, subject->arena);
        const double fastest = cst_motion_fastest(&motion, 0.0, &when);
        look_at_speed(subject, node, "motion", fastest, fastest, meets_something(subject) ? least_room(subject) : HUGE_VAL,
                      "the place it is held to");
    }
}

/* Warns if a free body that falls from rest would move by more than the smallest contact radius in its first step. */
static void look_at_fall(cst_subject *subject)
{
    const cst_time_step *step = &subject->def->time_step;
    const double way = subject->gravity * step->dt * step->dt;
    bool free = false;
    for (int i = 0; i < subject->kinds; i++)
        free = free || !subject->kind[i].held;
    const cst_json *node;
    const char *key;
    find_at_dt(subject, &node, &key);
    if (free && !step->quasi_static && !step->adaptive && meets_something(subject) && step->dt <= subject->run->duration &&
        way > subject->thinnest)
        cst_find(&subject->findings, "dt-falls", node, key,
                 "in its first step of %.3g s a free body falls by %.3g m, %.2g times the radius of the thinnest\nset "
                 "time_step.adaptive to true, or dt to %.1g s",
                 step->dt, way, way / subject->thinnest, 0.3 * sqrt(subject->thinnest / subject->gravity));
}

/* ------------------------------------------------------------------------------------------------------------- oscillations */

static void look_at_modes(cst_subject *subject, const cst_kind *kind)
{
    const cst_time_step *step = &subject->def->time_step;
    const cst_json *node;
    const char *key;
    char name[96];
    find_at_dt(subject, &node, &key);
    /* In a bending mode with the angular frequency omega, one implicit step of length dt from rest covers the fraction (dt
     * omega)^2 / (1 + (dt omega)^2) of the distance to equilibrium. With the time step dt and the setting `relaxation`, a
     * quasi-static body whose slowest bending mode has the angular frequency omega lags behind a growing load by the time 1 / (dt
     * omega^2). */
    const double behind = 1.0 / (step->dt * kind->rate * kind->rate);
    const double allowed = LAGS * subject->run->duration;
    if (step->quasi_static && step->relaxation && kind->held && behind > allowed)
        cst_find(&subject->findings, "quasi-static-lags", node, key,
                 "relaxing steps of %.3g s are short beside the slowest oscillation of %s (%.3g s): it is some %.2g s behind "
                 "its loads, and the run lasts %.3g s\ndivide the mass by %.1g (it plays no part in equilibria without weight), "
                 "or multiply dt by as much, or leave relaxation out",
                 step->dt, cst_subject_kind_name(subject, kind, name), 2.0 * pi / kind->rate, behind, subject->run->duration,
                 2.0 * behind / allowed);
    if (!step->quasi_static && step->theta < 1.0 && step->dt * kind->rate > pi)
        cst_find(&subject->findings, "dt-misses-modes", node, key,
                 "the slowest oscillation of %s takes %.3g s, less than two steps of %.3g s: with theta = %.2g nothing damps "
                 "what is not resolved\nuse theta = 1, or dt = %.1g s; check stiffness (Pa, N m2) and mass if that is absurd",
                 cst_subject_kind_name(subject, kind, name), 2.0 * pi / kind->rate, step->dt, step->theta, 0.3 / kind->rate);
}

void cst_look_at_time(cst_subject *subject)
{
    look_at_run(subject);
    look_at_bodies(subject);
    look_at_motions(subject);
    look_at_fall(subject);
    for (int i = 0; i < subject->kinds; i++)
        if (subject->kind[i].slender)
            look_at_modes(subject, subject->kind + i);
}
