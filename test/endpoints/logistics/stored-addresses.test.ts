import { expect, test } from 'vitest'
import { pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { useApi } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import { openTestShop, orderTo, post } from '../../support/logistics/parcel-run.ts'

/**
 * Addresses of orders for which an earlier release stored the merchant's default state, because that release did not
 * recognise the city or area.
 */

const started = useApi()

test.for<[address: object, state: string, warning: string | undefined]>([
  [{ city: 'Abuja City' }, 'FCT', undefined],
  [{ city: 'Garki Abuja', area: 'Wuse 2' }, 'FCT', undefined],
  [{ city: 'Lekki/Ajah' }, 'Lagos', undefined],
  [{ city: 'Lagos', area: 'Wuse 2' }, 'Lagos', 'dropoff_area_in_other_state'],
])('a quote of an order with the stored address %j and the default state Lagos uses the state %s', async ([
  address,
  state,
  warning,
]) => {
  const api = started()
  const shop = await openTestShop(api)
  const orderId = await orderTo(api, shop)
  const stored = JSON.stringify({ ...address, state: 'Lagos' })
  await select(api, 'update orders set shipping_address = shipping_address || $2::jsonb where id = $1', [
    orderId,
    stored,
  ])
  const { status, body, text } = await post(api, shop, 'quote', { orderId, pickup: pickupInputExample })
  expect(status, text).toBe(200)
  expect(body.dropoff.state).toBe(state)
  const others = body.warnings.filter((code: string) => code.includes('other_state'))
  expect(others).toEqual(warning === undefined ? [] : [warning])
})
