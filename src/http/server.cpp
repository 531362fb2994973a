// The only file that knows cpp-httplib. It parses requests and writes responses; the socket beneath it, and with it
// every bound, is ours.
#include "cax/http/server.hpp"

#include "guard.hpp"

#include <httplib.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <fmt/format.h>
#include <mutex>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace cax::http {
namespace {

using Clock = std::chrono::steady_clock;

/// One connection, within its bounds. What lies beyond them looks to the library as if the other side had gone.
class BoundedStream final : public httplib::Stream {
public:
    BoundedStream(int socket, ServerOptions const& options)
        : socket_(socket),
          options_(options),
          head_(options.head_bytes, options.head_lines),
          deadline_(Clock::now() +
                    std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.seconds))) {}

    bool is_readable() const override { return next_ < end_ || (!over_ && ready(POLLIN)); }
    bool is_writable() const override { return ready(POLLOUT); }

    ssize_t read(char* to, std::size_t size) override {
        if (next_ == end_ && !fill()) return -1;
        std::size_t const count = std::min(size, end_ - next_);
        std::memcpy(to, buffer_.data() + next_, count);
        next_ += count;
        return static_cast<ssize_t>(count);
    }

    ssize_t write(char const* from, std::size_t size) override {
        if (!writing_) { // the answer has as long as the request had
            writing_ = true;
            deadline_ = Clock::now() +
                        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options_.seconds));
        }
        std::size_t sent = 0;
        while (sent < size) {
            if (!ready(POLLOUT)) return -1;
            ssize_t const now = ::send(socket_, from + sent, size - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
            if (now < 0 && (errno == EAGAIN || errno == EINTR)) continue;
            if (now <= 0) return -1;
            sent += static_cast<std::size_t>(now);
        }
        return static_cast<ssize_t>(size);
    }

    void get_remote_ip_and_port(std::string& ip, int& port) const override { ip.clear(), port = 0; }
    void get_local_ip_and_port(std::string& ip, int& port) const override { ip.clear(), port = 0; }
    socket_t socket() const override { return socket_; }

private:
    [[nodiscard]] bool ready(short what) const {
        for (;;) {
            auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
            if (left <= 0) return false;
            pollfd poll{socket_, what, 0};
            int const found = ::poll(&poll, 1, static_cast<int>(left));
            if (found > 0) return true;
            if (found == 0 || errno != EINTR) return false;
        }
    }

    [[nodiscard]] bool fill() {
        if (over_ || !ready(POLLIN)) return false;
        ssize_t const count = ::recv(socket_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
        if (count <= 0) return false;
        next_ = 0;
        end_ = 0;
        for (ssize_t i = 0; i < count && !over_; ++i) {
            over_ = head_.ended() ? ++body_ > options_.body_bytes : !head_.add(buffer_[static_cast<std::size_t>(i)]);
            if (!over_) ++end_;
        }
        return end_ > 0;
    }

    int socket_;
    ServerOptions const& options_;
    Head head_;
    Clock::time_point deadline_;
    std::size_t body_ = 0;
    bool over_ = false;
    bool writing_ = false;
    std::array<char, 4096> buffer_{};
    std::size_t next_ = 0;
    std::size_t end_ = 0;
};

/// Routes are found by regular expressions, which take the stack for every character.
constexpr std::size_t longest_path = 128;

/// Connections that are to be turned away are run on the thread that accepts them.
thread_local bool turned_away = false;

/// So many threads, and so many connections that wait for one.
class BoundedQueue final : public httplib::TaskQueue {
public:
    BoundedQueue(std::size_t threads, std::size_t waiting) : most_waiting_(waiting) {
        for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
    }

    void enqueue(std::function<void()> task) override {
        {
            std::scoped_lock const lock(mutex_);
            if (tasks_.size() < most_waiting_) {
                tasks_.push_back(std::move(task));
                changed_.notify_one();
                return;
            }
        }
        turned_away = true;
        task();
        turned_away = false;
    }

    void shutdown() override {
        {
            std::scoped_lock const lock(mutex_);
            ended_ = true;
        }
        changed_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }

private:
    void work() {
        for (;;) {
            std::function<void()> task;
            {
                std::unique_lock lock(mutex_);
                changed_.wait(lock, [&] { return ended_ || !tasks_.empty(); });
                if (tasks_.empty()) return;
                task = std::move(tasks_.front());
                tasks_.pop_front();
            }
            task();
        }
    }

    std::size_t most_waiting_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool ended_ = false;
    std::deque<std::function<void()>> tasks_;
    std::vector<std::thread> threads_;
};

void answer_busy(int socket) {
    constexpr std::string_view text =
        "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    [[maybe_unused]] auto const sent = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

/// Closing with bytes unread would tear the answer down on its way: take a little of what is still coming first.
void close_gently(int socket) {
    ::shutdown(socket, SHUT_WR);
    std::array<char, 4096> unread{};
    for (int i = 0; i < 64; ++i) {
        pollfd poll{socket, POLLIN, 0};
        if (::poll(&poll, 1, 20) <= 0) break;
        if (::recv(socket, unread.data(), unread.size(), MSG_DONTWAIT) <= 0) break;
    }
    ::close(socket);
}

class OwnServer final : public Server, private httplib::Server {
public:
    OwnServer(ServerOptions const& options, http::Handler handler) : options_(options), handler_(std::move(handler)) {
        new_task_queue = [this] { return new BoundedQueue(options_.at_once, options_.waiting); };
        set_tcp_nodelay(true);
        // The library's own choice lets others listen at the same port, and take half of what comes.
        set_socket_options([](socket_t socket) {
            int const yes = 1;
            ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        });
        set_payload_max_length(options_.body_bytes);
        set_default_headers({{"Cache-Control", "no-store"},
                             {"Referrer-Policy", "no-referrer"},
                             {"X-Content-Type-Options", "nosniff"},
                             {"X-Frame-Options", "DENY"}});
        // Everything is decided before the library looks for a route; with a body, once the body is there.
        set_pre_routing_handler([this](httplib::Request const& request, httplib::Response& response) {
            return admit(request, response) ? HandlerResponse::Unhandled : HandlerResponse::Handled;
        });
        Get(".*", [this](httplib::Request const& request, httplib::Response& response) { serve(request, response); });
        Post(".*", [this](httplib::Request const& request, httplib::Response& response) { serve(request, response); });
        set_exception_handler([](httplib::Request const&, httplib::Response& response, std::exception_ptr) {
            response.status = 500;
            response.set_content("the server has failed\n", "text/plain");
        });
    }

    bool start() {
        errno = 0;
        port_ = options_.port == 0 ? bind_to_any_port(options_.host)
                                   : (bind_to_port(options_.host, options_.port) ? options_.port : -1);
        return port_ > 0;
    }

    int port() const override { return port_; }
    std::string address() const override {
        bool const everywhere = options_.host == "0.0.0.0";
        return fmt::format("http://{}:{}/{}/", everywhere ? "127.0.0.1" : options_.host, port_, options_.token);
    }
    void run() override {
        listen_after_bind();
        ended_ = true;
    }
    void stop() override {
        // The library forgets a stop that comes before it has begun.
        while (!is_running() && !ended_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        httplib::Server::stop();
    }

private:
    bool admit(httplib::Request const& request, httplib::Response& response) const {
        auto const refuse = [&](int status, char const* words) {
            response.status = status;
            response.set_content(words, "text/plain");
            return false;
        };
        bool const one_host = request.get_header_value_count("Host") == 1;
        std::string const host = request.get_header_value("Host");
        std::optional<std::string_view> origin;
        std::string const given = request.get_header_value("Origin");
        if (request.has_header("Origin")) origin = given;
        if (!one_host || !is_our_host(host, options_.host, port_) || !is_our_origin(origin, host) ||
            !behind_token(request.path, options_.token)) {
            return refuse(403, "forbidden: use the address that was printed, with its token\n");
        }
        if (request.method != "GET" && request.method != "POST") return refuse(405, "GET and POST only\n");
        if (request.path.size() > longest_path) return refuse(404, "there is nothing here\n");
        // Nothing is unpacked: what is small on the wire would be large in memory.
        bool const plain = !request.has_header("Content-Encoding") &&
                           request.get_header_value("Content-Type").starts_with("application/json");
        if (request.method == "POST" && !plain) return refuse(415, "application/json only\n");
        return true;
    }

    void serve(httplib::Request const& request, httplib::Response& response) const {
        Response const answer =
            handler_({request.method == "POST", *behind_token(request.path, options_.token), request.body});
        response.status = answer.status;
        response.set_content(answer.body, answer.type);
    }

    bool process_and_close_socket(socket_t socket) override {
        if (turned_away) {
            answer_busy(socket);
            ::close(socket);
            return false;
        }
        BoundedStream stream(socket, options_);
        bool closed = false;
        bool const fine = process_request(stream, true, closed, nullptr);
        close_gently(socket);
        return fine;
    }

    ServerOptions const options_;
    http::Handler const handler_;
    int port_ = -1;
    std::atomic<bool> ended_ = false;
};

} // namespace

Result<std::unique_ptr<Server>> Server::listen(ServerOptions const& options, Handler handler) {
    auto server = std::make_unique<OwnServer>(options, std::move(handler));
    if (!server->start()) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("cannot listen at {}, port {}{}", options.host, options.port,
                                 errno != 0 ? fmt::format(": {}", std::strerror(errno)) : "")};
    }
    return std::unique_ptr<Server>(std::move(server));
}

} // namespace cax::http
