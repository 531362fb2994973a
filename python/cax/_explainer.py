"""Why did the policy decide like that?"""
from . import _cax
from ._progress import progress_callback
from .explanation import PARTS, Explanation
from .questions import Answers, PlanRegret, Subsets
from .results import Attributions, Counterfactual, Episode, Subset

_NOT_IN_STORIES = ("why_not", "attribution", "counterfactual", "subset")


class Explainer:
    """Asks one policy about its decisions. The same seed gives the same answers, whatever the threads.

    Keywords of the methods are the options of the command line with `_` for `-` (`cax.options("counterfactual")`, or
    `cax counterfactual --help`), and have its defaults, but that counterfactuals are refined. A method takes an episode
    and a step; without a step, all but `counterfactual` speak of all of them.

    >>> import cax
    >>> policy = cax.Policy(lambda td: 10 * td["prize"], problem="op", gradient=lambda td, c: {"prize": 10 * c})
    >>> explain = Explainer(policy)
    >>> episode = explain.rollout(cax.generate("op", size=10)[0])
    >>> explain.attribute(episode, backend="proxy")[0].top
    'prize'
    >>> explain.counterfactual(episode, step=0, certify="none").best.family
    'prize'
    >>> explain.swap(episode, step=0).top
    'prize'
    """

    def __init__(self, policy, *, seed=0, threads=0, progress=None):
        self.policy = policy
        self.seed = seed
        self.threads = threads
        self.progress = progress

    def _manner(self):
        return _cax.Manner(self.seed, self.threads, progress_callback(self.progress))

    def _steps(self, episode, step):
        return list(range(len(episode))) if step is None else [episode._place(step)]

    def _ask(self, kind, episode, step, options):
        steps = self._steps(episode, step)
        cells = _cax.ask(self.policy._value, episode._value, steps, kind, self._manner(), options)
        answers = [PARTS[kind](cell) for cell in cells]
        return Answers(answers) if step is None else answers[0]

    def rollout(self, instance, *, steps=0, keep_units=False, **options):
        """The policy's greedy episode, or its first `steps` decisions. encode: "once", "each-step"."""
        return Episode(_cax.rollout(self.policy._value, instance, steps, keep_units, self._manner(), options))

    def attribute(self, episode, step=None, **options):
        """Which constraint family, and which nodes, drove the decisions."""
        steps = self._steps(episode, step)
        found = Attributions(_cax.attribute(self.policy._value, episode._value, steps, self._manner(), options))
        return found if step is None else found[0]

    def counterfactual(self, episode, step, **options):
        """What would have changed the decision."""
        place = episode._place(step)
        return Counterfactual(_cax.counterfactual(self.policy._value, episode._value, place, self._manner(), options))

    def subset(self, episode, step=None, **options):
        """The few nodes that alone keep the decision."""
        found = _cax.subset(self.policy._value, episode._value, self._steps(episode, step), self._manner(), options)
        subsets = [Subset(each) for each in found]
        return Subsets(subsets) if step is None else subsets[0]

    def swap(self, episode, step=None, other=None):
        """Why this action rather than another: the runner-up, or the one that is named."""
        if other is None:
            return self._ask("swap", episode, step, {})
        if step is None:
            raise TypeError("other: an action of one decision; name its step")
        return self._ask("swap", episode, step, {"other": int(other)})

    def sensitivity(self, episode, step=None, **options):
        """Whose data, if wrong, would upset the decision. What is unusual is told by a table of other decisions of the
        policy, measured once and kept; of a policy without a file only if `reference` says how many."""
        return self._ask("sensitivity", episode, step, options)

    def alternatives(self, episode, step=None, **options):
        """Every action of the decision: allowed or forbidden by which rule, how probable, and what it costs."""
        return self._ask("alternatives", episode, step, options)

    def forbidden(self, episode, step=None):
        """The rules that kept the policy from its favourite; mostly none."""
        return self._ask("forbidden", episode, step, {})

    def thumb(self, episode, step=None):
        """Which rules of thumb would have done the same."""
        return self._ask("thumb", episode, step, {})

    def regret(self, episode, **options):
        """Where the gap of the episode's plan went: what each decision cost, proved where an exact method reaches."""
        return PlanRegret(_cax.regret(self.policy._value, episode._value, self._manner(), options))

    def story(self, instance, *, keep_units=False, **options):
        """What stands out in the whole plan, in a few sentences."""
        parts = [name for name in _cax.part_names() if name not in _NOT_IN_STORIES]
        return self(instance, keep_units=keep_units, **{"parts": parts, **options}).story

    def __call__(self, instance, steps=None, *, solution=None, keep_units=False, **options):
        """Everything, in words and pictures: an Explanation, which a notebook shows as a page.

        `solution`: a plan that somebody else made, as a dict (as in solution files) or as the actions of an episode;
        it is explained in place of the policy's own.
        """
        chosen = [] if steps is None else [int(step) for step in steps]
        plan = solution if solution is None or isinstance(solution, dict) else list(map(int, solution))
        return Explanation(_cax.explain(self.policy._value, instance, chosen, keep_units, plan, self._manner(),
                                        options))
