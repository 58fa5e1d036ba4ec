# An image with anascore: the stage `codabench` for the scoring programs of Codabench, and, as the
# last one and so by default, an image whose entry point is the command line.
#
#     docker build --target codabench --tag anascore:0.1.0 .
#     docker build --tag anascore .
#     docker run --rm --volume "$PWD:/data" anascore score key.conllu system.conllu

# The full image has a C compiler, which makes reading faster.
FROM python:3.12 AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY tools/hatch_build.py tools/hatch_build.py
COPY src src
RUN python -m pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

# Codabench runs `python3 /app/program/scoring.py`: there is no entry point. It mounts folders that
# belong to root, and takes from root the right to write to those of others: the user is root.
FROM python:3.12-slim AS codabench
COPY --from=build /wheels /wheels
RUN python -m pip install --no-cache-dir /wheels/*.whl && rm -r /wheels

FROM codabench
RUN useradd --create-home anascore
USER anascore
WORKDIR /data
ENTRYPOINT ["anascore"]
CMD ["--help"]
