"""Scores a submission with the anascore that is installed in the container image."""

# The default image of Codabench has Python 3.7, which must be able to read this file.
import sys

try:
    from anascore.cli.codabench import score_main
except ImportError as error:
    sys.exit(f"anascore is not installed in this image: {error}; docker_image names another")

sys.exit(score_main(sys.argv[1:], task="$task", documents="$documents"))
