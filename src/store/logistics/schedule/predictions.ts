import type { MerchantId, OrderId, ScheduleId, ShipmentId, Timestamp } from '../../../../registry/values/vocabulary.ts'
import type { ReadDb, WriteTrx } from '../../core/database.ts'
import { asRecord } from '../../core/json.ts'
import { recordStatements } from '../../core/record-columns.ts'
import { build, reading } from '../../core/statement.ts'
import type { SchedulePlan, ScheduleRequest } from '../../tables/schedule.ts'

/**
 * The predicted times of scheduled shipments. The actual times are added when a shipment has ended (observations.ts).
 */

export interface StoredPrediction {
  readonly merchantId: MerchantId
  readonly id: ScheduleId
  readonly shipmentId: ShipmentId
  readonly basis: string
  readonly madeAt: Timestamp
  readonly dispatchAt: Timestamp
  readonly readyP50At: Timestamp
  readonly readyP90At: Timestamp
  readonly arrivalP50At: Timestamp
  readonly arrivalP90At: Timestamp
  /** The latest plan of the shipment: from the request, or from the last time the shipment was planned again. */
  readonly schedule: SchedulePlan
  readonly request: ScheduleRequest
  readonly replannedAt: Timestamp | null
}

const columns = {
  keys: { merchantId: 'merchant_id', id: 'id' },
  fixed: { shipmentId: 'shipment_id', madeAt: 'made_at', request: 'request' },
  mutable: {
    basis: 'basis',
    dispatchAt: 'dispatch_at',
    readyP50At: 'ready_p50_at',
    readyP90At: 'ready_p90_at',
    arrivalP50At: 'arrival_p50_at',
    arrivalP90At: 'arrival_p90_at',
    schedule: 'schedule',
    replannedAt: 'replanned_at',
  },
} as const

const predictions = recordStatements<StoredPrediction>()('schedule_predictions', columns)

interface PredictionKey {
  readonly merchantId: MerchantId
  readonly shipmentId: ShipmentId
}

const find = reading<PredictionKey>()('find_prediction', (p) =>
  build
    .selectFrom('schedule_predictions')
    .where('merchant_id', '=', p.merchantId)
    .where('shipment_id', '=', p.shipmentId)
    .select([
      'merchant_id as merchantId',
      'id',
      'shipment_id as shipmentId',
      'basis',
      'made_at as madeAt',
      'dispatch_at as dispatchAt',
      'ready_p50_at as readyP50At',
      'ready_p90_at as readyP90At',
      'arrival_p50_at as arrivalP50At',
      'arrival_p90_at as arrivalP90At',
      'schedule',
      'request',
      'replanned_at as replannedAt',
    ]),
)

const findOrderConfirmation = reading<{ merchantId: MerchantId; id: OrderId }>()('find_order_confirmation', (p) =>
  build
    .selectFrom('orders')
    .where('merchant_id', '=', p.merchantId)
    .where('id', '=', p.id)
    .select('confirmed_at as confirmedAt'),
)

/** Returns the prediction of a shipment. Undefined for a shipment that was not created by a predictive schedule. */
export async function findPrediction(db: ReadDb, key: PredictionKey): Promise<StoredPrediction | undefined> {
  const [row] = await db.read(find, key)
  return row && asRecord<StoredPrediction>(row)
}

/** Returns the time at which an order was confirmed and its preparation started. Null while the order is unconfirmed. */
export async function findConfirmation(db: ReadDb, merchantId: MerchantId, id: OrderId): Promise<Timestamp | null> {
  const [row] = await db.read(findOrderConfirmation, { merchantId, id })
  return row?.confirmedAt ?? null
}

/** Inserts the prediction of a new scheduled shipment. */
export function insertPrediction(trx: WriteTrx, prediction: StoredPrediction): void {
  trx.queue(predictions.insert, predictions.rows([prediction]))
}

/** Updates the prediction of a shipment. The caller must have locked the shipment. */
export function writePrediction(trx: WriteTrx, prediction: StoredPrediction): void {
  trx.queue(predictions.update, predictions.rows([prediction]))
}
