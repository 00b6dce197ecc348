import { createMerchant } from '../../src/access/create-merchant.ts'
import { createToken } from '../../src/access/create-token.ts'
import type { KnownHead } from '../../src/audit/known-head.ts'
import { sealAudit } from '../../src/audit/seal-audit.ts'
import { type AuditVerdict, verifyAudit } from '../../src/audit/verify-audit.ts'
import { systemClock } from '../../src/base/clock.ts'
import { signerOf } from '../../src/base/signer.ts'
import type { ChainId } from '../../src/store/audit/chain.ts'
import type { Context, Tenant } from '../../src/store/core/mutation.ts'
import type { TestDatabase } from '../support/database.ts'
import { operator } from '../support/shop.ts'
import { tamperWith } from './rewritten-chain.ts'

/**
 * The signing key of the service. All processes use the same key, because each of them links the audit rows of all
 * merchants.
 */
export const auditKey = Buffer.alloc(32, 9)

/** A merchant whose audit log the test links into a hash chain and verifies. */
export function openChain({ database, superuserConnectionString }: TestDatabase, keys: readonly Buffer[] = [auditKey]) {
  const context: Context = { database, clock: systemClock, nudge: () => undefined }
  const signer = signerOf(keys)
  let tenant: Tenant | undefined
  const merchant = async (): Promise<Tenant> => {
    tenant ??= { merchantId: (await createMerchant(context, operator, 'Adire Lagos')).id, mode: 'live' }
    return tenant
  }
  return {
    context,
    signer,
    merchant,
    /** Writes one audit row for each of the given names. */
    write: async (...names: string[]) => {
      const owner = await merchant()
      for (const name of names)
        await createToken(context, operator, owner, { name, scopes: ['orders:read'], expiresAt: null, ipAllowlist: [] })
    },
    seal: () => sealAudit({ database, signer }),
    verify: async (known?: KnownHead, chain?: ChainId): Promise<AuditVerdict> =>
      verifyAudit({ database, signer, chain: chain ?? (await merchant()).merchantId, known }),
    tamper: (...statements: readonly string[]) => tamperWith(superuserConnectionString, statements),
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
