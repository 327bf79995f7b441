/* Compares all sizes: finds confused units, and rods whose thickness does not fit their length or curvature. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "examine/subject.h"
#include "scene/values.h"

/* An obstacle gives a warning if its size, divided by the size of the largest body, exceeds LARGE_MESH (for a mesh) or
 * LARGE_SHAPE (for any other shape). A ground of boxes or spheres is often far larger than the bodies on it. If the file of a
 * mesh is in millimetres but is read as metres, the mesh is 1000 times too large. In scenes/, meshes are at most 10 times larger
 * than the largest body. */
static const double LARGE_MESH = 50.0, LARGE_SHAPE = 2000.0;
static const double LARGE_APART = 1000.0;           /* largest ratio between the sizes of two bodies that gives no warning */
static const double LARGEST = 1e4, SMALLEST = 1e-6; /* greatest and least size (m) of the largest body that give no warning */
static const double THINNEST = 1e-6; /* smallest ratio of radius to length that gives no warning (a hair of 1 m has 5e-5) */

static void look_at_obstacle(cst_subject *subject, int i)
{
    const cst_json *node = cst_subject_obstacle_node(subject, i);
    const double size = subject->obstacle_size[i], ratio = size / subject->longest;
    const char *shape = cst_get_text(node, "shape");
    const bool mesh = strcmp(shape, "mesh") == 0;
    const double scale = mesh ? cst_get_real(node, "scale") : 1.0;
    if (!(size > 0.0) || !(subject->longest > 0.0))
        return;
    if (mesh && ratio > LARGE_MESH)
        cst_find(&subject->findings, "mesh-units", node, "file",
                 "the mesh is %.3g m long, %.3g times as long as the largest body (%.3g m): is its file in mm?\nset \"scale\" of "
                 "the obstacle (now %g) to %g if the file is in mm, to %g if it is in cm",
                 size, ratio, subject->longest, scale, 0.001 * scale, 0.01 * scale);
    else if (mesh && subject->thinnest < HUGE_VAL && size < subject->thinnest)
        cst_find(&subject->findings, "mesh-tiny", node, "file",
                 "the mesh is %.3g m long, less than the radius of the thinnest body (%.3g m)\ncheck \"scale\" of the obstacle "
                 "(now %g)",
                 size, subject->thinnest, scale);
    else if (!mesh && ratio > LARGE_SHAPE)
        cst_find(&subject->findings, "obstacle-huge", node, NULL,
                 "the %s is %.3g m long, %.3g times as long as the largest body (%.3g m): lengths are in metres\nwrite it in m, "
                 "or use a half-plane or plane for the ground",
                 shape, size, ratio, subject->longest);
}

static void look_at_thickness(cst_subject *subject, const cst_kind *kind)
{
    const double length = kind->length;
    if (kind->radius > 0.5 * length)
        cst_find(&subject->findings, "thick", kind->node, cst_json_find(kind->node, "radius") ? "radius" : NULL,
                 "a radius of %.3g m is more than half the length of %.3g m: this is no slender body\nwrite the radius in m (mm: "
                 "%.3g), or use a rigid body",
                 kind->radius, length, kind->radius / 1000.0);
    else if (kind->thinnest < THINNEST * length)
        cst_find(&subject->findings, "thin", kind->node, "radius",
                 "a radius of %.3g m is %.2g of the length of %.3g m: contacts of it need steps that nobody waits for\nwrite "
                 "radius and length both in m, or give a larger contact radius with bending_stiffness and mass_per_length of the "
                 "thin one",
                 kind->thinnest, kind->thinnest / length, length);
    if (kind->tightness >= 1.0 && kind->radius <= 0.5 * length)
        cst_find(&subject->findings, "bend-tighter-than-radius", kind->node,
                 cst_json_find(kind->node, "curvature") ? "curvature" : NULL,
                 "at first it is bent with a radius of %.3g m, and is %.3g m thick: its inner side lies within itself\nbend it "
                 "less than %.3g 1/m, or make it thinner",
                 kind->radius / kind->tightness, 2.0 * kind->radius, 1.0 / kind->radius);
}

static void look_at_all_bodies(cst_subject *subject)
{
    const cst_kind *small = NULL, *large = NULL;
    double least = HUGE_VAL, most = 0.0;
    for (int i = 0; i < subject->kinds; i++) {
        const cst_kind *kind = subject->kind + i;
        const double size = fmax(kind->length, cst_extent_longest(subject->body + kind->first));
        if (size < least) {
            least = size;
            small = kind;
        }
        if (size > most) {
            most = size;
            large = kind;
        }
    }
    char name[96];
    if (large && (most > LARGEST || most < SMALLEST))
        cst_find(&subject->findings, "unit-of-length", large->node, NULL,
                 "%s measures %.3g m: lengths are in metres\nwrite all lengths in m", cst_subject_kind_name(subject, large, name),
                 most);
    else if (small && least < most / LARGE_APART)
        cst_find(&subject->findings, "sizes-apart", small->node, NULL,
                 "%s measures %.3g m, the largest body %.3g m, %.3g times as much\nwrite all lengths in m, of all bodies",
                 cst_subject_kind_name(subject, small, name), least, most, most / least);
}

void cst_look_at_sizes(cst_subject *subject)
{
    for (int i = 0; i < cst_world_obstacles(subject->world); i++)
        look_at_obstacle(subject, i);
    for (int i = 0; i < subject->kinds; i++)
        if (subject->kind[i].slender)
            look_at_thickness(subject, subject->kind + i);
    look_at_all_bodies(subject);
}
