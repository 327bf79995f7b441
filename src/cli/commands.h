/* The commands of `capstan`: each receives the arguments after its name and returns the exit code. */
#ifndef CST_CLI_COMMANDS_H
#define CST_CLI_COMMANDS_H

int cst_command_run(int argc, char **argv);
int cst_command_check(int argc, char **argv);
int cst_command_groom(int argc, char **argv);
int cst_command_dump(int argc, char **argv);
int cst_command_solve(int argc, char **argv);
int cst_command_plot(int argc, char **argv);
int cst_command_view(int argc, char **argv);
int cst_command_render(int argc, char **argv);
int cst_command_export(int argc, char **argv);

#endif
