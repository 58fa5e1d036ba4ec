"""Corpora of clusters, as a key and a response."""

from anascore.formats.objects import ClusterCorpora, Documents, corpora_from_clusters
from anascore.model.document import NAME


def both(key: Documents, response: Documents, name: str = NAME) -> ClusterCorpora:
    return corpora_from_clusters({"key": key, "response": response}, name)
