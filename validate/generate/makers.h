/* The makers behind the table of families (family.c), one group per file. Signature: see cst_family_def. */
#ifndef CST_GENERATE_MAKERS_H
#define CST_GENERATE_MAKERS_H

#include "generate/family.h"

#define CST_MAKER(name) \
    cst_generated *name(uint64_t seed, const cst_family_parameters *parameters, const cst_allocator *allocator)

/* rods.c */
CST_MAKER(cst_make_rods);
CST_MAKER(cst_make_rods_nu1);
CST_MAKER(cst_make_rods_nu2);
CST_MAKER(cst_make_mu2);
CST_MAKER(cst_make_mu100);
CST_MAKER(cst_make_frictionless);
CST_MAKER(cst_make_bilateral);

/* grains.c */
CST_MAKER(cst_make_grains);
CST_MAKER(cst_make_grains_nu2);

/* boxes.c */
CST_MAKER(cst_make_boxes);
CST_MAKER(cst_make_boxes_pushed);

/* strand_pile.c */
CST_MAKER(cst_make_strands);
CST_MAKER(cst_make_strands_rest);
CST_MAKER(cst_make_strands_stiff);

/* planar.c */
CST_MAKER(cst_make_arch);
CST_MAKER(cst_make_cards);
CST_MAKER(cst_make_discs);

/* sheet.c, mixed.c */
CST_MAKER(cst_make_sheet);
CST_MAKER(cst_make_mixed);

/* What the caller asked for, or the family's usual. */
static inline cst_family_parameters cst_asked(const cst_family_parameters *parameters)
{
    return parameters ? *parameters : cst_family_parameters_default();
}

static inline int cst_or_count(int asked, int usual)
{
    return asked > 0 ? asked : usual;
}

static inline double cst_or_positive(double asked, double usual)
{
    return asked > 0 ? asked : usual;
}

static inline double cst_or_not_negative(double asked, double usual)
{
    return asked >= 0 ? asked : usual;
}

#endif
