"""Numbers in sentences against the fields they name. The rules: percentages round halves up, to one digit or to none, and
never to 0 % or 100 % unless the share is exactly that; other numbers have four digits; steps count from 1."""
from decimal import ROUND_HALF_UP, Decimal


def halves_up(share, digits):
    """Of the decimal that the file writes."""
    return {(100 * Decimal(repr(share))).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)}


def percents(share):
    if 0 < share < 0.0005:
        return {"under 0.1 %"}
    if 0.9995 <= share < 1:
        return {"over 99.9 %"}
    return {f"{value} %" for value in halves_up(share, 1)}


def whole_percents(share):
    if 0 < share < 0.005:
        return {"under 1 %"}
    if 0.995 <= share < 1:
        return {"over 99 %"}
    return {f"{value} %" for value in halves_up(share, 0)}


def shown_as(value, path):
    """All that a sentence may write for a field."""
    if value is None:
        return {"none"}
    if isinstance(value, str):
        return {value}
    number = float(value)
    texts = {f"{0.0 if number == 0 else number:.4g}"}
    if 0 <= number:
        texts |= percents(number) | whole_percents(number)
    if path.rsplit("/", 1)[-1] == "step" or "/departures/" in path:
        texts.add(str(int(number) + 1))
    return texts


def at_path(document, path):
    for part in path.strip("/").split("/"):
        document = document[int(part)] if isinstance(document, list) else document[part]
    return document


def find_from(text, shown, start):
    """Where one of the texts stands, as a number of its own; the first letter of a sentence may be a capital."""
    best = None
    for each in shown:
        at = text.lower().find(each.lower(), start)
        while at >= 0:
            whole = at == 0 or not (each[0].isdigit() and (text[at - 1].isdigit() or text[at - 1] == "."))
            if whole and (best is None or at < best[0]):
                best = (at, at + len(each))
            at = -1 if whole else text.lower().find(each.lower(), at + 1)
    return best


def judge_line(tally, problem, document, line):
    """A line names its fields in the order in which they are shown."""
    place = 0
    for path in line["fields"]:
        try:
            value = at_path(document, path)
        except (KeyError, IndexError, TypeError, ValueError):
            tally.judge(problem, "rounding in sentences", False, f"{path} names no field: {line['text']}")
            return
        found = find_from(line["text"], shown_as(value, path), place)
        if not tally.judge(problem, "rounding in sentences", found is not None,
                           lambda: f"{path} is {value!r}, the line says: {line['text']}"):
            return
        place = found[1]


def judge_sentence(tally, problem, step, sentence):
    for value in sentence["values"]:
        try:
            field = at_path(step, value["path"])
        except (KeyError, IndexError, TypeError, ValueError):
            tally.judge(problem, "rounding in sentences", False, f"{value['path']} names no field: {sentence['text']}")
            continue
        right = value["shown"] in shown_as(field, value["path"]) and value["shown"].lower() in sentence["text"].lower()
        tally.judge(problem, "rounding in sentences", right,
                    lambda: f"{value['path']} is {field!r}, shown as {value['shown']}: {sentence['text']}")
