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

static int compare_listed(const void *x, const void *y)
{
    return compare_contacts(*(const cst_contact *const *)x, *(const cst_contact *const *)y);
}

/* Moves each contact to its place in one go, after a merge sort of pointers to the contacts. A contact takes 624 bytes; a merge
 * sort of the contacts themselves would move each of them about log2(count) times. Returns false if memory ran out. */
static bool sort_many(cst_contact *contact, int count, cst_arena *arena)
{
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    const cst_contact **listed = CST_TAKE_RAW(arena, const cst_contact *, count);
    const cst_contact **scratch = CST_TAKE_RAW(arena, const cst_contact *, count);
    int32_t *from = CST_TAKE_RAW(arena, int32_t, count);
    if (arena->failed)
        return false;
    for (int i = 0; i < count; i++)
        listed[i] = contact + i;
    cst_merge_sort(listed, scratch, (size_t)count, sizeof *listed, compare_listed);
    for (int i = 0; i < count; i++)
        from[i] = (int32_t)(listed[i] - contact);
    for (int i = 0; i < count; i++) {
        const cst_contact first = contact[i];
        int to = i;
        for (int next = from[i]; next != i; next = from[to]) { /* a cycle of the permutation */
            contact[to] = contact[next];
            from[to] = to;
            to = next;
        }
        contact[to] = first;
        from[to] = to;
    }
    cst_arena_release(arena, mark);
    return true;
}

bool cst_contacts_sort(cst_contact *contact, int count, cst_arena *arena)
{
    /* The list of contacts is usually sorted already, except for a few contacts that are out of order. Insertion sort moves
     * only the contacts that are out of order, which saves time because a contact is a large structure. */
    enum { MOVES_EACH = 2 };
    int64_t moves = (int64_t)MOVES_EACH * count;
    for (int i = 1; i < count; i++) {
        int place = i;
        while (place > 0 && place > i - moves && cst_contacts_compare(contact + place - 1, contact + i) > 0)
            place--;
        if (place == i)
            continue;
        moves -= i - place;
        if (moves <= 0)
            return sort_many(contact, count, arena);
        const cst_contact moved = contact[i];
        memmove(contact + place + 1, contact + place, sizeof *contact * (size_t)(i - place));
        contact[place] = moved;
    }
    return true;
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
    bool turned; /* true: the angle between the normals of the new and of the old contact is 90 degrees or more */
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

/* Returns a penalty (m) for the match of an old and a new contact, if the old contact has an impulse and the gap of the new
 * contact is open. The penalty is added to the distance of the two contacts, so that a new contact with a small gap is preferred.
 * The penalty is:
 *
 *     `penalty = 4*sqrt(R*gap)`.
 *     `R`: sum of the two radii.
 *
 * Along a straight rod that touches a round body, the gap is g at the distance sqrt(2 R g) from the contact point, where R is the
 * sum of the two radii. The penalty for the gap g is 2.8 times the distance sqrt(2 R g). Without the penalty for an open gap, a
 * contact that slides past a joint of two rod elements could be matched with a new contact that has an open gap at the joint. */
static double open_distance(const cst_contact *now, const cst_contact *before)
{
    enum { WEIGHT = 4 }; /* not measured */
    const double gap = fmax(now->gap, 0.0);
    return before->r[0] > 0.0 ? WEIGHT * sqrt((now->a.radius + now->b.radius) * gap) : 0.0;
}

/* NEAR: a new contact with the opposite normal can continue an old contact only if their distance, measured along each of the two
 * bodies, is at most NEAR times the sum of the two radii. */
static const double NEAR = 4.0;

static bool may_be(const cst_contact *now, const cst_contact *before, match *out)
{
    const double on_a = cst_contact_end_distance(&now->a, &before->a), on_b = cst_contact_end_distance(&now->b, &before->b);
    if (!(on_a <= fmax(now->a.reach, before->a.reach)) || !(on_b <= fmax(now->b.reach, before->b.reach)))
        return false;
    out->turned = !(cst_dot3(now->normal, before->normal) > 0.0);
    /* An old contact is matched with a new contact of opposite normal only if the two bodies may have passed through each other:
     * the new contact must penetrate and must be near the old contact. On curves, the usual distance limit of contact tracking is
     * about one element length, which would allow a match with a contact on the opposite side of the body. */
    const double near = NEAR * (now->a.radius + now->b.radius);
    if (out->turned && (!(now->gap < 0.0) || !(on_a <= near && on_b <= near)))
        return false;
    out->distance = on_a + on_b + open_distance(now, before);
    out->other_features = now->a.kind != before->a.kind || now->b.kind != before->b.kind || now->a.feature != before->a.feature ||
                          now->b.feature != before->b.feature || now->branch != before->branch;
    return true;
}

/* Contacts between two owners (two bodies, or a body and an obstacle), in this step (`now`) and in the last step (`before`).
 * The contacts of each pair of owners are matched independently of all other pairs. */
typedef struct owner_pair {
    int32_t now, now_end, before, before_end;
    int64_t match, match_end; /* range of possible matches */
    /* edge length (m) of the grid cells into which the old contacts are sorted; 0: no cells */
    double cell;
} owner_pair;

/* An old contact, and the grid cell that contains its contact point on the first body. */
typedef struct spot {
    int64_t cell[3];
    int32_t contact;
} spot;

/* Lists the pairs of owners (bodies or obstacles) that have contacts in this step, in the order of the contacts, and returns
 * their number. `pair`: output, the list of pairs of owners; NULL: the pairs are only counted. */
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

/* ------------------------------------------------------------------------------------------------- many contacts on features.
 *
 * A sheet on a ball has thousands of contacts with the ball. Contacts of a sheet have no arc length by which they could be
 * sorted, so they are sorted into cubic grid cells. The edge length of a grid cell is the largest distance over which a contact
 * is tracked in one step. */

enum { SORTED_FROM = 64 }; /* fewer old contacts need no cells */

static int compare_cells(const int64_t *x, const int64_t *y)
{
    int order = compare_int(x[0], y[0]);
    order = order ? order : compare_int(x[1], y[1]);
    return order ? order : compare_int(x[2], y[2]);
}

static int compare_spots(const void *p, const void *q)
{
    const spot *x = p, *y = q;
    const int order = compare_cells(x->cell, y->cell);
    return order ? order : compare_int(x->contact, y->contact);
}

static void cell_of(const cst_contact_end *end, double size, int64_t *cell)
{
    for (int k = 0; k < 3; k++)
        cell[k] = (int64_t)floor(fmin(fmax(end->at[k] / size, -1e15), 1e15));
}

/* Returns the largest distance (m) that a tracked contact of the list can move on its first body in one step. Returns HUGE_VAL if
 * a contact of the list is on a curve. */
static double largest_reach(const cst_contact *contact, int32_t from, int32_t to)
{
    double reach = 0.0;
    for (int32_t i = from; i < to; i++)
        reach = cst_contact_on_features(contact + i) ? fmax(reach, contact[i].a.reach) : HUGE_VAL;
    return reach;
}

static void sort_spots(const cst_contact *before, const cst_contact *now, owner_pair *pair, spot *spots, spot *scratch)
{
    pair->cell = 0.0;
    if (pair->before_end - pair->before < SORTED_FROM)
        return;
    const double reach =
        fmax(largest_reach(now, pair->now, pair->now_end), largest_reach(before, pair->before, pair->before_end));
    if (!(reach > 0.0 && reach < HUGE_VAL))
        return;
    pair->cell = reach;
    for (int32_t j = pair->before; j < pair->before_end; j++) {
        spots[j].contact = j;
        cell_of(&before[j].a, reach, spots[j].cell);
    }
    cst_merge_sort(spots + pair->before, scratch + pair->before, (size_t)(pair->before_end - pair->before), sizeof *spots,
                   compare_spots);
}

/* Finds the old contacts that the new contact i can continue, in the grid cells around contact i, and returns their number.
 * `out`: possible matches, or NULL. */
static int64_t matches_around(const cst_contact *before, const cst_contact *now, int32_t i, const owner_pair *pair,
                              const spot *spots, match *out)
{
    int64_t found = 0, here[3];
    cell_of(&now[i].a, pair->cell, here);
    for (int column = 0; column < 9; column++) {
        const int64_t from[3] = {here[0] + column / 3 - 1, here[1] + column % 3 - 1, here[2] - 1};
        int32_t low = pair->before, high = pair->before_end;
        while (low < high) {
            const int32_t middle = low + (high - low) / 2;
            if (compare_cells(spots[middle].cell, from) < 0)
                low = middle + 1;
            else
                high = middle;
        }
        for (; low < pair->before_end && spots[low].cell[0] == from[0] && spots[low].cell[1] == from[1] &&
               spots[low].cell[2] <= here[2] + 1;
             low++) {
            match possible = {.now = i, .before = spots[low].contact};
            if (may_be(now + i, before + possible.before, &possible)) {
                if (out)
                    out[found] = possible;
                found++;
            }
        }
    }
    return found;
}

/* Finds all possible matches of the old and new contacts between two owners (bodies or obstacles), and returns their number.
 * `out`: possible matches, or NULL. Contacts are sorted by their arc length on the first body. If the arc length of an old
 * contact is too small to match a new contact, it is also too small for all later new contacts, and the old contact is skipped.
 * On a closed curve, no old contact is skipped. */
static int64_t possible_matches(const cst_contact *before, const cst_contact *now, const owner_pair *pair, const spot *spots,
                                match *out)
{
    int64_t found = 0;
    int32_t first = pair->before;
    for (int32_t i = pair->now; i < pair->now_end && pair->cell > 0.0; i++)
        found += matches_around(before, now, i, pair, spots, out ? out + found : NULL);
    if (pair->cell > 0.0)
        return found;
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

/* Matches the old and new contacts between two owners (bodies or obstacles), the best match first; each contact is matched at
 * most once. */
static void match_pair(const cst_contact *before, double scale, cst_contact *now, const owner_pair *pair, const spot *spots,
                       match *possible, match *scratch, bool *known, int32_t *successor)
{
    possible_matches(before, now, pair, spots, possible + pair->match);
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
    owner_pair *pair = CST_TAKE_RAW(arena, owner_pair, pairs);
    bool *known = CST_TAKE(arena, bool, count_now);
    spot *spots = CST_TAKE_RAW(arena, spot, 2 * (size_t)count_before), *spare = spots + count_before;
    if (arena->failed)
        return -1;
    list_pairs(now, count_now, pair);
    for (int j = 0; j < count_before; j++)
        successor[j] = -1;
    CST_PARALLEL_FOR(used, schedule(static), (int32_t k = 0; k < pairs; k++), {
        find_before(before, count_before, now, pair + k);
        sort_spots(before, now, pair + k, spots, spare);
        pair[k].match_end = possible_matches(before, now, pair + k, spots, NULL);
    });
    int64_t matches = 0;
    for (int32_t k = 0; k < pairs; k++) {
        pair[k].match = matches;
        pair[k].match_end = matches += pair[k].match_end;
    }
    match *possible = CST_TAKE_RAW(arena, match, matches), *scratch = CST_TAKE_RAW(arena, match, matches);
    if (arena->failed)
        return -1;
    CST_PARALLEL_FOR(used, schedule(static), (int32_t k = 0; k < pairs; k++),
                     { match_pair(before, scale, now, pair + k, spots, possible, scratch, known, successor); });
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
