"""What `progress=` may be: None, True for a line on standard error, or a callable (finished, total)."""
import sys


def progress_callback(progress):
    if progress is None or progress is False:
        return None
    if progress is True:
        return _show
    if not callable(progress):
        raise TypeError(f"progress: {progress!r} is neither True nor a callable")
    return progress


def _show(finished, total):
    text = f"{100 * finished // total} %" if total else str(finished)
    print(f"\rcax: {text}", end="\n" if finished == total else "", file=sys.stderr, flush=True)
