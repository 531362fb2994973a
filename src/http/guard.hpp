#pragma once
// Who may ask: the decisions, apart from the library that reads requests.
#include <optional>
#include <string>
#include <string_view>

namespace cax::http {

/// May a request with this Host header ask a server that was told to listen at `host`? A name that merely leads here
/// (an attacker's, by DNS) is not ours: only the address itself, and "localhost" where that is meant.
[[nodiscard]] bool is_our_host(std::string_view header, std::string_view host, int port);

/// The Origin that a page of ours has, given the Host it was loaded from. Requests without one are not from pages.
[[nodiscard]] bool is_our_origin(std::optional<std::string_view> origin, std::string_view host_header);

/// What stands behind the token in a path "/token/..." or "/token"; nothing if the token is another one. Takes as long
/// for a wrong token as for the right one.
[[nodiscard]] std::optional<std::string_view> behind_token(std::string_view path, std::string_view token);

/// A plain number of bytes, not more than `most`.
[[nodiscard]] bool is_length(std::string_view header, std::size_t most);

/// How much of a request's head has been read, byte by byte.
class Head {
public:
    Head(std::size_t most_bytes, std::size_t most_lines) : bytes_left_(most_bytes), lines_left_(most_lines) {}
    /// False once there is too much of it. Bytes behind its end are not counted.
    bool add(char c);
    [[nodiscard]] bool ended() const { return ended_; }

private:
    std::size_t bytes_left_;
    std::size_t lines_left_;
    bool line_is_empty_ = true;
    bool ended_ = false;
};

} // namespace cax::http
