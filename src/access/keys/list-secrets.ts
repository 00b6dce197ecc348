import type { Binding, Vault } from '../../base/vault.ts'
import type { ReadDb } from '../../store/core/database.ts'
import { openedBy } from './seal-secrets.ts'
import { noMark, type StoredSecret, secretKinds } from './secret-kinds.ts'

export interface SecretGroup {
  readonly kind: string
  /**
   * Fingerprint of a configured key. For a key that is not configured, the beginning of its id. For secrets in plain
   * text, `none`.
   */
  readonly key: string
  readonly secrets: number
  /** Number of secrets in this group that one of the configured keys can decrypt. */
  readonly opened: number
}

export interface ListedSecrets {
  readonly groups: readonly SecretGroup[]
  /** Secrets that no configured key decrypts, at most `unopenedMax` of them. */
  readonly unopened: readonly Binding[]
}

/**
 * Maximum number of secrets in the list. An operator replaces them one by one, and lists the remaining secrets again
 * before replacing more.
 */
const unopenedMax = 100

/** Lists all stored secrets by kind and key, and tries to decrypt each of them. */
export async function listStoredSecrets(db: ReadDb, vault: Vault): Promise<ListedSecrets> {
  const groups = new Map<string, SecretGroup>()
  const unopened: Binding[] = []
  for (const { name: kind, pages } of secretKinds) {
    for await (const page of pages(db, noMark)) {
      for (const secret of page) {
        const { key, isOpened } = stateOf(vault, secret)
        const id = `${kind}\n${key}`
        const { secrets, opened } = groups.get(id) ?? { secrets: 0, opened: 0 }
        groups.set(id, { kind, key, secrets: secrets + 1, opened: opened + (isOpened ? 1 : 0) })
        if (!isOpened && unopened.length < unopenedMax) unopened.push(secret.binding)
      }
    }
  }
  return { groups: [...groups.values()], unopened }
}

function stateOf(
  vault: Vault,
  { binding, sealed }: StoredSecret,
): { readonly key: string; readonly isOpened: boolean } {
  if (sealed === null) return { key: 'none', isOpened: true }
  return { key: vault.keyOf(sealed), isOpened: openedBy(vault, { binding, sealed }) !== undefined }
}
