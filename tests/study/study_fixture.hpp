#pragma once
// A study of small random policies, tiny enough to be run many times in a test.
#include "cax/study/plan.hpp"
#include "cax/study/runner.hpp"
#include "cax/study/tables.hpp"
#include "temporary_folder.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace cax::test {

class StudyTest : public testing::Test {
protected:
    /// One policy of each of these problems, with seeds counted per problem.
    void use(std::vector<std::string> const& problems);

    [[nodiscard]] study::StoreHeader header(study::Shard shard = {}) const;
    [[nodiscard]] Result<study::Store> open(std::string const& name, study::Shard shard = {}) const;
    /// Runs what is missing.
    study::RunReport run(study::Store& store, study::RunOptions const& options = {}) const;
    [[nodiscard]] Result<study::RunReport> run_result(study::Store& store) const;
    /// Runs everything in a store of that name and gives the tables as text.
    std::string tables_of_run(std::string const& name, study::RunOptions const& options = {}) const;
    [[nodiscard]] std::string tables(study::Store const& store) const;

    study::Settings settings_ = tiny();
    TemporaryFolder folder_;

private:
    static study::Settings tiny();
    std::vector<std::unique_ptr<Policy>> loaded_;
    std::vector<study::StudyPolicy> policies_;
};

} // namespace cax::test
