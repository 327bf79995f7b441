#include "export/export_manifest.h"

#include "export/export_place.h"
#include "write/json_write.h"

static void put_frames(cst_json_writer *json, const cst_export_job *job)
{
    cst_json_array(json, "frames");
    for (int64_t k = 0; k < job->frames; k++) {
        cst_json_object(json, NULL);
        cst_json_integer(json, "number", k);
        cst_json_integer(json, "frame", job->index[k]);
        cst_json_real(json, "time", job->time[k]);
        cst_json_object_end(json);
    }
    cst_json_array_end(json);
}

static void put_objects(cst_json_writer *json, const cst_export_shapes *shapes)
{
    cst_json_array(json, "objects");
    for (int i = 0; i < shapes->objects; i++) {
        const cst_export_object *object = &shapes->object[i];
        cst_json_object(json, NULL);
        cst_json_text(json, "name", object->name);
        cst_json_text(json, "owner", object->owner == CST_ITEM_OBSTACLE ? "obstacle" : "body");
        cst_json_integer(json, "id", object->id);
        cst_json_text(json, "kind", object->faces ? "faces" : "curves");
        cst_json_integer(json, "items", object->items);
        cst_json_object_end(json);
    }
    cst_json_array_end(json);
}

bool cst_export_manifest_write(cst_export_job *job)
{
    FILE *file = cst_export_open(job, CST_EXPORT_MANIFEST);
    if (!file)
        return false;
    cst_json_writer json = cst_json_begin(file);
    cst_json_object(&json, NULL);
    cst_json_text(&json, "format", cst_export_format_names[job->options->format]);
    cst_json_text(&json, "version", CAPSTAN_VERSION);
    cst_json_text(&json, "title", job->info->title);
    cst_json_text(&json, "unit", "m");
    cst_json_text(&json, "up", job->info->dim == 2 ? "y" : "z");
    put_frames(&json, job);
    put_objects(&json, &job->shapes);
    cst_json_object_end(&json);
    cst_json_line_end(&json);
    return cst_export_close(job, file, CST_EXPORT_MANIFEST);
}
