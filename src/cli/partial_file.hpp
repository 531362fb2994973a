#pragma once
// FILE.partial beside the result FILE of a long explanation: a line per finished part, so that a run that was killed
// goes on where it was. It belongs to one policy, instance and set of options (a hash in its first line says which);
// one of others is begun anew. A last line that is not whole is dropped.
#include "cax/explain/partial_results.hpp"

#include <memory>
#include <string>

namespace cax::cli {

class PartialFile : public PartialResults {
public:
    /// `key` names everything that the parts depend on. Fails if the file cannot be written.
    [[nodiscard]] static std::shared_ptr<PartialFile> open(std::string path, std::string const& key);
    [[nodiscard]] virtual std::size_t recalled() const = 0; ///< parts that were there when it was opened
    virtual void remove() = 0;                              ///< the result is written: nobody needs them any more
};

} // namespace cax::cli
