"""Nightly files of everything public, for programs that analyse the league."""
