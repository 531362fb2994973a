#include "cax/process/process_policy.hpp"

#include "child.hpp"

#include "cax/core/printable.hpp"
#include "cax/io/tensor_files.hpp"

#include <charconv>
#include <fmt/format.h>

namespace cax {
namespace {

constexpr std::string_view protocol = "policy/1";

using Metadata = std::map<std::string, std::string, std::less<>>;

std::string_view text_of(Metadata const& metadata, std::string_view key, std::string_view otherwise) {
    auto const place = metadata.find(key);
    return place != metadata.end() ? std::string_view(place->second) : otherwise;
}

Result<bool> flag_of(Metadata const& metadata, std::string_view key) {
    std::string_view const text = text_of(metadata, key, "false");
    if (text == "true" || text == "false") return text == "true";
    return Error{ErrorCode::invalid_value, fmt::format("{}: \"{}\", expected true or false", key, printable(text))};
}

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    while (!text.empty()) {
        std::size_t const end = std::min(text.find(','), text.size());
        if (end > 0) words.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

/// What the first frame says. Unknown keys are for later versions.
Result<TensorPolicyOptions> read_hello(Metadata const& metadata) {
    if (text_of(metadata, "cax", "") != protocol) {
        return Error{ErrorCode::unsupported, fmt::format("first frame: cax: \"{}\", expected \"{}\"",
                                                         printable(text_of(metadata, "cax", "")), protocol)};
    }
    TensorPolicyOptions options;
    options.problem = text_of(metadata, "problem", "");
    options.name = text_of(metadata, "name", "process");
    auto const kind = parse_name<ScoreKind>("scores", text_of(metadata, "scores", "logits"));
    if (!kind) return kind.error().within("first frame");
    options.scores = *kind;
    auto const invariant = flag_of(metadata, "batch_invariant");
    if (!invariant) return invariant.error().within("first frame");
    auto const differentiable = flag_of(metadata, "differentiable");
    if (!differentiable) return differentiable.error().within("first frame");
    options.traits.batch_invariant = *invariant;
    options.traits.differentiable = *differentiable;
    options.reads = words_of(text_of(metadata, "reads", ""));
    std::string_view const batch = text_of(metadata, "batch", "64");
    auto const [end, failure] = std::from_chars(batch.data(), batch.data() + batch.size(), options.batch);
    if (failure != std::errc() || end != batch.data() + batch.size() || options.batch == 0 || options.batch > 65536) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("first frame: batch: \"{}\", expected a number from 1 to 65536", printable(batch))};
    }
    return options;
}

/// An answer, or what the process says is wrong.
Result<TensorFile> receive_file(Child& child, double seconds) {
    auto const frame = child.receive(seconds);
    if (!frame) return frame.error();
    auto file = io::parse_safetensors(*frame);
    if (!file) return file.error().within("its answer");
    if (auto const place = file->metadata.find("error"); place != file->metadata.end()) {
        return Error{ErrorCode::invalid_value, "it says: " + printable(place->second)};
    }
    return file;
}

class ProcessScorer final : public TensorScorer {
public:
    ProcessScorer(std::unique_ptr<Child> child, std::string name, double seconds)
        : child_(std::move(child)), name_(std::move(name)), seconds_(seconds) {}

    std::vector<double> scores(TensorBatch const& batch) override {
        TensorFile const answer = ask({batch.tensors, {{"request", "scores"}}});
        auto const place = answer.tensors.find("scores");
        if (place == answer.tensors.end()) fail({ErrorCode::invalid_value, "its answer has no tensor named scores"});
        Shape const expected{batch.states, batch.actions};
        if (place->second.shape() != expected) {
            fail({ErrorCode::invalid_value, fmt::format("scores has shape {}, expected {}",
                                                        to_string(place->second.shape()), to_string(expected))});
        }
        return place->second.to_doubles();
    }

    ScoreGradient differentiate(TensorBatch const& batch, Cotangents const& cotangents) override {
        ScoreGradient result{scores(batch), {}};
        TensorFile request{batch.tensors, {{"request", "gradients"}}};
        request.tensors["cotangents"] =
            Tensor::from_doubles(Dtype::f64, {batch.states, batch.actions}, cotangents(result.scores));
        result.gradients = ask(request).tensors;
        return result;
    }

private:
    TensorFile ask(TensorFile const& request) {
        if (broken_) throw PolicyFailure(*broken_);
        if (auto ok = child_->send(io::format_safetensors(request), seconds_); !ok) fail(ok.error());
        auto answer = receive_file(*child_, seconds_);
        if (!answer) fail(answer.error());
        return *std::move(answer);
    }
    /// Whatever comes after a broken answer cannot be told from the rest of it.
    [[noreturn]] void fail(Error const& error) {
        broken_ = error.within("policy " + name_);
        child_.reset();
        throw PolicyFailure(*broken_);
    }

    std::unique_ptr<Child> child_;
    std::string name_;
    double seconds_;
    std::optional<Error> broken_;
};

} // namespace

Result<std::unique_ptr<Policy>> make_process_policy(ProcessOptions const& options) {
    std::string const name = fmt::format("'{}'", printable(options.command));
    auto child = Child::start(options.command);
    if (!child) return child.error().within("policy " + name);
    auto const hello = receive_file(**child, options.start_seconds);
    if (!hello) return hello.error().within("policy " + name);
    auto told = read_hello(hello->metadata);
    if (!told) return told.error().within("policy " + name);
    auto policy = make_tensor_policy(std::make_unique<ProcessScorer>(*std::move(child), name, options.answer_seconds),
                                     *std::move(told));
    if (!policy) return policy.error().within("policy " + name + ": first frame");
    return policy;
}

} // namespace cax
