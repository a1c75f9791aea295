// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/probe_script.h"

namespace sb {

namespace {

// Starting a program costs more than reading a file, on every node at once, so the shell reads what it can.
// Every line that counts is "@sb key value"; everything else is noise of start-up files. The first round says
// everything. Each line on the standard input asks for another one, which in bash starts no program but
// nvidia-smi as long as addresses, host name, processors and tools are what they were, else says "anew" and
// everything. bash takes a little longer to start, so it comes in with the second round, where there is one:
// $1 is this text, $2 is what was known by then.
constexpr const char *kProbe = R"sh(LC_ALL=C
export LC_ALL
say() { [ -n "$2" ] && printf '@sb %s %s\n' "$1" "$2"; }
now() {
  t=${EPOCHREALTIME:-}
  [ -n "$t" ] || { t=$(date +%s.%N); t=${t%.*N}; }
}
free_memory() {
  v=
  while read -r k v x; do
    case $k in MemTotal:) m=$v ;; MemAvailable:) break ;; esac
  done 2>/dev/null </proc/meminfo
}
quota() {
  q=
  { read -r q </sys/fs/cgroup/cpu.max; } 2>/dev/null
}
gpus() {
  command -v nvidia-smi >/dev/null 2>&1 || return
  nvidia-smi --query-gpu=index,name,uuid,pci.bus_id,memory.total,driver_version --format=csv,noheader,nounits \
    </dev/null 2>/dev/null | while IFS= read -r l; do say gpu "$l"; done
}
print() {
  f=
  if [ -n "${BASH_VERSION:-}" ]; then
    eval 'IFS=; a=(); mapfile -t a </proc/net/fib_trie; f="${a[*]}"
      a=(); mapfile -t a </proc/net/if_inet6; f="$f${a[*]}"; unset IFS'
  else
    for i in /proc/net/fib_trie /proc/net/if_inet6; do
      while IFS= read -r l; do f=$f$l; done <"$i"
    done
  fi 2>/dev/null
  { read -r h </proc/sys/kernel/hostname; read -r c </sys/devices/system/cpu/online; } 2>/dev/null
  f="$f $h $c"
  for i in /sys/class/net/*; do
    s=
    { read -r s <"$i/speed"; } 2>/dev/null
    f="$f $i $s"
  done
  for i in nvidia-smi docker podman apptainer enroot sinfo; do
    command -v "$i" >/dev/null 2>&1 && f="$f $i"
  done
}
version() {
  for w; do
    case $w in [0-9]*) w=${w%,}; say "$k" "$e$w"; return ;; esac
  done
  return 1
}
tools() {
  set -f
  for i in docker podman apptainer enroot; do
    command -v "$i" >/dev/null 2>&1 || continue
    k=engine e="$i "
    version $("$i" --version 2>/dev/null </dev/null) || version $("$i" version 2>/dev/null </dev/null) ||
      say engine "$i"
  done
  k=slurm e=
  command -v sinfo >/dev/null 2>&1 && version $(sinfo --version 2>/dev/null </dev/null)
  set +f
}
environments() {
  n=0
  for i in "$HOME"/venv "$HOME"/.venv "$HOME"/venvs/* "$HOME"/.virtualenvs/* /opt/* /opt/venvs/*; do
    [ -f "$i/pyvenv.cfg" ] && [ -x "$i/bin/python" ] && [ $n -lt 40 ] || continue
    n=$((n + 1))
    say environment "venv:$i"
  done
  n=0
  for i in "$HOME"/.conda/envs/* "$HOME"/*conda3/envs/* "$HOME"/miniforge3/envs/* /opt/*conda*/envs/* \
    "${CONDA_PREFIX:-/nonexistent}"/envs/*; do
    [ -d "$i/conda-meta" ] && [ $n -lt 40 ] || continue
    n=$((n + 1))
    say environment "conda:$i"
  done
  # Only a login shell knows modules, and a cluster may have thousands of them.
  [ -e /etc/profile.d/modules.sh ] || [ -e /etc/profile.d/lmod.sh ] || [ -e /etc/profile.d/z00_lmod.sh ] ||
    [ -n "${MODULESHOME:-}${LMOD_CMD:-}" ] || return
  command -v timeout >/dev/null 2>&1 && command -v bash >/dev/null 2>&1 || return
  timeout 3 bash -lc 'module -t avail 2>&1' 2>/dev/null </dev/null | head -c 65536 |
    grep -iE '^[a-z0-9][^ :]*(torch|tensorflow|jax|paddle|oneflow|mxnet|horovod|deepspeed|cuda|nccl|python|conda)[^ :]*$' |
    sed 's/(default)$//' | head -n 40 | while IFS= read -r l; do say environment "module:$l"; done
}
everything() {
  set -- $(uname -nrm)
  say hostname "$1"
  say kernel "$2"
  say architecture "$3"
  say work "${XDG_STATE_HOME:-$HOME/.local/state}/scaleboard/runs"
  [ -r /etc/os-release ] && say os "$(. /etc/os-release && echo "$PRETTY_NAME")"
  n= y=
  while IFS=: read -r k v; do
    case $k in
    "model name"*) [ -n "$n" ] || { n=${v# }; say cpu "$n"; } ;;
    flags* | Features*) say flags "${v# }"; y=1 ;;
    esac
    [ -n "$y" ] && break
  done 2>/dev/null </proc/cpuinfo
  say cores "$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)"
  quota
  say quota "$q"
  free_memory
  say memory "$m"
  say memory_free "$v"
  for i in /sys/class/net/*; do
    n=${i##*/}
    [ "$n" = lo ] && continue
    s=
    { read -r s <"$i/speed"; } 2>/dev/null
    say interface "$n $s"
  done
  ip -o addr show 2>/dev/null </dev/null | while read -r x n k a x; do
    [ "$n" = lo ] && continue
    case $k in inet | inet6) say address "$n $a" ;; esac
  done
  gpus
  command -v nvidia-smi >/dev/null 2>&1 &&
    say cuda "$(nvidia-smi 2>/dev/null </dev/null | sed -n 's/.*CUDA Version: *\([0-9.]*\).*/\1/p' | head -n 1)"
  tools
  [ -d /dev/infiniband ] && say infiniband /dev/infiniband
  environments
}
known=${2:-}
if [ -z "$known" ]; then
  now
  say time "$t"
  everything
  echo '@sb end'
  print
  known=$f
fi
asked=${2:+1}
while [ -n "$asked" ] || read -r x; do
  [ -z "$asked" ] && [ -z "${BASH_VERSION:-}" ] && command -v bash >/dev/null 2>&1 &&
    exec bash -c "$1" scaleboard "$1" "$known"
  asked=
  print
  if [ "$f" != "$known" ]; then
    known=$f
    now
    printf '@sb time %s\n@sb anew 1\n' "$t"
    everything
  else
    command -v nvidia-smi >/dev/null 2>&1 && { echo '@sb gpus again'; gpus; }
    quota
    free_memory
    now
    printf '@sb time %s\n@sb quota %s\n@sb memory_free %s\n' "$t" "$q" "$v"
  fi
  echo '@sb end'
done
exit 0)sh";

} // namespace

const char *probeScript()
{
    return kProbe;
}

} // namespace sb
