import { hostname } from 'node:os'
import { claimKeys, requireAll } from '../access/keys/claim-keys.ts'
import { listStoredSecrets } from '../access/keys/list-secrets.ts'
import { sealPlainSecrets } from '../access/keys/seal-secrets.ts'
import type { Config } from '../base/config.ts'
import type { Log } from '../base/log.ts'
import { recurringWorkOf } from '../base/recurring-work.ts'
import { findVault, keyPlaceOf, openVault, type Vault, VaultError } from '../base/vault.ts'
import { encryptionKeyCheck } from '../management/checks.ts'
import type { Health } from '../management/health.ts'
import { deleteHolder, listUsedKeys, renewHolder } from '../store/access/encryption-keys.ts'
import type { Database } from '../store/core/database.ts'
import { whenPermitted } from './start-step.ts'
import { type Stops, within } from './stops.ts'

interface KeyOptions {
  readonly database: Database
  readonly log: Log
  readonly health: Health
  readonly stops: Stops
  readonly processId: string
  readonly stopping: AbortSignal
}

/**
 * Time limit in milliseconds for deleting the database row that registers this process. Deleting the row takes
 * milliseconds unless the database is slow.
 */
const stopMs = 2_000

/**
 * Opens the vault of this process. Rejects with a VaultError if stored secrets need an encryption key that the process
 * does not have. Also rejects if the process would encrypt with a key that another running process does not have. The
 * database lists the keys of this process until the process stops.
 */
export async function openKeys(
  config: Config,
  { database, log, health, stops, processId, stopping }: KeyOptions,
): Promise<Vault> {
  const step = { name: 'start.encryption_keys', work: recurringWorkOf(log), stopping } as const
  const vault = await whenPermitted(step, () => openClaimed(config, database, { processId, label: labelOf(config) }))
  const { keyIds } = vault.signer
  const holder = { processId, label: labelOf(config), keyIds }
  stops.add(() => within(stopMs, deleteHolder(database, { processId })))
  health.add(
    encryptionKeyCheck(async () => {
      const used = await renewHolder(database, holder)
      return used.every(({ id }) => keyIds.includes(id))
    }),
  )
  await whenPermitted(step, () => sealPlainSecrets({ database, vault, log }))
  return vault
}

/**
 * Opens a vault and records the use of its keys. `holder` is the process that uses the keys. Undefined for a
 * command-line command.
 */
export async function openClaimed(
  config: Config,
  database: Database,
  holder?: { readonly processId: string; readonly label: string },
): Promise<Vault> {
  const place = keyPlaceOf(config)
  const used = (await listUsedKeys(database, {})).map(({ id }) => id)
  // The keys are checked before the vault creates a key file, because a new file would hide that the old file was lost.
  requireAll(findVault(config).signer.keyIds, used, place)
  const vault = openVault(config)
  // Only a process of the service, not a command, decides which encryption key a new database gets. A command that uses
  // no secrets can therefore run on a new database without a key.
  if (holder === undefined && used.length === 0) return vault
  const { keyIds } = vault.signer
  await claimKeys(database, { keyIds, holder, place, usedAtFirst: () => findKeysInUse(database, vault, place) })
  return vault
}

/**
 * Returns the encryption keys that decrypt stored secrets. Throws if there are encrypted secrets and no key decrypts
 * any of them.
 */
export async function findKeysInUse(database: Database, vault: Vault, place: string): Promise<readonly string[]> {
  const { groups } = await listStoredSecrets(database, vault)
  const encrypted = groups.filter(({ key }) => key !== 'none')
  if (encrypted.length > 0 && encrypted.every(({ opened }) => opened === 0))
    throw new VaultError(`${place} decrypts none of the stored secrets. Set it to the key that encrypted the secrets.`)
  return encrypted.flatMap(({ key, opened }) => (opened > 0 ? [key] : []))
}

function labelOf({ role }: Config): string {
  return `${role} ${hostname()} ${process.pid}`
}
