#!/usr/bin/env bash
# Run tests on a build of the core that watches memory and undefined behaviour:
#
#     tools/sanitize.sh [pytest's arguments]
#
# Needs gcc (or CC=clang with its runtime as a shared library), and in $PYTHON or python3 what the
# dev extra names. FANORONA_SANITIZE=thread watches data races instead. The build is one of its own,
# under build/; an editable install stays as it is.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=$(command -v "${PYTHON:-python3}")
export FANORONA_SANITIZE=${FANORONA_SANITIZE:-1} CC=${CC:-gcc}
case $FANORONA_SANITIZE in
    thread) runtime=libtsan.so folder=build/sanitized-thread ;;
    *) runtime=libasan.so folder=build/sanitized ;;
esac

rm -rf "$folder"
mkdir -p "$folder"
"$python" setup.py -q build_ext --build-lib "$folder"
# The Python files beside the modules; those of the command line under their installed name.
(cd fanorona_core && tar -cf - --exclude='*.so' --exclude=__pycache__ .) | tar -xf - -C "$folder/fanorona_core"
mkdir "$folder/fanorona_cli"
(cd cli && tar -cf - --exclude=__pycache__ .) | tar -xf - -C "$folder/fanorona_cli"

# Every request goes through malloc, so that each is watched; what Python never frees is no leak of
# the core. Time limits and sizes of memory mean nothing here; the packaging tests build without.
export PYTHONPATH=$PWD/$folder PYTHONMALLOC=malloc
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:detect_stack_use_after_return=0
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 TSAN_OPTIONS=halt_on_error=1
LD_PRELOAD=$("$CC" -print-file-name=$runtime) "$python" -P -c '
import fanorona_core._search as module, sys
sys.exit("sanitized" not in module.__file__)'
if [ $# -eq 0 ]; then
    set -- --deselect tests/test_packaging.py --deselect tests/test_memory.py
fi
LD_PRELOAD=$("$CC" -print-file-name=$runtime) exec "$python" -P -m pytest -p no:cacheprovider "$@"
