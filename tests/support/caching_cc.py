"""A C compiler that does not compile the same file twice: ``python caching_cc.py FOLDER COMPILER ARGUMENT...``.

Objects are kept in a folder under a hash of the compiled text below Cython's comment. All other commands, such as
linking, go to the compiler unchanged. Use one folder per build, because the key ignores the compiler's flags.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

END_OF_COMMENT = b"END: Cython Metadata */"


def place(folder: Path, source: Path) -> Path:
    """Return the path in the folder for the object of a source."""
    text = source.read_bytes()
    return folder / f"{hashlib.sha256(text[text.find(END_OF_COMMENT):]).hexdigest()}.o"


def main(folder: str, *command: str) -> int:
    """Run the compiler, or copy its earlier result; return its exit status."""
    sources = [argument for argument in command if argument.endswith(".c")]
    if "-c" not in command or "-o" not in command or len(sources) != 1:
        return subprocess.run(command, check=False).returncode
    target = command[command.index("-o") + 1]
    kept = place(Path(folder), Path(sources[0]))
    if not kept.exists():
        status = subprocess.run(command, check=False).returncode
        if status:
            return status
        shutil.copyfile(target, part := kept.with_suffix(f".{os.getpid()}"))
        part.replace(kept)
    shutil.copyfile(kept, target)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
