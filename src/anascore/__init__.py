"""anascore scores anaphora and coreference resolution, split antecedents included."""

from anascore.api import score, score_clusters
from anascore.conversion import write
from anascore.errors import (
    AnascoreError,
    EntityError,
    MismatchError,
    ReadError,
    SettingsError,
    WriteError,
)
from anascore.formats import read
from anascore.mention import Mention
from anascore.model import Bridge, Corpus, Document, Entity, NonReferring
from anascore.results import DocumentResult, Result
from anascore.settings import Settings
from anascore.version import __version__

__all__ = [
    "AnascoreError",
    "Bridge",
    "Corpus",
    "Document",
    "DocumentResult",
    "Entity",
    "EntityError",
    "Mention",
    "MismatchError",
    "NonReferring",
    "ReadError",
    "Result",
    "Settings",
    "SettingsError",
    "WriteError",
    "__version__",
    "read",
    "score",
    "score_clusters",
    "write",
]
