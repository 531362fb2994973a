#pragma once
// Raw sockets, for requests that no browser would make.
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace cax::test {

/// One connection to the loopback interface. Nothing throws: what fails is empty.
class Connection {
public:
    explicit Connection(int port);
    ~Connection();
    Connection(Connection const&) = delete;
    Connection& operator=(Connection const&) = delete;

    [[nodiscard]] bool open() const { return socket_ >= 0; }
    /// False if the other side does not take it.
    bool send(std::string_view bytes) const;
    /// Until the other side closes, or the seconds are over.
    [[nodiscard]] std::string read(double seconds = 10) const;

private:
    int socket_ = -1;
};

/// Sends the bytes and reads all that comes back.
[[nodiscard]] std::string answer_to(int port, std::string_view bytes, double seconds = 10);
/// 200 of "HTTP/1.1 200 OK"; 0 if it is no response.
[[nodiscard]] int status_of(std::string_view response);
[[nodiscard]] std::string_view body_of(std::string_view response);

/// `cax serve` as a person runs it, in a folder of its own.
class Serving {
public:
    explicit Serving(std::string const& problem = "op", std::string const& size = "8");
    ~Serving();
    Serving(Serving const&) = delete;
    Serving& operator=(Serving const&) = delete;

    [[nodiscard]] int port() const { return port_; }
    [[nodiscard]] std::string const& address() const { return address_; }
    [[nodiscard]] std::string const& token() const { return token_; }
    [[nodiscard]] std::string host() const;
    /// POST api/kind with everything in order.
    [[nodiscard]] std::string ask(std::string const& kind, std::string const& body) const;
    [[nodiscard]] std::string get(std::string const& path, std::string const& more = "") const;
    [[nodiscard]] long resident_kb() const;
    [[nodiscard]] std::size_t open_files() const; ///< sockets among them
    [[nodiscard]] bool alive() const;
    /// Its exit code after the signal; nothing if it did not end in time.
    std::optional<int> end(int signal, double seconds = 20);

private:
    std::string folder_;
    std::string address_;
    std::string token_;
    int port_ = 0;
    pid_t process_ = -1;
};

} // namespace cax::test
