import { z } from 'zod'
import { openClock } from '../../app/open-clock.ts'
import { findKeysInUse } from '../../app/open-keys.ts'
import { recordRestore } from '../../audit/record-restore.ts'
import { normaliseInstant, toTimestamp } from '../../base/clock.ts'
import { readConfig } from '../../base/config.ts'
import { silentLog } from '../../base/log.ts'
import type { Signer } from '../../base/signer.ts'
import { findVault, keyPlaceOf } from '../../base/vault.ts'
import { recheckOpenRefunds } from '../../payments/recheck-refunds.ts'
import { listMerchants } from '../../store/access/merchants.ts'
import { findLastChange } from '../../store/audit/chain-records.ts'
import { openDatabase } from '../../store/core/database.ts'
import type { Context } from '../../store/core/mutation.ts'
import { type RecoveredServer, restore as restoreBackup } from '../../store/embedded/restore.ts'
import { migrateAndGrant } from '../../store/server/migrate.ts'
import { command } from '../kit/command.ts'
import { connected, requireEmbedded, stopOnSignal } from '../kit/connect.ts'
import { CommandFailure } from '../kit/failure.ts'
import { operator } from '../kit/operator.ts'
import { timestampOption } from '../kit/option.ts'
import { folderOption } from './backup.ts'
import { requireNodes } from './node.ts'

export const restore = command({
  name: 'restore',
  summary:
    'Restore the embedded PostgreSQL from a backup. The service must be stopped. The folder of the replaced database remains.',
  options: z.strictObject({
    from: folderOption('The folder that commerce backup wrote to.'),
    to: timestampOption(
      'The time to which the database is restored. Default: the time of the last change in the archive or in the replaced database.',
    ).optional(),
  }),
  run: async ({ from, to }) => {
    const config = readConfig()
    requireEmbedded(config)
    const { signer } = findVault(config)
    const stopping = new AbortController()
    const { dataDirectory } = config
    const request = {
      ...{ dataDirectory, folder: from, signer, keyPlace: keyPlaceOf(config), signal: stopping.signal },
      to: to === undefined ? undefined : normaliseInstant(to),
      reconcile: (server: RecoveredServer) => reconcileRecovered(server, signer),
    }
    const restoring = restoreBackup(request)
    const unwatch = stopOnSignal(async () => {
      stopping.abort()
      await restoring
    })
    const { restoredTo, base, replaced, reconciled } = await restoring.finally(unwatch)
    const text = [
      `Restored to ${restoredTo}, from ${base}.`,
      `${reconciled.refunds} open refunds will be looked up at their payment provider before any is submitted. Once the service runs, use commerce payments reconcile to compare the payments and refunds since the restored time.`,
      ...(replaced === undefined
        ? []
        : [`The replaced database is in ${replaced}. Remove it when you no longer need it.`]),
      'The write-ahead log of the database is no longer archived. Back up to a new folder: commerce backup --to FOLDER.',
    ].join('\n')
    return { json: { restoredTo, base, replaced: replaced ?? null, ...reconciled }, text }
  },
})

export const restored = command({
  name: 'restored',
  summary:
    'Mark open refunds to be looked up at their payment provider, and record the restore in the audit logs. Run this after restoring an external PostgreSQL from a backup, before starting the service.',
  options: z.strictObject({ to: timestampOption('The time to which the database was restored.') }),
  run: ({ to }) =>
    connected(async (context) => {
      const restoredTo = normaliseInstant(to)
      // All nodes must respond before the first change of the command. A run that stops halfway cannot be repeated: the
      // second run fails, because it finds the changes of the first.
      await requireNodes(context.database)
      if (context.keyFault !== undefined) throw context.keyFault
      // A backup of an earlier release contains no list of the encryption keys that it needs, so the command checks
      // that the configured keys decrypt its secrets.
      await findKeysInUse(context.database, context.vault, 'ENCRYPTION_KEY')
      await requireRestored(context, restoredTo)
      const reconciled = await reconcile({ ...context, signer: context.vault.signer }, restoredTo)
      const text = `Recorded the restore to ${restoredTo} in ${reconciled.chains} audit logs. ${reconciled.refunds} open refunds will be looked up at their payment provider.`
      return { json: { restoredTo, ...reconciled }, text }
    }),
})

/**
 * Fails if the database was not restored to the given time, for example because it contains later changes. Without this
 * check, the audit log could record a restore that did not happen, and this record could hide a deletion of audit rows.
 */
async function requireRestored({ database, clock }: Context, restoredTo: string): Promise<void> {
  if (restoredTo > toTimestamp(clock.nowMs())) {
    throw new CommandFailure(
      'The time in --to is in the future. Nothing was recorded. Pass the time to which the database was restored.',
    )
  }
  let lastChange = restoredTo
  for (const { id: merchantId } of await listMerchants(database, {})) {
    const { recordedAt = null } = (await findLastChange(database, { merchantId })) ?? {}
    if (recordedAt !== null && recordedAt > lastChange) lastChange = recordedAt
  }
  if (lastChange === restoredTo) return
  throw new CommandFailure(
    `The database contains changes of ${lastChange}, which is later than --to. Nothing was recorded. Restore the database first, or pass the time to which it was restored.`,
  )
}

/** Prepares the restored database for the service, before any job of the service can run. */
async function reconcileRecovered(server: RecoveredServer, signer: Signer) {
  // The backup may be of an earlier release, so the database is migrated.
  await migrateAndGrant(server)
  const database = openDatabase({ connectionString: server.connectionString })
  try {
    const clock = await openClock(database, silentLog)
    return await reconcile({ database, clock, nudge: () => undefined, signer }, server.restoredTo).finally(clock.stop)
  } finally {
    await database.close()
  }
}

async function reconcile(context: Context & { readonly signer: Signer }, restoredTo: string) {
  const refunds = await recheckOpenRefunds(context, operator)
  return { refunds, chains: await recordRestore({ ...context, actor: operator }, restoredTo) }
}
