"""The command `codabench`, and the scoring program of its competitions."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from anascore.cli.main import CommandResult, execute
from anascore.errors import SettingsError
from anascore.integrations.codabench import IMAGE, score_submission, write_competition
from anascore.output.text import paragraphs_to_text
from anascore.tasks import TASKS

CODABENCH_DESCRIPTION = (
    "Write a competition for Codabench: a folder with competition.yaml, pages and the scoring "
    "program, and a zip of it to upload. The scoring program also runs on CodaLab."
)


def describe_codabench(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    command.add_argument("folder", metavar="DIR", help="new folder to write; the zip is DIR.zip")
    command.add_argument(
        "--task",
        choices=tuple(TASKS),
        required=True,
        help="use the settings of this shared task; anascore tasks lists them",
    )
    command.add_argument(
        "--reference",
        metavar="FOLDER",
        help="the key: a file, or a folder; for the CRAC tasks on multilingual coreference a "
        "folder with one file or folder per dataset (default: none; copy the key to "
        "DIR/reference_data later)",
    )
    command.add_argument(
        "--image",
        metavar="NAME",
        default=IMAGE,
        help="container image with anascore, in a registry that Codabench can pull from "
        "(default: %(default)s)",
    )
    command.add_argument(
        "--documents",
        metavar="WHICH",
        default="0",
        help="documents whose texts are shown in the detailed results, with the key: N for the "
        "first N, worst:N for the N with the lowest scores, or all (default: %(default)s)",
    )


def run_codabench(options: argparse.Namespace) -> CommandResult:
    """Write the competition."""
    archive = write_competition(
        options.folder,
        task=options.task,
        reference=options.reference,
        image=options.image,
        documents=options.documents,
    )
    image = options.image
    lines = []
    if image == IMAGE:
        image = f"USER/{IMAGE}"
        lines.append(
            f"The name of the image, {IMAGE}, has no registry, so Codabench cannot pull it. Use "
            f"--image NAME, with a name like {image}."
        )
    lines += [
        "Build the image in the source folder of anascore, and push it:",
        f"    docker build --target codabench --tag {image} .",
        f"    docker push {image}",
    ]
    if archive is None:
        lines.append(
            f"Copy the key to {options.folder}/reference_data, zip the contents of "
            f"{options.folder}, and upload the zip to Codabench."
        )
    else:
        lines.append(f"Upload {archive} to Codabench.")
    return CommandResult(paragraphs_to_text([lines]))


def score_main(arguments: Sequence[str], **options: Any) -> int:
    """Run the scoring program: score a submission and return the exit status."""

    def run() -> CommandResult:
        if len(arguments) != 2:
            message = "give two folders: the one with ref and res, and the one to write to"
            raise SettingsError(message)
        return CommandResult(score_submission(*arguments, **options).table)

    return execute(run)
