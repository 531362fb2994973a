// Words for nodes and for the entries of the table.
#include "problem.hpp"

#include <fmt/format.h>

namespace cax::table {
namespace {

std::string filled_in(std::string_view words, NodeWords const& nodes, std::size_t node, std::string_view from = {},
                      std::string_view to = {}) {
    std::string const who = node_name(node, nodes);
    std::string const the = node == 0 && nodes.depot ? "the depot" : who;
    return fmt::format(fmt::runtime(words), fmt::arg("who", who), fmt::arg("the", the), fmt::arg("owner", the + "'s"),
                       fmt::arg("from", from), fmt::arg("to", to));
}

/// The words for entry `index` of a feature tensor.
EntryWords const& words_at(Field const& field, std::size_t index) {
    auto const& words = index < field.width && !field.depot[0].what.empty() ? field.depot : field.words;
    return words[index % field.width];
}

std::size_t node_at(Field const& field, std::size_t index) { return index / field.width + first_node(field); }

} // namespace

std::string Problem::node_short(cax::Instance const&, std::size_t node) const {
    return node == 0 && look_.nodes.depot ? "depot" : std::to_string(node);
}

std::string Problem::describe_entry(cax::Instance const&, std::size_t tensor, std::size_t index) const {
    Field const& field = fields_[tensor];
    return filled_in(words_at(field, index).what, look_.nodes, node_at(field, index));
}

std::string Problem::change_words(cax::Instance const&, std::size_t tensor, std::size_t index, std::string_view from,
                                  std::string_view to) const {
    Field const& field = fields_[tensor];
    return filled_in(words_at(field, index).change, look_.nodes, node_at(field, index), from, to);
}

} // namespace cax::table
