#pragma once
// Everybody who looks at one instance, each with a session of their own: the body of a request in, the answer out.
#include "cax/serve/session.hpp"

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace cax::serve {

/// Who opens one more than this closes the session that has been quiet for longest.
inline constexpr std::size_t most_sessions = 16;

struct Answer {
    bool understood = true; ///< false: the request makes no sense, and the text says why
    std::string text;       ///< JSON
};

class Sessions {
public:
    /// `instance` is in its own units. Error if the policy cannot plan it. The policy must outlive this.
    [[nodiscard]] static Result<std::unique_ptr<Sessions>> make(Policy const& policy, InstancePtr instance,
                                                                SessionOptions options);

    /// From any thread. {"status": "closed"} if there is no such session (any more).
    [[nodiscard]] Answer answer(std::string_view kind, std::string_view body);
    /// Calls off whatever is being computed.
    void close();

private:
    struct Open {
        std::string name;
        std::shared_ptr<Session> session;
    };

    Sessions(Policy const& policy, InstancePtr instance, SessionOptions options)
        : policy_(policy), instance_(std::move(instance)), options_(std::move(options)) {}

    [[nodiscard]] Result<Open> open();
    [[nodiscard]] std::shared_ptr<Session> find(std::string const& name);

    Policy const& policy_;
    InstancePtr instance_;
    SessionOptions options_;
    std::mutex mutex_;
    bool closed_ = false;
    std::list<Open> open_; ///< the one that was asked last at the front
};

/// So many random bytes of the system, in hexadecimal: names that nobody can guess.
[[nodiscard]] std::string unguessable(std::size_t bytes);

} // namespace cax::serve
