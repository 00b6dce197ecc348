import { sql } from 'kysely'
import type { RemittanceVoidReason } from '../../../../registry/logistics/remittances.ts'
import { remittancesShownMax } from '../../../../registry/values/limits.ts'
import type { Kobo, MerchantId, RemittanceId, Timestamp } from '../../../../registry/values/vocabulary.ts'
import { finding, listing, lockingFirst, queueing } from '../../core/calls.ts'
import { inserting } from '../../core/rows.ts'
import { build } from '../../core/statement.ts'

/** The sums of the cash on delivery by carrier. Each collection and each remittance changes one row. */

interface CarrierKey {
  readonly merchantId: MerchantId
  readonly carrier: string
}

interface CashChange extends CarrierKey {
  readonly amountKobo: Kobo
}

export interface CashSums {
  readonly collectedKobo: number
  readonly remittedKobo: number
}

export const addCollectedCash = queueing<CashChange>()(
  'add_collected_cash',
  (p) => sql`
    insert into carrier_cash (merchant_id, carrier, collected_kobo, remitted_kobo)
    values (${p.merchantId}, ${p.carrier}, ${p.amountKobo}::bigint, 0)
    on conflict (merchant_id, carrier)
    do update set collected_kobo = carrier_cash.collected_kobo + excluded.collected_kobo`,
)

/**
 * Adds cash to the sum that a carrier has transferred to a merchant. The amount of a voided remittance is negative.
 * Requires the lock of the sums.
 */
export const addRemittedCash = queueing<CarrierKey & { readonly amountKobo: number }>()(
  'add_remitted_cash',
  (p) => sql`
    update carrier_cash
    set remitted_kobo = remitted_kobo + ${p.amountKobo}::bigint
    where merchant_id = ${p.merchantId} and carrier = ${p.carrier}`,
)

/**
 * Locks the sums of the cash that a carrier has collected and remitted for the merchant. Undefined if the carrier has
 * collected no cash.
 */
export const lockCarrierCash = lockingFirst<CarrierKey>()('lock_carrier_cash', (p) =>
  build
    .selectFrom('carrier_cash')
    .where('merchantId', '=', p.merchantId)
    .where('carrier', '=', p.carrier)
    .select(['collectedKobo', 'remittedKobo'])
    .forNoKeyUpdate(),
)

export const listCarrierCash = listing<Pick<CarrierKey, 'merchantId'>>()('list_carrier_cash', (p) =>
  build
    .selectFrom('carrier_cash')
    .where('merchantId', '=', p.merchantId)
    .select(['carrier', 'collectedKobo', 'remittedKobo'])
    .orderBy('carrier'),
)

export const insertRemittance = inserting('remittances')

interface ReferenceKey {
  readonly merchantId: MerchantId
  readonly reference: string
}

const remittances = build
  .selectFrom('remittances')
  .select(['id', 'carrier', 'amountKobo', 'reference', 'receivedAt', 'createdAt', 'voidedAt', 'voidReason'])

/**
 * Returns the newest remittances that carriers have made to a merchant, newest first. Voided remittances are included.
 */
export const listRemittances = listing<Pick<CarrierKey, 'merchantId'>>()('list_remittances', (p) =>
  remittances.where('merchantId', '=', p.merchantId).orderBy('id', 'desc').limit(sql.lit(remittancesShownMax)),
)

interface RemittanceKey {
  readonly merchantId: MerchantId
  readonly id: RemittanceId
}

export const findRemittance = finding<RemittanceKey>()('find_remittance', (p) =>
  remittances.where('merchantId', '=', p.merchantId).where('id', '=', p.id),
)

/** The caller must hold the lock of lockCarrierCash() for the carrier of the remittance. */
export const markRemittanceVoided = queueing<RemittanceKey & { reason: RemittanceVoidReason; now: Timestamp }>()(
  'mark_remittance_voided',
  (p) =>
    build
      .updateTable('remittances')
      .set({ voidedAt: p.now, voidReason: p.reason })
      .where('merchantId', '=', p.merchantId)
      .where('id', '=', p.id),
)

/** Returns the id of the merchant's remittance that has the given reference and is not voided. */
export const findRemittanceByReference = finding<ReferenceKey>()('find_remittance_by_reference', (p) =>
  build
    .selectFrom('remittances')
    .where('merchantId', '=', p.merchantId)
    .where('reference', '=', p.reference)
    .where('voidedAt', 'is', null)
    .select('id'),
)
