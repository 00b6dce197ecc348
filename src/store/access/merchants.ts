import { sql } from 'kysely'
import type { PlaceInput } from '../../../registry/logistics/place.ts'
import type { State } from '../../../registry/values/states.ts'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Database, LockTrx, ReadDb, WriteTrx } from '../core/database.ts'
import { inserting } from '../core/rows.ts'
import { build, locking, reading, shortReading, writing } from '../core/statement.ts'

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

const find = reading<{ id: MerchantId }>()('find_merchant', (p) =>
  build.selectFrom('merchants').where('id', '=', p.id).select(columns),
)

const findTwin = reading<{ id: MerchantId }>()('find_test_twin', (p) =>
  build.selectFrom('merchants').where('liveMerchantId', '=', p.id).select(columns),
)

const list = reading<object>()('list_merchants', () =>
  build.selectFrom('merchants').select(columns).orderBy('id', 'desc'),
)

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

const writeLimits = writing<{ id: MerchantId; line: string | null }>()('write_rate_limits', (p) =>
  build.updateTable('merchants').set({ rateLimits: p.line }).where('id', '=', p.id),
)

/**
 * A merchant's account consists of a live merchant and its test-mode merchant; both are suspended and resumed together.
 */
const suspend = writing<{ id: MerchantId; now: Timestamp }>()('suspend_merchant', (p) =>
  build
    .updateTable('merchants')
    .set({ suspendedAt: p.now })
    .where((eb) => eb.or([eb('id', '=', p.id), eb('liveMerchantId', '=', p.id)]))
    .where('suspendedAt', 'is', null)
    .returning('id'),
)

const resume = writing<{ id: MerchantId }>()('resume_merchant', (p) =>
  build
    .updateTable('merchants')
    .set({ suspendedAt: null })
    .where((eb) => eb.or([eb('id', '=', p.id), eb('liveMerchantId', '=', p.id)]))
    .where('suspendedAt', 'is not', null)
    .returning('id'),
)

/**
 * Suspends a merchant. Returns false when the merchant was already suspended; the time of the first suspension stays.
 */
export async function markSuspended(trx: WriteTrx, merchant: { id: MerchantId; now: Timestamp }): Promise<boolean> {
  return (await trx.write(suspend, merchant)).length > 0
}

/** Resumes a merchant. Returns false when the merchant was not suspended. */
export async function markResumed(trx: WriteTrx, id: MerchantId): Promise<boolean> {
  return (await trx.write(resume, { id })).length > 0
}

export const insertMerchant = inserting('merchants')

export async function findMerchant(db: ReadDb, id: MerchantId): Promise<Merchant | undefined> {
  return (await db.read(find, { id }))[0]
}

/** Returns a merchant and its mode, for work that belongs to the merchant. */
export async function getTenant(
  db: ReadDb,
  merchantId: MerchantId,
): Promise<Pick<Merchant, 'mode'> & { readonly merchantId: MerchantId }> {
  const merchant = await findMerchant(db, merchantId)
  if (merchant === undefined) throw new Error(`Merchant ${merchantId} is gone.`)
  return { merchantId, mode: merchant.mode }
}

/** Returns the test-mode merchant that belongs to a live merchant. */
export async function findTestTwin(db: ReadDb, id: MerchantId): Promise<Merchant | undefined> {
  return (await db.read(findTwin, { id }))[0]
}

export function listMerchants(database: Database): Promise<readonly Merchant[]> {
  return database.read(list, {})
}

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

/** Locks a merchant and returns its own rate limits as one line of text; null when the configured limits apply. */
export async function lockRateLimits(trx: LockTrx, id: MerchantId): Promise<string | null> {
  const [row] = await trx.lock(lockLimits, { id })
  if (row === undefined) throw new Error(`Merchant ${id} is gone.`)
  return row.rateLimits
}

export function writeRateLimits(trx: WriteTrx, id: MerchantId, line: string | null): void {
  trx.queue(writeLimits, { id, line })
}

export function writeMerchantSettings(trx: WriteTrx, id: MerchantId, changed: MerchantSettings): void {
  trx.queue(writeSettings, { ...changed, id })
}
