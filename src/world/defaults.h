/* Cookies of the definition structs. The function that sets the default values of a definition struct also sets a constant, the
 * cookie. A missing cookie shows that the caller has not initialised the struct with its function for default values. */
#ifndef CST_WORLD_DEFAULTS_H
#define CST_WORLD_DEFAULTS_H

#define CST_WORLD_COOKIE 0xCA957A10u
#define CST_MATERIAL_COOKIE 0xCA957A11u
#define CST_ROD_COOKIE 0xCA957A12u
#define CST_RIGID_COOKIE 0xCA957A13u
#define CST_OBSTACLE_COOKIE 0xCA957A14u
#define CST_CONSTRAINT_COOKIE 0xCA957A15u
#define CST_LOAD_COOKIE 0xCA957A16u
#define CST_FIBER_COOKIE 0xCA957A17u
#define CST_SHEET_COOKIE 0xCA957A18u

#endif
