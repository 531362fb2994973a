#include "guard.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace cax::http {
namespace {

/// Four numbers and dots: no name, so nobody's DNS.
bool is_address(std::string_view text) {
    return !text.empty() && std::ranges::count(text, '.') == 3 && std::ranges::all_of(text, [](char c) {
        return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.';
    });
}

} // namespace

bool is_our_host(std::string_view header, std::string_view host, int port) {
    std::string const ending = fmt::format(":{}", port);
    if (!header.ends_with(ending)) return false;
    std::string_view const name = header.substr(0, header.size() - ending.size());
    if (name == host) return true;
    if (host == "0.0.0.0") return is_address(name) || name == "localhost";
    return host.starts_with("127.") && name == "localhost";
}

bool is_our_origin(std::optional<std::string_view> origin, std::string_view host_header) {
    return !origin || *origin == fmt::format("http://{}", host_header);
}

std::optional<std::string_view> behind_token(std::string_view path, std::string_view token) {
    if (!path.starts_with('/')) return std::nullopt;
    path.remove_prefix(1);
    std::string_view const given = path.substr(0, path.find('/'));
    unsigned differs = given.size() == token.size() ? 0 : 1;
    for (std::size_t i = 0; i < token.size(); ++i) {
        differs |= static_cast<unsigned char>(token[i] ^ (i < given.size() ? given[i] : '\0'));
    }
    if (differs != 0) return std::nullopt;
    path.remove_prefix(given.size());
    if (!path.empty()) path.remove_prefix(1);
    return path;
}

bool is_length(std::string_view header, std::size_t most) {
    if (header.empty() || header.size() > 9) return false;
    std::size_t length = 0;
    for (char const c : header) {
        if (c < '0' || c > '9') return false;
        length = 10 * length + static_cast<std::size_t>(c - '0');
    }
    return length <= most;
}

bool Head::add(char c) {
    if (ended_) return true;
    if (bytes_left_ == 0) return false;
    --bytes_left_;
    if (c == '\r') return true;
    if (c != '\n') {
        line_is_empty_ = false;
        return true;
    }
    if (line_is_empty_) {
        ended_ = true;
        return true;
    }
    line_is_empty_ = true;
    if (lines_left_ == 0) return false;
    --lines_left_;
    return true;
}

} // namespace cax::http
