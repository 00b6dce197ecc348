import type { MerchantId, OrderId, ScheduleId, ShipmentId, Timestamp } from '../../../../registry/values/vocabulary.ts'
import type { ReadDb, WriteTrx } from '../../core/database.ts'
import { asRecord } from '../../core/json.ts'
import { openRecordCache } from '../../core/record-columns.ts'
import { build, reading } from '../../core/statement.ts'
import type { SchedulePlan, ScheduleRequest } from '../../tables/schedule.ts'

/** What was foretold of scheduled shipments. What came of it is noted when they have ended (observations.ts). */

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
  /** The plan as it was answered, or as it was planned anew. */
  readonly schedule: SchedulePlan
  readonly request: ScheduleRequest
  readonly replannedAt: Timestamp | null
}

const columns = {
  keys: { merchantId: 'merchant_id', id: 'id' },
  settled: { shipmentId: 'shipment_id', madeAt: 'made_at', request: 'request' },
  moving: {
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

const predictions = openRecordCache<StoredPrediction>()('schedule_predictions', columns)

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

/** Of a shipment that was made by a schedule; undefined for any other. */
export async function findPrediction(db: ReadDb, key: PredictionKey): Promise<StoredPrediction | undefined> {
  const [row] = await db.read(find, key)
  return row && asRecord<StoredPrediction>(row)
}

/** When the preparing of an order was begun; null while nobody has confirmed it. */
export async function findConfirmation(db: ReadDb, merchantId: MerchantId, id: OrderId): Promise<Timestamp | null> {
  const [row] = await db.read(findOrderConfirmation, { merchantId, id })
  return row?.confirmedAt ?? null
}

export function insertPrediction(trx: WriteTrx, prediction: StoredPrediction): void {
  trx.queue(predictions.insert, predictions.rows([prediction]))
}

/** Under the lock of its shipment. */
export function writePrediction(trx: WriteTrx, prediction: StoredPrediction): void {
  trx.queue(predictions.update, predictions.rows([prediction]))
}
