"""Pages in a browser on this machine."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("playwright", reason="the pages are tested with playwright")
pytest.importorskip("pytest_playwright", reason="the pages are tested with pytest-playwright")

from playwright.sync_api import expect

from support.browser import WAIT, Person, installed_browser

expect.set_options(timeout=WAIT)


@pytest.fixture(scope="session")
def base_url() -> None:
    """Provide no shared address; the fixture of the plugin does not work with every pytest."""


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Use the browser that is installed."""
    path = installed_browser()
    if path is None:
        pytest.skip("no browser to test the pages with: Chromium is not installed")
    return {**browser_type_launch_args, "executable_path": path, "args": ["--no-sandbox"]}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Set English as the language, and a common screen size."""
    return {**browser_context_args, "viewport": {"width": 1280, "height": 800}, "locale": "en-GB",
            "reduced_motion": "reduce"}


@pytest.fixture
def person(page: Any) -> Person:
    """Return a person with a mouse."""
    return Person(page)
