#!/bin/sh
# Reports a completed backup to the node exporter, which reads the folder of Debian's package: the alert CommerceBackupOld fires
# when the last report is older than 26 hours. Root runs this file after each backup.
set -eu
folder=${1:-/var/lib/prometheus/node-exporter}
# The node exporter reads only files that end with .prom, so it never reads half of a file.
printf 'backup_completed_timestamp_seconds %s\n' "$(date +%s)" > "$folder/commerce-backup.$$"
chmod 644 "$folder/commerce-backup.$$"
mv "$folder/commerce-backup.$$" "$folder/commerce-backup.prom"
