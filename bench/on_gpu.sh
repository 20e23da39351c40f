#!/usr/bin/env bash
# Everything that needs a GPU, as one script: build, ladder, tests, compute-sanitizer, scenes on CUDA and CPU, and our
# kernels against cuSPARSE and cuSOLVER. Stages are independent; the exit code says whether any failed.
#
#   bench/on_gpu.sh          build into build-gpu (unless something was packed there) and run
#   bench/on_gpu.sh pack     on a machine without GPU: build and collect the libraries, so that build-gpu can be copied
#                            to a GPU machine that has no compiler or packages
#
# Logs and results go to $OUT, or to out/gpu: one log a stage, scene and vendor times as JSON, summary.json.
# DERMIS_STAGE_LIMIT: seconds a stage may take (300). DERMIS_BENCH_SCENES: scenes to time ("pendulum").
set -u
cd "$(dirname "$0")/.." || exit 1

build="build-gpu"
out=${OUT:-out/gpu}
limit=${DERMIS_STAGE_LIMIT:-300}
scenes=${DERMIS_BENCH_SCENES:-pendulum}
mkdir -p "$out"
[ -d /usr/local/cuda/bin ] && PATH=$PATH:/usr/local/cuda/bin

failed=()
summary=()

# stage NAME COMMAND...: its output to NAME.log and the last lines to the terminal.
stage() {
  local name=$1 start=$SECONDS status
  shift
  timeout "$limit" bash -c '"$@"' stage "$@" >"$out/$name.log" 2>&1
  status=$?
  [ $status = 0 ] || failed+=("$name")
  summary+=("  {\"stage\": \"$name\", \"exit\": $status, \"seconds\": $((SECONDS - start))}")
  printf -- '---- %s: %s, %d s\n' "$name" "$([ $status = 0 ] && echo passed || echo "failed ($status)")" $((SECONDS - start))
  if [ $status = 0 ]; then tail -n "${lines:-3}" "$out/$name.log"; else tail -n 25 "$out/$name.log"; fi
}

# The architecture of the card that is here, or those of a release.
architectures() {
  local capability
  capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -d '. ')
  if [[ $capability =~ ^[0-9]+$ ]]; then echo "$capability-real"; else echo "80-real;90"; fi
}

configure() {
  local generator=()
  command -v ninja >/dev/null && generator=(-G Ninja)
  # Paths relative to the programs: what is packed runs from any folder.
  cmake -S . -B $build "${generator[@]}" -DCMAKE_BUILD_TYPE=Release -DDERMIS_CUDA=ON \
    -DCMAKE_CUDA_ARCHITECTURES="$(architectures)" -DCMAKE_BUILD_RPATH_USE_ORIGIN=ON
}
compile() { cmake --build $build --parallel "$(nproc)"; }

# Copies the libraries that a bare machine may lack; not the C library's, nor the compiler's, which are older here
# than where the copy runs.
collect() {
  local program library
  for program in "$build"/dermis "$build"/tests/test_* "$build"/lib/*.so; do
    [ -x "$program" ] && ldd "$program" | awk '$3 ~ /^\// {print $3}'
  done | sort -u | while read -r library; do
    case $(basename "$library") in
      libc.* | libm.* | libdl.* | libpthread.* | librt.* | ld-* | libstdc++* | libgcc_s* | libdermis* | libcu* | libnv*) ;;
      *) cp -L "$library" $build/lib/ ;;
    esac
  done
  touch $build/packed
}

export build out
export -f configure compile architectures collect

if [ "${1:-}" = pack ]; then
  limit=3600
  rm -f $build/packed
  stage configure configure
  stage compile compile
  [ ${#failed[@]} = 0 ] && stage collect collect
  exit $((${#failed[@]} > 0))
fi

device() { nvidia-smi --query-gpu=name,driver_version,memory.total,compute_cap --format=csv,noheader; }

# A test that finds no device says "skipped: cuda" and passes; here it must not.
on_cuda() {
  "$@" | tee "$out/last_on_cuda.txt"
  local status=${PIPESTATUS[0]}
  if grep -q 'skipped: cuda' "$out/last_on_cuda.txt"; then return 1; fi
  return "$status"
}
sanitizer() { on_cuda compute-sanitizer --tool "$1" --error-exitcode 9 $build/tests/test_engine '[ladder][cuda]'; }

# Every folder's tests; they choose their backends by what is usable.
tests() {
  local program status=0
  for program in "$build"/tests/test_*; do
    echo "== $program"
    "$program" || status=1
  done
  return $status
}

# The same scene on both, one after the other: a ratio is taken within one run.
scene() {
  local backend status=0
  for backend in cuda cpu cuda cpu; do
    $build/dermis bench "$1" --backend $backend --steps 60 || status=1
  done
  return $status
}

export -f device on_cuda sanitizer tests scene

lines=2 stage device device
if [ -e $build/packed ]; then
  export LD_LIBRARY_PATH=$PWD/$build/lib:${LD_LIBRARY_PATH:-}
else
  stage configure configure
  limit=900 stage compile compile
fi
stage ladder on_cuda $build/tests/test_engine '[ladder][cuda]' -d yes
stage tests tests
for scene in $scenes; do
  lines=20 stage "scene_$scene" scene "$scene"
done
lines=12 stage vendor $build/lib/vendor_bench "$out/vendor.json"
for tool in memcheck racecheck initcheck; do
  stage $tool sanitizer $tool
done

{
  echo "["
  for k in "${!summary[@]}"; do
    printf '%s%s\n' "${summary[$k]}" "$([ "$k" -lt $((${#summary[@]} - 1)) ] && echo ,)"
  done
  echo "]"
} >"$out/summary.json"
if [ ${#failed[@]} -gt 0 ]; then
  echo "failed: ${failed[*]}"
  exit 1
fi
echo "all stages passed"
