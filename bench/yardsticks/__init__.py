"""The search against measured figures: exploitability, matches, hidden bids and known truths (docs/yardsticks.md)."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))
