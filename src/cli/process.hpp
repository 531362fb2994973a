#pragma once
// What surrounds every run: streams that may be closed or full, and memory that may end. main() calls these; no output
// is lost silently, and whatever happens ends in one line and exit code 2.
#include "cax/core/result.hpp"

#include <string>

namespace cax::cli {

/// Call before any file is opened. A standard stream that was closed is occupied, so that no file takes its number and
/// then gets what was meant for the stream; writing to a closed standard output then fails, and finish_output tells.
/// Also: running out of memory where no exception can travel (inside a destructor) ends in a line and exit code 2.
void prepare_process();

/// Call last. Error if anything that was printed to standard output did not get there; `reason` is why, if an exception
/// has told already.
[[nodiscard]] Result<void> finish_output(int reason = 0);

/// Ends the process with this exit code, without what libraries do at the end: a BLAS with threads (CLP brings one)
/// waits there for all of them, and forever if memory is limited and one still tries to get its share. With sanitizers
/// it returns the code, because they have their say at the end.
[[nodiscard]] int leave(int code);

/// One line on standard error, whatever the text holds: messages quote arguments and file names.
void print_error(std::string message);

} // namespace cax::cli
