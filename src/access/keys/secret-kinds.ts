import type { Binding } from '../../base/vault.ts'
import { sealedTotp } from '../../store/access/totp-secrets.ts'
import type { Database, ReadDb } from '../../store/core/database.ts'
import { sealedCredentials } from '../../store/logistics/carriers/carrier-accounts.ts'
import { sealedKeys } from '../../store/payments/provider-keys.ts'
import { sealedHeaders } from '../../store/webhooks/endpoint-headers.ts'
import { hasSecrets, listStaleSecrets, resealSecrets } from '../../store/webhooks/signing-secrets.ts'

/** The kinds of secrets that the database stores, each in a table of its own. */
export interface SecretKind {
  readonly name: string
  exist(db: ReadDb): Promise<boolean>
  /**
   * Yields the secrets that must be encrypted again: those in plain text, and the encrypted ones that do not begin with
   * the bytes `mark`. These bytes identify an encryption key.
   */
  pages(db: ReadDb, mark: Buffer): AsyncGenerator<readonly StoredSecret[]>
  /**
   * Replaces each secret that pages() yields by the result of `seal`. Skips a secret for which `seal` returns
   * undefined.
   */
  replaceAll(database: Database, mark: Buffer, seal: (secret: StoredSecret) => Buffer | undefined): Promise<Replaced>
}

export interface StoredSecret {
  readonly binding: Binding
  /** Null while the database stores the secret in plain text. */
  readonly sealed: Uint8Array | null
  /** The secret in plain text, if an earlier version stored it. */
  readonly plain: string | null
}

export interface Replaced {
  readonly replaced: number
  readonly skipped: number
}

/**
 * Value for the parameter `mark` of pages(), to encrypt all secrets again. No encrypted secret begins with these bytes,
 * so pages() yields every secret.
 */
export const noMark = Buffer.alloc(5)

/**
 * Value for the parameter `mark` of pages(), to list only the secrets in plain text. The function leaves out the
 * encrypted secrets that begin with the mark, and all of them begin with the empty value.
 */
export const everyMark = Buffer.alloc(0)

/**
 * Number of secrets that are encrypted in one batch. Encrypting them takes milliseconds, and the database statement
 * that stores them stays far below its timeout.
 */
const chunk = 500

interface SecretTable<Row> {
  readonly name: string
  readonly exist: (db: ReadDb) => Promise<boolean>
  readonly list: (
    db: ReadDb,
    page: { readonly mark: Buffer; readonly after: Row | undefined; readonly limit: number },
  ) => Promise<readonly Row[]>
  readonly toStored: (row: Row) => StoredSecret
  /**
   * Stores the newly encrypted secrets, but only in rows that are unchanged since they were read. Returns the number of
   * replaced rows.
   */
  readonly replace: (
    database: Database,
    rows: readonly { readonly before: Row; readonly sealed: Buffer }[],
  ) => Promise<number>
}

function kindOf<Row>({ name, exist, list, toStored, replace }: SecretTable<Row>): SecretKind {
  async function* rowsOf(db: ReadDb, mark: Buffer): AsyncGenerator<readonly Row[]> {
    let after: Row | undefined
    for (;;) {
      const rows = await list(db, { mark, after, limit: chunk })
      if (rows.length === 0) return
      yield rows
      after = rows.at(-1)
    }
  }
  return {
    name,
    exist,
    pages: async function* pages(db, mark) {
      for await (const rows of rowsOf(db, mark)) yield rows.map(toStored)
    },
    replaceAll: async (database, mark, seal) => {
      let [replaced, skipped] = [0, 0]
      for await (const rows of rowsOf(database, mark)) {
        const sealed = rows.flatMap((before) => {
          const bytes = seal(toStored(before))
          return bytes === undefined ? [] : [{ before, sealed: bytes }]
        })
        skipped += rows.length - sealed.length
        replaced += await replace(database, sealed)
      }
      return { replaced, skipped }
    },
  }
}

/** The signing secrets of webhook endpoints. An earlier version of the service stored them as plain text. */
export const signingSecrets = kindOf({
  name: 'webhook signing secrets',
  exist: hasSecrets,
  list: listStaleSecrets,
  toStored: ({ merchantId, endpointId, id, sealed, secret }) => ({
    binding: { merchantId, purpose: 'webhook_signing_secret', endpointId, secretId: id },
    sealed: sealed === null ? null : Buffer.from(sealed, 'hex'),
    plain: secret,
  }),
  replace: resealSecrets,
})

export const secretKinds: readonly SecretKind[] = [
  signingSecrets,
  kindOf({
    name: 'custom headers of webhook endpoints',
    ...sealedHeaders,
    toStored: ({ merchantId, id: endpointId, sealed }) => ({
      binding: { merchantId, purpose: 'webhook_headers', endpointId },
      sealed,
      plain: null,
    }),
  }),
  kindOf({
    name: 'payment provider keys',
    ...sealedKeys,
    toStored: ({ merchantId, provider, sealed }) => ({
      binding: { merchantId, purpose: 'payment_provider_key', provider },
      sealed,
      plain: null,
    }),
  }),
  kindOf({
    name: 'carriers’ credentials',
    ...sealedCredentials,
    toStored: ({ merchantId, carrier, sealed }) => ({
      binding: { merchantId, purpose: 'carrier_credentials', carrier },
      sealed,
      plain: null,
    }),
  }),
  kindOf({
    name: 'users’ TOTP secrets',
    ...sealedTotp,
    toStored: ({ id: userId, sealed }) => ({ binding: { userId, purpose: 'totp_secret' }, sealed, plain: null }),
  }),
]
