"""Builds the extension module with CMake. CAX_BUILD names a build folder that has it already (the tests' own)."""
import os
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCE = Path(__file__).resolve().parent.parent


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        target = Path(self.get_ext_fullpath(extension.name)).resolve()
        build = Path(os.environ.get("CAX_BUILD", SOURCE / "build" / "python"))
        if "CAX_BUILD" not in os.environ:
            subprocess.run(["cmake", "-S", SOURCE, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                            "-DCAX_PYTHON=ON", "-DCAX_TESTS=OFF", "-DCAX_UNITY=ON",
                            f"-DPython_EXECUTABLE={sys.executable}"], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "cax_python"], check=True)
        [module] = (build / "python" / "cax").glob("_cax.*.so")
        target.parent.mkdir(parents=True, exist_ok=True)
        self.copy_file(str(module), str(target))


setup(ext_modules=[Extension("cax._cax", sources=[])], cmdclass={"build_ext": CMakeBuild})
