/* Warns about runs in which less happens than was meant: no body, no force or motion, obstacles that no body can touch, recorded
 * forces that stay 0, events after the end of the run. Also warns about rods whose elements are too long to wrap around a round
 * obstacle. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "body/motion.h"
#include "examine/subject.h"
#include "math/vector3.h"
#include "scene/define.h"
#include "scene/define_space.h"
#include "scene/values.h"

/* a free fall past all obstacles gives a warning if its height exceeds FAR_FALL times the size of the largest body; a shorter
 * fall may be intended */
static const double FAR_FALL = 10.0;

static const cst_json *list_of(const cst_subject *subject, const char *key)
{
    const cst_json *list = cst_given(subject->root, key);
    return list ? list->first : NULL;
}

static bool moves(const cst_json *node)
{
    return cst_given(node, "motion") || cst_given(node, "frames");
}

/* ------------------------------------------------------------------------------------------------------------- at rest, empty */

/* Returns true if a load, the wind or a prescribed motion can move a body. */
static bool is_carried(const cst_subject *subject)
{
    bool carried = list_of(subject, "loads") != NULL;
    for (const cst_json *node = list_of(subject, "constraints"); node; node = node->next)
        carried = carried || moves(node);
    for (const cst_json *node = list_of(subject, "obstacles"); node; node = node->next)
        carried = carried || moves(node);
    for (const cst_json *sheet = list_of(subject, "sheets"); sheet; sheet = sheet->next) {
        const cst_json *handles = cst_given(sheet, "handles");
        carried = carried || cst_given(sheet, "wind");
        for (const cst_json *node = handles ? handles->first : NULL; node; node = node->next)
            carried = carried || moves(node);
    }
    for (int i = 0; i < subject->kinds; i++)
        carried = carried || subject->kind[i].motion.keys > 0 || subject->kind[i].load > 0.0;
    return carried;
}

/* Returns true if anything acts on the bodies: loads, prescribed motions, weight, elastic energy, velocity. Obstacles that do not
 * move are not counted. */
static bool something_acts(cst_subject *subject)
{
    cst_energies energy;
    cst_world_energies(subject->world, &energy);
    return subject->gravity > 0.0 || energy.kinetic > 0.0 || energy.elastic > 0.0 || is_carried(subject);
}

static void look_at_all(cst_subject *subject)
{
    if (subject->kinds == 0)
        cst_find(&subject->findings, "empty", subject->root, NULL,
                 "the scene has no body: %lld steps of nothing\nadd %s, rigid_bodies or generators",
                 (long long)subject->run->total_steps, subject->def->dim == 2 ? "rods" : "fibers");
    else if (!something_acts(subject))
        cst_find(&subject->findings, "nothing-acts", subject->root, "gravity",
                 "no gravity, no load, no motion, and every body is at rest in its natural shape: nothing will move\nadd what "
                 "shall act, or leave gravity out: it is 9.81 m/s2 then");
}

/* ------------------------------------------------------------------------------------------------------------------- reach */

/* Returns the distance between two boxes. */
static double apart(const cst_extent *a, const cst_extent *b)
{
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        const double gap = fmax(fmax(a->low[k] - b->high[k], b->low[k] - a->high[k]), 0.0);
        square += gap * gap;
    }
    return sqrt(square);
}

/* Returns the speed (m/s) that the lightest body would have if all elastic energy that the bodies have at the start became
 * kinetic energy of this body. */
static double flung_speed(const cst_subject *subject)
{
    cst_energies energy;
    double lightest = HUGE_VAL;
    cst_world_energies(subject->world, &energy);
    for (int i = 0; i < subject->kinds; i++)
        lightest = fmin(lightest, subject->kind[i].mass);
    return energy.elastic > 0.0 ? sqrt(2.0 * energy.elastic / lightest) : 0.0;
}

/* Returns an upper bound (m) of the distance that a point of a body can move away from the body's initial bounding box. */
static double reach_of(const cst_subject *subject, const cst_kind *kind)
{
    const double T = subject->run->duration, g = subject->gravity;
    const double size = fmax(kind->length, cst_extent_longest(subject->body + kind->first));
    return kind->held ? 2.0 * size : size + (kind->speed + flung_speed(subject)) * T + 0.5 * g * T * T;
}

static bool is_reached(const cst_subject *subject, int obstacle)
{
    /* Bodies can carry each other along, so the largest distance that a body can travel is used for all bodies. */
    double reach = 0.0;
    for (int i = 0; i < subject->kinds; i++)
        reach = fmax(reach, reach_of(subject, subject->kind + i));
    for (int k = 0; k < cst_world_bodies(subject->world); k++)
        if (apart(subject->body + k, subject->obstacle + obstacle) <= reach)
            return true;
    return false;
}

static void look_at_reach(cst_subject *subject)
{
    for (const cst_json *node = list_of(subject, "obstacles"); node && subject->kinds > 0; node = node->next) {
        if (moves(node) || is_reached(subject, node->index))
            continue;
        double nearest = HUGE_VAL;
        for (int k = 0; k < cst_world_bodies(subject->world); k++)
            nearest = fmin(nearest, apart(subject->body + k, subject->obstacle + node->index));
        cst_find(&subject->findings, "out-of-reach", node, NULL,
                 "no body comes within reach of it in %.3g s: the nearest begins %.3g m away\ncheck its position and units, or "
                 "run longer",
                 subject->run->duration, nearest);
        const cst_probe *probe;
        const int probes = cst_scene_probes(subject->scene, &probe);
        const cst_json *list = list_of(subject, "probes");
        for (int i = 0; i < probes && list; i++, list = list->next)
            if (probe[i].kind == CST_PROBE_OBSTACLE_FORCE && (int)probe[i].obstacle == node->index + 1)
                cst_find(&subject->findings, "idle-probe", list, "obstacle",
                         "nothing will touch the obstacle: its force stays 0\nname another obstacle, or bring this one within "
                         "reach");
    }
}

/* Returns a box that contains a body during its free fall. The box is the initial bounding box of the falling body, extended by
 * the fall under gravity and enlarged on all sides by two lengths. The first length is the body's size: its length or the longest
 * side of its bounding box, whichever is larger. The second length is its initial speed times the duration of the run. */
static cst_extent fall_of(const cst_subject *subject, const cst_kind *kind, int body)
{
    const double T = subject->run->duration;
    const double aside = fmax(kind->length, cst_extent_longest(subject->body + body)) + kind->speed * T;
    cst_extent box = subject->body[body];
    for (int k = 0; k < 3; k++) {
        const double way = 0.5 * subject->def->gravity[k] * T * T;
        box.low[k] += fmin(way, 0.0) - aside;
        box.high[k] += fmax(way, 0.0) + aside;
    }
    return box;
}

static void look_at_fall(cst_subject *subject)
{
    const double way = 0.5 * subject->gravity * subject->run->duration * subject->run->duration;
    const int obstacles = cst_world_obstacles(subject->world);
    if (obstacles == 0 || subject->kinds == 0 || flung_speed(subject) > 0.0 || subject->def->time_step.quasi_static ||
        !(way > FAR_FALL * subject->longest))
        return;
    for (int i = 0; i < subject->kinds; i++) {
        const cst_kind *kind = subject->kind + i;
        if (kind->held)
            return;
        for (int k = kind->first; k < kind->first + kind->count; k++) {
            const cst_extent box = fall_of(subject, kind, k);
            for (int j = 0; j < obstacles; j++)
                if (!(apart(&box, subject->obstacle + j) > 0.0))
                    return;
        }
    }
    cst_find(&subject->findings, "falls-past", subject->kind->node, NULL,
             "nothing is in the way of any body: they fall past every obstacle, by %.3g m in %.3g s\nput them over an obstacle, "
             "add ground (a half-plane or plane), or hold them",
             way, subject->run->duration);
}

/* ------------------------------------------------------------------------------------------------------------ after the end */

static void look_at_motion(cst_subject *subject, const cst_json *node, const cst_motion *motion)
{
    if (motion->keys > 0 && motion->key[0].time > subject->run->duration)
        cst_find(&subject->findings, "after-the-end", node, "motion",
                 "the motion begins at %.3g s, the run ends at %.3g s\nwrite times in s, or run longer", motion->key[0].time,
                 subject->run->duration);
}

static void look_at_events(cst_subject *subject)
{
    const double end = subject->run->duration, origin[3] = {0.0, 0.0, 0.0};
    const bool space = subject->def->dim == 3;
    static const char *const lists[] = {"obstacles", "constraints"};
    for (int i = 0; i < 2; i++) {
        for (const cst_json *node = list_of(subject, lists[i]); node; node = node->next) {
            const cst_json *given = cst_given(node, "motion");
            const cst_motion motion =
                space ? cst_define_space_motion(given, origin, subject->arena) : cst_define_motion(given, subject->arena);
            look_at_motion(subject, node, &motion);
        }
    }
    for (int i = 0; i < subject->kinds; i++)
        look_at_motion(subject, subject->kind[i].node, &subject->kind[i].motion);
    for (const cst_json *node = list_of(subject, "constraints"); node; node = node->next) {
        const double release = cst_get_real_or(node, "release_time", -1.0);
        if (release > end)
            cst_find(&subject->findings, "after-the-end", node, "release_time",
                     "it lets go at %.3g s, the run ends at %.3g s\nwrite times in s, or run longer", release, end);
    }
    for (const cst_json *node = list_of(subject, "loads"); node; node = node->next) {
        const cst_load_def load = cst_define_load(node, subject->arena);
        int first = 0;
        while (first < load.times && load.factor[first] == 0.0)
            first++;
        if (load.times > 0 && (first == load.times || (first > 0 && load.time[first - 1] > end)))
            cst_find(&subject->findings, "after-the-end", node, "factor",
                     "the load is 0 until the run ends at %.3g s\nwrite times in s and a factor that is not 0", end);
    }
}

/* Finds recorded quantities (probes) for the force of a constraint that is released before the first step ends. */
static void look_at_probes(cst_subject *subject)
{
    const cst_json *list = list_of(subject, "constraints");
    for (const cst_json *node = list_of(subject, "probes"); node; node = node->next) {
        const char *named = cst_get_text(node, "constraint");
        for (const cst_json *own = list; own && named; own = own->next)
            if (strcmp(cst_get_text(own, "name"), named) == 0 &&
                cst_get_real_or(own, "release_time", HUGE_VAL) < subject->def->time_step.dt)
                cst_find(&subject->findings, "idle-probe", node, "constraint",
                         "the constraint lets go before the first step ends: its force stays 0\nleave release_time out, or make "
                         "it later");
    }
}

/* ----------------------------------------------------------------------------------------------------------------- elements */

/* Finds rods that are long and flexible enough to wrap around a round obstacle, but whose elements are too long for this. */
static void look_at_posts(cst_subject *subject)
{
    static const char *const round[] = {"disk", "sphere", "capsule", "cylinder"};
    for (const cst_json *node = list_of(subject, "obstacles"); node; node = node->next) {
        bool is_round = false;
        for (int i = 0; i < 4; i++)
            is_round = is_round || strcmp(cst_get_text(node, "shape"), round[i]) == 0;
        const double R = cst_get_real_or(node, "radius", 0.0);
        if (!is_round || !(R > 0.0) || (cst_section_key(node->role, "hollow") && cst_get_bool(node, "hollow")))
            continue;
        for (int i = 0; i < subject->kinds; i++) {
            const cst_kind *kind = subject->kind + i;
            const double bent = R + kind->radius;
            if (!kind->slender || !(kind->longest > 2.0 * bent) || !(kind->length > 6.0 * bent) || !(kind->sag < bent))
                continue;
            char name[96];
            cst_find(&subject->findings, "coarse", kind->node, "elements",
                     "elements of %s are %.3g m long: one cannot go around the obstacle %s, whose surface is bent with a radius "
                     "of %.3g m\nuse at least %.0f elements",
                     cst_subject_kind_name(subject, kind, name), kind->longest, cst_get_text(node, "name"), R,
                     ceil(2.0 * kind->length / bent));
        }
    }
}

void cst_look_at_course(cst_subject *subject)
{
    look_at_all(subject);
    if (!is_carried(subject)) {
        look_at_reach(subject);
        look_at_fall(subject);
    }
    look_at_events(subject);
    look_at_probes(subject);
    look_at_posts(subject);
}
