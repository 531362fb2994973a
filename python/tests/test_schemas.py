"""Real results of every command and problem against docs/schemas: they are valid, and no field goes undescribed."""
import copy
import json

import jsonschema
import pytest

import cax
from conftest import ROOT
from real_results import Results, of_all

SCHEMAS = {path.name: json.loads(path.read_text()) for path in sorted((ROOT / "docs" / "schemas").glob("*.json"))}


def described_only(schema):
    """The same schema, which refuses fields that it does not describe. The head's own come from a reference."""
    if isinstance(schema, list):
        return [described_only(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: described_only(value) if key not in ("required", "const") else value for key, value in schema.items()}
    if "properties" in schema and "additionalProperties" not in schema:
        result["unevaluatedProperties"] = False
    return result


STRICT = {name: described_only(copy.deepcopy(schema)) for name, schema in SCHEMAS.items()}
STRICT["common.json"]["$defs"]["head"].pop("unevaluatedProperties")


def complaints(schemas, result):
    name = result["schema"].split("/")[1] + ".json"
    resolver = jsonschema.RefResolver("", schemas[name], store=schemas)
    validator = jsonschema.Draft202012Validator(schemas[name], resolver=resolver)
    return [f"/{'/'.join(map(str, each.absolute_path))}: {each.message[:300]}" for each in validator.iter_errors(result)]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    made = Results(tmp_path_factory.mktemp("results"))
    of_all(made)
    return made.files


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_schemas_and_describe_every_field(name):
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name])

    def look(schema, path):
        for key, value in schema.get("properties", {}).items():
            assert value.keys() & {"description", "const", "$ref"}, f"{name}: {path}/{key} has no words"
            look(value, f"{path}/{key}")
        for key in ("items", "additionalProperties"):
            if isinstance(schema.get(key), dict):
                look(schema[key], path)

    look(SCHEMAS[name], "")
    for part, schema in SCHEMAS[name].get("$defs", {}).items():
        look(schema, part)


def test_results_of_every_command_and_problem_are_valid(results):
    for name, result in results:
        assert complaints(SCHEMAS, result) == [], name


def test_no_result_has_a_field_that_is_not_described(results):
    for name, result in results:
        assert complaints(STRICT, result) == [], name


def test_every_kind_was_seen(results):
    seen = {result["schema"].split("/")[1] + ".json" for _, result in results}
    assert seen == set(SCHEMAS) - {"common.json"}


def test_a_wrong_result_is_not_valid(results):
    result = dict(results)["explain-op.json"]
    assert complaints(SCHEMAS, {**result, "steps": "none"})
    assert complaints(SCHEMAS, {key: value for key, value in result.items() if key != "solution"})
    assert complaints(STRICT, {**result, "surprise": 1})


@pytest.mark.parametrize("problem", [each["name"] for each in cax.problems()])
def test_explanations_made_in_python_are_valid_too(problem):
    policy = cax.Policy(lambda td: 0.1 * td["action_mask"].cumsum(-1), problem=problem, batch_invariant=True)
    [instance] = cax.generate(problem, size="3x2" if problem == "fjsp" else 6)
    why = cax.Explainer(policy)(instance, shots=8, story_work=100)
    assert complaints(SCHEMAS, why.to_dict()) == []
    assert complaints(STRICT, why.to_dict()) == []
