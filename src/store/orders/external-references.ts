import { sql } from 'kysely'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'

/** A record to which a payment provider, a bank or a carrier has assigned a reference. */
export interface ReferencedRecord {
  /** `order` for the reference of a payment, `shipment` for the reference or tracking number of a carrier. */
  readonly kind: 'order' | 'shipment'
  readonly id: string
  /** The number of the order, or the reference of the shipment. */
  readonly title: string
}

interface Wanted {
  readonly merchantId: MerchantId
  readonly reference: string
  /** The carriers whose references are searched. Empty for none. */
  readonly carriers: readonly string[]
}

export const referencedRecords = reading<Wanted>()(
  'list_referenced_records',
  (p) => sql<ReferencedRecord>`
    select 'order' as kind, orders.id, orders.number as title
    from payments payment
    join orders on orders.merchant_id = ${p.merchantId} and orders.id = payment.order_id
    where payment.merchant_id = ${p.merchantId} and payment.reference = ${p.reference}::text
    union
    select 'shipment' as kind, shipments.id, shipments.reference as title
    from dispatch_attempts attempt
    join shipments on shipments.merchant_id = ${p.merchantId} and shipments.id = attempt.shipment_id
    where attempt.merchant_id = ${p.merchantId}
      and attempt.carrier = any(${p.carriers}::text[])
      and attempt.carrier_reference = ${p.reference}::text
    limit 20`,
)

/** Returns the orders and shipments whose payment reference or carrier reference is exactly the given one. */
export function listReferencedRecords(db: ReadDb, wanted: Wanted): Promise<readonly ReferencedRecord[]> {
  return db.read(referencedRecords, wanted)
}
