#!/usr/bin/env bash
# The moving picture on top of the README from three shipped scenes: tools/make_motion.sh [FILE.webp] (docs/images/motion.webp)
# Runs stay in build/motion and are used again. A minute of one processor. Needs ffmpeg.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-docs/images/motion.webp}
here=build/motion
mkdir -p "$here"

clip() { # name, scene, camera, simulated seconds in 5 s of the clip, options of run...
    local name=$1 scene=$2 camera=$3 time=$4
    shift 4
    [ ! -d "$here/$name.run" ] || set -- "$@" --resume
    build/capstan run "scenes/$scene.json" --out "$here/$name.run" --progress none "$@" >/dev/null
    build/capstan render "$here/$name.run" --video "$here/$name.mp4" --size 400x400 --plain --camera "$camera" --fps 15 --to "$time" \
        --speed "$(awk "BEGIN {print $time / 5}")" >/dev/null
}
clip spaghetti fibers/spaghetti_31 0,0,0.03,0.38,-61,38 0.25 --duration 0.25 --set output.frame_interval=0.005
clip clove_hitch fibers/clove_hitch 0,0,0,0.075,-61,25 1.0
clip demo planar/demo 0.45,-0.15,1.5 1.4
# The last picture stays for half a second.
ffmpeg -loglevel error -y -i "$here/spaghetti.mp4" -i "$here/clove_hitch.mp4" -i "$here/demo.mp4" \
    -filter_complex "[0][1][2]hstack=inputs=3,tpad=stop_mode=clone:stop_duration=0.5" -c:v libwebp_anim -lossless 0 -q:v 55 -compression_level 6 -loop 0 -an "$out"
echo "$out: $(stat -c %s "$out") bytes"
