#include "generate/family.h"

#include <string.h>

#include "generate/makers.h"

cst_family_parameters cst_family_parameters_default(void)
{
    return (cst_family_parameters){.mu = -1, .push = -1, .bilateral = -1, .slack = -1};
}

const cst_family_def cst_families[] = {
    {"rods", "random thin rods, nu 0.5, mu 0.3, 24 contacts", cst_make_rods},
    {"rods-nu1", "random thin rods, nu 1, mu 0.3, 48 contacts", cst_make_rods_nu1},
    {"rods-nu2", "random thin rods with a known solution, nu 2: W singular, 96 contacts", cst_make_rods_nu2},
    {"mu2", "random thin rods, nu 0.5, mu 2, 24 contacts: plain Gauss-Seidel cycles", cst_make_mu2},
    {"mu100", "random thin rods, nu 0.5, mu 100, 24 contacts", cst_make_mu100},
    {"frictionless", "random thin rods, nu 0.5, mu 0, 24 contacts", cst_make_frictionless},
    {"bilateral", "random thin rods, nu 0.5, mu 0.3, a quarter of the 24 contacts bilateral", cst_make_bilateral},
    {"grains", "rigid grains with a known solution, nu 1, 40 contacts", cst_make_grains},
    {"grains-nu2", "rigid grains with a known solution, nu 2, mass ratio 100: W singular, 80 contacts", cst_make_grains_nu2},
    {"boxes", "six boxes on each other, at rest, 24 contacts, nu 2", cst_make_boxes},
    {"boxes-pushed", "six boxes on each other, the top one pushed sideways, 24 contacts, nu 2", cst_make_boxes_pushed},
    {"arch", "2D: an arch of eleven blocks, two contacts per joint, leaning", cst_make_arch},
    {"cards", "2D: a house of cards of three storeys", cst_make_cards},
    {"discs", "2D: a train of twelve discs on a slope, against a stop", cst_make_discs},
    {"strands", "hair-like strands on a cylinder, moving, 144 strands, about 1,550 contacts", cst_make_strands},
    {"strands-rest", "hair-like strands on a cylinder, settled and held by friction, 144 strands", cst_make_strands_rest},
    {"strands-stiff", "hair-like strands, moving, stretch of real hair and no clearance, 144 strands", cst_make_strands_stiff},
    {"sheet", "a folded cloth-like sheet on uneven ground and against a wall, nodal body, 100 nodes", cst_make_sheet},
    {"mixed", "rods on a cloth-like sheet on uneven ground: dense and nodal bodies together", cst_make_mixed},
};

const int cst_family_count = (int)(sizeof cst_families / sizeof cst_families[0]);

const cst_family_def *cst_family_find(const char *name)
{
    for (int i = 0; i < cst_family_count; i++)
        if (strcmp(cst_families[i].name, name) == 0)
            return &cst_families[i];
    return NULL;
}
