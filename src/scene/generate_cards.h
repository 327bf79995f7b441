/* A house of cards. */
#ifndef CST_SCENE_GENERATE_CARDS_H
#define CST_SCENE_GENERATE_CARDS_H

#include "scene/mistakes.h"
#include "scene/names.h"

/* Cards of a house of so many levels: n (n + 1) that lean and n (n - 1) / 2 that lie. */
int cst_cards_of_house(int levels);

/* Places and frames of the cards of a generator of type card_house. A mistake if what is repeated is no box. */
void cst_build_card_house(const cst_json *generator, cst_json *card, int count, cst_scene_body *body, cst_mistakes *mistakes);

#endif
