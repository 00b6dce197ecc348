import { MerchantId } from '../../../registry/values/vocabulary.ts'
import { findMerchant, findTestTwin, type Merchant } from '../../store/access/merchants.ts'
import type { ReadDb } from '../../store/core/database.ts'
import type { Tenant } from '../../store/core/mutation.ts'
import { CommandFailure } from './failure.ts'

/**
 * Returns the merchant that the command's options name. If the options also name the other mode, returns the
 * counterpart of this merchant in the other mode.
 */
export async function tenantOf(
  db: ReadDb,
  { merchant: id, mode }: { merchant: string; mode?: 'live' | 'test' | undefined },
): Promise<Tenant> {
  const parsed = MerchantId.safeParse(id)
  const named = parsed.success ? await findMerchant(db, { id: parsed.data }) : undefined
  if (named === undefined) throw new CommandFailure(`No merchant ${id}.`)
  const merchant = mode === undefined || mode === named.mode ? named : await counterpartOf(db, named)
  if (merchant === undefined) throw new CommandFailure(`Merchant ${id} has no ${mode}-mode merchant.`)
  return { merchantId: merchant.id, mode: merchant.mode }
}

async function counterpartOf(db: ReadDb, merchant: Merchant): Promise<Merchant | undefined> {
  if (merchant.liveMerchantId === null) return findTestTwin(db, { id: merchant.id })
  return findMerchant(db, { id: merchant.liveMerchantId })
}
