"""What of the results is shown."""

from __future__ import annotations

from dataclasses import dataclass

from anascore.results import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What of the results is shown; nothing here changes a number."""

    per_document: bool = False
    """The scores of each document besides those of the corpus."""

    split_only: bool = False
    """The scores of the accommodated sets, and no others."""

    def warnings(self, result: Result) -> list[str]:
        """Return the warnings about what is shown."""
        return [
            *result.notes,
            *(() if self.split_only else result.score_warnings),
            *result.split_only_warnings,
            *(result.document_warnings if self.per_document and not self.split_only else ()),
        ]
