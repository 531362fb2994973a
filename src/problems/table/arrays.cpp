// Instances as arrays, the way rl4co's data sets hold them: the depot's place stands apart from the customers', unless
// all nodes are alike.
#include "../errors.hpp"
#include "../fields.hpp"
#include "problem.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::table {
namespace {

bool holds_integers(Tensor const& tensor) {
    return tensor.dtype() == Dtype::i32 || tensor.dtype() == Dtype::i64 || tensor.dtype() == Dtype::u8;
}

std::string_view array_name(Field const& field) { return field.array.empty() ? field.name : field.array; }

/// Does the array of the field lack an entry that the instance has? The depot's place has an array of its own.
bool lacks_depot(Field const& field, Look const& look) {
    return field.entries == Entries::depot_is_zero || (field.name == "locs" && look.depot_apart);
}

/// [B, rows, width] with what is 1 left out.
Shape array_shape(Field const& field, Look const& look, std::size_t instances, std::size_t nodes) {
    if (field.entries == Entries::instance) return field.column_array ? Shape{instances, 1} : Shape{instances};
    Shape shape{instances, nodes - (lacks_depot(field, look) ? 1 : first_node(field))};
    if (field.width > 1) shape.push_back(field.width);
    return shape;
}

/// The array of each field; null for one that may lack.
Result<std::vector<Tensor const*>> find_arrays(NamedTensors const& tensors, std::span<Field const> fields,
                                               Look const& look, std::size_t instances, std::size_t nodes) {
    std::vector<Tensor const*> arrays;
    for (Field const& field : fields) {
        auto const place = tensors.find(array_name(field));
        if (place == tensors.end() && field.lacking) {
            arrays.push_back(nullptr);
            continue;
        }
        bool const flat = field.column_array && place->second.shape() == Shape{instances};
        auto const tensor = require_tensor(tensors, array_name(field),
                                           flat ? Shape{instances} : array_shape(field, look, instances, nodes));
        if (!tensor) return tensor.error();
        arrays.push_back(*tensor);
    }
    return arrays;
}

Numbers numbers_at(std::vector<Tensor const*> const& arrays, Tensor const* depot, std::span<Field const> fields,
                   std::size_t index, std::size_t instances, std::size_t nodes) {
    Numbers numbers;
    numbers.whole_pairs = true;
    for (std::size_t f = 0; f < fields.size(); ++f) {
        auto& column = numbers.columns.emplace_back();
        auto const append = [&](Tensor const& tensor, std::size_t first, std::size_t count) {
            for (std::size_t i = first; i < first + count; ++i)
                column.push_back(static_cast<float>(tensor.as_double(i)));
        };
        if (f == 0 && depot != nullptr) append(*depot, 2 * index, 2);
        if (fields[f].entries == Entries::depot_is_zero) column.assign(fields[f].width, 0);
        if (arrays[f] == nullptr) {
            column.resize(fields[f].entries == Entries::instance ? 1 : count_of(fields[f], nodes), *fields[f].lacking);
            continue;
        }
        std::size_t const count = arrays[f]->size() / instances;
        append(*arrays[f], index * count, count);
        if (fields[f].limits == Limits::ordered) numbers.whole_pairs = holds_integers(*arrays[f]);
    }
    return numbers;
}

} // namespace

bool Problem::recognises(NamedTensors const& tensors) const {
    auto const is_there = [&](std::string_view name) { return tensors.contains(name); };
    return std::ranges::all_of(look_.arrays, is_there) &&
           std::ranges::none_of(tensors, [&](auto const& each) { return is_foreign(each.first); });
}

Result<std::vector<InstancePtr>> Problem::from_tensors(NamedTensors const& tensors) const {
    auto const shape = shape_of_rows(tensors, array_name(fields_[0]), fields_[0].width, look_.nodes.many, max_nodes);
    if (!shape) return shape.error();
    Tensor const* depot = nullptr;
    if (look_.depot_apart) {
        auto const found = require_tensor(tensors, "depot", {shape->instances, 2});
        if (!found) return found.error();
        depot = *found;
    }
    std::size_t const nodes = shape->rows + first_row();
    auto const arrays = find_arrays(tensors, fields_, look_, shape->instances, nodes);
    if (!arrays) return arrays.error();
    std::vector<InstancePtr> instances;
    instances.reserve(shape->instances);
    for (std::size_t i = 0; i < shape->instances; ++i) {
        auto instance = make(numbers_at(*arrays, depot, fields_, i, shape->instances, nodes));
        if (!instance) return instance.error().within(fmt::format("instance {}", i));
        instances.push_back(*std::move(instance));
    }
    return instances;
}

Result<NamedTensors> Problem::to_tensors(std::span<InstancePtr const> instances) const {
    if (instances.empty()) return Error{ErrorCode::mismatch, "there are no instances to put into arrays"};
    std::vector<std::vector<double>> columns(fields_.size());
    std::vector<float> depot;
    std::size_t nodes = 0;
    bool whole = true;
    for (InstancePtr const& any : instances) {
        if (&any->problem() != this) return Error{ErrorCode::mismatch, fmt::format("not a {} instance", info_.name)};
        auto const& instance = static_cast<Instance const&>(*any);
        if (nodes == 0) nodes = instance.nodes();
        if (instance.nodes() != nodes) {
            return Error{ErrorCode::mismatch,
                         fmt::format("instances of {} and of {} {} cannot share arrays", instances.front()->size(),
                                     instance.size(), look_.nodes.many)};
        }
        for (std::size_t f = 0; f < fields_.size(); ++f) {
            auto const& column = instance.numbers().columns[f];
            auto const first = column.begin() + (lacks_depot(fields_[f], look_) ? std::ptrdiff_t(fields_[f].width) : 0);
            columns[f].insert(columns[f].end(), first, column.end());
        }
        auto const& places = instance.numbers().columns[0];
        if (look_.depot_apart) depot.insert(depot.end(), {places[0], places[1]});
        whole = whole && instance.numbers().whole_pairs;
    }
    NamedTensors tensors;
    for (std::size_t f = 0; f < fields_.size(); ++f) {
        Dtype const dtype = fields_[f].limits == Limits::ordered && whole ? Dtype::i32 : Dtype::f32;
        tensors[std::string(array_name(fields_[f]))] =
            Tensor::from_doubles(dtype, array_shape(fields_[f], look_, instances.size(), nodes), columns[f]);
    }
    if (look_.depot_apart) tensors["depot"] = Tensor::from_floats({instances.size(), 2}, depot);
    return tensors;
}

} // namespace cax::table
