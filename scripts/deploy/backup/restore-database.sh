#!/bin/sh
# Restores a file of dump-database.sh into an empty database, whose roles exist already:
#   DATABASE_OWNER_URL=… sh scripts/deploy/backup/restore-database.sh /mnt/backups/commerce/commerce-….dump
# All or nothing: a failure leaves the database empty. Needs pg_restore of the version of pg_dump, or a newer one.
set -eu
file=${1:?Name a file of dump-database.sh.}
(cd "$(dirname "$file")" && sha256sum --check --quiet "$(basename "$file").sha256")
tables=$(psql --no-psqlrc --tuples-only --no-align --dbname="$DATABASE_OWNER_URL" \
  --command="select count(*) from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')")
if [ "$tables" != 0 ]; then
  echo "The database of DATABASE_OWNER_URL has $tables tables. Restore into an empty database." >&2
  exit 1
fi
# The owner of the database, who may be another role than the restoring one, keeps the schema public and its comment.
list=$(mktemp)
trap 'rm -f "$list"' EXIT
pg_restore --list "$file" | grep -vE ' (SCHEMA|COMMENT|ACL) - (SCHEMA )?public ' > "$list"
pg_restore --exit-on-error --single-transaction --no-owner --use-list="$list" --dbname="$DATABASE_OWNER_URL" "$file"
# A restored database has no statistics, without which the first queries are slow.
psql --no-psqlrc --quiet --dbname="$DATABASE_OWNER_URL" --command='set client_min_messages = error' --command='analyze'
echo "Restored. Now run commerce migrate, which also grants the service its privileges, and commerce restored."
