"""Readers and writers of asset packs that share no code with ba-package."""
