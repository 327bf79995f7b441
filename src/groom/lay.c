#include "groom/lay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "math/rotation_vector.h"

enum {
    STEPS_PER_ELEMENT = 8,
    ROUNDS = 16,
    ROUNDS_LEAST = 5,
    APPROACHES = 5,
    RISES = 400,
    CUTS = 8,
    GENTLE_CUTS = 3,
    CROWDED_MOST = 3,
    PIECES_MAX = 64
};

/* sharpest: assumed largest curvature (1/m) of hair without curl; the number of straight segments that replace a hair in overlap
 * tests depends on it. */
static const double sharpest = 20.0;
/* growth_turn: largest assumed angle (rad) between the direction of growth of a hair at its root and its combed direction. */
static const double growth_turn = 1.6;
/* sagitta: largest distance between the curve of a hair and the straight segment that replaces it in overlap tests, as a share of
 * the hair radius. */
static const double sagitta = 0.05;
/* outward_reach: distance from a surface (m) up to which the normal of the surface contributes to the outward direction. */
static const double outward_reach = 0.06;
/* hopeless: an attempt to lay a hair is given up if, after ROUNDS_LEAST rounds of corrections, more than this share of its
 * segments is too near to other hairs. Giving up hopeless attempts halves the time to lay 1,920 hairs of 1 mm radius. */
static const double hopeless = 0.3;
/* lift: where a hair is too near to another hair or to a surface, its two nearest joints are displaced by about `lift` times the
 * missing distance (required gap minus gap). */
static const double lift = 2.0;
/* edges: the required distance of hair from surfaces is increased by `edges` times the hair radius. The distance of a hair from a
 * surface is computed only at some points of the hair, and a sharp edge of the surface can lie between these points. */
static const double edges = 0.1;
/* shorter, much_shorter: if no free path is found for a hair, its length is multiplied by `shorter` in the first three
 * shortenings, and by `much_shorter` in all further ones. */
static const double shorter = 0.9, much_shorter = 0.6;
/* stub_radii: length of the placeholder segment above the root of a hair that is not laid yet, in hair radii (taken.h). */
static const double stub_radii = 4.0;
/* spare: a hair counts as free if its gap to other hairs and surfaces is at least (1 - spare) times the required gap. */
static const double spare = 0.5;
static const double highest = 0.1;  /* largest height by which a hair is lifted over other hair (m) */
static const double tube_gap = 0.1; /* least required gap between the tubes around two bundles, as a share of the tube radius */
/* fit_room: least gap between neighbouring hairs in the cross-section of a bundle before super-helices are fitted to them,
 * divided by the hair radius. The gap allows for the error of the fit. */
static const double fit_room = 0.5;
static const double curl_lift = 1.2;  /* additional height of a curled hair's path above surfaces, divided by the helix radius */
static const double tie_step = 0.002; /* the length of a hair that ends at the hair tie is a multiple of tie_step (m) */
/* A joint that is too near to another hair moves in the direction of a sum of two vectors: the unit vector away from that hair,
 * and the outward direction times a weight. In round k of the corrections (from 0), the weight of the outward direction is
 * outward_first + outward_growth * k. */
static const double outward_first = 0.15, outward_growth = 0.25;

typedef struct layer {
    const cst_groom_def *def;
    cst_groom_field *field;
    cst_taken *taken; /* space occupied by laid hair */
    int pieces;       /* number of straight segments per element, for overlap tests */
    double piece;     /* length of a straight segment of the longest hair (m) */
    double reach;     /* length of a curled hair along its axis, divided by its arc length */
    double *middle;   /* path of a ponytail's middle hair */
    /* `way`: points of the current hair's path. `base`, `out`, `move`, `goal`: for each joint of the current hair, the point on
     * the path, the outward direction, the displacement and the target position. */
    double *way, *base, *out, *move, *goal;
    double *point, *tangent;
    /* for each segment of the current hair: gap to the nearest other hair (m), and vector away from that hair */
    double *room, *away;
    cst_bundle bundle;
    double hair_gap;    /* required gap between two hairs of a bundle (m) */
    cst_strand *inside; /* hairs of the current bundle, or NULL */
    /* joints of the guide hair of each wisp, or NULL; a wisp is a group of hairs that follow one guide hair */
    const double *guide;
    const int *wisp;
    int *laid, *took; /* indices of the laid hairs, and for each of them the index of the attempt that laid it */
    int done;         /* number of hairs laid */
} layer;

/* ------------------------------------------------------------------------------------------------------------------ one hair */

/* Sets the displacement of a joint to `size` along the unit vector `way`, unless the present displacement is larger. */
static void keep_larger(double *move, const double *way, double size)
{
    if (size * size > cst_dot3(move, move))
        for (int k = 0; k < 3; k++)
            move[k] = size * way[k];
}

/* Sets displacements of the two joints next to a point of a hair, so that this point will move along the unit vector `way`: by at
 * least `need` (m), except near the root. `at`: position of the point along the hair, from 0 at the root to 1 at the end. */
static void ask(layer *in, double at, double need, const double *way)
{
    const int n = in->def->elements;
    const double s = fmin(fmax(at * n, 0.0), n - 1e-9);
    const int i = (int)s;
    const double share = s - i;
    if (i > 0)
        keep_larger(in->move + 3 * i, way, lift * need * (share < 0.75 ? 1.0 : 4.0 * (1.0 - share)));
    /* The root of a hair is fixed, so a point of the first element is moved only by the joint at the end of the element. */
    const double weight = i == 0 ? fmin(1.0 / fmax(share, 0.1), 4.0) : fmin(1.0, 4.0 * share);
    keep_larger(in->move + 3 * (i + 1), way, lift * need * weight);
}

/* Returns the distance (m) of a segment from the nearest surface: the smaller of the distances at the middle and at the end of
 * the segment. Distances from surfaces are interpolated on a grid. If `closely` is true, distances that are too small, or only
 * slightly larger than required, are computed exactly, because the interpolation is inaccurate near sharp edges. */
static double clear_of(cst_groom_field *field, const double *a, const double *b, double over, bool closely, double *away)
{
    double least = INFINITY, own[3];
    for (int k = 1; k <= 2; k++) {
        const double x[3] = {a[0] + 0.5 * k * (b[0] - a[0]), a[1] + 0.5 * k * (b[1] - a[1]), a[2] + 0.5 * k * (b[2] - a[2])};
        double off = cst_groom_distance_least(field, x, over + CST_GROOM_GRID_ERROR, own);
        if (closely && off < over + 0.003)
            off = cst_groom_distance(field, x, fabs(off) + CST_GROOM_GRID_ERROR, own);
        if (off < least) {
            least = off;
            memcpy(away, own, sizeof own);
        }
    }
    return least;
}

/* Compares the distances of a hair's segments from the surfaces with the required distance. Where a segment is too near to a
 * surface, sets displacements of the hair's joints that move it away. Returns the largest difference (m) between the required and
 * the computed distance of a segment from the surfaces, or 0 if all distances are large enough. After a segment that is far from
 * all surfaces, those following segments that cannot be near a surface are skipped. */
static double look_at_surfaces(layer *in, bool closely)
{
    const cst_groom_def *def = in->def;
    const int n = def->elements * in->pieces;
    const double over = (1.0 + edges) * def->radius + def->gap;
    double worst = 0.0;
    for (int i = 0; i < n;) {
        double clear[3];
        const double *a = in->point + 3 * i, off = clear_of(in->field, a, a + 3, over, closely, clear);
        worst = fmax(worst, over - off);
        if (over - off > 0.0)
            ask(in, (i + 0.5) / n, over - off, clear);
        i += 1 + (int)fmax((off - over - CST_GROOM_GRID_ERROR) / in->piece, 0.0);
    }
    return worst;
}

/* Compares the gaps between the current hair's segments and other hairs with the required gap. Where a segment is too near to
 * another hair, sets displacements of the current hair's joints that move it away. Returns the largest difference (m) between the
 * required and the computed gap of a segment, or 0 if all gaps are large enough. `crossing`: output, number of segments whose gap
 * to other hairs is less than (1 - spare) times the required gap. A joint is displaced away from the other hair and also outward,
 * because a purely sideways displacement would bring it too near to the next hair. */
static double look_at_hairs(layer *in, int hair, double outward, int *crossing)
{
    const cst_groom_def *def = in->def;
    const int n = def->elements * in->pieces;
    double worst = 0.0;
    *crossing = 0;
    cst_taken_rooms(in->taken, hair, def->radius, in->point, n, def->gap, in->room, in->away);
    for (int i = 0; i < n; i++) {
        const double at = (i + 0.5) / n;
        double *away = in->away + 3 * i;
        const double need = def->gap - in->room[i];
        worst = fmax(worst, need);
        *crossing += need > spare * def->gap;
        if (need > 0.0) {
            cst_normalise3(away);
            cst_add3(outward, in->out + 3 * (int)fmin(at * def->elements + 0.5, def->elements), away);
            cst_normalise3(away);
            ask(in, at, need, away);
        }
    }
    return worst;
}

/* Returns the larger of the results (m) of look_at_surfaces and look_at_hairs, which also set displacements of the hair's joints.
 * A hair that passes the test with interpolated distances from the surfaces is tested again with exact distances. */
static double look(layer *in, int hair, const cst_strand *strand, double outward, int *crossing)
{
    const cst_groom_def *def = in->def;
    cst_strand_points(strand, def->elements, in->pieces, in->point);
    double worst = fmax(look_at_surfaces(in, false), look_at_hairs(in, hair, outward, crossing));
    if (!(worst > spare * def->gap))
        worst = fmax(worst, look_at_surfaces(in, true));
    return worst;
}

static double clearance_of(const cst_groom_def *def)
{
    return (1.0 + edges) * def->radius + 1.5 * def->gap;
}

/* Computes the point where a hair begins, raised by `height` along the normal of the scalp. */
static void begin_at(const cst_groom_def *def, const cst_root *root, double height, double *x)
{
    memcpy(x, root->x, 3 * sizeof *x);
    cst_add3(clearance_of(def) + height, root->normal, x);
}

/* Computes the path of a hair of a ponytail, parallel to the path of the ponytail's middle hair. The vector from the root of the
 * middle hair to the root of the new hair is transported along the path of the middle hair without rotation about the tangent. On
 * the outside of a bend, the path of the new hair is longer than that of the middle hair. The path of the new hair is therefore
 * divided into equal steps of its own. */
static void go_beside(layer *in, const cst_root *root, double step, int steps)
{
    const double *middle = in->middle;
    double off[3], t[3], from[3], before[3], gone = 0.0;
    cst_subtract3(root->x, in->def->tie->x, off);
    memcpy(t, in->def->tie->normal, sizeof t);
    begin_at(in->def, root, 0.0, in->way);
    memcpy(before, in->way, sizeof before);
    int done = 0, k = 1;
    while (done < steps) {
        double here[3], along[3];
        if (k <= steps) {
            cst_subtract3(middle + 3 * k, middle + 3 * (k - 1), along);
            cst_normalise3(along);
            cst_parallel_transport(t, along, off, off);
            memcpy(t, along, sizeof t);
            memcpy(here, middle + 3 * k, sizeof here);
            cst_add3(1.0, off, here);
        } else { /* beyond the end of the middle hair's path, the path of the new hair goes straight on */
            memcpy(here, before, sizeof here);
            cst_add3(step, t, here);
        }
        k++;
        cst_subtract3(here, before, from);
        const double length = sqrt(cst_dot3(from, from));
        while (done < steps && gone + length >= (done + 1) * step) {
            const double share = ((done + 1) * step - gone) / length;
            for (int c = 0; c < 3; c++)
                in->way[3 * (done + 1) + c] = before[c] + share * from[c];
            done++;
        }
        gone += length;
        memcpy(before, here, sizeof before);
    }
}

/* Computes the path of a hair from its root, and the points `base` of the path where the joints are. */
static void find_base(layer *in, const cst_root *root, double length, double height, double *base)
{
    const cst_groom_def *def = in->def;
    const int steps = STEPS_PER_ELEMENT * def->elements;
    const double clearance = clearance_of(def);
    double start[3];
    begin_at(def, root, 0.0, start);
    const double step = in->reach * length / steps;
    if (def->tie) {
        begin_at(def, def->tie, 0.0, start);
        cst_comb_way(&def->comb, in->field, start, root->normal, clearance, height, step, steps, in->middle);
        go_beside(in, root, step, steps);
    } else {
        cst_comb_way(&def->comb, in->field, start, root->normal, clearance, height, step, steps, in->way);
    }
    for (int i = 0; i <= def->elements; i++)
        memcpy(base + 3 * i, in->way + 3 * (STEPS_PER_ELEMENT * i), 3 * sizeof *base);
}

/* Sets displacements of a hair's joints towards the guide hair of its wisp (a group of hairs). Without wisps, the displacements
 * are zero. */
static void gather(const layer *in, int hair)
{
    const int n = in->def->elements;
    memset(in->move, 0, 3 * ((size_t)n + 1) * sizeof *in->move);
    if (!in->guide)
        return;
    const double *guide = in->guide + 3 * (size_t)in->wisp[hair] * (size_t)(n + 1);
    for (int joint = 1; joint <= n; joint++)
        for (int i = 3 * joint; i < 3 * (joint + 1); i++)
            in->move[i] = in->def->tightness * fmin(2.0 * joint / n, 1.0) * (guide[i] - in->base[i]);
}

/* Increases the displacement of each joint of a hair, except the root, outward in equal steps, by at most about `highest` (m) in
 * all. At each position of the joint, the function computes the gap between a short straight segment, centred at the joint, and
 * other hairs. The joint stops when its gap to other hairs has been large enough at more than `beyond` consecutive positions. */
static void rise_above(layer *in, int hair, int beyond)
{
    const cst_groom_def *def = in->def;
    const double step = fmax(0.5 * (2.0 * def->radius + def->gap), highest / RISES);
    for (int i = 1; i <= def->elements; i++) {
        const double *t = in->tangent + 3 * i;
        double *move = in->move + 3 * i, a[3], b[3], unused[3];
        int clear = 0;
        for (int rise = 0; rise * step < highest; rise++) {
            for (int k = 0; k < 3; k++) {
                a[k] = in->base[3 * i + k] + move[k] - 0.5 * in->piece * t[k];
                b[k] = a[k] + in->piece * t[k];
            }
            clear = cst_taken_room(in->taken, hair, def->radius, a, b, def->gap, unused) >= def->gap ? clear + 1 : 0;
            if (clear > beyond)
                break;
            cst_add3(step, in->out + 3 * i, move);
        }
    }
}

/* Changes the tangents of a hair so that its joints move approximately by the displacements in->move. If the comb gives a
 * direction of growth, the tangent at the root stays unchanged. */
static void move_joints(layer *in, double l)
{
    double root[3];
    memcpy(root, in->tangent, sizeof root);
    cst_strand_move_joints(in->tangent, in->def->elements, l, in->move);
    if (in->def->comb.grown)
        memcpy(in->tangent, root, sizeof root);
}

/* Lays a hair along its combed path and corrects it in at most ROUNDS rounds, until it is free from overlaps. Returns the
 * difference (m) between the required gap and the smallest remaining gap of the hair to surfaces or other hairs; 0 if all gaps
 * are large enough. */
static double try_one(layer *in, int hair, int beyond, cst_strand *strand)
{
    const cst_groom_def *def = in->def;
    const int n = def->elements;
    const double l = strand->length / n * in->reach;
    cst_strand_curl curl = {.radius = def->curl_radius, .pitch = def->curl_pitch};
    memcpy(curl.outward, def->root[hair].normal, sizeof curl.outward);
    for (int i = 0; i <= n; i++) {
        const int at = STEPS_PER_ELEMENT * i, before = at > 0 ? at - 1 : 0, after = i < n ? at + 1 : at;
        cst_subtract3(in->way + 3 * after, in->way + 3 * before, in->tangent + 3 * i);
        cst_normalise3(in->tangent + 3 * i);
    }
    if (def->comb.grown)
        cst_comb_growth(&def->comb, def->root[hair].normal, in->tangent);
    gather(in, hair);
    rise_above(in, hair, beyond);
    for (int i = 0; i < 3 * (n + 1); i++)
        in->goal[i] = in->base[i] + in->move[i];
    for (int k = 0; k < APPROACHES; k++) {
        cst_strand_from_tangents(strand, n, in->tangent, &curl);
        cst_strand_points(strand, n, 1, in->point);
        for (int i = 0; i < 3 * (n + 1); i++)
            in->move[i] = in->goal[i] - in->point[i];
        move_joints(in, l);
    }
    memset(in->move, 0, 3 * ((size_t)n + 1) * sizeof *in->move);
    double worst = 0.0;
    int crossing = 0;
    for (int round = 0; round < ROUNDS && (round < ROUNDS_LEAST || crossing <= hopeless * n * in->pieces); round++) {
        move_joints(in, l);
        cst_strand_from_tangents(strand, n, in->tangent, &curl);
        memset(in->move, 0, 3 * ((size_t)n + 1) * sizeof *in->move);
        worst = look(in, hair, strand, outward_first + outward_growth * round, &crossing);
        if (!(worst > spare * def->gap))
            break;
    }
    return worst;
}

static void cut_at_tie(const layer *in, int hair, cst_strand *strand)
{
    const cst_groom_def *def = in->def;
    double start[3];
    begin_at(def, def->root + hair, 0.0, start);
    strand->length =
        cst_comb_length_to_tie(&def->comb, in->field, start, def->root[hair].normal, clearance_of(def), tie_step, strand->length);
}

/* A hair is laid in several attempts, which the table `attempt` lists by increasing height of the hair's path above the surfaces.
 * The function returns the index, in the table `attempt`, of the attempt that is made first for the hair. Hairs with neighbouring
 * roots lie at about the same height: if attempt k laid the hair with the nearest root, the new hair begins with attempt max(k -
 * 1, 0). */
static int attempt_beside(const layer *in, int hair)
{
    const cst_root *root = in->def->root;
    double least = INFINITY;
    int found = 0;
    for (int i = 0; i < in->done; i++) {
        double apart[3];
        cst_subtract3(root[in->laid[i]].x, root[hair].x, apart);
        const double d = cst_dot3(apart, apart);
        if (d < least) {
            least = d;
            found = in->took[i];
        }
    }
    return found > 0 ? found - 1 : 0;
}

static void lay_one(layer *in, int hair, cst_strand *strand, cst_groom_outcome *outcome)
{
    const cst_groom_def *def = in->def;
    const int n = def->elements;
    if (def->comb.to_tie)
        cut_at_tie(in, hair, strand);
    static const struct {
        int beyond;
        double height; /* m */
    } attempt[] = {{0, 0.0},   {2, 0.0},  {5, 0.0},   {0, 0.004}, {0, 0.008}, {0, 0.012}, {0, 0.016}, {0, 0.02},
                   {0, 0.025}, {0, 0.03}, {0, 0.035}, {0, 0.04},  {0, 0.05},  {2, 0.06},  {5, 0.06}};
    const int attempts = (int)(sizeof attempt / sizeof *attempt), first = attempt_beside(in, hair);
    double worst = INFINITY;
    for (int cut = 0; worst > spare * def->gap && cut < CUTS; cut++) {
        for (int i = 0; worst > spare * def->gap && i < attempts; i++) {
            const int k = (first + i) % attempts;
            in->took[in->done] = k;
            /* A curled hair winds around its path, so the path runs higher, by curl_lift times the radius of the curl. */
            find_base(in, def->root + hair, strand->length, attempt[k].height + curl_lift * def->curl_radius, in->base);
            memcpy(strand->position, in->base, sizeof strand->position);
            for (int j = 0; j <= n; j++)
                cst_comb_outward(&def->comb, in->field, outward_reach, in->base + 3 * j, in->out + 3 * j);
            worst = try_one(in, hair, attempt[k].beyond, strand);
            if (in->inside && !(worst > spare * def->gap)) {
                const double room = cst_bundle_fill(&in->bundle, strand, in->inside);
                worst = room < spare * in->hair_gap ? def->gap - room : worst;
            }
        }
        if (worst > spare * def->gap && cut + 1 < CUTS) {
            strand->length *= cut < GENTLE_CUTS ? shorter : much_shorter;
            outcome->shortened += cut == 0;
        }
    }
    if (worst > spare * def->gap) {
        outcome->crowded++;
        outcome->deepest = fmax(outcome->deepest, worst - def->gap);
    }
    for (int i = 0; i < n * in->pieces; i++)
        cst_taken_add(in->taken, in->point + 3 * i, in->point + 3 * (i + 1), -1);
    cst_taken_release(in->taken, hair);
    in->laid[in->done++] = hair;
}

/* ---------------------------------------------------------------------------------------------------------------------- all */

typedef struct ranked {
    double height;
    int hair;
} ranked;

static int by_height(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    return cst_order_numbers(a->height, b->height, a->hair, b->hair);
}

static bool begin(layer *in, const cst_groom_def *def, cst_groom_field *field, double longest, cst_arena *arena)
{
    const size_t n = (size_t)def->elements, joints = n + 1;
    const cst_strand_curl curl = {.radius = def->curl_radius, .pitch = def->curl_pitch};
    const double rise = def->curl_pitch / 6.283185307179586, square = def->curl_radius * def->curl_radius + rise * rise;
    /* The number of helix turns in an element of curled hair can differ by up to one half from that of a helix of the same length
     * with the given radius and pitch. The curvature of curled hair is therefore assumed to be at most 1.5 times that of a helix
     * with the given radius and pitch. */
    const double l = longest / def->elements;
    /* Hair combed against its growth is assumed to turn by up to `growth_turn` (rad) in its first element. */
    const double bend =
        sharpest + (def->curl_radius > 0.0 ? 1.5 * def->curl_radius / square : 0.0) + (def->comb.grown ? growth_turn / l : 0.0);
    const double piece = sqrt(8.0 * sagitta * def->radius / bend);
    const int pieces = (int)fmin(fmax(ceil(l / piece), 4.0), PIECES_MAX);
    *in = (layer){.def = def, .field = field, .pieces = pieces, .piece = l / pieces, .reach = cst_strand_curl_reach(&curl)};
    in->taken = cst_taken_new((size_t)def->count * (n * (size_t)pieces + 1), 0.5 * fmax(in->piece, stub_radii * def->radius),
                              2.0 * def->radius + def->gap, def->radius, def->earlier, arena);
    in->way = CST_TAKE(arena, double, 3 * (STEPS_PER_ELEMENT * n + 1));
    in->middle = CST_TAKE(arena, double, 3 * (STEPS_PER_ELEMENT * n + 1));
    in->base = CST_TAKE(arena, double, 3 * joints);
    in->out = CST_TAKE(arena, double, 3 * joints);
    in->move = CST_TAKE(arena, double, 3 * joints);
    in->goal = CST_TAKE(arena, double, 3 * joints);
    in->tangent = CST_TAKE(arena, double, 3 * joints);
    in->took = CST_TAKE(arena, int, def->count);
    in->laid = CST_TAKE(arena, int, def->count);
    in->room = CST_TAKE(arena, double, n *(size_t)pieces);
    in->away = CST_TAKE(arena, double, 3 * n * (size_t)pieces);
    in->point = CST_TAKE(arena, double, 3 * (n * (size_t)pieces + 1));
    return !arena->failed && cst_taken_reserve(in->taken, def->count);
}

/* Divides the hairs into wisps, groups of hairs that follow one guide hair. Hair i is the guide hair of wisp i. Each hair belongs
 * to the wisp whose guide hair has the nearest root. */
static bool find_wisps(layer *in, cst_arena *arena)
{
    const cst_groom_def *def = in->def;
    const size_t joints = (size_t)def->elements + 1;
    const int wisps = def->wisps < def->count ? def->wisps : def->count;
    if (wisps == 0)
        return true;
    double *guide = CST_TAKE(arena, double, 3 * (size_t)wisps * joints);
    int *wisp = CST_TAKE(arena, int, def->count);
    if (!guide || !wisp)
        return false;
    for (int i = 0; i < wisps; i++)
        find_base(in, def->root + i, def->length, 0.0, guide + 3 * (size_t)i * joints);
    for (int i = 0; i < def->count; i++) {
        double least = INFINITY;
        for (int k = 0; k < wisps; k++) {
            double apart[3];
            cst_subtract3(def->root[i].x, def->root[k].x, apart);
            const double d = cst_dot3(apart, apart);
            if (d < least) {
                least = d;
                wisp[i] = k;
            }
        }
    }
    in->guide = guide;
    in->wisp = wisp;
    return true;
}

int cst_groom_roots(int count, int bundle)
{
    return (count + bundle - 1) / bundle;
}

static double bundle_spacing(double radius, double gap)
{
    return 2.0 * radius + fmax(1.5 * gap, fit_room * radius);
}

double cst_groom_tube(int bundle, double radius, double gap)
{
    const int rings = bundle <= 1 ? 0 : bundle <= 7 ? 1 : bundle <= 19 ? 2 : 3;
    return cst_bundle_tube(rings, radius, bundle_spacing(radius, gap));
}

/* Returns the sort key for the order in which hairs are laid: the height of the root. Hair combed to a hair tie is sorted by the
 * distance of its root from the tie. */
static double rank_of(const cst_comb *comb, const double *x)
{
    double off[3];
    cst_subtract3(x, comb->tie, off);
    return comb->to_tie ? cst_dot3(off, off) : -cst_dot3(x, comb->down);
}

/* Lays all strands. For hair in bundles, each strand is the guide of one bundle, and the hairs of all bundles are written to
 * `inside`. Otherwise `inside` is NULL. */
static bool lay_all(const cst_groom_def *def, cst_groom_field *field, cst_rng *rng, cst_arena *arena, cst_strand *strand,
                    cst_strand *inside, const cst_groom_def *hairs, cst_groom_outcome *outcome)
{
    layer in;
    ranked *order = CST_TAKE(arena, ranked, def->count);
    double *curvature = CST_TAKE(arena, double, 3 * (size_t)def->count * (size_t)def->elements);
    if (!begin(&in, def, field, def->length * (1.0 + def->length_variation), arena) || !find_wisps(&in, arena))
        return false;
    in.hair_gap = hairs->gap;
    if (inside && !cst_bundle_begin(&in.bundle, def->bundle, def->elements, in.pieces, hairs->radius,
                                    bundle_spacing(hairs->radius, hairs->gap), arena))
        return false;
    for (int i = 0; i < def->count; i++) {
        const double share = cst_rng_range(rng, -1.0, 1.0);
        strand[i] = (cst_strand){.length = def->length * (1.0 + share * def->length_variation),
                                 .curvature = curvature + 3 * (size_t)i * (size_t)def->elements};
        order[i] = (ranked){rank_of(&def->comb, def->root[i].x), i};
    }
    qsort(order, (size_t)def->count, sizeof *order, by_height);
    for (int i = 0; i < def->count; i++) {
        double from[3], to[3];
        begin_at(def, def->root + i, 0.0, from);
        begin_at(def, def->root + i, stub_radii * def->radius, to);
        cst_taken_add(in.taken, from, to, i);
    }
    for (int i = 0; i < def->count && outcome->crowded < CROWDED_MOST && !arena->failed; i++, outcome->laid++) {
        const int hair = order[i].hair;
        in.inside = inside ? inside + (size_t)hair * (size_t)def->bundle : NULL;
        lay_one(&in, hair, strand + hair, outcome);
    }
    outcome->taken = in.taken;
    return !arena->failed;
}

bool cst_groom_lay(const cst_groom_def *def, cst_groom_field *field, cst_rng *rng, cst_arena *arena, cst_strand *strand,
                   cst_groom_outcome *outcome)
{
    *outcome = (cst_groom_outcome){0};
    if (def->bundle < 2)
        return lay_all(def, field, rng, arena, strand, NULL, def, outcome);
    cst_groom_def tubes = *def;
    const size_t n = (size_t)def->elements;
    tubes.count = cst_groom_roots(def->count, def->bundle);
    tubes.radius = cst_groom_tube(def->bundle, def->radius, def->gap);
    tubes.gap = fmax(def->gap, tube_gap * tubes.radius);
    const size_t all = (size_t)tubes.count * (size_t)def->bundle;
    cst_strand *guide = CST_TAKE(arena, cst_strand, tubes.count), *inside = CST_TAKE(arena, cst_strand, all);
    double *curvature = CST_TAKE(arena, double, 3 * n * all);
    if (arena->failed)
        return false;
    for (size_t i = 0; i < all; i++)
        inside[i].curvature = curvature + 3 * n * i;
    const bool laid = lay_all(&tubes, field, rng, arena, guide, inside, def, outcome);
    /* the last bundle can have more hairs than requested; these are not copied */
    memcpy(strand, inside, (size_t)def->count * sizeof *strand);
    return laid;
}
