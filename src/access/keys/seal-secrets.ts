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
 * Encrypts secrets that an earlier version stored as plain text. Runs at each start. A row is replaced only if it is
 * unchanged since it was read, so concurrent runs are safe. After a crash, the next start continues.
 */
export async function sealPlainSecrets(context: SealContext): Promise<void> {
  await sealKind(context, signingSecrets, () => everyMark)
}

/** Encrypts all stored secrets with the current key. Returns the number of secrets that no configured key decrypts. */
export async function sealSecrets(context: SealContext): Promise<number> {
  let unreadable = 0
  for (const kind of secretKinds) unreadable += await sealKind(context, kind, context.vault.mark)
  return unreadable
}

/** Encrypts the secrets of one kind. Logs the secrets that cannot be decrypted, and returns their number. */
async function sealKind(
  { database, vault, log }: SealContext,
  kind: SecretKind,
  markOf: () => Buffer,
): Promise<number> {
  // If no secrets of this kind are stored, no encryption key is needed for them.
  if (!(await kind.exist(database))) return 0
  try {
    // This call only checks that an encryption key is configured: it throws an error if none is.
    vault.mark()
    const { replaced, skipped } = await kind.replaceAll(database, markOf(), (secret) => resealed(vault, secret))
    if (replaced > 0) log.info({ sealed: replaced }, `The ${kind.name} were encrypted with the current key.`)
    if (skipped > 0)
      log.error(
        { unreadable: skipped },
        `Some ${kind.name} cannot be decrypted: ENCRYPTION_KEY lacks the key that encrypted them.`,
      )
    return skipped
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    log.error({ err: error }, `Without ENCRYPTION_KEY the ${kind.name} cannot be decrypted or encrypted.`)
    return 0
  }
}

/** Undefined if no configured key decrypts the secret. */
function resealed(vault: Vault, { binding, sealed, plain }: StoredSecret): Buffer | undefined {
  const secret = plain ?? (sealed === null ? undefined : openedBy(vault, { binding, sealed }))
  return secret === undefined ? undefined : vault.seal(secret, binding)
}

/** Returns undefined if no configured key decrypts the secret. */
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
