#include "cax/explain/explanation.hpp"

namespace cax::parts {

Result<cax::Thumb> Thumb::explain(ExplanationContext const& context, Step const& so_far) {
    return thumb(context.decision(so_far.step));
}

} // namespace cax::parts
