import type { Log } from '../../base/log.ts'
import { type Vault, VaultError } from '../../base/vault.ts'
import type { Database } from '../../store/core/database.ts'
import { everyMark, type SecretKind, type StoredSecret, secretKinds, signingSecrets } from './secret-kinds.ts'

interface SealContext {
  readonly database: Database
  readonly vault: Vault
  readonly log: Log
}

/**
 * Encrypts secrets that an earlier version stored as plain text. Runs at each start. A row is replaced only while it is unchanged, so
 * two processes may run this at once; after a crash, the next start continues.
 */
export async function sealPlainSecrets(context: SealContext): Promise<void> {
  await sealKind(context, signingSecrets, () => everyMark)
}

/** Encrypts all secrets with the current key. Returns the number of those that no configured key opens. */
export async function sealSecrets(context: SealContext): Promise<number> {
  let unreadable = 0
  for (const kind of secretKinds) unreadable += await sealKind(context, kind, context.vault.mark)
  return unreadable
}

/** Logs secrets that cannot be opened, and returns their number. */
async function sealKind(
  { database, vault, log }: SealContext,
  kind: SecretKind,
  markOf: () => Buffer,
): Promise<number> {
  // Without stored secrets of this kind, no key is needed.
  if (!(await kind.exist(database))) return 0
  try {
    // Fails without a key.
    vault.mark()
    const { replaced, skipped } = await kind.replaceAll(database, markOf(), (secret) => resealed(vault, secret))
    if (replaced > 0) log.info({ sealed: replaced }, `The ${kind.name} were sealed with the current key.`)
    if (skipped > 0)
      log.error(
        { unreadable: skipped },
        `Some ${kind.name} cannot be opened: ENCRYPTION_KEY lacks the key that sealed them.`,
      )
    return skipped
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    log.error({ err: error }, `Without ENCRYPTION_KEY the ${kind.name} cannot be opened or sealed.`)
    return 0
  }
}

/** Returns the secret sealed with the current key; undefined when it cannot be opened. */
function resealed(vault: Vault, { binding, sealed, plain }: StoredSecret): Buffer | undefined {
  const secret = plain ?? (sealed === null ? undefined : openedBy(vault, { binding, sealed }))
  return secret === undefined ? undefined : vault.seal(secret, binding)
}

/** Opens a secret. Undefined when no configured key opens it. */
export function openedBy(
  vault: Vault,
  { binding, sealed }: Pick<StoredSecret, 'binding'> & { readonly sealed: Uint8Array },
): string | undefined {
  try {
    return vault.open(sealed, binding)
  } catch (error) {
    if (error instanceof VaultError) return undefined
    throw error
  }
}
