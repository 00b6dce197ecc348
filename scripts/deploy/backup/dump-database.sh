#!/bin/sh
# Backs up the database to one file, for a server without an archive of its log, such as that of compose.yml:
#   DATABASE_OWNER_URL=… sh scripts/deploy/backup/dump-database.sh /mnt/backups/commerce
# Prints the file, and the time to which a restore takes the database back. The folder must be on another disk or machine. Needs
# pg_dump of the version of the server, or a newer one.
set -eu
folder=${1:?Name a folder, such as /mnt/backups/commerce.}
umask 077
mkdir -p "$folder"
# Before the dump begins: later changes may be missing from it.
time=$(date -u +%Y-%m-%dT%H:%M:%SZ)
file=$folder/commerce-$(echo "$time" | tr -d ':-').dump
pg_dump --format=custom --compress=6 --lock-wait-timeout=60s --dbname="$DATABASE_OWNER_URL" --file="$file.partial"
# Fails if the file is not complete.
pg_restore --file=/dev/null "$file.partial"
mv "$file.partial" "$file"
(cd "$folder" && sha256sum "$(basename "$file")" > "$(basename "$file").sha256")
echo "$file contains the database as of $time."
