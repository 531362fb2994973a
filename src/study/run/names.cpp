#include "cax/study/names.hpp"

namespace cax::study {

NameTable<SingleStage> names_of(SingleStage) {
    static constexpr Named<SingleStage> names[] = {{SingleStage::episode, "walk"},
                                                   {SingleStage::multipliers, "multipliers"},
                                                   {SingleStage::attribution, "attribution"},
                                                   {SingleStage::sampler, "sampler"},
                                                   {SingleStage::wachter, "wachter"},
                                                   {SingleStage::gap, "gap"},
                                                   {SingleStage::curve, "curve"},
                                                   {SingleStage::thumb, "thumb"}};
    return names;
}
NameTable<Search> names_of(Search) {
    static constexpr Named<Search> names[] = {
        {Search::replay, "replay"},     {Search::frozen, "frozen"},       {Search::truncate, "truncate"},
        {Search::envelope, "envelope"}, {Search::published, "published"}, {Search::joint, "joint"},
        {Search::relative, "relative"}, {Search::guided, "guided"},       {Search::one_number, "one_number"}};
    return names;
}
NameTable<SubsetVariant> names_of(SubsetVariant) {
    static constexpr Named<SubsetVariant> names[] = {
        {SubsetVariant::bonferroni, "bonferroni"}, {SubsetVariant::per_test, "per-test"},
        {SubsetVariant::certified, "certified"},   {SubsetVariant::anchor, "anchor"},
        {SubsetVariant::published, "published"},   {SubsetVariant::random, "random"}};
    return names;
}
NameTable<Intervention> names_of(Intervention) {
    static constexpr Named<Intervention> names[] = {{Intervention::noise, "noise"}, {Intervention::redraw, "redraw"}};
    return names;
}
NameTable<Asked> names_of(Asked) {
    static constexpr Named<Asked> names[] = {
        {Asked::own, "own"}, {Asked::sibling, "sibling"}, {Asked::untrained, "untrained"}};
    return names;
}
NameTable<Source> names_of(Source) {
    static constexpr Named<Source> names[] = {{Source::proxy, "proxy"},       {Source::lp, "lp"},
                                              {Source::lp_sum, "lp-sum"},     {Source::lp_max, "lp-max"},
                                              {Source::lp_share, "lp-share"}, {Source::lp_least, "lp-least"},
                                              {Source::subgrad, "subgrad"},   {Source::lagrangian, "lagrangian"},
                                              {Source::lp_first, "lp-first"}};
    return names;
}
NameTable<MassReading> names_of(MassReading) {
    static constexpr Named<MassReading> names[] = {{MassReading::paper, "paper"},
                                                   {MassReading::node, "node"},
                                                   {MassReading::raw, "raw"},
                                                   {MassReading::spent, "spent"},
                                                   {MassReading::published, "published"}};
    return names;
}
NameTable<SamplerReading> names_of(SamplerReading) {
    static constexpr Named<SamplerReading> names[] = {
        {SamplerReading::one_tensor, "one tensor"},
        {SamplerReading::one_tensor_relative, "one tensor, relative units"},
        {SamplerReading::joint, "joint"},
        {SamplerReading::joint_relative, "joint, relative units"}};
    return names;
}
NameTable<Method> names_of(Method) {
    static constexpr Named<Method> names[] = {{Method::proxy, "proxy"},
                                              {Method::lp, "lp"},
                                              {Method::integrated, "integrated"},
                                              {Method::occlusion, "occlusion"},
                                              {Method::swap, "swap"},
                                              {Method::sensitivity, "sensitivity"},
                                              {Method::sensitivity_again, "sensitivity, again"},
                                              {Method::random_order, "random order"}};
    return names;
}

namespace {

/// What stands before the kind in the name of a stage; stages of one kind have nothing.
constexpr std::string_view family_of_stages(SingleStage) { return ""; }
constexpr std::string_view family_of_stages(Search) { return "counterfactual/"; }
constexpr std::string_view family_of_stages(SubsetVariant) { return "subset/"; }
constexpr std::string_view family_of_stages(Intervention) { return "truth/"; }
constexpr std::string_view family_of_stages(Asked) { return "judged/"; }

template <class Kind> bool find_stage(std::string_view name, std::optional<Stage>& found) {
    std::string_view const prefix = family_of_stages(Kind{});
    if (!name.starts_with(prefix)) return false;
    for (Named<Kind> const& entry : names_of(Kind{})) {
        if (entry.name == name.substr(prefix.size())) found = entry.value;
    }
    return found.has_value();
}

template <class... Kinds> std::optional<Stage> find_among(std::string_view name, std::variant<Kinds...> const*) {
    std::optional<Stage> found;
    (find_stage<Kinds>(name, found) || ...);
    return found;
}

} // namespace

std::string stage_name(Stage const& stage) {
    return std::visit([](auto kind) { return std::string(family_of_stages(kind)) + std::string(name_of(kind)); },
                      stage);
}

std::optional<Stage> stage_named(std::string_view name) { return find_among(name, static_cast<Stage const*>(nullptr)); }

bool is_whole_instance(Stage const& stage) {
    auto const* const single = std::get_if<SingleStage>(&stage);
    if (single == nullptr) return false;
    switch (*single) {
    case SingleStage::episode:
    case SingleStage::multipliers:
    case SingleStage::wachter:
    case SingleStage::gap: return true;
    case SingleStage::attribution:
    case SingleStage::sampler:
    case SingleStage::curve:
    case SingleStage::thumb: break;
    }
    return false;
}

std::string attributor_name(Attributor attributor) {
    std::string name(name_of(attributor.source));
    if (attributor.mass != MassReading::paper) name += "/" + std::string(name_of(attributor.mass));
    return name;
}

Result<Attributor> attributor_named(std::string_view name) {
    auto const slash = name.find('/');
    auto const source = parse_name<Source>("source", name.substr(0, slash));
    if (!source) return source.error();
    if (slash == std::string_view::npos) return Attributor(*source);
    auto const mass = parse_name<MassReading>("masses", name.substr(slash + 1));
    if (!mass) return mass.error();
    return Attributor(*source, *mass);
}

namespace {

constexpr std::string_view relative_prefix = "relative-";

} // namespace

std::string unit_name(MassUnit unit) {
    return std::string(unit.relative ? relative_prefix : "") + std::string(name_of(unit.norm));
}

Result<MassUnit> unit_named(std::string_view name) {
    bool const relative = name.starts_with(relative_prefix);
    auto const norm = parse_name<Norm>("norm", relative ? name.substr(relative_prefix.size()) : name);
    if (!norm) return norm.error();
    return MassUnit{*norm, relative};
}

} // namespace cax::study
