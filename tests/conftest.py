"""Tests run on real servers of their own, beside those of a running site."""

from __future__ import annotations

import gc
import os
import sys
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from django.test import TransactionTestCase

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import DjangoDbBlocker
    from xdist.remote import Producer
    from xdist.scheduler import LoadScopeScheduling

pytest_plugins = ["tests.support.cast"]


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: browsers and started sites are mostly waited for."""
    return (os.cpu_count() or 1) + 1


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    from tests.support.workers import Groups  # noqa: PLC0415 - a run of one file needs none

    return Groups(config, log)


def pytest_collection_finish() -> None:
    """Keep what is loaded from being looked through for garbage, and choose Hypothesis's effort.

    Pages leave much that lives for a moment, so to look for garbage more seldom costs nothing.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    if "hypothesis" in sys.modules:
        from tests.support.effort import choose_profile  # noqa: PLC0415 - imports hypothesis

        choose_profile()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> None:
    """Load schemathesis for the file that needs it: that takes a second."""
    if file_path.name == "test_api_schema.py":
        parent.config.pluginmanager.import_plugin("schemathesis.pytest.plugin")


SLOW = {"chaos", "clients", "embedded", "examples", "libraries"}
"""The folders in which all tests are slow."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark slow tests, and refuse names that two share: workers would run only one of them."""
    for item in items:
        if not SLOW.isdisjoint(item.path.parts):
            item.add_marker("slow")
    names = Counter(item.nodeid for item in items)
    if shared := [name for name, count in names.items() if count > 1]:
        raise pytest.UsageError(f"These names stand for several tests: {', '.join(shared)}")


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Copy the template, and copy it again after each test that committed what it did."""
    from tests.support import databases  # noqa: PLC0415 - reads the settings

    with django_db_blocker.unblock():
        databases.prepare()
    TransactionTestCase._fixture_teardown = lambda self: databases.renew()  # type: ignore[attr-defined] # private


@pytest.fixture(scope="module", autouse=True)
def small_database(django_db_blocker: DjangoDbBlocker) -> None:
    """Begin a file of tests without the traces of those before it."""
    if databases := sys.modules.get("tests.support.databases"):
        with django_db_blocker.unblock():
            databases.renew_if_worn()


@pytest.fixture(scope="session", autouse=True)
def noted_pages(django_test_environment: None) -> None:
    """Let responses know the context of their page alone.

    Django notes that of each template, those of every field of a form included, and copying them
    takes a tenth of a page.
    """
    from django.template import Context, RequestContext, Template  # noqa: PLC0415 - reads settings
    from django.test.signals import template_rendered  # noqa: PLC0415 - likewise

    def render(self: Template, context: Context) -> str:
        if context.template is self and isinstance(context, RequestContext):
            template_rendered.send(sender=self, template=self, context=context)
        return self.nodelist.render(context)

    Template._render = render  # type: ignore[attr-defined] # as Django's own test environment does


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """In CI a skipped test is a failure: say so beside the skips."""
    if os.environ.get("CI") and terminalreporter.stats.get("skipped"):
        terminalreporter.write_line("Skipped tests fail in CI.", red=True)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    plugins = session.config.pluginmanager
    reporter = plugins.get_plugin("terminalreporter")
    if os.environ.get("CI") and exitstatus == 0 and reporter and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    if "hypothesis" not in sys.modules:  # its summary would import it
        plugins.unregister(name="hypothesispytest")
