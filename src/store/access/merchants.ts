import { sql } from 'kysely'
import type { PlaceInput } from '../../../registry/logistics/place.ts'
import type { State } from '../../../registry/values/states.ts'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { finding, listing, queueing, writingAny } from '../core/calls.ts'
import type { LockTrx, ReadDb, WriteTrx } from '../core/database.ts'
import { inserting } from '../core/rows.ts'
import { build, locking, shortReading, writing } from '../core/statement.ts'

export interface Merchant {
  readonly id: MerchantId
  readonly name: string
  readonly mode: 'live' | 'test'
  readonly liveMerchantId: MerchantId | null
  readonly createdAt: Timestamp
  readonly suspendedAt: Timestamp | null
}

export interface MerchantSettings {
  readonly defaultState: State
  readonly isTaxRegistered: boolean
  readonly taxRateBps: number
  readonly isTaxInclusive: boolean
  readonly lowStockThreshold: number | null
  readonly pendingOrderTtlMinutes: number | null
  readonly autoConfirmsPayOnDelivery: boolean
  /** The default pickup address, for shipments whose request contains none. */
  readonly defaultPickup: PlaceInput | null
}

const columns = [
  'id',
  'name',
  'mode',
  'liveMerchantId',
  'createdAt',
  sql<Timestamp | null>`suspended_at`.as('suspendedAt'),
] as const

const settingsOf = (p: { id: MerchantId }) =>
  build
    .selectFrom('merchants')
    .where('id', '=', p.id)
    .select([
      'defaultState',
      'taxRegistered as isTaxRegistered',
      'taxRateBps',
      'taxInclusive as isTaxInclusive',
      'lowStockThreshold',
      'pendingOrderTtlMinutes',
      'autoConfirmPayOnDelivery as autoConfirmsPayOnDelivery',
      sql<PlaceInput | null>`default_pickup`.as('defaultPickup'),
    ])

const settings = shortReading<{ id: MerchantId }>()('merchant_settings', settingsOf)

const lockSettings = locking<{ id: MerchantId }>()('lock_merchant_settings', (p) => settingsOf(p).forNoKeyUpdate())

const writeSettings = writing<MerchantSettings & { id: MerchantId }>()('write_merchant_settings', (p) =>
  build
    .updateTable('merchants')
    .set({
      defaultState: p.defaultState,
      taxRegistered: p.isTaxRegistered,
      taxRateBps: p.taxRateBps,
      taxInclusive: p.isTaxInclusive,
      lowStockThreshold: p.lowStockThreshold,
      pendingOrderTtlMinutes: p.pendingOrderTtlMinutes,
      autoConfirmPayOnDelivery: p.autoConfirmsPayOnDelivery,
      defaultPickup: sql`${p.defaultPickup}::jsonb`,
    })
    .where('id', '=', p.id),
)

const lockLimits = locking<{ id: MerchantId }>()('lock_rate_limits', (p) =>
  build.selectFrom('merchants').where('id', '=', p.id).select('rateLimits').forNoKeyUpdate(),
)

/**
 * Suspends a merchant. Returns false when the merchant was already suspended: the stored time of the first suspension
 * does not change. A merchant's account consists of a live merchant and its test-mode merchant; both are suspended and
 * resumed together.
 */
export const markSuspended = writingAny<{ id: MerchantId; now: Timestamp }>()('suspend_merchant', (p) =>
  build
    .updateTable('merchants')
    .set({ suspendedAt: p.now })
    .where((eb) => eb.or([eb('id', '=', p.id), eb('liveMerchantId', '=', p.id)]))
    .where('suspendedAt', 'is', null)
    .returning('id'),
)

/** Returns false when the merchant was not suspended. */
export const markResumed = writingAny<{ id: MerchantId }>()('resume_merchant', (p) =>
  build
    .updateTable('merchants')
    .set({ suspendedAt: null })
    .where((eb) => eb.or([eb('id', '=', p.id), eb('liveMerchantId', '=', p.id)]))
    .where('suspendedAt', 'is not', null)
    .returning('id'),
)

export const insertMerchant = inserting('merchants')

export const findMerchant = finding<{ id: MerchantId }>()('find_merchant', (p) =>
  build.selectFrom('merchants').where('id', '=', p.id).select(columns),
)

/** Throws if the merchant does not exist. */
export async function getTenant(
  db: ReadDb,
  merchantId: MerchantId,
): Promise<Pick<Merchant, 'mode'> & { readonly merchantId: MerchantId }> {
  const merchant = await findMerchant(db, { id: merchantId })
  if (merchant === undefined) throw new Error(`Merchant ${merchantId} is gone.`)
  return { merchantId, mode: merchant.mode }
}

export const findTestTwin = finding<{ id: MerchantId }>()('find_test_twin', (p) =>
  build.selectFrom('merchants').where('liveMerchantId', '=', p.id).select(columns),
)

export const listMerchants = listing<object>()('list_merchants', () =>
  build.selectFrom('merchants').select(columns).orderBy('id', 'desc'),
)

export async function getMerchantSettings(db: ReadDb, id: MerchantId): Promise<MerchantSettings> {
  const [row] = await db.read(settings, { id })
  if (row === undefined) throw new Error(`Merchant ${id} is gone.`)
  return row
}

export async function lockMerchantSettings(trx: LockTrx, id: MerchantId): Promise<MerchantSettings> {
  const [row] = await trx.lock(lockSettings, { id })
  if (row === undefined) throw new Error(`Merchant ${id} is gone.`)
  return row
}

/** Null when the configured rate limits apply. */
export async function lockRateLimits(trx: LockTrx, id: MerchantId): Promise<string | null> {
  const [row] = await trx.lock(lockLimits, { id })
  if (row === undefined) throw new Error(`Merchant ${id} is gone.`)
  return row.rateLimits
}

export const writeRateLimits = queueing<{ id: MerchantId; line: string | null }>()('write_rate_limits', (p) =>
  build.updateTable('merchants').set({ rateLimits: p.line }).where('id', '=', p.id),
)

export function writeMerchantSettings(trx: WriteTrx, id: MerchantId, changed: MerchantSettings): void {
  trx.queue(writeSettings, { ...changed, id })
}
