"""Counts what was judged, by kind and by problem, and keeps what was false."""
import json
from collections import Counter, defaultdict


class Tally:
    """A statement is `kind` of `problem`, true or false; `where` is the command that shows it."""

    def __init__(self, known):
        self.judged = defaultdict(Counter)
        self.false = []
        self.known_false = Counter()
        self.unsure = Counter()
        self.known = known
        self.command = ""
        self.place = ""

    def judge(self, problem, kind, holds, message=""):
        """`message`: text or a function that makes it, only called if the statement is false."""
        self.judged[kind][problem] += 1
        if holds:
            return True
        text = message() if callable(message) else message
        for entry in self.known:
            right_kind = entry["kind"] == kind and entry.get("problem", problem) == problem
            if right_kind and entry.get("contains", "") in text:
                self.known_false[entry["id"]] += 1
                return False
        self.false.append(f"{problem}, {kind}: {text}\n    {self.place}\n    {self.command}")
        return False

    def skip(self, kind):
        """Too close to the edge of a tolerance for a judgement in other arithmetic."""
        self.unsure[kind] += 1

    def total(self):
        return sum(sum(counts.values()) for counts in self.judged.values())

    def report(self):
        problems = sorted({name for counts in self.judged.values() for name in counts})
        lines = [f"{'judged':<34}" + "".join(f"{name:>10}" for name in problems) + f"{'all':>10}"]
        for kind in sorted(self.judged):
            counts = self.judged[kind]
            row = "".join(f"{counts[name]:>10}" for name in problems)
            lines.append(f"{kind:<34}{row}{sum(counts.values()):>10}")
        everything = "".join(f"{sum(c[name] for c in self.judged.values()):>10}" for name in problems)
        lines.append(f"{'all':<34}{everything}{self.total():>10}")
        for kind, count in sorted(self.unsure.items()):
            lines.append(f"not judged, too close to a tolerance: {kind} {count}")
        for entry in self.known:
            if self.known_false[entry["id"]]:
                lines.append(f"known to be false: {self.known_false[entry['id']]} of {entry['id']}: {entry['reason']}")
        lines.append(f"{self.total()} statements judged, {len(self.false)} false, "
                     f"{sum(self.known_false.values())} known to be false")
        return "\n".join(lines)


def read_known(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)["known"]
