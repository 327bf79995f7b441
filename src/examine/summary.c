#include "examine/summary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/values.h"

enum { MOST_LINES = 8 }; /* for bodies, and for obstacles */

const char *cst_bytes_text(double bytes, char out[32])
{
    static const char *const unit[] = {"kB", "MB", "GB", "TB"};
    int k = 0;
    for (bytes /= 1e3; bytes >= 1e3 && k < 3; k++)
        bytes /= 1e3;
    snprintf(out, 32, "%.3g %s", bytes, unit[k]);
    return out;
}

static void add_sides(cst_text *to, const cst_extent *box, int dim)
{
    for (int k = 0; k < dim; k++)
        cst_text_add(to, "%s%.3g", k > 0 ? " x " : "", box->high[k] - box->low[k]);
    cst_text_add(to, " m");
}

static void add_kind(cst_text *to, const cst_subject *subject, const cst_kind *kind)
{
    char name[96];
    cst_text_add(to, "  %-10s%s: ", kind == subject->kind ? "bodies" : "", cst_subject_kind_name(subject, kind, name));
    if (kind->rigid) {
        add_sides(to, subject->body + kind->first, subject->def->dim);
        cst_text_add(to, ", %.3g kg\n", kind->mass);
    } else if (!kind->slender) {
        add_sides(to, subject->body + kind->first, subject->def->dim);
        cst_text_add(to, ", %d triangles, edges of %.3g m, thickness %.3g m, %.3g kg\n", kind->elements, kind->longest,
                     2.0 * kind->radius, kind->mass);
    } else {
        cst_text_add(to, "%.3g m long, radius %.3g m, %d element%s, %.3g kg\n", kind->length, kind->radius, kind->elements,
                     kind->elements == 1 ? "" : "s", kind->mass);
    }
}

static void add_obstacle(cst_text *to, const cst_subject *subject, const cst_json *node)
{
    const double size = subject->obstacle_size[node->index];
    cst_text_add(to, "  %-10s%s: %s", node->index == 0 ? "obstacles" : "", cst_get_text(node, "name"),
                 cst_get_text(node, "shape"));
    if (size > 0.0 && isfinite(subject->obstacle[node->index].low[0])) {
        cst_text_add(to, ", ");
        add_sides(to, subject->obstacle + node->index, subject->def->dim);
        if (subject->longest > 0.0)
            cst_text_add(to, ", %.3g times the largest body", size / subject->longest);
    }
    cst_text_add(to, "\n");
}

static void add_more(cst_text *to, int count)
{
    if (count > MOST_LINES)
        cst_text_add(to, "  %-10sand %d more\n", "", count - MOST_LINES);
}

const char *cst_summary(cst_subject *subject)
{
    cst_text text = {.arena = subject->arena};
    const cst_scene_run *run = subject->run;
    for (int i = 0; i < subject->kinds && i < MOST_LINES; i++)
        add_kind(&text, subject, subject->kind + i);
    add_more(&text, subject->kinds);
    const cst_json *list = cst_given(subject->root, "obstacles");
    for (const cst_json *node = list ? list->first : NULL; node && node->index < MOST_LINES; node = node->next)
        add_obstacle(&text, subject, node);
    add_more(&text, list ? list->count : 0);
    cst_text_add(&text, "  %-10s%g s in %lld steps of %g s, a frame every %g s\n", "time", run->duration,
                 (long long)run->total_steps, subject->def->time_step.dt, run->frame_interval);
    char memory[32], output[32];
    cst_text_add(&text, "  %-10sabout %s of memory before contacts, %s on the disk\n", "takes",
                 cst_bytes_text(subject->memory, memory), cst_bytes_text(subject->output, output));
    return cst_text_all(&text);
}
