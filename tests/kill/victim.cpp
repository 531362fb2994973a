#include "victim.hpp"

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace cax::test {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

pid_t start(std::string const& folder, std::vector<std::string> words) {
    words.insert(words.begin(), CAX_BINARY);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    pid_t child = 0;
    EXPECT_EQ(::posix_spawn(&child, CAX_BINARY, &actions, nullptr, argv.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    return child;
}

/// Waits until something happens in the folder, or the time is over.
class Watch {
public:
    explicit Watch(std::string const& folder) : descriptor_(::inotify_init1(IN_CLOEXEC)) {
        ::inotify_add_watch(descriptor_, folder.c_str(), IN_CREATE | IN_MODIFY | IN_MOVED_TO);
    }
    ~Watch() { ::close(descriptor_); }
    Watch(Watch const&) = delete;
    Watch& operator=(Watch const&) = delete;

    void wait(microseconds most) const {
        pollfd question{.fd = descriptor_, .events = POLLIN, .revents = 0};
        ::poll(&question, 1, static_cast<int>(most.count() / 1000) + 1);
    }

private:
    int descriptor_;
};

} // namespace

int kills_wanted() {
    char const* const asked = std::getenv("CAX_KILLS");
    return asked == nullptr ? 3 : std::atoi(asked);
}

void Victim::run_whole(Words const& words) {
    auto const begin = Clock::now();
    cax_ok(words);
    whole_ = std::chrono::duration_cast<microseconds>(Clock::now() - begin);
}

bool Victim::kill_once(Words const& words, std::string const& folder) {
    auto const part_of = [&](microseconds most) {
        return microseconds(static_cast<std::int64_t>(rng_.uniform() * static_cast<double>(most.count())));
    };
    Watch const watch(path(folder));
    pid_t const child = start(path("."), words);
    if (turns_++ % 2 == 0) {
        ::usleep(static_cast<useconds_t>(part_of(whole_).count()));
    } else {
        // Some files are written early, some at the end: not always the first of them.
        for (std::uint64_t skipped = rng_.below(6) + 1; skipped > 0; --skipped) watch.wait(whole_);
        ::usleep(static_cast<useconds_t>(part_of(microseconds(1500)).count()));
    }
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) return true;
    EXPECT_EQ(WEXITSTATUS(status), 0);
    return false;
}

std::map<std::string, std::string> Victim::files_in(std::string const& folder) const {
    namespace fs = std::filesystem;
    std::map<std::string, std::string> files;
    if (!fs::exists(path(folder))) return files;
    for (auto const& entry : fs::recursive_directory_iterator(path(folder))) {
        std::string const name = fs::relative(entry.path(), path(folder)).string();
        bool const temporary = name.find(".tmp-") != std::string::npos || name.find(".drawing-") != std::string::npos;
        if (entry.is_regular_file() && !temporary) files[name] = text_of(folder + "/" + name);
    }
    return files;
}

} // namespace cax::test
