#pragma once
// The tables and views of a store, as docs/study.md describes them. Results are JSON in one column, so that a stage can
// say more without a new table; views spread out what people ask for most.

namespace cax::study {

inline constexpr char const* store_schema_name = "cax/study-store/1";

inline constexpr char const* store_schema = R"sql(
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE policies (
  problem TEXT NOT NULL, seed INTEGER NOT NULL, name TEXT NOT NULL, sha256 TEXT NOT NULL, size TEXT NOT NULL,
  PRIMARY KEY (problem, seed)) WITHOUT ROWID;

CREATE TABLE cells (
  problem TEXT NOT NULL, policy TEXT NOT NULL, seed INTEGER NOT NULL, instance INTEGER NOT NULL, step INTEGER NOT NULL,
  stage TEXT NOT NULL, result TEXT NOT NULL CHECK (json_valid(result)),
  PRIMARY KEY (problem, policy, seed, instance, step, stage)) WITHOUT ROWID;

CREATE VIEW stages AS
  SELECT problem, seed, stage, count(*) AS cells,
         sum(json_extract(result, '$.failed') IS NOT NULL) AS failed
  FROM cells GROUP BY problem, seed, stage;

CREATE VIEW failures AS
  SELECT problem, seed, instance, step, stage, json_extract(result, '$.failed') AS reason
  FROM cells WHERE json_extract(result, '$.failed') IS NOT NULL;

CREATE VIEW multipliers AS
  SELECT problem, seed, instance, source.key AS source, family.key AS family, family.value AS lambda
  FROM cells, json_each(result, '$.lambda') AS source, json_each(source.value) AS family
  WHERE stage = 'multipliers';

CREATE VIEW attributions AS
  SELECT problem, seed, instance, step, json_extract(result, '$.action') AS action,
         json_extract(result, '$.probability') AS probability, json_extract(result, '$.margin') AS margin,
         top.key AS source, top.value AS family
  FROM cells, json_each(result, '$.top') AS top
  WHERE stage = 'attribution';

CREATE VIEW masses AS
  SELECT problem, seed, instance, step, kind.key AS kind, family.key AS family, family.value AS mass
  FROM cells, json_each(result, '$.mass') AS kind, json_each(kind.value) AS family
  WHERE stage = 'attribution';

CREATE VIEW counterfactuals AS
  SELECT problem, seed, instance, step, substr(stage, 16) AS variant,
         json_extract(result, '$.flip') AS flip, json_extract(result, '$.action') AS action,
         json_extract(result, '$.new_action') AS new_action, json_extract(result, '$.l1') AS l1,
         json_extract(result, '$.tensor') AS tensor, json_extract(result, '$.family') AS family,
         json_extract(result, '$.certificate.instance.verdict') AS instance_verdict,
         json_extract(result, '$.certificate.prefix.verdict') AS prefix_verdict,
         json_extract(result, '$.forward_passes') AS forward_passes
  FROM cells WHERE stage LIKE 'counterfactual/%';

CREATE VIEW wachter AS
  SELECT problem, seed, instance, step, json_extract(result, '$.shots') AS shots,
         json_extract(result, '$.passing') AS passing
  FROM cells WHERE stage = 'wachter';

CREATE VIEW subsets AS
  SELECT problem, seed, instance, step, substr(stage, 8) AS variant,
         json_extract(result, '$.accepted') AS accepted, json_extract(result, '$.size') AS size,
         json_extract(result, '$.rate') AS rate, json_extract(result, '$.lower_bound') AS lower_bound,
         json_extract(result, '$.margin') AS margin
  FROM cells WHERE stage LIKE 'subset/%';

CREATE VIEW gaps AS
  SELECT problem, seed, instance, decode.key AS decode, json_extract(decode.value, '$.cost') AS cost,
         json_extract(result, '$.best_known') AS best_known, json_extract(decode.value, '$.gap') AS gap,
         json_extract(result, '$.optimal') AS optimal
  FROM cells, json_each(result, '$.decode') AS decode WHERE stage = 'gap';
)sql";

} // namespace cax::study
