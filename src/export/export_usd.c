/* Writes USD as text (.usda): a prim for each object under /World, with time samples.
 *
 * Curves are BasisCurves (linear, with widths), faces are Mesh, contacts are Points. In a USD file, all time samples of an
 * attribute are in one list, so the samples are first collected in a temporary file (export/spool.h), and the lists are written
 * at the end. An attribute that never changes has no samples. The first value of each attribute is also its default, for programs
 * that ignore time. Real values of attributes are written as 32-bit floats with 9 digits, which determine a 32-bit float exactly.
 * The file follows the UsdGeom schemas of OpenUSD 26.11. Deformable objects follow the AOUSD proposal "Deformable Body Physics in
 * USD" (OpenUSD-proposals, pull request 111, as of commit 584939b6). */
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "export/export_bytes.h"
#include "export/export_job.h"
#include "export/spool.h"
#include "page/colours.h"

typedef enum attribute { POINTS = 0, COUNTS, CORNERS, EXTENT, WIDTHS, NORMALS, THICKNESSES, FORCE, STATE, ATTRIBUTES } attribute;

/* Attributes of the prim of contacts. */
typedef enum contact_attribute {
    PLACES = 0,
    IDS,
    SIZES,
    BOX,
    FORCES,
    DIRECTIONS,
    VELOCITIES,
    GAPS,
    FRICTION,
    STATES,
    CONTACT_ATTRIBUTES
} contact_attribute;

typedef struct attribute_format {
    const char *declaration;
    /* Value of the USD metadatum "interpolation", or NULL if it is not written. If the field `interpolation` is "", the value
     * "constant" is written if all points of the object have the same width in the first frame, and "vertex" otherwise. */
    const char *interpolation;
} attribute_format;

static const attribute_format formats[ATTRIBUTES] = {
    [POINTS] = {"point3f[] points", NULL},
    [COUNTS] = {"int[] faceVertexCounts", NULL}, /* of curves: curveVertexCounts */
    [CORNERS] = {"int[] faceVertexIndices", NULL},
    [EXTENT] = {"float3[] extent", NULL},
    [WIDTHS] = {"float[] widths", ""},
    [NORMALS] = {"normal3f[] normals", "vertex"},
    [THICKNESSES] = {"float[] physics:thicknesses", NULL},
    [FORCE] = {"float[] primvars:contactForce", "vertex"},
    [STATE] = {"int[] primvars:contactState", "vertex"},
};

static const attribute_format contact_formats[CONTACT_ATTRIBUTES] = {
    [PLACES] = {"point3f[] points", NULL},
    [IDS] = {"int64[] ids", NULL},
    [SIZES] = {"float[] widths", "constant"},
    [BOX] = {"float3[] extent", NULL},
    [FORCES] = {"vector3f[] primvars:force", "vertex"},
    [DIRECTIONS] = {"vector3f[] primvars:normal", "vertex"},
    [VELOCITIES] = {"vector3f[] primvars:velocity", "vertex"},
    [GAPS] = {"float[] primvars:gap", "vertex"},
    [FRICTION] = {"float[] primvars:mu", "vertex"},
    [STATES] = {"int[] primvars:state", "vertex"},
};

typedef struct usd {
    cst_spool *spool;
    cst_page_bytes text;
    bool *even;          /* array (objects): true if all points of the object have the same width in the first frame */
    bool contacts;       /* some were kept */
    double contact_size; /* m */
} usd;

static int contacts_from(const cst_export_job *job)
{
    return job->shapes.objects * ATTRIBUTES;
}

static bool has(const cst_export_job *job, const cst_export_object *object, attribute which)
{
    switch (which) {
    case CORNERS:
        return object->faces;
    case WIDTHS:
        return !object->faces;
    case NORMALS:
        return !object->faces && object->directed && job->options->normals;
    case THICKNESSES:
        return object->deforms;
    case FORCE:
    case STATE:
        return object->owner == CST_ITEM_BODY;
    default:
        return true;
    }
}

/* ---------------------------------------------------------------------------------------------------------------- samples */

static void put_real(cst_page_bytes *text, double value)
{
    char number[32];
    snprintf(number, sizeof number, "%.9g", (double)(float)value);
    cst_export_put_text(text, number);
}

static void put_tuple(cst_page_bytes *text, const double *value, int components)
{
    for (int i = 0; i < components; i++) {
        cst_export_put_text(text, i ? ", " : components > 1 ? "(" : "");
        put_real(text, value[i]);
    }
    if (components > 1)
        cst_export_put_text(text, ")");
}

/* Writes `count` tuples of `components` numbers each; `stride` is the distance in bytes from the start of a tuple to the start of
 * the next. */
static void put_tuples(cst_page_bytes *text, const double *value, int components, int count, size_t stride)
{
    cst_export_put_text(text, "[");
    for (int i = 0; i < count; i++) {
        cst_export_put_text(text, i ? ", " : "");
        put_tuple(text, (const double *)(const void *)((const char *)value + (size_t)i * stride), components);
    }
    cst_export_put_text(text, "]");
}

static void put_integer(cst_page_bytes *text, int index, long long value)
{
    char number[32];
    snprintf(number, sizeof number, "%s%lld", index ? ", " : "", value);
    cst_export_put_text(text, number);
}

static void put_integers(cst_page_bytes *text, const int32_t *value, int count)
{
    cst_export_put_text(text, "[");
    for (int i = 0; i < count; i++)
        put_integer(text, i, value[i]);
    cst_export_put_text(text, "]");
}

static void put_box(cst_page_bytes *text, const double low[3], const double high[3])
{
    cst_export_put_text(text, "[");
    put_tuple(text, low, 3);
    cst_export_put_text(text, ", ");
    put_tuple(text, high, 3);
    cst_export_put_text(text, "]");
}

/* Writes the widths (twice the radius) of all points of an object, or only one width if `even` is true. */
static void put_widths(cst_page_bytes *text, const cst_export_shapes *shapes, const cst_export_object *object, bool even)
{
    const int count = even && object->points > 0 ? 1 : object->points;
    cst_export_put_text(text, "[");
    for (int k = 0; k < count; k++) {
        cst_export_put_text(text, k ? ", " : "");
        put_real(text, 2.0 * shapes->radius[object->first_point + k]);
    }
    cst_export_put_text(text, "]");
}

static void put_attribute(usd *own, const cst_export_shapes *shapes, int index, attribute which)
{
    const cst_export_object *object = &shapes->object[index];
    const size_t first = (size_t)object->first_point, vector = 3 * sizeof(double);
    double low[3], high[3];
    switch (which) {
    case POINTS:
        put_tuples(&own->text, shapes->point + 3 * first, 3, object->points, vector);
        break;
    case COUNTS:
        put_integers(&own->text, shapes->part + object->first_part, object->parts);
        break;
    case CORNERS:
        put_integers(&own->text, shapes->corner + object->first_corner, object->corners);
        break;
    case EXTENT:
        cst_export_object_box(shapes, object, low, high);
        put_box(&own->text, low, high);
        break;
    case WIDTHS:
    case THICKNESSES:
        put_widths(&own->text, shapes, object, own->even[index]);
        break;
    case NORMALS:
        put_tuples(&own->text, shapes->director + 3 * first, 3, object->points, vector);
        break;
    case FORCE:
        put_tuples(&own->text, shapes->force + first, 1, object->points, sizeof(double));
        break;
    case STATE:
        put_integers(&own->text, shapes->state + first, object->points);
        break;
    case ATTRIBUTES:
        break;
    }
}

static void put_contact_vectors(cst_page_bytes *text, const cst_cache_frame *frame, size_t offset, int components)
{
    const char *first = frame->contacts > 0 ? (const char *)frame->contact + offset : NULL;
    put_tuples(text, (const double *)(const void *)first, components, frame->contacts, sizeof(cst_contact_view));
}

static void put_contact_box(usd *own, const cst_cache_frame *frame)
{
    double low[3] = {0}, high[3] = {0};
    for (int i = 0; i < frame->contacts; i++)
        for (int axis = 0; axis < 3; axis++) {
            const double at = frame->contact[i].position[axis], half = 0.5 * own->contact_size;
            low[axis] = i == 0 || at - half < low[axis] ? at - half : low[axis];
            high[axis] = i == 0 || at + half > high[axis] ? at + half : high[axis];
        }
    put_box(&own->text, low, high);
}

static void put_contact_attribute(usd *own, const cst_cache_frame *frame, contact_attribute which)
{
    static const size_t offset[CONTACT_ATTRIBUTES] = {
        [PLACES] = offsetof(cst_contact_view, position),   [FORCES] = offsetof(cst_contact_view, force),
        [DIRECTIONS] = offsetof(cst_contact_view, normal), [VELOCITIES] = offsetof(cst_contact_view, velocity),
        [GAPS] = offsetof(cst_contact_view, gap),          [FRICTION] = offsetof(cst_contact_view, mu),
    };
    switch (which) {
    case IDS:
    case STATES:
        cst_export_put_text(&own->text, "[");
        for (int i = 0; i < frame->contacts; i++)
            put_integer(&own->text, i,
                        which == IDS ? (long long)frame->contact[i].id : (long long)frame->contact[i].contact_case);
        cst_export_put_text(&own->text, "]");
        break;
    case SIZES:
        cst_export_put_text(&own->text, "[");
        put_real(&own->text, own->contact_size);
        cst_export_put_text(&own->text, "]");
        break;
    case BOX:
        put_contact_box(own, frame);
        break;
    case GAPS:
    case FRICTION:
        put_contact_vectors(&own->text, frame, offset[which], 1);
        break;
    default:
        put_contact_vectors(&own->text, frame, offset[which], 3);
    }
}

static bool spool_text(cst_export_job *job, int stream)
{
    usd *own = job->state;
    if (own->text.failed)
        return cst_export_no_memory(job);
    const bool ok = cst_spool_add(own->spool, stream, own->text.data, own->text.count);
    own->text.count = 0;
    return ok || cst_complain(job->complaint, "cannot be written: %s", strerror(errno));
}

static bool begin(cst_export_job *job)
{
    const cst_export_shapes *shapes = &job->shapes;
    usd *own = job->state = calloc(1, sizeof *own);
    if (own)
        own->even = calloc((size_t)shapes->objects + 1, sizeof *own->even);
    if (!own || !own->even)
        return cst_export_no_memory(job);
    own->spool = cst_spool_new(job->path, contacts_from(job) + CONTACT_ATTRIBUTES);
    if (!own->spool)
        return cst_complain(job->complaint, "cannot be written: %s", strerror(errno));
    own->contact_size = 0.01 * shapes->reach;
    for (int i = 0; i < shapes->objects; i++)
        own->even[i] = cst_export_object_even(shapes, &shapes->object[i]);
    return true;
}

static bool write_frame(cst_export_job *job)
{
    usd *own = job->state;
    for (int i = 0; i < job->shapes.objects; i++) {
        const cst_export_object *object = &job->shapes.object[i];
        if (own->even[i] && object->points > 0 && !cst_export_object_even(&job->shapes, object))
            return cst_complain(job->complaint,
                                "at %g s the points of %s differ in radius, in the first frame they do not; export the two parts "
                                "apart (--from, --to)",
                                job->frame.time, object->name);
        for (int which = 0; which < ATTRIBUTES; which++) {
            if (!has(job, object, (attribute)which))
                continue;
            put_attribute(own, &job->shapes, i, (attribute)which);
            if (!spool_text(job, i * ATTRIBUTES + which))
                return false;
        }
    }
    own->contacts = own->contacts || job->frame.contacts > 0;
    for (int which = 0; which < CONTACT_ATTRIBUTES; which++) {
        put_contact_attribute(own, &job->frame, (contact_attribute)which);
        if (!spool_text(job, contacts_from(job) + which))
            return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------------------------- text */

/* Returns the number of USD time codes per second: one time code per frame unless the user has set another number. */
static double rate(const cst_export_job *job)
{
    const int64_t last = job->frames - 1;
    const double spacing = last > 0 ? (job->time[1] - job->time[0]) : job->info->frame_interval;
    if (job->options->fps > 0.0)
        return job->options->fps;
    const double found = spacing > 0.0 ? 1.0 / spacing : 24.0;
    return fabs(found - round(found)) < 1e-6 * found ? round(found) : found;
}

/* Returns the USD time code of a frame: the time of the frame multiplied by the number of time codes per second. Unless the user
 * has set the number of time codes per second, a constant is added to all time codes, so that the first time code is an integer.
 * The time of a frame is a sum of time steps and has rounding errors. A time code that differs from an integer only by rounding
 * is therefore set to that integer. */
static double code_of(const cst_export_job *job, int64_t k)
{
    const double codes = rate(job), first = job->time[0] * codes, shift = job->options->fps > 0.0 ? 0.0 : round(first) - first;
    const double code = job->time[k] * codes + shift, whole = round(code);
    return fabs(code - whole) < 1e-6 * fmax(1.0, fabs(code)) ? whole + 0.0 : code;
}

static bool put_in_file(void *file, const void *bytes, size_t count)
{
    return fwrite(bytes, 1, count, file) == count;
}

/* Writes the declaration of an attribute with its first value, then the samples of the attribute. If consecutive samples are
 * equal, only the first and the last of them are written, because values between samples are interpolated. */
static bool put_samples(cst_export_job *job, FILE *to, int stream, const char *declaration, const char *interpolation)
{
    usd *own = job->state;
    const cst_spool_piece *piece;
    const int64_t pieces = cst_spool_pieces(own->spool, stream, &piece);
    bool ok = true;
    fprintf(to, "        %s = ", declaration);
    ok = pieces > 0 && cst_spool_copy(own->spool, &piece[0], put_in_file, to);
    if (interpolation)
        fprintf(to, " (\n            interpolation = \"%s\"\n        )", interpolation);
    fputc('\n', to);
    if (pieces > 1)
        fprintf(to, "        %s.timeSamples = {\n", declaration);
    for (int64_t i = 0; i < pieces && pieces > 1 && ok; i++)
        for (int64_t k = piece[i].first; k <= piece[i].last && ok; k += k == piece[i].last ? 1 : piece[i].last - k) {
            fprintf(to, "            %.15g: ", code_of(job, k));
            ok = cst_spool_copy(own->spool, &piece[i], put_in_file, to);
            fputs(",\n", to);
        }
    if (pieces > 1)
        fputs("        }\n", to);
    return ok;
}

static void put_quoted(FILE *to, const char *text)
{
    fputc('"', to);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', to);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, to);
    }
    fputc('"', to);
}

static void put_stage(const cst_export_job *job, FILE *to)
{
    const double codes = rate(job);
    fputs("#usda 1.0\n(\n    customLayerData = {\n        string creator = \"capstan " CAPSTAN_VERSION "\"\n    }\n"
          "    defaultPrim = \"World\"\n    doc = ",
          to);
    put_quoted(to, job->info->title);
    fprintf(to,
            "\n    endTimeCode = %.15g\n    framesPerSecond = %.15g\n    metersPerUnit = 1\n    startTimeCode = %.15g\n"
            "    timeCodesPerSecond = %.15g\n    upAxis = \"%s\"\n)\n\ndef Xform \"World\" (\n    kind = \"component\"\n)\n{\n",
            code_of(job, job->frames - 1), codes, code_of(job, 0), codes, job->info->dim == 2 ? "Y" : "Z");
}

/* Adds the schemas of the AOUSD proposal for deformable bodies to deforming objects. */
static void put_schemas(FILE *to, const cst_export_object *object)
{
    if (object->deforms)
        fprintf(to,
                " (\n        prepend apiSchemas = [\"PhysicsBodyAPI\", \"PhysicsDeformableBodyAPI\", "
                "\"Physics%sDeformableSimAPI\"]\n    )",
                object->faces ? "Surface" : "Curves");
}

/* Converts a colour component from 0 to 1 in sRGB (IEC 61966-2-1) to a linear light intensity, which USD uses for colours. */
static double intensity(float value)
{
    return value <= 0.04045f ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

/* Writes the colour of an object, which is the colour of its body on the web page and in pictures. All obstacles have one
 * colour, and all objects that combine many fibers have another colour. */
static void put_colour(FILE *to, const cst_export_object *object)
{
    const cst_theme *theme = cst_theme_of(false);
    const cst_rgb colour = object->owner == CST_ITEM_OBSTACLE ? theme->matter
                           : object->id == 0                  ? theme->plain
                                                              : cst_body_colour(object->id);
    fprintf(
        to,
        "        color3f[] primvars:displayColor = [(%.9g, %.9g, %.9g)] (\n            interpolation = \"constant\"\n        )\n",
        (double)(float)intensity(colour.r), (double)(float)intensity(colour.g), (double)(float)intensity(colour.b));
}

static bool put_object(cst_export_job *job, FILE *to, int index)
{
    usd *own = job->state;
    const cst_export_object *object = &job->shapes.object[index];
    const char *widths = own->even[index] ? "constant" : "vertex";
    fprintf(to, "    def %s \"%s\"", object->faces ? "Mesh" : "BasisCurves", object->name);
    put_schemas(to, object);
    fputs("\n    {\n", to);
    if (object->faces)
        fputs("        uniform bool doubleSided = 1\n        uniform token subdivisionScheme = \"none\"\n", to);
    else
        fprintf(to, "        uniform token type = \"linear\"\n        uniform token wrap = \"%s\"\n",
                object->closed ? "periodic" : "nonperiodic");
    if (object->deforms)
        fprintf(to, "        uniform token physics:thicknesses:elementType = \"%s\"\n", own->even[index] ? "constant" : "point");
    if (object->id > 0)
        fprintf(to, "        custom int capstan:%s = %u\n", object->owner == CST_ITEM_OBSTACLE ? "obstacle" : "body", object->id);
    put_colour(to, object);
    bool ok = true;
    for (int which = 0; which < ATTRIBUTES && ok; which++) {
        const attribute_format *format = &formats[which];
        if (!has(job, object, (attribute)which))
            continue;
        const char *name = which == COUNTS && !object->faces ? "int[] curveVertexCounts" : format->declaration;
        ok = put_samples(job, to, index * ATTRIBUTES + which, name,
                         format->interpolation && !*format->interpolation ? widths : format->interpolation);
    }
    fputs("    }\n\n", to);
    return ok;
}

/* Contacts have the USD purpose "guide": they are visible in editors, but not in rendered pictures. */
static bool put_contacts(cst_export_job *job, FILE *to)
{
    bool ok = true;
    fputs("    def Points \"contacts\"\n    {\n        uniform token purpose = \"guide\"\n", to);
    for (int which = 0; which < CONTACT_ATTRIBUTES && ok; which++)
        ok = put_samples(job, to, contacts_from(job) + which, contact_formats[which].declaration,
                         contact_formats[which].interpolation);
    fputs("    }\n", to);
    return ok;
}

static bool end(cst_export_job *job)
{
    const usd *own = job->state;
    FILE *file = cst_export_open(job, NULL);
    if (!file)
        return false;
    put_stage(job, file);
    bool ok = true;
    for (int i = 0; i < job->shapes.objects && ok; i++)
        ok = put_object(job, file, i);
    if (ok && own->contacts)
        ok = put_contacts(job, file);
    fputs("}\n", file);
    const int why = errno;
    return cst_export_close(job, file, NULL) && (ok || cst_complain(job->complaint, "cannot be written: %s", strerror(why)));
}

static void release(cst_export_job *job)
{
    usd *own = job->state;
    if (!own)
        return;
    cst_page_bytes_free(&own->text);
    cst_spool_free(own->spool);
    free(own->even);
    free(own);
}

const cst_export_writer cst_export_writer_usd = {
    .ending = ".usda", .begin = begin, .frame = write_frame, .end = end, .release = release};
