"""Build hook: compiles the scanner where there is a C compiler.

Without a compiler the package is installed all the same, and reads files in Python.
"""

from __future__ import annotations

import shutil
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = "src/anascore/formats/_scanner.c"


class ScannerBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles the scanner into the folder of its source."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  hatchling's
        """Add the compiled module to the wheel, if it can be compiled."""
        folder = Path(self.root, SOURCE).parent
        for old in folder.glob("_scanner.*.so"):
            old.unlink()
        with TemporaryDirectory() as target:
            try:
                built = compile_scanner(self.root, target)
            except Exception as error:  # noqa: BLE001  compilers fail in many ways
                self.app.display_warning(
                    f"the scanner is not compiled, files are read in Python: {error}"
                )
                return
            shutil.copy(built, folder)
            build_data["artifacts"].append(f"{folder.relative_to(self.root)}/{built.name}")
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["pure_python"] = False
        build_data["tag"] = f"cp311-abi3-{platform}"


def compile_scanner(root: str, target: str) -> Path:
    """Compile the scanner into a folder, for Python 3.11 and newer; return the module's path."""
    from setuptools import Distribution, Extension  # noqa: PLC0415  may be missing
    from setuptools.command.build_ext import build_ext  # noqa: PLC0415  the same

    name = "anascore.formats._scanner"
    extension = Extension(name, [str(Path(root, SOURCE))], py_limited_api=True)
    command = build_ext(Distribution({"name": "anascore", "ext_modules": [extension]}))
    command.build_lib, command.build_temp = target, str(Path(target, "temp"))
    command.ensure_finalized()
    command.run()
    return Path(command.get_ext_fullpath(name))
