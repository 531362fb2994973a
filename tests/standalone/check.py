"""Does every source and every header compile by itself?

Unity builds hide a missing #include, because another source of the same compilation has it. This compiles each file of
src/ alone (-fsyntax-only), with the flags of its layer: check.py BUILD [--strict] [FOLDER...] reads them from
BUILD/compile_commands.json; folders other than src may be named, such as tests.

Parsing the standard library and nlohmann/json.hpp costs ten times as much as our own code. So they come precompiled: the
standard library for every file, the other one where a file's own includes lead to it. What remains unseen is a missing
standard header; --strict precompiles nothing and sees that, too.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
HEAVY = "nlohmann/json.hpp"


def flags_by_place(build: pathlib.Path, root: pathlib.Path) -> dict[pathlib.Path, list[str]]:
    """The flags that decide how a source is read: of sources that the build compiles alone, and of folders with a target."""
    flags = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        own = [w for i, w in enumerate(words) if w.startswith(("-I", "-D", "-std", "-f", "-m")) and words[i - 1] != "-o"]
        own += [w for i, w in enumerate(words) for w in (words[i : i + 2] if w == "-isystem" else [])]
        file = pathlib.Path(entry["directory"], entry["file"]).resolve()
        flags[file] = own
        flags.setdefault(source_folder(file.parent, build, root), own)
    return flags


def source_folder(folder: pathlib.Path, build: pathlib.Path, root: pathlib.Path) -> pathlib.Path:
    """Generated unity files lie in BUILD/src/explain/CMakeFiles/..: the folder is src/explain."""
    if build not in folder.parents:
        return folder
    parts = folder.relative_to(build).parts
    return root.joinpath(*parts[: parts.index("CMakeFiles")]) if "CMakeFiles" in parts else folder


def standard_headers(files: list[pathlib.Path]) -> list[str]:
    """Those that any of the files names: <vector>, <map>."""
    named = {system for file in files for _, system in INCLUDE.findall(file.read_text())}
    return sorted(name for name in named if re.fullmatch(r"[a-z_]+", name))


class Includes:
    """Which files does a file include, through whatever else it includes?"""

    def __init__(self, roots: list[pathlib.Path]):
        self.roots = roots
        self.known: dict[pathlib.Path, bool] = {}

    def heavy(self, file: pathlib.Path) -> bool:
        if file not in self.known:
            self.known[file] = False  # a circle adds nothing
            self.known[file] = any(self._leads_to_heavy(file, name) for name in self._names(file))
        return self.known[file]

    @staticmethod
    def _names(file: pathlib.Path) -> list[str]:
        return [own or system for own, system in INCLUDE.findall(file.read_text())]

    def _leads_to_heavy(self, file: pathlib.Path, name: str) -> bool:
        if name == HEAVY:
            return True
        found = next((path for root in [file.parent, *self.roots] if (path := root / name).is_file()), None)
        return found is not None and self.heavy(found.resolve())


def flags_of(file: pathlib.Path, flags: dict[pathlib.Path, list[str]]) -> list[str] | None:
    return next((flags[place] for place in (file, *file.parents) if place in flags), None)


class Precompiled:
    """Headers that are parsed once for all files with the same flags."""

    def __init__(self, compiler: str, folder: str, headers: list[str]):
        self.compiler, self.folder, self.headers = compiler, folder, headers
        self.made: dict[tuple[str, ...], pathlib.Path] = {}

    def header(self, flags: list[str], heavy: bool) -> pathlib.Path:
        own = tuple(flag for flag in flags if not flag.startswith("-I"))
        key = (*own, str(heavy))
        if key not in self.made:
            path = pathlib.Path(self.folder, str(len(self.made)), "precompiled.hpp")
            path.parent.mkdir()
            path.write_text("".join(f"#include <{name}>\n" for name in self.headers + [HEAVY] * heavy))
            subprocess.run([self.compiler, *own, "-x", "c++-header", path, "-o", f"{path}.gch"], check=True)
            self.made[key] = path
        return self.made[key]


def compile_alone(compiler: str, file: pathlib.Path, flags: list[str], precompiled: pathlib.Path | None) -> str:
    """What the compiler says; nothing if it is content."""
    first = ["-include", str(precompiled)] if precompiled else []
    command = [compiler, *flags, "-fsyntax-only", "-w", "-x", "c++", *first, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stderr or f"{compiler} ended with {done.returncode}"


def compiled_with_a_source(headers: list[pathlib.Path], sources: list[pathlib.Path]) -> set[pathlib.Path]:
    """Headers that some source includes before anything else: they are compiled with it."""
    first = {(found[1] or "") for source in sources if (found := INCLUDE.search(source.read_text()))} - {""}
    return {header for header in headers if any(header.as_posix().endswith("/" + name) for name in first)}


def main(build: str, *words: str) -> int:
    root = pathlib.Path(__file__).resolve().parents[2]
    strict = "--strict" in words
    folders = [word for word in words if word != "--strict"] or ["src"]
    flags = flags_by_place(pathlib.Path(build).resolve(), root)
    sources = sorted(path for folder in folders for path in (root / folder).rglob("*.cpp"))
    headers = sorted(path for folder in folders for path in (root / folder).rglob("*.hpp"))
    files = sources + sorted(set(headers) - compiled_with_a_source(headers, sources))
    files = [(file, own) for file in files if (own := flags_of(file, flags)) is not None]
    includes = Includes(sorted(root.glob("src/*/include")) + [root / "tests/support"])
    compiler = os.environ.get("CXX", "g++")
    with tempfile.TemporaryDirectory() as folder:
        precompiled = Precompiled(compiler, folder, standard_headers([file for file, _ in files]))
        work = [(compiler, file, own, None if strict else precompiled.header(own, includes.heavy(file))) for file, own in files]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            said = list(pool.map(lambda each: compile_alone(*each), work))
    failed = [(file, text) for (file, _), text in zip(files, said) if text]
    for file, text in failed:
        print(f"{file.relative_to(root)} does not compile by itself:\n{text}")
    print(f"{len(files) - len(failed)} of {len(files)} files compile by themselves")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: check.py BUILD [--strict] [FOLDER...]")
    sys.exit(main(*sys.argv[1:]))
