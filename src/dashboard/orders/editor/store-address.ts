import { customerAddressesMax } from '../../../../registry/values/limits.ts'
import type { Markup } from '../../../markup/markup.ts'
import { nothing } from '../../../markup/markup.ts'
import type { ReplyOf } from '../../kit/call.ts'
import type { Draft } from '../../kit/draft.ts'
import { checkBoxes } from '../../kit/form.ts'
import { may, type Visit } from '../../kit/visit.ts'
import type { OrderRequest } from './new-order.ts'
import { typed } from './values.ts'

/**
 * Stores the shipping address of a new order among the addresses of its customer, so that it can be used for the next
 * order.
 */

const permission = 'customers:write'

/** This check box is ticked when the form is opened. */
export const storeAddressField = 'storeAddress'

export function storeAddressBox(visit: Visit, draft: Draft): Markup {
  if (!may(visit, permission)) return nothing
  const choices = [['yes', 'Store the address with the customer']] as const
  return checkBoxes(draft, { name: storeAddressField, label: 'Address of the customer', choices })
}

interface NewOrder {
  readonly order: ReplyOf<'createOrder'>
  readonly body: OrderRequest
}

/**
 * Adds the address of a created order to the addresses of its customer, unless the customer already has the address.
 * Errors are not shown: the order was created even if the address cannot be stored, for example because the customer
 * has the maximum number of addresses.
 */
export async function storeAddress(visit: Visit, draft: Draft, created: NewOrder): Promise<void> {
  if (typed(draft, storeAddressField) === undefined || !may(visit, permission)) return
  try {
    await addAddress(visit, created)
  } catch (error) {
    const orderId = created.order.id
    visit.service.log.error({ err: error, orderId }, 'The address of a new order was not stored with its customer.')
  }
}

async function addAddress(visit: Visit, { order, body }: NewOrder): Promise<void> {
  const { customer, shippingAddress } = order
  if (customer.id === null || shippingAddress === null || body.shippingAddress === undefined) return
  const called = await visit.call('getCustomer', { params: { id: customer.id } })
  if (called.is === 'refused') return
  const { addresses, version } = called.reply
  const places = ['line1', 'line2', 'landmark', 'area', 'city', 'state'] as const
  const isKnown = addresses.some((address) => places.every((name) => address[name] === shippingAddress[name]))
  if (isKnown || addresses.length >= customerAddressesMax) return
  await visit.call('createAddress', { params: { id: customer.id }, version, body: body.shippingAddress })
}
