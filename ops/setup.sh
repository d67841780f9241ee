# Sourced by the commands beside it: stands in the checkout, with the project and its tools installed in .venv.
# Installs again only when pyproject.toml or the Python behind .venv has changed.

cd "$(dirname "${BASH_SOURCE[0]}")/.."

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

find_python() {
    local candidate
    for candidate in "${PYTHON:-python3}" python3.14 python3.13 python3.12 python3.11; do
        if new_enough "$candidate"; then
            echo "$candidate"
            return
        fi
    done
    echo "Python 3.11 or newer is needed; if it has another name, say PYTHON=that-name $0" >&2
    return 1
}

stamp() { .venv/bin/python -c 'import hashlib, pathlib, sys
print(sys.version, hashlib.sha256(pathlib.Path("pyproject.toml").read_bytes()).hexdigest())'; }

install() {
    local python
    if ! new_enough .venv/bin/python; then
        python=$(find_python)
        "$python" -m venv --clear .venv
    fi
    if [ "$(stamp)" != "$(cat .venv/installed 2>/dev/null)" ]; then
        echo "Installing into .venv; the first time this takes a minute or two."
        .venv/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
        stamp >.venv/installed
    fi
}

install
PATH="$PWD/.venv/bin:$PATH"
