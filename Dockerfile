# Python 3.11 or newer will do: docker build --build-arg PYTHON_IMAGE=python:3.12-slim .
ARG PYTHON_IMAGE=python:3.13-slim

FROM ${PYTHON_IMAGE} AS build
WORKDIR /srv/ridgeway
COPY requirements.lock requirements-node.lock ./
RUN python3 -m venv .venv \
    && .venv/bin/python -m pip install --quiet --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.lock
COPY package.json package-lock.json ./
COPY static ./static
RUN PYTHON=.venv/bin/python sh static/install-vendor.sh
COPY pyproject.toml README.md ./
COPY app ./app
COPY calculators ./calculators
RUN .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable . \
    && .venv/bin/python -m compileall -q app calculators \
    && .venv/bin/python -m pip uninstall --quiet --yes --disable-pip-version-check pip setuptools hatchling editables trove-classifiers pathspec pluggy
# What no server runs: the tests, headers and type stubs of libraries.
RUN find .venv/lib/*/site-packages -depth -type d \( -name tests -o -name include \) -exec rm -rf {} + \
    && find .venv/lib/*/site-packages -type f \( -name '*.pyi' -o -name '*.pyx' -o -name '*.pxd' -o -name '*.a' -o -name '*.c' -o -name '*.h' \) -delete
COPY migrations ./migrations
COPY templates ./templates
COPY questions ./questions

FROM ${PYTHON_IMAGE}
RUN groupadd --gid 10001 ridgeway \
    && useradd --uid 10001 --gid ridgeway --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin ridgeway \
    && install -d -o ridgeway -g ridgeway /data
WORKDIR /srv/ridgeway
COPY --from=build /srv/ridgeway/.venv ./.venv
COPY --from=build /srv/ridgeway/app ./app
COPY --from=build /srv/ridgeway/calculators ./calculators
COPY --from=build /srv/ridgeway/migrations ./migrations
COPY --from=build /srv/ridgeway/templates ./templates
COPY --from=build /srv/ridgeway/static ./static
COPY --from=build /srv/ridgeway/questions ./questions
COPY --from=build /srv/ridgeway/pyproject.toml ./
# Inside a container the app must listen on the container's own address; compose.yaml publishes it on loopback alone.
ENV PATH=/srv/ridgeway/.venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    RIDGEWAY_HOST=0.0.0.0 \
    RIDGEWAY_ALLOW_REMOTE=1 \
    RIDGEWAY_DATA_DIR=/data \
    RIDGEWAY_LOG_FORMAT=json \
    RIDGEWAY_LOG_LEVEL=info
USER ridgeway
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=3s --start-period=10s \
    CMD ["python", "-c", "import os, urllib.request as u; u.urlopen('http://127.0.0.1:' + os.environ.get('RIDGEWAY_PORT', '8000') + '/healthz', timeout=2)"]
CMD ["ridgeway", "serve"]
