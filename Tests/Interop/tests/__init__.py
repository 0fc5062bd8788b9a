"""Tests of the built ba-package, and of packlib itself."""
