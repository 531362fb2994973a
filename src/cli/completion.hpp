#pragma once
// Completion in zsh: see completion.cpp, which has that of bash.
#include "command_line.hpp"

#include <string>

namespace cax::cli {

[[nodiscard]] std::string zsh_script(Program const& program);

} // namespace cax::cli
