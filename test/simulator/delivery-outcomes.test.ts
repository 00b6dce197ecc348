import { expect, test } from 'vitest'
import { type DeliveryOutcome, deliveryOutcomes, deliveryPhonePrefix } from '../../registry/service/test-phones.ts'
import { useApi } from '../support/api.ts'
import { getShipment, inOrder, openTestShop, parcelTo, pass, post } from '../support/logistics/parcel-run.ts'

/** The outcomes of a delivery that the phone number of the recipient selects. */

const started = useApi({ sendsCallbacks: true })

async function outcomeOf(name: DeliveryOutcome) {
  const api = started()
  const shop = await openTestShop(api)
  const digit = deliveryOutcomes.find((each) => each.name === name)?.digit
  const carriers = inOrder(['simulator-swift', 'simulator-saver'])
  const { body } = await post(api, shop, 'dispatch', parcelTo(`${deliveryPhonePrefix}${digit}`, carriers))
  await pass(api, 300)
  const read = await getShipment(api, shop, body.id)
  const codes: string[] = read.body.exceptions.map(({ code }: { code: string }) => code)
  return { ...read.body, codes }
}

test('a simulated carrier that loses the parcel reports the loss after the pickup', async () => {
  expect(await outcomeOf('lost')).toMatchObject({ status: 'lost', carrier: { code: 'simulator-swift' } })
})

test('if a simulated carrier cancels in transit, the shipment keeps the status in_transit and gets the exception cancelled_after_pickup', async () => {
  const { status, codes } = await outcomeOf('cancelled_in_transit')
  expect(status).toBe('in_transit')
  expect(codes).toContain('cancelled_after_pickup')
})

test('a simulated carrier that doubles its price charges more than its offer and delivers the parcel', async () => {
  const { status, codes, attempts, plan } = await outcomeOf('price_doubled')
  expect(status).toBe('delivered')
  expect(codes).toContain('price_above_offer')
  expect(attempts[0].priceKobo).toBe(2 * plan[0].priceKobo)
})

test('a shipment has two carrier orders if a simulated carrier accepts its order late and then rejects the cancellation of this order', async () => {
  const { codes, carrier, attempts } = await outcomeOf('late_and_binding')
  expect(codes).toContain('duplicate_dispatch')
  expect(carrier.code).toBe('simulator-saver')
  expect(attempts[0]).toMatchObject({ carrier: 'simulator-swift', outcome: { code: 'late_acceptance' } })
})
