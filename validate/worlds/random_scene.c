#include "worlds/random_scene.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"

static const double PI = 3.14159265358979323846;
static const double CELL = 0.5; /* m: side of the cells that bodies begin in */
enum { COLUMNS = 3 };

/* One scene on its way into a file. */
typedef struct writer {
    cst_rng rng;
    FILE *to;
    int dim;
    int cell; /* the next free one */
    int bodies;
    bool open; /* nothing but the ground: what moves cannot be crushed */
    bool comma;
    cst_random_scene *out;
    char last[16]; /* the body made last */
    bool held;     /* its root is clamped */
} writer;

static bool chance(writer *w, double share)
{
    return cst_rng_uniform(&w->rng) < share;
}

static double range(writer *w, double low, double high)
{
    return cst_rng_range(&w->rng, low, high);
}

static double log_range(writer *w, double low, double high)
{
    return cst_rng_log_range(&w->rng, low, high);
}

static double one_of(writer *w, const double *values, int count)
{
    return values[cst_rng_integer(&w->rng, count)];
}

static void vector(writer *w, const char *key, const double *x)
{
    fprintf(w->to, ", \"%s\": [%.6g, %.6g", key, x[0], x[1]);
    if (w->dim == 3)
        fprintf(w->to, ", %.6g", x[2]);
    fputc(']', w->to);
}

static void begin_list(writer *w, const char *key)
{
    fprintf(w->to, ",\n  \"%s\": [", key);
    w->comma = false;
}

static void begin_item(writer *w, const char *name)
{
    fprintf(w->to, "%s\n    {\"name\": \"%s\"", w->comma ? "," : "", name);
    w->comma = true;
}

static double friction(writer *w)
{
    static const double values[] = {0, 0.1, 0.3, 0.6, 1, 10};
    return one_of(w, values, 6);
}

static void own_surface(writer *w)
{
    static const double bounce[] = {0, 0.5, 1};
    if (chance(w, 0.2))
        fprintf(w->to, ", \"friction\": %.3g", friction(w));
    if (chance(w, 0.1))
        fprintf(w->to, ", \"restitution\": %.3g", one_of(w, bounce, 3));
}

/* Middle of the next cell. */
static void next_cell(writer *w, double *x)
{
    const int k = w->cell++, column = k % COLUMNS, row = k / COLUMNS;
    x[0] = (column - 1) * CELL;
    x[1] = w->dim == 2 ? 0.8 + row * CELL : (row % 2) * CELL - 0.5 * CELL;
    x[2] = w->dim == 2 ? 0.0 : 0.8 + (row / 2) * CELL;
}

/* Towards the middle of everything, and besides any way; and a rate of turning. */
static void flight(writer *w, const double *x, double *v, double *spin)
{
    const double speed = chance(w, 0.4) ? 0.0 : range(w, 0, 4), wild = chance(w, 0.5) ? 0.0 : range(w, 0, 2);
    double any[3] = {0}, axis[3] = {0, 0, 1};
    cst_rng_direction(&w->rng, w->dim, any);
    if (w->dim == 3)
        cst_rng_direction(&w->rng, 3, axis);
    const double rate = chance(w, 0.4) ? 0.0 : range(w, -20, 20);
    const double middle[3] = {0, w->dim == 2 ? 0.9 : 0, w->dim == 2 ? 0 : 0.9};
    double way = 1e-9;
    for (int c = 0; c < 3; c++)
        way += (middle[c] - x[c]) * (middle[c] - x[c]);
    for (int c = 0; c < 3; c++) {
        v[c] = speed * (middle[c] - x[c]) / sqrt(way) + wild * any[c];
        spin[c] = rate * axis[c];
    }
}

/* ------------------------------------------------------------------------------------------------------------------- bodies */

static void material(writer *w, double length, bool ring)
{
    const int elements = 2 + cst_rng_integer(&w->rng, 13);
    fprintf(w->to, ", \"elements\": %d, \"radius\": %.6g", ring && elements < 6 ? 6 : elements,
            length * log_range(w, 0.006, 0.05));
    fprintf(w->to, ", \"density\": %.4g", log_range(w, 300, 3000));
    fprintf(w->to, ", \"young\": %.4g", log_range(w, 1e4, 1e10));
    if (chance(w, 0.4))
        fprintf(w->to, ", \"damping_time\": %.3g", log_range(w, 1e-4, 2e-2));
}

/* The velocity of the start of something whose middle flies with v and that turns with spin; arm: from the middle to the start. */
static void start_velocity(writer *w, const double *v, const double *spin, const double *arm)
{
    double at[3] = {v[0] + spin[1] * arm[2] - spin[2] * arm[1], v[1] + spin[2] * arm[0] - spin[0] * arm[2],
                    v[2] + spin[0] * arm[1] - spin[1] * arm[0]};
    vector(w, "velocity", at);
    if (w->dim == 2)
        fprintf(w->to, ", \"angular_velocity\": %.6g", spin[2]);
    else
        vector(w, "angular_velocity", spin);
}

/* A smooth motion up or sideways by at most a tenth of a metre, so that nothing is crushed. */
static void root_motion(writer *w)
{
    double to[3] = {range(w, -0.1, 0.1), range(w, 0, 0.1), 0};
    if (w->dim == 3)
        to[2] = range(w, 0, 0.1);
    fprintf(w->to, ", \"motion\": {\"keys\": [{\"time\": 0}, {\"time\": %.3g", range(w, 0.1, 0.6));
    vector(w, "translation", to);
    fprintf(w->to, "}], \"smooth\": true}");
}

/* A rod of the plane or a fiber of space. */
static void slender(writer *w)
{
    static const char *const models[] = {"super-helix", "discrete-rod", "corde", "springs"};
    double x[3], d[3] = {0}, v[3], spin[3], start[3], arm[3];
    snprintf(w->last, sizeof w->last, "rod%d", ++w->bodies);
    begin_item(w, w->last);
    next_cell(w, x);
    cst_rng_direction(&w->rng, w->dim, d);
    flight(w, x, v, spin);
    const bool clamped = chance(w, 0.12), ring = !clamped && chance(w, 0.1), bent = !ring && chance(w, 0.4);
    const double length = ring ? range(w, 0.4, 1.0) : range(w, 0.12, bent ? 0.28 : 0.42);
    w->held = clamped;
    material(w, length, ring);
    fprintf(w->to, ", \"length\": %.*g", ring ? 17 : 6, length);
    if (w->dim == 3)
        fprintf(w->to, ", \"model\": \"%s\"", models[cst_rng_integer(&w->rng, 4)]);
    if (ring && w->dim == 3) { /* around the middle of the cell: begins beside it, across the radius */
        const double level = hypot(d[0], d[1]) + 1e-12, across[3] = {-d[1] / level, d[0] / level, 0};
        const double r = length / (2 * PI);
        for (int c = 0; c < 3; c++)
            arm[c] = -r * across[c];
        vector(w, "normal", across);
        fprintf(w->to, ", \"closed\": true, \"natural_curvature\": [0, 0, %.17g]", 2 * PI / length);
    } else if (ring) {
        const double r = length / (2 * PI);
        arm[0] = r * d[1];
        arm[1] = -r * d[0];
        arm[2] = 0;
        fprintf(w->to, ", \"closed\": true");
    } else {
        for (int c = 0; c < 3; c++)
            arm[c] = -0.5 * length * d[c];
    }
    for (int c = 0; c < 3; c++)
        start[c] = x[c] + arm[c];
    vector(w, "position", start);
    if (w->dim == 2)
        fprintf(w->to, ", \"angle\": %.6g", atan2(d[1], d[0]));
    else
        vector(w, "direction", d);
    if (bent) {
        const double k = range(w, -2, 2) / length, k2 = range(w, -2, 2) / length;
        const char *which = chance(w, 0.5) ? "natural_curvature" : "curvature";
        if (w->dim == 2)
            fprintf(w->to, ", \"%s\": %.6g", which, k);
        else
            fprintf(w->to, ", \"%s\": [0, %.6g, %.6g]", which, k, k2);
    }
    if (clamped) {
        fprintf(w->to, ", \"clamped\": true");
        if (chance(w, 0.5))
            root_motion(w);
    } else {
        start_velocity(w, v, spin, arm);
    }
    own_surface(w);
    fputc('}', w->to);
}

/* Corners of a polygon on an ellipse, or of a plate. */
static void polygon(writer *w)
{
    const int corners = 3 + cst_rng_integer(&w->rng, 4);
    const double a = range(w, 0.02, 0.18), b = chance(w, 0.3) ? 0.02 * a + 0.003 : range(w, 0.02, 0.15);
    fprintf(w->to, ", \"shape\": \"polygon\", \"corners\": [");
    for (int k = 0; k < corners; k++)
        fprintf(w->to, "%s[%.6g, %.6g]", k ? ", " : "", a * cos(2 * PI * (k + 0.25) / corners),
                b * sin(2 * PI * (k + 0.25) / corners));
    fprintf(w->to, "]");
    if (chance(w, 0.5))
        fprintf(w->to, ", \"radius\": %.4g", range(w, 0.002, 0.01));
}

static void rigid_shape(writer *w)
{
    static const char *const meshes[] = {"random_octahedron.obj", "random_wedge.obj"};
    const int shape = w->dim == 2 ? cst_rng_integer(&w->rng, 2) : 2 + cst_rng_integer(&w->rng, 4);
    double edges[3];
    switch (shape) {
    case 0:
        fprintf(w->to, ", \"shape\": \"disk\", \"radius\": %.5g", log_range(w, 0.01, 0.2));
        break;
    case 1:
        polygon(w);
        break;
    case 2:
        fprintf(w->to, ", \"shape\": \"sphere\", \"radius\": %.5g", log_range(w, 0.01, 0.2));
        break;
    case 3:
        fprintf(w->to, ", \"shape\": \"capsule\", \"radius\": %.5g", log_range(w, 0.005, 0.05));
        fprintf(w->to, ", \"length\": %.5g", range(w, 0.05, 0.3));
        break;
    case 4:
        for (int c = 0; c < 3; c++)
            edges[c] = log_range(w, 0.01, 0.25);
        vector(w, "edges", edges);
        fprintf(w->to, ", \"shape\": \"box\""); /* sharp: rounded ones are drawn with corners that they do not have */
        break;
    default:
        fprintf(w->to, ", \"shape\": \"mesh\", \"file\": \"%s\"", meshes[cst_rng_integer(&w->rng, 2)]);
        fprintf(w->to, ", \"scale\": %.5g", log_range(w, 0.03, 0.18));
        if (chance(w, 0.5))
            fprintf(w->to, ", \"rounding\": %.4g", range(w, 0.001, 0.005));
    }
    fprintf(w->to, ", \"density\": %.4g", w->dim == 2 ? log_range(w, 1, 100) : log_range(w, 300, 3000));
}

static void rigid(writer *w)
{
    double x[3], v[3], spin[3];
    snprintf(w->last, sizeof w->last, "rigid%d", ++w->bodies & 0xff);
    begin_item(w, w->last);
    next_cell(w, x);
    flight(w, x, v, spin);
    rigid_shape(w);
    vector(w, "position", x);
    vector(w, "velocity", v);
    if (w->dim == 2) {
        fprintf(w->to, ", \"angular_velocity\": %.6g", spin[2]);
        fprintf(w->to, ", \"angle\": %.6g", range(w, 0, 6));
    } else {
        double turn[3];
        cst_rng_direction(&w->rng, 3, turn);
        vector(w, "angular_velocity", spin);
        vector(w, "rotation", turn);
    }
    own_surface(w);
    fputc('}', w->to);
}

/* ---------------------------------------------------------------------------------------------------------------- obstacles */

/* Sideways, to and fro. */
static void maybe_moves(writer *w)
{
    if (!w->open || !chance(w, 0.25))
        return;
    const double to[3] = {range(w, -0.3, 0.3), 0, 0};
    fprintf(w->to, ", \"motion\": {\"keys\": [{\"time\": 0}, {\"time\": %.3g", range(w, 0.2, 1));
    vector(w, "translation", to);
    fprintf(w->to, "}], \"smooth\": true}");
}

static void ground(writer *w)
{
    const double tilt = chance(w, 0.5) ? 0.0 : range(w, -0.25, 0.25);
    const double normal[3] = {sin(tilt), w->dim == 2 ? cos(tilt) : 0, w->dim == 2 ? 0 : cos(tilt)};
    begin_item(w, "ground");
    fprintf(w->to, ", \"shape\": \"%s\"", w->dim == 2 ? "half_plane" : "plane");
    vector(w, "normal", normal);
    own_surface(w);
    fputc('}', w->to);
}

static void walls(writer *w)
{
    for (int side = 0; side < 2 * (w->dim - 1); side++) {
        char name[32];
        const double sign = side % 2 ? -1 : 1;
        const double normal[3] = {side < 2 ? sign : 0, side < 2 ? 0 : sign, 0}, at[3] = {-0.9 * normal[0], -0.9 * normal[1], 0};
        snprintf(name, sizeof name, "wall%d", side + 1);
        begin_item(w, name);
        fprintf(w->to, ", \"shape\": \"%s\"", w->dim == 2 ? "half_plane" : "plane");
        vector(w, "position", at);
        vector(w, "normal", normal);
        fputc('}', w->to);
    }
}

/* Between the ground and the bodies: y (in space z) from 0.25 to 0.5. */
static void planar_obstacle(writer *w, double x)
{
    const double at[3] = {x, range(w, 0.35, 0.45), 0};
    const int shape = cst_rng_integer(&w->rng, 3);
    if (shape == 0) {
        fprintf(w->to, ", \"shape\": \"disk\", \"radius\": %.4g", log_range(w, 0.004, 0.1));
    } else if (shape == 1) { /* a bowl, or a roof */
        const double h = range(w, -0.05, 0.05);
        fprintf(w->to, ", \"shape\": \"chain\", \"radius\": %.4g, \"points\": [[-0.2, %.4g], [0, 0], [0.2, %.4g]]",
                log_range(w, 0.002, 0.02), h, h);
    } else {
        fprintf(w->to, ", \"shape\": \"arc\", \"radius\": %.4g, \"curvature\": %.4g, \"length\": 0.2", log_range(w, 0.002, 0.02),
                range(w, -6, 6));
    }
    vector(w, "position", at);
}

static void space_obstacle(writer *w, double x)
{
    const double at[3] = {x, range(w, -0.1, 0.1), range(w, 0.35, 0.42)};
    double axis[3], edges[3] = {range(w, 0.05, 0.3), range(w, 0.05, 0.4), log_range(w, 0.004, 0.1)};
    const int shape = cst_rng_integer(&w->rng, 6);
    cst_rng_direction(&w->rng, 2, axis);
    axis[2] = 0.2;
    switch (shape) {
    case 0:
        fprintf(w->to, ", \"shape\": \"sphere\", \"radius\": %.4g", log_range(w, 0.01, 0.12));
        break;
    case 1:
    case 2:
        fprintf(w->to, ", \"shape\": \"%s\", \"radius\": %.4g, \"length\": 0.3", shape == 1 ? "capsule" : "cylinder",
                log_range(w, 0.004, 0.06));
        vector(w, "direction", axis);
        break;
    case 3:
        fprintf(w->to, ", \"shape\": \"box\", \"rotation\": [%.4g, %.4g, 0]", range(w, -0.3, 0.3), range(w, -0.3, 0.3));
        vector(w, "edges", edges);
        break;
    case 4: /* a sheet */
        fprintf(w->to, ", \"shape\": \"mesh\", \"file\": \"random_hills.obj\", \"rounding\": %.4g", log_range(w, 0.001, 0.01));
        break;
    default:
        fprintf(w->to, ", \"shape\": \"mesh\", \"file\": \"random_octahedron.obj\", \"scale\": %.4g", range(w, 0.05, 0.15));
    }
    vector(w, "position", at);
}

static void obstacles(writer *w, int count)
{
    begin_list(w, "obstacles");
    ground(w);
    if (!w->open)
        walls(w);
    for (int k = 0; k < count; k++) {
        char name[32];
        snprintf(name, sizeof name, "thing%d", k + 1);
        begin_item(w, name);
        if (w->dim == 2)
            planar_obstacle(w, (k - 1) * CELL);
        else
            space_obstacle(w, (k - 1) * CELL);
        maybe_moves(w);
        own_surface(w);
        fputc('}', w->to);
    }
    fprintf(w->to, "\n  ]");
}

/* ------------------------------------------------------------------------------------------------------------ held and pushed */

static void pin(writer *w, const char *rod, const char *other)
{
    begin_item(w, "pin");
    fprintf(w->to, ", \"type\": \"pinned\", \"body\": \"%s\", \"at\": \"end\"", rod);
    if (*other) {
        fprintf(w->to, ", \"to\": {\"body\": \"%s\"}", other);
        snprintf(w->out->joined[w->out->joineds][0], sizeof w->out->joined[0][0], "%s", rod);
        snprintf(w->out->joined[w->out->joineds++][1], sizeof w->out->joined[0][1], "%s", other);
    }
    if (chance(w, 0.3))
        fprintf(w->to, ", \"release_time\": %.3g", range(w, 0, 0.5));
    fputc('}', w->to);
}

static void load(writer *w, const char *body)
{
    double force[3] = {range(w, -1, 1), range(w, -1, 1), 0};
    if (w->dim == 3)
        force[2] = range(w, -1, 1);
    begin_item(w, "push");
    fprintf(w->to, ", \"body\": \"%s\", \"factor\": [[0, 0], [0.1, 1], [0.2, 0]]", body);
    vector(w, "force", force);
    fputc('}', w->to);
}

void cst_random_scene_write(uint64_t seed, FILE *to, cst_random_scene *out)
{
    static const double bounce[] = {0, 0, 0, 0, 1, 1, 0.3, 0.5, 0.9, 0};
    writer made = {.to = to, .dim = seed % 2 ? 3 : 2, .out = out}, *w = &made;
    cst_rng_seed(&w->rng, seed, 13);
    *out = (cst_random_scene){0};
    const double mu = friction(w), e = one_of(w, bounce, 10), duration = log_range(w, 0.2, 2);
    w->open = chance(w, 0.6);
    fprintf(to, "{\n  \"capstan\": 1,\n  \"dim\": %d,\n  \"title\": \"random world %llu\",\n  \"duration\": %.3g,\n", w->dim,
            (unsigned long long)seed, ceil(1000 * duration) / 1000);
    fprintf(to, "  \"friction\": {\"default\": %.3g, \"restitution\": %.3g}", mu, e);
    const int kind = cst_rng_integer(&w->rng, 4); /* slender ones alone, rigid ones alone, or both */
    const int rods = kind == 0 ? 0 : 1 + cst_rng_integer(&w->rng, kind == 1 ? 6 : 3);
    const int rigids = kind == 1 ? 0 : 1 + cst_rng_integer(&w->rng, kind == 0 ? 6 : 3);
    char rod[16] = "", other[16] = "";
    begin_list(w, w->dim == 2 ? "rods" : "fibers");
    for (int k = 0; k < rods; k++)
        slender(w);
    memcpy(rod, w->last, sizeof rod);
    fprintf(to, "\n  ]");
    begin_list(w, "rigid_bodies");
    for (int k = 0; k < rigids; k++)
        rigid(w);
    if (rigids > 0)
        memcpy(other, w->last, sizeof other);
    fprintf(to, "\n  ]");
    obstacles(w, cst_rng_integer(&w->rng, 4));
    if (rods > 0 && chance(w, 0.2) && !w->held) {
        begin_list(w, "constraints");
        pin(w, rod, chance(w, 0.5) ? "" : other);
        fprintf(to, "\n  ]");
    }
    if (chance(w, 0.15)) {
        begin_list(w, "loads");
        load(w, w->last);
        fprintf(to, "\n  ]");
    }
    fprintf(to, "\n}\n");
}

/* ------------------------------------------------------------------------------------------------------------------- meshes */

static bool write_mesh(const char *directory, const char *name, const double (*vertex)[3], int vertices, const int (*triangle)[3],
                       int triangles)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *to = fopen(path, "w");
    if (!to)
        return false;
    for (int i = 0; i < vertices; i++)
        fprintf(to, "v %.9g %.9g %.9g\n", vertex[i][0], vertex[i][1], vertex[i][2]);
    for (int k = 0; k < triangles; k++)
        fprintf(to, "f %d %d %d\n", triangle[k][0] + 1, triangle[k][1] + 1, triangle[k][2] + 1);
    return fclose(to) == 0;
}

/* A sheet of 0.4 m x 0.4 m with hills of 2 cm. */
static bool write_hills(const char *directory)
{
    enum { N = 5 };
    double vertex[N * N][3];
    int triangle[2 * (N - 1) * (N - 1)][3], triangles = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double *x = vertex[i * N + j];
            x[0] = -0.2 + 0.4 * i / (N - 1);
            x[1] = -0.2 + 0.4 * j / (N - 1);
            x[2] = 0.02 * sin(12 * x[0]) * cos(9 * x[1]);
            if (i + 1 < N && j + 1 < N) {
                const int a = i * N + j, b = a + N;
                const int one[3] = {a, b, b + 1}, two[3] = {a, b + 1, a + 1};
                memcpy(triangle[triangles++], one, sizeof one);
                memcpy(triangle[triangles++], two, sizeof two);
            }
        }
    return write_mesh(directory, "random_hills.obj", (const double(*)[3])vertex, N * N, (const int(*)[3])triangle, triangles);
}

bool cst_random_meshes(const char *directory)
{
    static const double octahedron[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    static const int octahedron_faces[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                               {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    static const double wedge[6][3] = {{-1, -0.6, -0.3}, {1, -0.6, -0.3}, {-1, 0.6, -0.3},
                                       {1, 0.6, -0.3},   {-1, 0, 0.4},    {1, 0, 0.4}};
    static const int wedge_faces[8][3] = {{0, 2, 3}, {0, 3, 1}, {0, 1, 5}, {0, 5, 4}, {2, 4, 5}, {2, 5, 3}, {0, 4, 2}, {1, 3, 5}};
    return write_mesh(directory, "random_octahedron.obj", octahedron, 6, octahedron_faces, 8) &&
           write_mesh(directory, "random_wedge.obj", wedge, 6, wedge_faces, 8) && write_hills(directory);
}
