import type { Log } from '../base/log.ts'
import { type Vault, VaultError } from '../base/vault.ts'
import { hasTotpSecrets, listStaleTotp, type OwnedTotp, resealTotp } from '../store/access/totp-secrets.ts'
import type { Database } from '../store/core/database.ts'
import {
  hasCarrierAccounts,
  listStaleCredentials,
  type OwnedCredentials,
  resealCredentials,
} from '../store/logistics/carriers/carrier-accounts.ts'
import { hasKeys, listStaleKeys, type OwnedKey, resealKeys } from '../store/payments/provider-keys.ts'
import { hasSecrets, listStaleSecrets, type OwnedSecret, resealSecrets } from '../store/webhooks/signing-secrets.ts'

/**
 * Seals secrets that an earlier version stored as plain text, and reseals those sealed with an older key of
 * ENCRYPTION_KEY, so that the operator can remove the older key. Runs at each start. A row is replaced only while it is
 * unchanged, so two processes may run this at once; after a crash, the next start continues.
 */
export async function sealSecrets(context: SealContext): Promise<void> {
  const { database, vault } = context
  await sealAll(context, {
    name: 'webhook signing secrets',
    exist: () => hasSecrets(database),
    listStale: (after: OwnedSecret | undefined) =>
      listStaleSecrets(database, { mark: vault.mark(), after, limit: chunk }),
    reseal: ({ merchantId, endpointId, id, sealed, secret }) => {
      const binding = { merchantId, purpose: 'webhook_signing_secret', endpointId, secretId: id } as const
      return vault.seal(secret ?? vault.open(Buffer.from(sealed ?? '', 'hex'), binding), binding)
    },
    replace: (rows) => resealSecrets(database, rows),
  })
  await sealAll(context, {
    name: 'payment provider keys',
    exist: () => hasKeys(database),
    listStale: (after: OwnedKey | undefined) => listStaleKeys(database, { mark: vault.mark(), after, limit: chunk }),
    reseal: ({ merchantId, sealed }) => {
      const binding = { merchantId, purpose: 'paystack_secret_key' } as const
      return vault.seal(vault.open(sealed, binding), binding)
    },
    replace: (rows) => resealKeys(database, rows),
  })
  await sealAll(context, {
    name: 'carriers’ credentials',
    exist: () => hasCarrierAccounts(database),
    listStale: (after: OwnedCredentials | undefined) =>
      listStaleCredentials(database, { mark: vault.mark(), after, limit: chunk }),
    reseal: ({ merchantId, carrier, sealed }) => {
      const binding = { merchantId, purpose: 'carrier_credentials', carrier } as const
      return vault.seal(vault.open(sealed, binding), binding)
    },
    replace: (rows) => resealCredentials(database, rows),
  })
  await sealAll(context, {
    name: 'users’ TOTP secrets',
    exist: () => hasTotpSecrets(database),
    listStale: (after: OwnedTotp | undefined) => listStaleTotp(database, { mark: vault.mark(), after, limit: chunk }),
    reseal: ({ userId, sealed }) => {
      const binding = { userId, purpose: 'totp_secret' } as const
      return vault.seal(vault.open(sealed, binding), binding)
    },
    replace: (rows) => resealTotp(database, rows),
  })
}

interface SealContext {
  readonly database: Database
  readonly vault: Vault
  readonly log: Log
}

/** Rows of one batch: sealing takes milliseconds, and the statement stays far below its timeout. */
const chunk = 500

interface SecretTable<Row> {
  readonly name: string
  exist(): Promise<boolean>
  listStale(after: Row | undefined): Promise<readonly Row[]>
  reseal(row: Row): Buffer
  replace(rows: readonly { before: Row; sealed: Buffer }[]): Promise<number>
}

/** Seals the stale secrets of a table. Logs unreadable secrets as errors; the service starts all the same. */
async function sealAll<Row>({ log }: SealContext, table: SecretTable<Row>): Promise<void> {
  // Without stored secrets of this kind, no key is needed.
  if (!(await table.exist())) return
  let sealed = 0
  let unreadable = 0
  try {
    for (let rows = await table.listStale(undefined); rows.length > 0; rows = await table.listStale(rows.at(-1))) {
      const resealed = rows.flatMap((before) => {
        const bytes = resealRow(table, before)
        return bytes === undefined ? [] : [{ before, sealed: bytes }]
      })
      unreadable += rows.length - resealed.length
      sealed += await table.replace(resealed)
    }
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    log.error({ err: error }, `Without ENCRYPTION_KEY the ${table.name} cannot be opened or sealed.`)
    return
  }
  if (sealed > 0) log.info({ sealed }, `The ${table.name} were sealed with the current key.`)
  if (unreadable > 0) {
    log.error({ unreadable }, `Some ${table.name} cannot be opened: ENCRYPTION_KEY lacks the key that sealed them.`)
  }
}

/** Returns the row's secret sealed with the current key; undefined when it cannot be opened. */
function resealRow<Row>(table: SecretTable<Row>, row: Row): Buffer | undefined {
  try {
    return table.reseal(row)
  } catch (error) {
    if (error instanceof VaultError) return undefined
    throw error
  }
}
