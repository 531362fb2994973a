#!/usr/bin/env bash
# Makes the Debian package of a build folder, installs it into a root of its own and uses it as a user would.
# Arguments: the build folder, a folder to work in.
set -euo pipefail
build=$1 work=$2
rm -rf "$work"
mkdir -p "$work/root/var/lib/dpkg/info" "$work/root/var/lib/dpkg/updates" "$work/home"
touch "$work/root/var/lib/dpkg/status" "$work/root/var/lib/dpkg/available"

(cd "$work" && cpack --config "$build/CPackConfig.cmake" -B "$work/made" >"$work/cpack.log") || { cat "$work/cpack.log"; exit 1; }
package=$(ls "$work"/made/*.deb)
dpkg-deb --info "$package"
dpkg-deb --field "$package" Depends | grep -q libc6
if [[ $(id -u) == 0 ]]; then
    dpkg --root="$work/root" --force-depends --log=/dev/null -i "$package"
    dpkg --root="$work/root" --verify cax
else
    dpkg-deb -x "$package" "$work/root"
fi

root=$work/root
export HOME=$work/home PATH=$root/usr/bin:$PATH
unset CAX_MODELS
cd "$work/home"
[[ $(command -v cax) == "$root/usr/bin/cax" ]]
cax generate op --size 20 --seed 7 -o city.json
cax explain op-20-s0 city.json --step 1 --reference 0 --json why.json --html why.html --csv tables
grep -q "$root/usr/share/cax/models/op-20-s0.safetensors" why.json
test -s why.html -a -s tables/decisions.csv
cax explain no-such-policy city.json 2>said && exit 1
grep -q "no trained policy of that name in models, $root/usr/share/cax/models" said

diff <(cax completion --shell bash) "$root/usr/share/bash-completion/completions/cax"
diff <(cax completion --shell zsh) "$root/usr/share/zsh/vendor-completions/_cax"
for page in cax cax-explain cax-study-merge; do
    test -s "$root/usr/share/man/man1/$page.1"
done
if command -v man >/dev/null; then
    MANPATH=$root/usr/share/man man -P cat cax-explain 2>/dev/null | grep -q -- '--why-not'
fi
test -s "$root/usr/share/doc/cax/copyright"
echo "the package works"
