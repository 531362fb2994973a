// How large a change is: norms, masses of families, relative units.
#include "cax/explain/perturbation.hpp"
#include "cax/problems/changes.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cax {
namespace {

/// Folds values into a norm; several tensors can be added one after the other.
class NormSum {
public:
    explicit NormSum(Norm norm) : norm_(norm) {}
    void add(std::vector<double> const& values) {
        for (double const value : values) {
            double const size = std::fabs(value);
            if (norm_ == Norm::linf)
                sum_ = std::max(sum_, size);
            else
                sum_ += norm_ == Norm::l1 ? size : size * size;
        }
    }
    [[nodiscard]] double value() const { return norm_ == Norm::l2 ? std::sqrt(sum_) : sum_; }

private:
    Norm norm_;
    double sum_ = 0;
};

double scale_of(std::vector<double> const& values, std::vector<std::uint8_t> const& exists, double grain) {
    double low = INFINITY;
    double high = -INFINITY;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (exists[i] == 0) continue;
        low = std::min(low, values[i]);
        high = std::max(high, values[i]);
    }
    if (low < high) return high - low;
    if (low == high && low != 0) return std::fabs(low);
    return grain > 0 ? grain : 1;
}

} // namespace

std::string_view name_of(Norm norm) {
    switch (norm) {
    case Norm::l1: return "l1";
    case Norm::l2: return "l2";
    case Norm::linf: return "linf";
    }
    return "";
}

Result<Norm> norm_of(std::string_view name) {
    for (Norm const norm : {Norm::l1, Norm::l2, Norm::linf}) {
        if (name == name_of(norm)) return norm;
    }
    return Error{ErrorCode::invalid_value, fmt::format("norm '{}': expected l1, l2 or linf", name)};
}

double norm_of_change(Features const& change, Norm norm) {
    NormSum sum(norm);
    for (Feature const& tensor : change) sum.add(tensor.values);
    return sum.value();
}

std::size_t changed_entries(Features const& change) {
    std::size_t count = 0;
    for (Feature const& tensor : change) {
        count += static_cast<std::size_t>(std::ranges::count_if(tensor.values, [](double v) { return v != 0; }));
    }
    return count;
}

std::vector<double> family_masses(ProblemInfo const& info, Features const& change, Norm norm, bool per_dimension) {
    std::vector<double> masses;
    for (std::size_t family = 0; family < info.families.size(); ++family) {
        NormSum sum(norm);
        std::size_t entries = 0;
        for (std::size_t k = 0; k < change.size(); ++k) {
            if (info.tensors[k].family != family) continue;
            sum.add(change[k].values);
            entries += change[k].values.size();
        }
        masses.push_back(per_dimension && entries > 0 ? sum.value() / static_cast<double>(entries) : sum.value());
    }
    return masses;
}

std::optional<std::size_t> heaviest_family(std::vector<double> const& masses) {
    auto const heaviest = std::ranges::max_element(masses);
    if (heaviest == masses.end() || !(*heaviest > 0)) return std::nullopt;
    return static_cast<std::size_t>(heaviest - masses.begin());
}

std::vector<double> tensor_scales(Instance const& instance) {
    Features const values = instance.reset()->features();
    auto const exists = adjustable(instance);
    std::vector<double> scales;
    for (std::size_t k = 0; k < values.size(); ++k) {
        scales.push_back(scale_of(values[k].values, exists[k], units_of(instance, k).grain));
    }
    return scales;
}

double relative_size(Features const& change, std::vector<double> const& scales) {
    double sum = 0;
    for (std::size_t k = 0; k < change.size(); ++k) {
        for (double const value : change[k].values) sum += std::fabs(value) / scales[k];
    }
    return sum;
}

} // namespace cax
