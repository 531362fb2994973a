#pragma once
// A small HTTP server for one person's browser, on the loopback interface unless asked otherwise. It knows one secret,
// the token, which is the first part of every path; who does not know it, or comes from another place on the web (Host,
// Origin), is told 403 and nothing else. It reads no files.
//
// What one request may cost is bounded: bytes and lines of its head, bytes of its body, seconds until all of it is
// there, and how many are served at once; the others wait, and when too many wait, they are turned away. One connection
// carries one request.
#include "cax/core/result.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace cax::http {

struct Request {
    bool post = false;     ///< else GET
    std::string_view path; ///< behind the token: "" or "api/open"
    std::string_view body;
};
struct Response {
    int status = 200;
    std::string type = "application/json";
    std::string body;
};
/// Called from several threads at once.
using Handler = std::function<Response(Request const&)>;

struct ServerOptions {
    std::string host = "127.0.0.1";
    int port = 0;           ///< 0 = any that is free
    std::string token = {}; ///< letters and digits
    std::size_t head_bytes = 8192;
    std::size_t head_lines = 100;
    std::size_t body_bytes = 65'536;
    double seconds = 5; ///< until a request must have arrived, and its answer been taken
    std::size_t at_once = 32;
    std::size_t waiting = 128;
};

class Server {
public:
    /// Listens from now on; nobody is answered before run(). Error names the host and the port.
    [[nodiscard]] static Result<std::unique_ptr<Server>> listen(ServerOptions const& options, Handler handler);
    virtual ~Server() = default;
    [[nodiscard]] virtual int port() const = 0;
    /// "http://127.0.0.1:8080/token/".
    [[nodiscard]] virtual std::string address() const = 0;
    /// Answers until stop(), then waits for those that are being answered.
    virtual void run() = 0;
    /// From any thread.
    virtual void stop() = 0;
};

} // namespace cax::http
