/* Writes one Wavefront OBJ file for each frame, with one `o` for each object, `v` for points in metres, `l` for curves and `f`
 * for faces. The OBJ format is specified in Wavefront, Object Files, version 3.0, appendix B1. */
#include "export/export_obj.h"
#include "export/export_job.h"

static void put_curves(FILE *to, const cst_export_shapes *shapes, const cst_export_object *object, int from)
{
    for (int part = 0; part < object->parts; part++) {
        const int points = shapes->part[object->first_part + part];
        fputc('l', to);
        for (int k = 0; k < points; k++)
            fprintf(to, " %d", from + k);
        if (object->closed && points > 2)
            fprintf(to, " %d", from);
        fputc('\n', to);
        from += points;
    }
}

static void put_faces(FILE *to, const cst_export_shapes *shapes, const cst_export_object *object, int from)
{
    const int32_t *corner = shapes->corner + object->first_corner;
    for (int part = 0; part < object->parts; part++) {
        const int corners = shapes->part[object->first_part + part];
        fputc('f', to);
        for (int k = 0; k < corners; k++)
            fprintf(to, " %d", from + *corner++);
        fputc('\n', to);
    }
}

void cst_export_obj_object(FILE *to, const cst_export_shapes *shapes, const cst_export_object *object, int from)
{
    fprintf(to, "o %s\n", object->name);
    for (int k = object->first_point; k < object->first_point + object->points; k++) {
        const double *p = shapes->point + 3 * (size_t)k;
        fprintf(to, "v %.9g %.9g %.9g\n", p[0], p[1], p[2]);
    }
    if (object->faces)
        put_faces(to, shapes, object, from);
    else
        put_curves(to, shapes, object, from);
}

static bool write_frame(cst_export_job *job)
{
    char name[CST_EXPORT_NAME];
    cst_export_frame_name(job, "frame", ".obj", name);
    FILE *file = cst_export_open(job, name);
    if (!file)
        return false;
    fprintf(file, "# frame %lld, %.9g s, metres\n", (long long)job->index[job->k], job->frame.time);
    for (int i = 0; i < job->shapes.objects; i++)
        cst_export_obj_object(file, &job->shapes, &job->shapes.object[i], job->shapes.object[i].first_point + 1);
    return cst_export_close(job, file, name);
}

const cst_export_writer cst_export_writer_obj = {.frame = write_frame};
