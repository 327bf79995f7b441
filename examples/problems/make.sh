#!/usr/bin/env bash
# Makes the problems of this directory again with `capstan dump`: examples/problems/make.sh [capstan]
set -euo pipefail
cd "$(dirname "$0")"
capstan=$(realpath "${1:-../../build/capstan}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
take() { # scene, duration, step, form: the problem of one step
    local name
    name=$(basename "$1" .json)
    "$capstan" dump "../../scenes/$1" --duration "$2" --every "$3" --form "$4" --out "$work/$name.$4" >/dev/null
    cp "$(ls "$work/$name.$4"/*.hdf5 | tail -n 1)" "${name}_$4.hdf5"
}
take planar/demo.json 0.3 300 local
take fibers/spaghetti_7.json 0.3 3000 local
take fibers/spaghetti_7.json 0.3 3000 global
take rigid/card_house_4.json 0.02 10 global
take rigid/kicked_blocks.json 0.02 10 local
take hair/wisp.json 0.06 20 local
