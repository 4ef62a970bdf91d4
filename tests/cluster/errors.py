"""What keeps the test from being run, or from going on."""

from __future__ import annotations


class CannotRunError(Exception):
    """Something is missing; the text says what, and what to do about it."""


class StepError(Exception):
    """A step did not come to what it should."""
