#ifndef CST_SCENE_GENERATE_CARDS_H
#define CST_SCENE_GENERATE_CARDS_H

#include "scene/mistakes.h"
#include "scene/names.h"

/* Returns the number of cards of a house with n levels: n (n + 1) leaning cards and n (n - 1) / 2 horizontal cards. */
int cst_cards_of_house(int levels);

/* Places the cards of a generator of the type card_house. Reports an error if the repeated body (the card) is not a box. */
void cst_build_card_house(const cst_json *generator, cst_json *card, int count, cst_scene_body *body, cst_mistakes *mistakes);

#endif
