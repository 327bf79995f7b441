/* Checks sheets: density, stretching stiffness, thickness compared with the edge length, motion per step, and number of
 * triangles. */
#include <math.h>

#include "examine/subject.h"
#include "scene/define_sheet.h"
#include "scene/values.h"

/* A sheet gives a warning if its mass per area (kg/m2) is outside these limits (silk has 0.02, paper 0.08, denim 0.5, a tarpaulin
 * 0.7, steel of 1 mm 8). A density that was written in g/m2 by mistake is 1000 times too large. */
static const double LIGHTEST = 1e-3, HEAVIEST = 50.0;
/* largest ratio of the thickness of a sheet to its longest triangle edge that gives no warning */
static const double THICKEST = 0.5;
static const double EDGES = 3e5; /* largest number of triangles that gives no warning; with more, a step takes seconds */
/* N/m: smallest stretching stiffness of a sheet that gives no warning; a softer sheet hardly carries its own weight (a
 * rubber band of 0.1 mm has 100 N/m) */
static const double LEAST_STRETCH = 1.0;

static void look_at_fabric(cst_subject *subject, const cst_kind *kind, const cst_json *node, const cst_fabric *fabric)
{
    if (fabric->density > HEAVIEST || fabric->density < LIGHTEST)
        cst_find(&subject->findings, "sheet-density", node, "density",
                 "%.3g kg/m2 is %s than any cloth, paper or sheet metal: it is mass per area\nwrite it in kg/m2 (g/m2: %.3g)",
                 fabric->density, fabric->density > HEAVIEST ? "more" : "less", 1e-3 * fabric->density);
    if (fabric->stretching[0][0] < LEAST_STRETCH || fabric->stretching[0][2] < LEAST_STRETCH)
        cst_find(
            &subject->findings, "sheet-soft", node, cst_json_find(node, "stretching") ? "stretching" : "young",
            "stretched by 1%% it pulls with %.2g N/m: it will hang like chewing gum\nstiffnesses are in N/m, force per width; "
            "of a plate young x thickness",
            0.01 * fmin(fabric->stretching[0][0], fabric->stretching[0][2]));
    if (kind->longest > 0.0 && fabric->thickness > THICKEST * kind->longest)
        cst_find(&subject->findings, "sheet-thick", kind->node, "edge",
                 "edges of %.3g m are not much longer than its thickness of %.3g m: it would touch itself where it is "
                 "flat\nwrite both "
                 "in m, or make the edges longer",
                 kind->longest, fabric->thickness);
}

static void look_at_sheet(cst_subject *subject, const cst_kind *kind)
{
    const cst_json *node = cst_sheet_fabric_node(subject->scene, kind->node);
    const cst_fabric fabric = cst_define_fabric(node);
    const double dt = subject->def->time_step.dt;
    look_at_fabric(subject, kind, node, &fabric);
    if (kind->speed * dt > CST_SHEET_STEP * fabric.thickness)
        cst_find(&subject->findings, "sheet-fast", kind->node, "velocity",
                 "at %.3g m/s it goes %.3g m in a step, %.2g times its thickness\nuse steps of %.2g s or less", kind->speed,
                 kind->speed * dt, kind->speed * dt / fabric.thickness, CST_SHEET_STEP * fabric.thickness / kind->speed);
    if (kind->elements > EDGES)
        cst_find(&subject->findings, "many-elements", kind->node, "edge",
                 "%d triangles: each step takes seconds or more, contacts not counted\nmake the edges longer", kind->elements);
}

void cst_look_at_sheets(cst_subject *subject)
{
    for (int i = 0; i < subject->kinds; i++)
        if (subject->scene->names.body[subject->kind[i].first].sheet)
            look_at_sheet(subject, subject->kind + i);
}
