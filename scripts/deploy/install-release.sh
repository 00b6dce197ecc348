#!/bin/sh
# Installs a release beside the running one, and points the link of the systemd units to it:
#   sudo sh scripts/deploy/install-release.sh v0.3.0
# Running processes keep the files of their own release until they are restarted. A failure leaves the link as it was. To go back,
# run the script with the earlier release, whose folder is still there. COMMERCE_LINK, COMMERCE_RELEASES and COMMERCE_SOURCE replace
# the link, the folder of the releases and the repository.
set -eu
release=${1:?Name a release, such as v0.3.0.}
link=${COMMERCE_LINK:-/opt/commerce-service}
releases=${COMMERCE_RELEASES:-/opt/commerce-releases}
folder=$releases/$release

if [ -e "$link" ] && [ ! -L "$link" ]; then
  echo "$link is not a link. Move it into $releases first, and link it from there." >&2
  exit 1
fi
if [ ! -e "$folder" ]; then
  source=${COMMERCE_SOURCE:-$(git -C "$link" remote get-url origin)}
  mkdir -p "$releases"
  rm -rf "$folder.partial"
  git -c advice.detachedHead=false clone --quiet --depth 1 --branch "$release" "$source" "$folder.partial"
  (cd "$folder.partial" && npm ci --omit=dev)
  # A folder without this suffix is always complete.
  mv "$folder.partial" "$folder"
fi
# Renaming replaces the link in one step, so a process that starts meanwhile finds one release or the other.
ln -sfn "$folder" "$link.next"
mv -T "$link.next" "$link"
echo "$link is $release. Migrate, then restart the processes one after another."
