#include "cax/records/step_parts.hpp"

#include "cax/records/parts.hpp"
#include "parts/part_records.hpp"

namespace cax::records {

Json StepContext::choice(Choice const& choice) const {
    Json json = {{"action", choice.action}, {"words", choice.words}, {"probability", number(choice.probability)}};
    if (choice.state) json["mark"] = presentation().mark(*choice.state, choice.action);
    return json;
}

Json part_json(StepContext const& context, std::string_view part) {
    Json json;
    Parts::each_about_decisions([&]<class Part> {
        auto const& found = context.step.of<Part>();
        if (part == Part::name && found) json = PartRecord<Part>::write(context, *found);
    });
    return json;
}

void add_parts(StepContext const& context, Json& step) {
    Parts::each_about_decisions([&]<class Part> {
        step[std::string(Part::name)] = part_json(context, Part::name);
        PartRecord<Part>::add_to_step(context, step);
    });
}

} // namespace cax::records
