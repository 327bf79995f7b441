#include "world/contact_track.h"

#include <math.h>
#include <string.h>

#include "base/merge_sort.h"
#include "base/threads.h"
#include "math/vector3.h"

enum { PARALLEL_PAIRS = 512 };

/* ---------------------------------------------------------------------------------------------------------------- order */

static int compare_int(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_real(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_owners(const cst_contact *x, const cst_contact *y)
{
    const int order = compare_int(x->a.owner, y->a.owner);
    return order ? order : compare_int(x->b.owner, y->b.owner);
}

int cst_contacts_compare(const cst_contact *x, const cst_contact *y)
{
    int order = compare_owners(x, y);
    order = order ? order : compare_real(x->a.s, y->a.s);
    order = order ? order : compare_real(x->b.s, y->b.s);
    order = order ? order : compare_int(x->a.kind, y->a.kind);
    order = order ? order : compare_int(x->a.feature, y->a.feature);
    order = order ? order : compare_int(x->b.kind, y->b.kind);
    order = order ? order : compare_int(x->b.feature, y->b.feature);
    order = order ? order : compare_int(x->branch, y->branch);
    order = order ? order : compare_real(x->normal[0], y->normal[0]);
    order = order ? order : compare_real(x->normal[1], y->normal[1]);
    return order ? order : compare_real(x->normal[2], y->normal[2]);
}

static int compare_contacts(const void *p, const void *q)
{
    return cst_contacts_compare(p, q);
}

void cst_contacts_sort(cst_contact *contact, cst_contact *scratch, int count)
{
    cst_merge_sort(contact, scratch, (size_t)count, sizeof *contact, compare_contacts);
}

int cst_contacts_first(const cst_contact *contact, int count, const cst_contact *of,
                       int (*compare)(const cst_contact *x, const cst_contact *y))
{
    int low = 0, high = count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (compare(contact + middle, of) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ------------------------------------------------------------------------------------------------------------- matching */

typedef struct match {
    bool turned; /* the normals are opposite */
    double distance;
    bool other_features;
    int32_t now, before;
} match;

static int compare_matches(const void *p, const void *q)
{
    const match *x = p, *y = q;
    int order = compare_int(x->turned, y->turned);
    order = order ? order : compare_real(x->distance, y->distance);
    order = order ? order : compare_int(x->other_features, y->other_features);
    order = order ? order : compare_int(x->now, y->now);
    return order ? order : compare_int(x->before, y->before);
}

double cst_contact_end_distance(const cst_contact_end *x, const cst_contact_end *y)
{
    if (x->kind >= CST_FEATURE_VERTEX && y->kind >= CST_FEATURE_VERTEX) {
        double apart[3];
        cst_subtract3(x->at, y->at, apart);
        return sqrt(cst_dot3(apart, apart));
    }
    const double distance = fabs(x->s - y->s);
    return x->period > 0.0 ? fmin(distance, fabs(x->period - distance)) : distance;
}

/* A contact that pushed is sought where it would push again. An open gap g beside a round contact of radius R is sqrt(2 R g) away
 * from it; that counts more than material distance, or the joint that a contact has just passed would keep its name. */
static double open_distance(const cst_contact *now, const cst_contact *before)
{
    enum { WEIGHT = 4 }; /* 2.8 times sqrt(2 R g). Which scenes decided it is not recorded (docs/constants.md) */
    const double gap = fmax(now->gap, 0.0);
    return before->r[0] > 0.0 ? WEIGHT * sqrt((now->a.radius + now->b.radius) * gap) : 0.0;
}

/* Of the sum of radii: a contact that has turned round moved no farther along its owners. */
static const double NEAR = 4.0;

static bool may_be(const cst_contact *now, const cst_contact *before, match *out)
{
    const double on_a = cst_contact_end_distance(&now->a, &before->a), on_b = cst_contact_end_distance(&now->b, &before->b);
    if (!(on_a <= fmax(now->a.reach, before->a.reach)) || !(on_b <= fmax(now->b.reach, before->b.reach)))
        return false;
    out->turned = !(cst_dot3(now->normal, before->normal) > 0.0);
    /* What has gone through is near to where it was: on long elements another contact, from the other side, may be within reach */
    const double near = NEAR * (now->a.radius + now->b.radius);
    if (out->turned && (!(now->gap < 0.0) || !(on_a <= near && on_b <= near)))
        return false;
    out->distance = on_a + on_b + open_distance(now, before);
    out->other_features = now->a.kind != before->a.kind || now->b.kind != before->b.kind || now->a.feature != before->a.feature ||
                          now->b.feature != before->b.feature || now->branch != before->branch;
    return true;
}

/* Contacts of one pair of owners, now and before: matched among themselves, whatever becomes of the others. */
typedef struct owner_pair {
    int32_t now, now_end, before, before_end;
    int64_t match, match_end; /* possible ones */
} owner_pair;

/* Pairs of owners of the contacts now, in their order; pair NULL: counted only. */
static int32_t list_pairs(const cst_contact *now, int32_t count, owner_pair *pair)
{
    int32_t pairs = 0;
    for (int32_t i = 0, end; i < count; i = end, pairs++) {
        for (end = i + 1; end < count && compare_owners(now + end, now + i) == 0;)
            end++;
        if (pair)
            pair[pairs] = (owner_pair){.now = i, .now_end = end};
    }
    return pairs;
}

static void find_before(const cst_contact *before, int32_t count, const cst_contact *now, owner_pair *pair)
{
    pair->before = pair->before_end = cst_contacts_first(before, count, now + pair->now, compare_owners);
    while (pair->before_end < count && compare_owners(before + pair->before_end, now + pair->now) == 0)
        pair->before_end++;
}

/* Possible matches of a pair, written to out unless it is NULL; returns their number. Contacts come by increasing s of side a: those too
 * far back are passed over for good unless s is cyclic. */
static int64_t possible_matches(const cst_contact *before, const cst_contact *now, const owner_pair *pair, match *out)
{
    int64_t found = 0;
    int32_t first = pair->before;
    for (int32_t i = pair->now; i < pair->now_end; i++) {
        if (now[i].a.period <= 0.0)
            while (first < pair->before_end && before[first].a.s + fmax(before[first].a.reach, now[i].a.reach) < now[i].a.s)
                first++;
        for (int32_t j = first; j < pair->before_end; j++) {
            match possible = {.now = i, .before = j};
            if (may_be(now + i, before + j, &possible)) {
                if (out)
                    out[found] = possible;
                found++;
            }
        }
    }
    return found;
}

/* The tangential part, back onto the cone. */
static void clip_to_cone(double mu, double *r)
{
    const double most = mu * r[0], tangent = hypot(r[1], r[2]);
    if (r[2] == 0.0) {
        r[1] = fmax(-most, fmin(most, r[1]));
    } else if (tangent > most) {
        r[1] *= most / tangent;
        r[2] *= most / tangent;
    }
}

void cst_contact_continue(const cst_contact *before, bool turned, double scale, cst_contact *now)
{
    cst_contact_set_frame(now);
    for (int c = 0; c < 3; c++)
        now->r[c] = scale * cst_dot3(now->frame + 3 * c, before->impulse);
    now->r[0] = fmax(now->r[0], 0.0);
    clip_to_cone(now->mu, now->r);
    now->id = before->id;
    now->fresh = !(now->r[0] > 0.0);
    now->turned = turned;
    now->jammed = before->jammed && before->r[0] > 0.0;
    memcpy(now->before, before->normal, sizeof now->before);
    memcpy(now->start, before->start, sizeof now->start);
    memcpy(now->start_velocity, before->start_velocity, sizeof now->start_velocity);
}

/* The best match first, each contact once. */
static void match_pair(const cst_contact *before, double scale, cst_contact *now, const owner_pair *pair, match *possible,
                       match *scratch, bool *known, int32_t *successor)
{
    possible_matches(before, now, pair, possible + pair->match);
    cst_merge_sort(possible + pair->match, scratch + pair->match, (size_t)(pair->match_end - pair->match), sizeof *possible,
                   compare_matches);
    for (int64_t k = pair->match; k < pair->match_end; k++) {
        const match *m = possible + k;
        if (successor[m->before] >= 0 || known[m->now])
            continue;
        successor[m->before] = m->now;
        known[m->now] = true;
        cst_contact_continue(before + m->before, m->turned, scale, now + m->now);
    }
}

int cst_contacts_track(const cst_contact *before, int count_before, double scale, cst_contact *now, int count_now, int threads,
                       uint64_t *next_id, int32_t *successor, cst_arena *arena)
{
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    const int32_t pairs = list_pairs(now, count_now, NULL);
    const int used = cst_threads_for(threads, pairs, PARALLEL_PAIRS);
    (void)used; /* nobody reads it in a build without OpenMP */
    owner_pair *pair = CST_TAKE_RAW(arena, owner_pair, pairs);
    bool *known = CST_TAKE(arena, bool, count_now);
    if (arena->failed)
        return -1;
    list_pairs(now, count_now, pair);
    for (int j = 0; j < count_before; j++)
        successor[j] = -1;
#pragma omp parallel for schedule(static) num_threads(used)
    for (int32_t k = 0; k < pairs; k++) {
        find_before(before, count_before, now, pair + k);
        pair[k].match_end = possible_matches(before, now, pair + k, NULL);
    }
    int64_t matches = 0;
    for (int32_t k = 0; k < pairs; k++) {
        pair[k].match = matches;
        pair[k].match_end = matches += pair[k].match_end;
    }
    match *possible = CST_TAKE_RAW(arena, match, matches), *scratch = CST_TAKE_RAW(arena, match, matches);
    if (arena->failed)
        return -1;
#pragma omp parallel for schedule(static) num_threads(used)
    for (int32_t k = 0; k < pairs; k++)
        match_pair(before, scale, now, pair + k, possible, scratch, known, successor);
    int unmatched = 0;
    for (int i = 0; i < count_now; i++) {
        if (known[i])
            continue;
        now[i].id = (*next_id)++;
        now[i].fresh = true;
        memset(now[i].r, 0, sizeof now[i].r);
        unmatched++;
    }
    cst_arena_release(arena, mark);
    return unmatched;
}
