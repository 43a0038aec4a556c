#ifndef HOOKLINE_NO_ANSWER_H
#define HOOKLINE_NO_ANSWER_H

#include "runFolder.h"

/*
 * Prints the host's own "no" where `run/closed` asks for it, or where a person was being asked; otherwise nothing. Leaves a
 * line in `run/missed`. Returns the exit code.
 */
int end_without_answer(const struct call *call, const struct run_folder *run, why_not why, bool person_is_asked);

#endif
