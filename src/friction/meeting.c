#include "friction/meeting.h"

#include <string.h>

#include "base/prefetch.h"

bool cst_meetings_build(const cst_half *half, int sides, int contacts, int bodies, cst_arena *arena, cst_meetings *out)
{
    const int64_t halves = sides * (int64_t)contacts;
    *out = (cst_meetings){.sides = sides,
                          .half = half,
                          .start = CST_TAKE(arena, int64_t, (size_t)bodies + 1),
                          .touching = CST_TAKE_RAW(arena, int32_t, (size_t)halves)};
    if (arena->failed)
        return false;
    for (int64_t h = 0; h < halves; h++)
        if (half[h].body >= 0)
            out->start[half[h].body + 1]++;
    for (int at = 0; at < bodies; at++)
        out->start[at + 1] += out->start[at];
    /* start[b + 1] is at first the end of the contact list of body b, and decreases by 1 with each contact stored, so that at
     * last it is the start of the list */
    const int64_t total = out->start[bodies];
    for (int64_t h = halves - 1; h >= 0; h--)
        if (half[h].body >= 0)
            out->touching[--out->start[half[h].body + 1]] = (int32_t)h;
    for (int at = 0; at < bodies; at++)
        out->start[at] = out->start[at + 1];
    out->start[bodies] = total;
    return true;
}

void cst_meeting_begin(const cst_meetings *meetings, int contact, cst_meeting *meeting)
{
    meeting->own = meetings->half + meetings->sides * (int64_t)contact;
    for (int s = 0; s < meetings->sides; s++)
        meeting->at[s] = meeting->own[s].body < 0 ? 0 : meetings->start[meeting->own[s].body];
}

/* Prefetches the matrix L^-1 H^T (half.h) of the next contact in the contact list of a body, and the struct cst_half of the
 * contact after it. The matrices L^-1 H^T of the contacts of one body are scattered in memory. */
static void fetch_ahead(const cst_meetings *meetings, int64_t at, int64_t end)
{
    enum { DIM_MOST = 3 };
    if (at + 1 < end)
        cst_prefetch(meetings->half + meetings->touching[at + 1], sizeof(cst_half));
    if (at < end) {
        const cst_half *next = meetings->half + meetings->touching[at];
        cst_prefetch(next->z, sizeof(double) * (size_t)(DIM_MOST * next->length));
    }
}

int cst_meeting_next(const cst_meetings *meetings, cst_meeting *meeting)
{
    int32_t half[CST_HALVES_MAX], contact = INT32_MAX;
    for (int s = 0; s < meetings->sides; s++) {
        const int32_t body = meeting->own[s].body;
        half[s] = body >= 0 && meeting->at[s] < meetings->start[body + 1] ? meetings->touching[meeting->at[s]] : -1;
        if (half[s] >= 0 && half[s] / meetings->sides < contact)
            contact = half[s] / meetings->sides;
    }
    if (contact == INT32_MAX)
        return -1;
    for (int s = 0; s < meetings->sides; s++) {
        const bool here = half[s] >= 0 && half[s] / meetings->sides == contact;
        meeting->met[s] = here ? meetings->half + half[s] : NULL;
        meeting->at[s] += here;
    }
    return contact;
}

void cst_meeting_couple(int dim, const cst_meetings *meetings, const cst_meeting *meeting, double *block)
{
    memset(block, 0, sizeof(double) * (size_t)(dim * dim));
    for (int s = 0; s < meetings->sides; s++)
        if (meeting->met[s]) {
            fetch_ahead(meetings, meeting->at[s], meetings->start[meeting->own[s].body + 1]);
            cst_half_couple(dim, meeting->own + s, meeting->met[s], block);
        }
}
