/* Draws each fiber as several hairs. The curve of a drawn hair is the centreline of its fiber, displaced perpendicular to the
 * tangent. The displacement of a drawn hair is a random offset, at most the contact radius of the fiber, plus a random wave along
 * the hair. The displacement of a drawn hair is multiplied by a factor that decreases linearly from 2 at the root (WIDE_ROOT) to
 * 0.8 at the tip (WIDE_TIP). Near the root, a drawn hair can lie farther from the centreline of its fiber than the contact
 * radius, so that the drawn hairs of neighbouring fibers mix.
 *
 * A hair with a radius below THIN pixels is drawn with the radius THIN, so that it does not look dotted. A hair with a radius
 * below THIN pixels is also partly transparent: only a share of the rays that cross it count as hits. */
#include "render/hair.h"

#include <math.h>

#include "base/rng.h"

#define WIDE_ROOT 2.0
#define WIDE_TIP 0.8
#define WAVES 1.3
#define WAVY 0.35
#define SHORTEST 0.82 /* least length of a hair as a share of its fiber's length */
#define POINTED 0.6   /* 1 - r_tip / r_root, with the radii of a hair at its tip and at its root */
#define FILLED 0.6    /* n hairs are drawn for one fiber; the root radius of each is FILLED / sqrt(n) times the fiber's radius */
#define THIN 0.4      /* pixels of radius */
#define UNEVEN 0.22f
#define GLOSS_OF_VALUES 0.2f /* strength of the highlights unless the hair has its natural colours; these have 1 */

enum { HAIRS = 24000, HAIRS_MOST = 48 };

bool cst_hair_item(const cst_moment_item *item)
{
    return item->owner == CST_ITEM_BODY && item->as == CST_DRAWN_CURVE && !item->closed && item->vertices > 2;
}

int cst_hair_count(const cst_moment *moment)
{
    int count = 0;
    for (int i = 0; i < moment->items; i++)
        count += cst_hair_item(&moment->item[i]);
    return count;
}

int cst_hairs_each(int fibers)
{
    const int each = fibers > 0 ? HAIRS / fibers : 1;
    return each < 1 ? 1 : each > HAIRS_MOST ? HAIRS_MOST : each;
}

static void tangent_at(const cst_drawing_of *d, const cst_moment_item *item, int k, double *out)
{
    const double *a = cst_drawn_place(d, item->first + (k > 0 ? k - 1 : k)),
                 *b = cst_drawn_place(d, item->first + (k < item->vertices - 1 ? k + 1 : k));
    double size = 0.0;
    for (int c = 0; c < 3; c++) {
        out[c] = b[c] - a[c];
        size += out[c] * out[c];
    }
    size = sqrt(fmax(size, 1e-300));
    for (int c = 0; c < 3; c++)
        out[c] /= size;
}

/* A point of a hair, with its tangent, radius, opacity and colour. */
typedef struct hair_point {
    double at[3], tangent[3], radius;
    float cover;
    cst_rgb colour;
} hair_point;

typedef struct hair {
    double aside[3], wave[3], phase;
    double thick;  /* of the fiber's radius */
    double length; /* of the fiber's */
    float light;
} hair;

static void in_ball(cst_rng *rng, double size, double *out)
{
    double square;
    do {
        square = 0.0;
        for (int k = 0; k < 3; k++) {
            out[k] = 2.0 * cst_rng_uniform(rng) - 1.0;
            square += out[k] * out[k];
        }
    } while (square > 1.0);
    for (int k = 0; k < 3; k++)
        out[k] *= size;
}

static hair hair_of(uint32_t id, int number, int hairs)
{
    hair made = {.thick = 1.0, .length = 1.0, .light = 1.0f};
    if (hairs == 1)
        return made;
    cst_rng rng;
    cst_rng_seed(&rng, id, (uint64_t)number + 2);
    in_ball(&rng, 1.0, made.aside);
    in_ball(&rng, WAVY, made.wave);
    made.phase = cst_rng_uniform(&rng);
    made.thick = FILLED / sqrt(hairs);
    made.length = cst_rng_range(&rng, SHORTEST, 1.0);
    made.light = 1.0f + UNEVEN * (float)(2.0 * cst_rng_uniform(&rng) - 1.0);
    return made;
}

static hair_point point_of(const cst_drawing_of *d, const cst_moment_item *item, const hair *own, int k)
{
    const int vertex = item->first + k;
    const double *p = cst_drawn_place(d, vertex), share = (double)k / (item->vertices - 1), radius = d->moment->radius[vertex];
    hair_point made = {.cover = 1.0f};
    double place[3], along = 0.0;
    tangent_at(d, item, k, made.tangent);
    const double wave = sin(2.0 * acos(-1.0) * (WAVES * share + own->phase));
    double aside[3];
    for (int c = 0; c < 3; c++) {
        aside[c] = own->aside[c] + wave * own->wave[c];
        along += made.tangent[c] * aside[c];
    }
    const double wide = radius * (WIDE_ROOT + share * (WIDE_TIP - WIDE_ROOT));
    for (int c = 0; c < 3; c++)
        made.at[c] = p[c] + wide * (aside[c] - along * made.tangent[c]);
    cst_view_place(d->view, made.at, place);
    const double least = THIN * cst_view_metres(d->view, place[2]), pointed = share * share * share,
                 own_radius = own->thick * radius * (1.0 - POINTED * pointed);
    made.radius = fmax(own_radius, least);
    if (own_radius < least)
        made.cover = (float)(own_radius / least);
    const bool natural = d->style->colour_by == CST_BY_HAIR;
    const float light = !natural ? 1.0f : own->light * (0.92f + 0.16f * (float)share);
    const cst_rgb colour = d->colour[vertex];
    made.colour = (cst_rgb){light * colour.r, light * colour.g, light * colour.b};
    return made;
}

static void draw_one(const cst_drawing_of *d, const cst_moment_item *item, const hair *own)
{
    const bool natural = d->style->colour_by == CST_BY_HAIR;
    hair_point from = point_of(d, item, own, 0);
    const int last = (int)ceil(own->length * (item->vertices - 1));
    for (int k = 1; k <= last; k++) {
        const hair_point to = point_of(d, item, own, k);
        cst_marking strand = {
            .kind = CST_MARKING_HAIR, .cover = 0.5f * (from.cover + to.cover), .gloss = natural ? 1.0f : GLOSS_OF_VALUES};
        for (int c = 0; c < 3; c++) {
            strand.axis[0][c] = from.tangent[c];
            strand.axis[1][c] = to.tangent[c];
        }
        cst_raster_mark(d->raster, &strand);
        cst_raster_tube(d->raster, from.at, to.at, from.radius, to.radius, from.colour, to.colour, CST_SHADING_HAIR);
        from = to;
    }
    cst_raster_mark(d->raster, NULL);
}

void cst_draw_hair(const cst_drawing_of *d, const cst_moment_item *item)
{
    const int hairs = d->depths ? 1 : d->hairs;
    for (int number = 0; number < hairs; number++) {
        const hair own = hair_of(item->id, number, hairs);
        draw_one(d, item, &own);
    }
}
