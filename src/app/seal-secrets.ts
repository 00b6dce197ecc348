import type { Log } from '../base/log.ts'
import { type Vault, VaultError } from '../base/vault.ts'
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
 * At each start: what an earlier version kept as text is sealed, and what was sealed with an older key of
 * ENCRYPTION_KEY is sealed anew with the current one, so that the older one can be taken away. A row is replaced only if it
 * is as it was read, so two processes may do this at once and any may be killed; the next start goes on.
 */
export async function sealSecrets(context: SealContext): Promise<void> {
  const { database, vault } = context
  await sealAll(context, {
    name: 'webhook signing secrets',
    exist: () => hasSecrets(database),
    listStale: (after: OwnedSecret | undefined) =>
      listStaleSecrets(database, { mark: vault.mark(), after, limit: chunk }),
    sealAnew: ({ merchantId, endpointId, id, sealed, secret }) => {
      const binding = { merchantId, purpose: 'webhook_signing_secret', endpointId, secretId: id } as const
      return vault.seal(secret ?? vault.open(Buffer.from(sealed ?? '', 'hex'), binding), binding)
    },
    replace: (rows) => resealSecrets(database, rows),
  })
  await sealAll(context, {
    name: 'payment provider keys',
    exist: () => hasKeys(database),
    listStale: (after: OwnedKey | undefined) => listStaleKeys(database, { mark: vault.mark(), after, limit: chunk }),
    sealAnew: ({ merchantId, sealed }) => {
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
    sealAnew: ({ merchantId, carrier, sealed }) => {
      const binding = { merchantId, purpose: 'carrier_credentials', carrier } as const
      return vault.seal(vault.open(sealed, binding), binding)
    },
    replace: (rows) => resealCredentials(database, rows),
  })
}

interface SealContext {
  readonly database: Database
  readonly vault: Vault
  readonly log: Log
}

/** Some milliseconds of sealing, and a statement far below its time limit. */
const chunk = 500

interface Kept<Row> {
  readonly name: string
  exist(): Promise<boolean>
  listStale(after: Row | undefined): Promise<readonly Row[]>
  sealAnew(row: Row): Buffer
  replace(rows: readonly { before: Row; sealed: Buffer }[]): Promise<number>
}

/** The service starts either way: what needs a secret that does not open waits, and the operator is told why. */
async function sealAll<Row>({ log }: SealContext, kept: Kept<Row>): Promise<void> {
  // Who keeps nothing needs no key.
  if (!(await kept.exist())) return
  let sealed = 0
  let unreadable = 0
  try {
    for (let rows = await kept.listStale(undefined); rows.length > 0; rows = await kept.listStale(rows.at(-1))) {
      const anew = rows.flatMap((before) => {
        const bytes = sealedAnew(kept, before)
        return bytes === undefined ? [] : [{ before, sealed: bytes }]
      })
      unreadable += rows.length - anew.length
      sealed += await kept.replace(anew)
    }
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    log.error({ err: error }, `Without ENCRYPTION_KEY the ${kept.name} cannot be opened or sealed.`)
    return
  }
  if (sealed > 0) log.info({ sealed }, `The ${kept.name} were sealed with the current key.`)
  if (unreadable > 0) {
    log.error({ unreadable }, `Some ${kept.name} do not open: ENCRYPTION_KEY lacks the key they were sealed with.`)
  }
}

function sealedAnew<Row>(kept: Kept<Row>, row: Row): Buffer | undefined {
  try {
    return kept.sealAnew(row)
  } catch (error) {
    if (error instanceof VaultError) return undefined
    throw error
  }
}
