import { DeliveryId } from '../../../registry/values/vocabulary.ts'
import { type DeliveryRecord, findDelivery } from '../../store/webhooks/delivery-record.ts'
import { PageError } from '../kit/page-error.ts'
import type { Visit } from '../kit/visit.ts'

/** Throws a page error if the merchant has no delivery with this id. */
export async function requireDelivery({ context, tenant }: Visit, id: string): Promise<DeliveryRecord> {
  const delivery = await findDelivery(context.database, { merchantId: tenant.merchantId, id: deliveryIdOf(id) })
  if (delivery === undefined) throw noDelivery()
  return delivery
}

/** A malformed id gets the same response as an unknown id. */
export function deliveryIdOf(text: string): DeliveryId {
  const id = DeliveryId.safeParse(text)
  if (!id.success) throw noDelivery()
  return id.data
}

export function noDelivery(): PageError {
  return new PageError(404, 'This delivery does not exist. Deliveries are deleted some weeks after their event.')
}
