import { ShipmentId } from '../../../registry/values/vocabulary.ts'
import { carrierNameOf } from '../../logistics/carriers/carrier-names.ts'
import { listDispatchedShipments } from '../../store/logistics/shipments/listed-shipments.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Visit } from '../kit/visit.ts'

/** The names of the carriers whose riders collected payments in cash, by the references of these payments. */
export type CashCarriers = ReadonlyMap<string, string>

/** The reference of a payment that a rider collected is the id of the shipment. */
export async function cashCarriersOf(
  { context, tenant }: Visit,
  payments: ReplyOf<'listPayments'>['data'],
): Promise<CashCarriers> {
  const ids = payments.flatMap(({ reference }) => ShipmentId.safeParse(reference).data ?? [])
  const shipments = await listDispatchedShipments(context.database, tenant.merchantId, ids)
  return new Map(
    [...shipments.values()].flatMap(({ id, carrier }) => (carrier === null ? [] : [[id, carrierNameOf(carrier)]])),
  )
}
