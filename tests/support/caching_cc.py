"""A C compiler that does not compile the same file twice: ``python caching_cc.py FOLDER COMPILER ARGUMENT...``.

Objects are kept in a folder under what was compiled: the text below Cython's comment and the arguments other than
paths. All else, linking among it, goes to the compiler as it is.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

END_OF_COMMENT = b"END: Cython Metadata */"


def main(folder: str, *command: str) -> int:
    """Run the compiler, or take its earlier result; return its exit status."""
    sources = [argument for argument in command if argument.endswith(".c")]
    if "-c" not in command or "-o" not in command or len(sources) != 1:
        return subprocess.run(command, check=False).returncode
    target = command[command.index("-o") + 1]
    flags = [argument for argument in command if argument not in (sources[0], target)
             and not argument.startswith("-I")]         # each environment has its own path to the same headers
    text = Path(sources[0]).read_bytes()
    name = hashlib.sha256("\0".join(flags).encode() + text[text.find(END_OF_COMMENT):]).hexdigest()
    kept = Path(folder) / f"{name}.o"
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
