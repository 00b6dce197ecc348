import type { Selectable } from 'kysely'
import type { MerchantId, OrderId, ShipmentId, Timestamp } from '../../../../registry/values/vocabulary.ts'
import type { ReadDb, WriteTrx } from '../../core/database.ts'
import { recordStatements } from '../../core/record-columns.ts'
import { build, reading } from '../../core/statement.ts'
import type { Tables } from '../../tables/tables.ts'

/**
 * The predicted times of scheduled shipments. The actual times are added when a shipment has ended (observations.ts).
 */

const columns = {
  keys: ['merchantId', 'id'],
  fixed: ['shipmentId', 'madeAt', 'request'],
  mutable: [
    'basis',
    'dispatchAt',
    'readyP50At',
    'readyP90At',
    'arrivalP50At',
    'arrivalP90At',
    'schedule',
    'replannedAt',
  ],
} as const

/**
 * The `schedule` of a prediction is the latest plan of the shipment: the plan that was made for the request, or a later
 * plan that replaced it.
 */
export type StoredPrediction = Readonly<
  Pick<Selectable<Tables['schedule_predictions']>, (typeof columns)[keyof typeof columns][number]>
>

const predictions = recordStatements<StoredPrediction>()('schedule_predictions', columns)

interface PredictionKey {
  readonly merchantId: MerchantId
  readonly shipmentId: ShipmentId
}

const find = reading<PredictionKey>()('find_prediction', (p) =>
  build
    .selectFrom('schedule_predictions')
    .where('merchantId', '=', p.merchantId)
    .where('shipmentId', '=', p.shipmentId)
    .select([...columns.keys, ...columns.fixed, ...columns.mutable]),
)

const findOrderConfirmation = reading<{ merchantId: MerchantId; id: OrderId }>()('find_order_confirmation', (p) =>
  build.selectFrom('orders').where('merchantId', '=', p.merchantId).where('id', '=', p.id).select('confirmedAt'),
)

/** Undefined for a shipment that was not created by a predictive schedule. */
export async function findPrediction(db: ReadDb, key: PredictionKey): Promise<StoredPrediction | undefined> {
  return (await db.read(find, key))[0]
}

/** Returns the time at which an order was confirmed and its preparation started. Null while the order is unconfirmed. */
export async function findConfirmation(db: ReadDb, merchantId: MerchantId, id: OrderId): Promise<Timestamp | null> {
  const [row] = await db.read(findOrderConfirmation, { merchantId, id })
  return row?.confirmedAt ?? null
}

export function insertPrediction(trx: WriteTrx, prediction: StoredPrediction): void {
  predictions.insert(trx, [prediction])
}

/** The caller must have locked the shipment. */
export function writePrediction(trx: WriteTrx, prediction: StoredPrediction): void {
  predictions.update(trx, [prediction])
}
