import { VaultError } from '../../base/vault.ts'
import {
  type HolderRow,
  type KeyHolder,
  listKeyHolders,
  listUsedKeys,
  lockKeys,
  putHolder,
  retireKeys,
  useKeys,
} from '../../store/access/encryption-keys.ts'
import { bookkeep } from '../../store/core/bookkeeping.ts'
import type { Database } from '../../store/core/database.ts'

/**
 * Decides which processes may encrypt and decrypt secrets. A process must have every key that stored secrets need. It
 * encrypts with a new key only when all running processes have that key, so that every process can decrypt every
 * secret.
 */

export interface KeyClaim {
  /** Fingerprints of the encryption keys of the process. The process encrypts with the first key. */
  readonly keyIds: readonly string[]
  /** The process that uses the encryption keys. Undefined for a command-line command, which ends soon. */
  readonly holder?: Omit<HolderRow, 'keyIds'> | undefined
  /**
   * Returns the encryption keys that are needed to decrypt the stored secrets. Called if the database has no record of
   * the keys in use, for example at the first start.
   */
  readonly usedAtFirst: () => Promise<readonly string[]>
  /** The place in which the encryption keys are configured, such as a variable or a file, for error messages. */
  readonly place: string
}

/** Records that this process runs and encrypts with its first key. Throws a VaultError if the process must not run. */
export async function claimKeys(database: Database, claim: KeyClaim): Promise<void> {
  const { keyIds, holder, place } = claim
  const isFirst = (await listUsedKeys(database, {})).length === 0
  const usedAtFirst = isFirst ? await claim.usedAtFirst() : []
  await bookkeep(database, async (trx) => {
    await lockKeys(trx)
    const used = (await listUsedKeys(trx, {})).map(({ id }) => id)
    requireAll(keyIds, used, place)
    const [current] = keyIds
    if (current !== undefined && !used.includes(current)) {
      requireEverywhere(current, await listKeyHolders(trx, {}))
      useKeys(trx, { ids: [...new Set([...usedAtFirst, current])] })
    }
    if (holder !== undefined) putHolder(trx, { ...holder, keyIds })
  })
}

/** Throws unless a process has all encryption keys that stored secrets need. */
export function requireAll(keyIds: readonly string[], used: readonly string[], place: string): void {
  const missing = used.filter((id) => !keyIds.includes(id))
  if (missing.length === 0) return
  throw new VaultError(
    `${place} lacks the key with the fingerprint ${missing.join(' and ')}, which encrypted stored secrets. Append a comma and the key. If the key is lost, run commerce secrets retire --key ${missing[0]}.`,
  )
}

/** Throws unless every running process has the given encryption key. */
function requireEverywhere(keyId: string, holders: readonly KeyHolder[]): void {
  const lacking = holders.filter(({ keyIds }) => !keyIds.includes(keyId))
  if (lacking.length === 0) return
  throw new VaultError(
    `The key with the fingerprint ${keyId} is not yet in ENCRYPTION_KEY of ${namesOf(lacking)}. First restart every process with the value “old key,new key”. Then restart every process with the value “new key,old key”.`,
  )
}

/** Maximum number of processes that an error message names. */
const namedMax = 5

export function namesOf(holders: readonly KeyHolder[]): string {
  const names = holders.slice(0, namedMax).map(({ label }) => label)
  const more = holders.length - names.length
  return more === 0 ? names.join(', ') : `${names.join(', ')} and ${more} more`
}

export type RetireOutcome =
  | { readonly is: 'retired'; readonly keyIds: readonly string[] }
  /**
   * Another key is in use. The running processes in `holders` encrypt with this key. If `holders` is empty, stored
   * secrets need this key.
   */
  | { readonly is: 'in_use'; readonly holders: readonly KeyHolder[] }

/** Returns the running processes that encrypt with another key. A process encrypts with its first key. */
export function othersThan(keyId: string, holders: readonly KeyHolder[]): readonly KeyHolder[] {
  return holders.filter(({ keyIds: [first] }) => first !== keyId)
}

/**
 * Retires all encryption keys except the current one, if no running process encrypts with another key and `isDone`
 * reports that no secret needs another key. No process can start to use another key while this function runs.
 */
export function retireOthers(
  database: Database,
  current: string,
  isDone: () => Promise<boolean>,
): Promise<RetireOutcome> {
  return bookkeep(database, async (trx) => {
    await lockKeys(trx)
    const holders = othersThan(current, await listKeyHolders(trx, {}))
    if (holders.length > 0 || !(await isDone())) return { is: 'in_use', holders }
    const others = (await listUsedKeys(trx, {})).flatMap(({ id }) => (id === current ? [] : [id]))
    useKeys(trx, { ids: [current] })
    return { is: 'retired', keyIds: await retireKeys(trx, others) }
  })
}

/**
 * Records that an encryption key is lost. The secrets that it encrypted stay unreadable. Returns false if no secret
 * needs the key.
 */
export function retireLost(database: Database, keyId: string): Promise<boolean> {
  return bookkeep(database, async (trx) => {
    await lockKeys(trx)
    return (await retireKeys(trx, [keyId])).length > 0
  })
}
