"""anascore scores anaphora and coreference resolution, split antecedents included."""

from anascore.api import score, score_clusters
from anascore.errors import (
    AnascoreError,
    EntityError,
    MismatchError,
    ReadError,
    SettingsError,
    WriteError,
)
from anascore.formats import read
from anascore.model import Corpus, Document, Entity, Mention
from anascore.results import DocumentResult, Result
from anascore.settings import Settings
from anascore.version import __version__

__all__ = [
    "AnascoreError",
    "Corpus",
    "Document",
    "DocumentResult",
    "Entity",
    "EntityError",
    "Mention",
    "MismatchError",
    "ReadError",
    "Result",
    "Settings",
    "SettingsError",
    "WriteError",
    "__version__",
    "read",
    "score",
    "score_clusters",
]
