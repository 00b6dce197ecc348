import { z } from 'zod'
import { keyPlaceOf, openVault } from '../../base/vault.ts'
import { backUp } from '../../store/embedded/base-backup.ts'
import { command } from '../kit/command.ts'
import { withEmbedded } from '../kit/connect.ts'
import { numberOption, option } from '../kit/option.ts'

export const folderOption = (meaning: string) =>
  option(z.string().trim().min(1).max(pathMaxLength), {
    value: 'FOLDER',
    meaning,
    must: 'must be the path of a folder',
  })

/** Maximum length of a path in Linux. */
const pathMaxLength = 4096

/**
 * Default interval at which changes are archived. If the disk is lost, at most a minute of changes is lost. Each minute
 * with changes costs up to 16 MB of archive.
 */
const archiveSecondsDefault = 60

export const backup = command({
  name: 'backup',
  summary:
    'Back up the embedded PostgreSQL to a folder, and archive its write-ahead log there from then on. The service may run during the backup.',
  options: z.strictObject({
    to: folderOption(
      'The folder for backups, preferably on another disk. Use a new folder, or the folder of the last backup.',
    ),
    'archive-seconds': numberOption(
      `Interval in seconds at which changes are archived. If the disk is lost, at most the changes of one interval are lost. Default ${archiveSecondsDefault}. Each interval with changes takes up to 16 MB of disk space.`,
      { min: 1, max: 3_600 },
    ).optional(),
  }),
  run: ({ to, 'archive-seconds': archiveSeconds = archiveSecondsDefault }) =>
    withEmbedded(async (postgres, config) => {
      const { signer } = openVault(config)
      const done = await backUp(postgres, { folder: to, archiveSeconds, signer })
      const keyPlace = keyPlaceOf(config)
      const text = [
        `Backed up to ${done.folder}: ${done.files} files, ${Math.ceil(done.bytes / 1_000_000)} MB. The write-ahead log is archived every ${archiveSeconds} s.`,
        `commerce restore can restore the database to any time from ${done.endedAt} on.`,
        `The backup does not contain the encryption key, which is in ${keyPlace} (fingerprint ${done.keyId}). Keep a copy of the key elsewhere: a restore needs the key.`,
      ].join('\n')
      return { json: { ...done, keyPlace }, text }
    }),
})
