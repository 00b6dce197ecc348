import pg from 'pg'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { createToken } from '../../src/access/create-token.ts'
import { sealAudit } from '../../src/audit/seal-audit.ts'
import { type AuditVerdict, type KnownHead, verifyAudit } from '../../src/audit/verify-audit.ts'
import { systemClock } from '../../src/base/clock.ts'
import { randomKey } from '../../src/base/ids.ts'
import { signerOf } from '../../src/base/signer.ts'
import type { ChainId } from '../../src/store/audit/chain.ts'
import type { Context, Tenant } from '../../src/store/core/mutation.ts'
import type { TestDatabase } from '../support/database.ts'
import { operator } from '../support/shop.ts'

/** A merchant whose audit log is linked and verified with a key of its own. */
export function openChain({ database, superuserConnectionString }: TestDatabase) {
  const context: Context = { database, clock: systemClock, nudge: () => undefined }
  const signer = signerOf([randomKey(32)])
  let tenant: Tenant | undefined
  const merchant = async (): Promise<Tenant> => {
    tenant ??= { merchantId: (await createMerchant(context, operator, 'Adire Lagos')).id, mode: 'live' }
    return tenant
  }
  return {
    context,
    signer,
    merchant,
    /** Writes one audit row per name. */
    write: async (...names: string[]) => {
      const owner = await merchant()
      for (const name of names)
        await createToken(context, operator, owner, { name, scopes: ['orders:read'], expiresAt: null, ipAllowlist: [] })
    },
    seal: () => sealAudit({ database, signer }),
    verify: async (known?: KnownHead, chain?: ChainId): Promise<AuditVerdict> =>
      verifyAudit({ database, signer, chain: chain ?? (await merchant()).merchantId, known }),
    /** Runs statements as a superuser without the triggers, as an intruder with full access could. */
    tamper: async (...statements: readonly string[]) => {
      const client = new pg.Client({ connectionString: superuserConnectionString })
      await client.connect()
      try {
        for (const table of ['audit_log', 'audit_chain', 'audit_heads'])
          await client.query(`alter table ${table} disable trigger user`)
        for (const statement of statements) await client.query(statement)
        for (const table of ['audit_log', 'audit_chain', 'audit_heads'])
          await client.query(`alter table ${table} enable always trigger ${table}_rows_never_change`)
      } finally {
        await client.end()
      }
    },
    /** Returns the ids of the audit rows, in the order of the chain. */
    ids: async () => {
      const { merchantId } = await merchant()
      const { rows } = await database.pool.query<{ id: string }>(
        'select audit_id as id from audit_chain where merchant_id = $1 order by number',
        [merchantId],
      )
      return rows.map(({ id }) => id)
    },
  }
}
