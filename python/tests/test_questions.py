"""Questions about one decision, and tables: what --csv writes is what to_frame() has."""
import csv
import json
import os
import signal
import subprocess
import threading
import time

import numpy as np
import pytest

import cax
from cax.explanation import PARTS
from conftest import ROOT

MODELS = {"op": "op-20-s0", "cvrptw": "cvrptw-50-s0", "fjsp": "fjsp-10x5-s0"}
ASKED = [name for name in PARTS if name != "regret"]  # whose method takes a step: a regret is of a whole plan
QUICK = {"alternatives": {"regret": "policy"}, "sensitivity": {"reference": 0}}
SIZES = {"op": 20, "cvrptw": 20, "fjsp": "4x3"}


@pytest.fixture(scope="module", params=MODELS)
def asked(request):
    policy = cax.load_policy(ROOT / "models" / f"{MODELS[request.param]}.safetensors")
    [instance] = cax.generate(request.param, size=SIZES[request.param], seed=2)
    explain = cax.Explainer(policy, seed=4)
    return policy, instance, explain, explain.rollout(instance)


def plain(frame):
    return [["" if value is None or value != value else str(value).lower() if isinstance(value, (bool, np.bool_)) else value for value in row]
            for row in frame.astype(object).values.tolist()]


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


def same(text, value):
    if isinstance(value, float):
        return text != "" and float(text) == value
    return text == str(value)


@pytest.mark.parametrize("command", ["attribute", "counterfactual", "subset", *ASKED])
def test_frames_are_the_tables_of_the_command_line(asked, command, tmp_path):
    policy, instance, explain, episode = asked
    options = {"counterfactual": {"shots": 16}, **QUICK}.get(command, {})
    cax.save_instances(tmp_path / "one.json", instance)
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    subprocess.run([os.environ["CAX_BINARY"], command, policy.source, "one.json", "--step", "2", "--seed", "4", "--csv",
                    "t", *words, *(["--refine"] if command == "counterfactual" else [])], check=True,
                   capture_output=True, cwd=tmp_path)
    answer = getattr(explain, command)(episode, 1, **options)
    columns, rows = read(tmp_path / "t" / f"{answer._table}.csv")
    frame = answer.to_frame()
    assert list(frame.columns) == columns and len(frame) == len(rows)
    assert rows or command == "forbidden" or answer.status == "no_flip"
    for ours, theirs in zip(plain(frame), rows):
        assert all(map(same, theirs, ours)), (ours, theirs)


@pytest.mark.parametrize("kind", ["attribute", "counterfactual", "subset", *ASKED])
def test_every_answer_has_words_a_dict_a_frame_and_a_table_for_notebooks(asked, kind):
    _, _, explain, episode = asked
    options = {"counterfactual": {"shots": 16}, "subset": {"samples": 12}, **QUICK}.get(kind, {})
    answer = getattr(explain, kind)(episode, step=-2, **options)
    assert answer.step == len(episode) - 2 and answer.words == episode[-2].words
    json.dumps(answer.to_dict())
    assert repr(answer).startswith("<cax.") and "<table>" in answer._repr_html_()
    assert set(answer.to_frame()["step"]) <= {answer.step}
    if kind in ("swap", "forbidden", "thumb"):
        everything = getattr(explain, kind)(episode)
        assert len(everything) == len(episode)
        assert everything[len(episode) - 2].to_dict() == answer.to_dict()


def test_a_swap_adds_up_and_may_name_the_other(asked):
    _, _, explain, episode = asked
    for swap in explain.swap(episode):
        if swap.status == "computed":
            assert sum(swap.families.values()) == pytest.approx(swap.margin, abs=1e-4 * (1 + abs(swap.margin)))
            named = explain.swap(episode, swap.step, other=swap.other)
            assert named.families == swap.families and named.other_words == swap.other_words
    with pytest.raises(ValueError):
        explain.swap(episode, 0, other=episode[0].action)
    with pytest.raises(TypeError, match="step"):
        explain.swap(episode, other=1)


QUESTIONS = {
    "attribute": lambda explain, episode: explain.attribute(episode, backend="proxy"),
    "counterfactual": lambda explain, episode: explain.counterfactual(episode, 0, certify="none"),
    "subset": lambda explain, episode: explain.subset(episode, 0),
    "swap": lambda explain, episode: explain.swap(episode),
    "sensitivity": lambda explain, episode: explain.sensitivity(episode, 0, reference=0),
    "alternatives": lambda explain, episode: explain.alternatives(episode, 0, regret="policy"),
    "forbidden": lambda explain, episode: explain.forbidden(episode),
    "thumb": lambda explain, episode: explain.thumb(episode),
}


@pytest.mark.parametrize("kind", QUESTIONS)
def test_an_episode_of_another_policy_is_refused_by_every_method(asked, kind):
    policy, instance, _, episode = asked
    other_weights = cax.load_policy(ROOT / "models" / f"{MODELS[policy.problem].replace('-s0', '-s1')}.safetensors")
    other_problem = "op" if policy.problem != "op" else "cvrptw"
    stranger = cax.load_policy(ROOT / "models" / f"{MODELS[other_problem]}.safetensors")
    own = cax.Policy(lambda td: 0.0 * td["action_mask"], problem=policy.problem)
    for other in (other_weights, stranger, own):
        with pytest.raises(ValueError, match="another policy"):
            QUESTIONS[kind](cax.Explainer(other), episode)


@pytest.mark.parametrize("kind", ("swap", "forbidden", "thumb"))
def test_a_policy_of_the_same_file_is_the_same(asked, kind):
    policy, _, _, episode = asked
    again = cax.load_policy(ROOT / "models" / f"{MODELS[policy.problem]}.safetensors")
    assert len(QUESTIONS[kind](cax.Explainer(again), episode)) == len(episode)


def test_states_of_another_problem_are_refused(asked):
    policy, _, _, episode = asked
    other_problem = "op" if policy.problem != "op" else "cvrptw"
    stranger = cax.load_policy(ROOT / "models" / f"{MODELS[other_problem]}.safetensors")
    with pytest.raises(ValueError, match="not for"):
        stranger.log_probs(episode.state(0))
    with pytest.raises(ValueError, match="not for"):
        stranger.gradient(episode.state(0), episode[0].action)


def test_a_policy_that_contradicts_itself_is_refused_unless_allowed(asked):
    _, instance, _, _ = asked
    rng = np.random.default_rng(1)

    def noisy(td):
        return rng.normal(size=td["action_mask"].shape)

    with pytest.raises(ValueError, match="two answers"):
        cax.Explainer(cax.Policy(noisy, problem=instance.problem)).rollout(instance)
    allowed = cax.Policy(noisy, problem=instance.problem, allow_random=True)
    assert cax.Explainer(allowed).rollout(instance).finished


def test_alternatives_are_all_actions(asked):
    _, _, explain, episode = asked
    table = explain.alternatives(episode, 0, regret="policy")
    assert [each.action for each in table] == list(range(len(episode.state(0).action_mask)))
    assert [each.allowed for each in table] == episode.state(0).action_mask.tolist()
    assert sum(each.probability for each in table) == pytest.approx(1, abs=1e-5)
    assert table.chosen.words == episode[0].words


def test_sensitivity_is_compared_with_other_decisions_if_asked(asked, tmp_path, monkeypatch):
    _, _, explain, episode = asked
    monkeypatch.setenv("CAX_CACHE", str(tmp_path))
    found = explain.sensitivity(episode, 0, reference=6)
    assert all(0 <= each <= 1 for each in found.percentiles.values()) and found.unusual in found.scores
    assert len(list(tmp_path.glob("reference-*.json"))) == 1
    assert explain.sensitivity(episode, 0, reference=6).to_dict() == found.to_dict()
    alone = explain.sensitivity(episode, 0, reference=0)
    assert alone.unusual is None and alone.scores == found.scores
    with pytest.raises(TypeError, match="noise_shots"):
        explain.sensitivity(episode, 0, shot=3)


def test_an_explanation_is_a_sequence_of_typed_decisions(asked):
    _, instance, explain, episode = asked
    why = explain(instance, steps=[0, 1], shots=16, reference=0, regret="policy")
    assert [each.words for each in why] == [episode[0].words, episode[1].words]
    assert why[0].swap.to_dict() == explain.swap(episode, 0).to_dict()
    assert why[0].alternatives.chosen.action == episode[0].action
    assert why[0].attribution.nodes == pytest.approx(explain.attribute(episode, 0).nodes)
    assert why[1].counterfactual.status and why[1].subset.samples > 0 and why[1].thumb is not None
    for table in why.tables:
        assert {"instance", "step", "action", "words"} <= set(why.to_frame(table).columns)
    with pytest.raises(ValueError, match="decisions"):
        why.to_frame("numbers")
    assert why.story.sentences == []
    none = explain(instance, steps=[0], parts="none")[0]
    assert none.swap is None and none.attribution is None and none.sensitivity is None


def test_a_plan_of_somebody_else_is_explained():
    policy = cax.load_policy(ROOT / "models" / "op-20-s0.safetensors")
    [instance] = cax.generate("op", seed=2)
    explain = cax.Explainer(policy)
    [best] = cax.baseline(instance, iterations=500)
    parts = {"parts": ["swap", "thumb"], "reference": 0}
    why = explain(instance, solution=best.solution, **parts)
    assert why.cost == pytest.approx(best.cost) and why.to_dict()["given"]["whose"] == "the given plan"
    own = explain.rollout(instance).actions
    same = explain(instance, solution=own, **parts)
    assert same.actions == own and all(step["policy"]["agrees"] for step in same.steps)
    with pytest.raises(ValueError):
        explain(instance, solution=[999])


def test_the_story_of_a_plan():
    policy = cax.load_policy(ROOT / "models" / "op-20-s0.safetensors")
    story = cax.Explainer(policy).story(cax.generate("op", seed=2)[0], regret="policy", reference=0, story_work=500)
    assert len(story.sentences) >= 3 and story.plan["decisions"] > 0 and story.best_known["cost"] > 0
    assert len(story.to_frame()) == len(story.sentences) and "<table>" in story._repr_html_()


def test_keywords_are_the_options_of_the_command_line():
    for command in ("attribute", "counterfactual", "subset", "explain", *PARTS):
        said = subprocess.run([os.environ["CAX_BINARY"], command, "--help"], capture_output=True, text=True, check=True)
        for option in cax.options(command):
            assert f"--{option['name'].rstrip('_').replace('_', '-')}" in said.stdout, (command, option)
    with pytest.raises(ValueError, match="explain"):
        cax.options("juggle")


def test_a_trained_policy_is_found_by_name(monkeypatch):
    monkeypatch.setenv("CAX_MODELS", str(ROOT / "models"))
    assert cax.load_policy("op-20-s0").sha256 == cax.load_policy(ROOT / "models" / "op-20-s0.safetensors").sha256
    with pytest.raises(FileNotFoundError, match="no trained policy of that name"):
        cax.load_policy("op-20-s99")


def test_tables_of_a_study_are_arrays(tmp_path):
    settings = {"instances": 1, "steps": 2, "shots": 8, "resamples": 50, "search_iterations": 50,
                "subset": {"instances": 1, "k_max": 2}}
    (tmp_path / "settings.json").write_text(json.dumps(settings))
    subprocess.run([os.environ["CAX_BINARY"], "study", "--policy", ROOT / "models" / "op-20-s0.safetensors",
                    "--settings", "settings.json", "-o", "out"], cwd=tmp_path, check=True, capture_output=True)
    study = cax.load_study(tmp_path / "out")
    assert study.to_dict()["tables"] == json.loads((tmp_path / "out" / "tables.json").read_text())["tables"]
    assert repr(cax.load_study(tmp_path / "out" / "tables.json")) == repr(study)
    gaps = study["gaps"]
    numbers = [name for name in gaps if gaps[name].dtype == float]
    assert numbers and len({len(gaps[name]) for name in gaps}) == 1
    assert list(gaps.to_frame().columns) == gaps.columns and "<table>" in gaps._repr_html_()
    assert cax.load_study(tmp_path / "out" / "study.sqlite", published=True).reading == "published"
    with pytest.raises(FileNotFoundError, match="study.sqlite"):
        cax.load_study(tmp_path)


@pytest.mark.parametrize("kind, options", [("alternatives", {}), ("counterfactual", {"certify": "prefix", "shots": 512}),
                                           ("sensitivity", {"noise_shots": 4096, "reference": 0})])
def test_ctrl_c_stops_every_question_within_a_fraction_of_a_second(kind, options):
    policy = cax.load_policy(ROOT / "models" / "cvrptw-50-s0.safetensors")
    explain = cax.Explainer(policy)
    episode = explain.rollout(cax.generate("cvrptw", seed=1)[0])
    sent, over = [], threading.Event()

    def interrupt():
        if not over.wait(0.4):
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            for step in range(len(episode)):
                getattr(explain, kind)(episode, step, **options)
    finally:
        over.set()
        thread.join()
    assert time.monotonic() - sent[0] < 0.8
