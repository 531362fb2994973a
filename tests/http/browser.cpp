#include "browser.hpp"

#include "cax/core/json.hpp"
#include "cax/core/rng.hpp"
#include "cax/io/instances.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/problems/registry.hpp"
#include "random_policy.hpp"

#include <arpa/inet.h>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace cax::test {
namespace {

using Clock = std::chrono::steady_clock;

int milliseconds_until(Clock::time_point end) {
    auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    return left > 0 ? static_cast<int>(left) : 0;
}
Clock::time_point after(double seconds) {
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

} // namespace

Connection::Connection(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return;
    ::close(socket_);
    socket_ = -1;
}

Connection::~Connection() {
    if (socket_ >= 0) ::close(socket_);
}

bool Connection::send(std::string_view bytes) const {
    while (!bytes.empty()) {
        ssize_t const sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

std::string Connection::read(double seconds) const {
    auto const end = after(seconds);
    std::string text;
    std::array<char, 16384> buffer{};
    for (;;) {
        pollfd poll{socket_, POLLIN, 0};
        if (::poll(&poll, 1, milliseconds_until(end)) <= 0) return text;
        ssize_t const count = ::recv(socket_, buffer.data(), buffer.size(), 0);
        if (count <= 0) return text;
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

std::string answer_to(int port, std::string_view bytes, double seconds) {
    Connection const connection(port);
    if (!connection.open()) return {};
    connection.send(bytes);
    return connection.read(seconds);
}

int status_of(std::string_view response) {
    return response.starts_with("HTTP/1.1 ") && response.size() > 12
               ? std::atoi(std::string(response.substr(9, 3)).c_str())
               : 0;
}

std::string_view body_of(std::string_view response) {
    std::size_t const at = response.find("\r\n\r\n");
    return at == std::string_view::npos ? std::string_view() : response.substr(at + 4);
}

Serving::Serving(std::string const& problem, std::string const& size) {
    folder_ = (std::filesystem::temp_directory_path() / "cax-serve-XXXXXX").string();
    if (mkdtemp(folder_.data()) == nullptr) ADD_FAILURE() << "no temporary folder";
    std::string policy = folder_ + "/policy.safetensors";
    std::string instance = folder_ + "/instance.json";
    EXPECT_TRUE(io::write_safetensors(policy, random_policy(problem, {.embed_dim = 16, .layers = 1}, 5)));
    Rng rng(11);
    auto const made = find_problem(problem)->generate(size, {}, rng);
    EXPECT_TRUE(made && io::write_instances(instance, std::span(&*made, 1)));
    std::array<int, 2> line{};
    EXPECT_EQ(pipe(line.data()), 0);
    std::array<std::string, 8> words{CAX_BINARY, "serve", policy,    instance,
                                     "--port",   "0",     "--parts", "swap,alternatives"};
    process_ = fork();
    if (process_ == 0) {
        dup2(line[1], STDOUT_FILENO);
        ::close(line[0]);
        ::close(line[1]);
        std::array<char*, 9> argv{};
        for (std::size_t i = 0; i < words.size(); ++i) argv[i] = words[i].data();
        execv(argv[0], argv.data());
        _exit(127);
    }
    ::close(line[1]);
    for (char c = 0; ::read(line[0], &c, 1) == 1 && c != '\n';) address_ += c;
    ::close(line[0]);
    std::array<char, 64> token{};
    EXPECT_EQ(std::sscanf(address_.c_str(), "http://127.0.0.1:%d/%63[0-9a-f]/", &port_, token.data()), 2) << address_;
    token_ = token.data();
}

Serving::~Serving() {
    if (process_ > 0) {
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }
    std::filesystem::remove_all(folder_);
}

std::string Serving::host() const { return fmt::format("127.0.0.1:{}", port_); }

std::string Serving::ask(std::string const& kind, std::string const& body) const {
    return answer_to(port_, fmt::format("POST /{}/api/{} HTTP/1.1\r\nHost: {}\r\nOrigin: http://{}\r\nContent-Type: "
                                        "application/json\r\nContent-Length: {}\r\n\r\n{}",
                                        token_, kind, host(), host(), body.size(), body));
}

std::string Serving::get(std::string const& path, std::string const& more) const {
    return answer_to(port_, fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\n{}\r\n", path, host(), more));
}

long Serving::resident_kb() const {
    std::ifstream status(fmt::format("/proc/{}/status", process_));
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmRSS:")) return std::atol(line.c_str() + 6);
    }
    return 0;
}

std::size_t Serving::open_files() const {
    std::size_t count = 0;
    for (auto const& file : std::filesystem::directory_iterator(fmt::format("/proc/{}/fd", process_))) {
        count += file.path().empty() ? 0 : 1;
    }
    return count;
}

bool Serving::alive() const { return kill(process_, 0) == 0 && waitpid(process_, nullptr, WNOHANG) == 0; }

std::optional<int> Serving::end(int signal, double seconds) {
    kill(process_, signal);
    for (auto const end = after(seconds); Clock::now() < end;
         std::this_thread::sleep_for(std::chrono::milliseconds(20))) {
        int status = 0;
        if (waitpid(process_, &status, WNOHANG) != process_) continue;
        process_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    return std::nullopt;
}

} // namespace cax::test
