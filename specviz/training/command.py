"""`specviz train`: make a draft or a head for any target, and examine them. What loads torch is imported inside the functions, so that --help is quick."""

import argparse

from specviz.training import block_command, draft_commands, examine_command, head_command, text_command

SAYS = "make a draft or a head for any target, and examine them"


def options(parser: argparse.ArgumentParser) -> None:
    """Add the subcommands of `specviz train` and their options."""
    works = parser.add_subparsers(metavar="WORK", required=True)
    draft_commands.add_draft(works)
    examine_command.add_examine(works)
    head_command.add_head(works)
    text_command.add_text(works)
    block_command.add_compare_blocks(works)


def perform(args: argparse.Namespace) -> int:
    """Run the chosen subcommand; returns its exit code."""
    code: int = args.work_of(args)
    return code
