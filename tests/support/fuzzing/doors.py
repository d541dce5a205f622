"""All doors by name."""

from __future__ import annotations

from support import marked
from support.fuzzing import (
    command_doors, file_doors, number_doors, option_doors, partner_doors, python_doors, session_doors, store_doors,
    text_doors, typed_doors, walk_doors
)
from support.fuzzing.case import Door

MODULES = (text_doors, typed_doors, session_doors, walk_doors, file_doors, store_doors, partner_doors, command_doors,
           python_doors, number_doors, option_doors, marked)
DOORS: dict[str, Door] = {door.name: door for module in MODULES for door in module.DOORS}
