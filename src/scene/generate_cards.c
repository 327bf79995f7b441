/* A house of cards in the xz plane. Level k, counted from the top, has k pairs of cards that lean against each other. A
 * horizontal card lies across two neighbouring pairs of leaning cards: it rests on the highest edge of the nearer card of each
 * pair. Horizontal cards of one level are separated by gaps of the width `clearance`.
 *
 * A card of thickness t and length L that leans by the angle a is L cos(a) + t sin(a) high and L sin(a) + t cos(a) wide. The
 * two cards of a pair touch along their upper inner edges. */
#include "scene/generate_cards.h"

#include <math.h>
#include <string.h>

#include "math/rotation_vector.h"
#include "scene/check.h"
#include "scene/values.h"

int cst_cards_of_house(int levels)
{
    return levels * (levels + 1) + levels * (levels - 1) / 2;
}

static void put_card(cst_scene_body *body, double x, double z, double angle)
{
    body->shift[0] = x;
    body->shift[1] = 0.0;
    body->shift[2] = z;
    cst_rotation_vector_exp((const double[3]){0.0, angle, 0.0}, body->frame);
}

void cst_build_card_house(const cst_json *generator, cst_json *card, int count, cst_scene_body *body, cst_mistakes *mistakes)
{
    const double quarter = 1.5707963267948966, lean_of_none = 22.0 / 90.0 * quarter;
    double edge[3];
    if (!cst_given(card, "edges")) {
        cst_mistake_at(mistakes, card, "a house of cards is made of boxes: expected \"shape\": \"box\"");
        return;
    }
    cst_get_vector(card, "edges", edge);
    const double lean = cst_get_real_or(generator, "lean", lean_of_none), t = edge[0], length = edge[2];
    const double high = length * cos(lean) + t * sin(lean), half = 0.5 * (length * sin(lean) + t * cos(lean));
    const double apart = length + cst_get_real_or(generator, "clearance", 0.4 * t);
    double z = 0.0;
    int done = 0;
    for (int level = (int)cst_get_integer(generator, "levels"); level > 0 && done < count; level--) {
        for (int i = 0; i < level; i++) {
            const double middle = (i - 0.5 * (level - 1)) * apart;
            put_card(body + done++, middle - half, z + 0.5 * high, lean);
            put_card(body + done++, middle + half, z + 0.5 * high, -lean);
        }
        z += high;
        for (int i = 0; i < level - 1; i++)
            put_card(body + done++, (i - 0.5 * (level - 2)) * apart, z + 0.5 * t, quarter);
        z += t;
    }
}
