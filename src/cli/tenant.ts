import { MerchantId } from '../../registry/values/vocabulary.ts'
import { findMerchant, findTestTwin, type Merchant } from '../store/access/merchants.ts'
import type { ReadDb } from '../store/core/database.ts'
import type { Tenant } from '../store/core/mutation.ts'
import { CommandFailure } from './failure.ts'

/** The merchant a command names, or the twin of the mode it asks for. Without a mode, the very merchant it names. */
export async function tenantOf(
  db: ReadDb,
  { merchant: id, mode }: { merchant: string; mode?: 'live' | 'test' | undefined },
): Promise<Tenant> {
  const parsed = MerchantId.safeParse(id)
  const named = parsed.success ? await findMerchant(db, parsed.data) : undefined
  if (named === undefined) throw new CommandFailure(`There is no merchant ${id}.`)
  const merchant = mode === undefined || mode === named.mode ? named : await twinOf(db, named)
  if (merchant === undefined) throw new CommandFailure(`Merchant ${id} has no ${mode} twin.`)
  return { merchantId: merchant.id, mode: merchant.mode }
}

async function twinOf(db: ReadDb, merchant: Merchant): Promise<Merchant | undefined> {
  if (merchant.liveMerchantId === null) return findTestTwin(db, merchant.id)
  return findMerchant(db, merchant.liveMerchantId)
}
