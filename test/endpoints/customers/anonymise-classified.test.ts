import { expect, test } from 'vitest'
import { endpoints, events } from '../../../registry/index.ts'
import { redactIn } from '../../../src/commerce/customers/redact-person.ts'
import { type TestApi, useApi } from '../../support/api.ts'
import { markers, personalWrites, sendEveryWrite, type Writing } from '../../support/contract/personal-writes.ts'
import { filledWith, hasPersonalText, personalTextsOf } from '../../support/contract/text-fields.ts'
import { dumpOf } from '../../support/database-dump.ts'
import { openTestShop, pass } from '../../support/logistics/parcel-run.ts'
import type { Shop } from '../../support/shop.ts'

/**
 * Compares the anonymisation of customers with the data classification of the contract. Every personal text field of
 * every request that writes a customer's records is filled in, and afterwards the database must contain none of the
 * texts. The test covers a new personal field automatically.
 */

const started = useApi()

/** Operations that the test leaves out. Each of them stores the same fields as the operation that is its value here. */
const sameAs: Readonly<Record<string, string>> = { setRefundBankDetails: 'createRefund' }

/** Adds a function that advances the clock, so that the simulated carriers change the shipments. */
function writingTo(api: TestApi): Writing {
  return { ...api, pass: () => pass(api, 60, 30) }
}

async function anonymise(api: TestApi, shop: Shop, id: string): Promise<void> {
  const reply = await api.send('POST', `/api/v1/customers/${id}/anonymise`, { token: shop.token })
  expect(reply.status, reply.text).toBe(200)
}

/**
 * Returns all rows of the database except those of the simulated carriers, which keep their own records as real
 * carriers do.
 */
async function ownRows(api: TestApi): Promise<string[]> {
  return (await dumpOf(api)).split('\n').filter((row) => !row.startsWith('public.simulated_orders '))
}

test('anonymiseCustomer leaves no personal text that any write operation stored in the database', async () => {
  const api = started()
  const shop = await openTestShop(api)
  const { customer, fieldOf, sent } = await sendEveryWrite(writingTo(api), shop)
  const expected = personalWrites.map(({ id }) => sameAs[id] ?? id)
  expect([...sent].sort()).toEqual([...new Set(expected)].sort())
  const before = (await ownRows(api)).join('\n')
  const stored = [...fieldOf].filter(([marker]) => before.includes(marker))
  expect(stored.length).toBeGreaterThan(80)
  await anonymise(api, shop, customer.id)
  const after = await ownRows(api)
  const left = [...fieldOf].flatMap(([marker, field]) => {
    const row = after.find((each) => each.includes(marker))
    return row === undefined ? [] : [`${field} is left in ${row.split(' ')[0]}`]
  })
  expect(left).toEqual([])
})

/**
 * Matches the replacement values of personal texts that must not be null. The last pattern matches an error code, which
 * replaces an error message.
 */
const replacements = [
  /^Removed$/,
  /^Deleted customer$/,
  /^anon-[0-9a-z]{20}@anonymised\.invalid$/,
  /^\*{6}0000$/,
  /^[a-z_]+$/,
]

/**
 * Matches the path of a description that the service wrote itself. Anonymising removes only the carrier's text from it.
 */
const serviceText = /timeline\[\]\.description$/

test('anonymiseCustomer leaves no personal text in the records that the API returns', async () => {
  const api = started()
  const shop = await openTestShop(api)
  const { customer, orders, shipment, schedule, refund } = await sendEveryWrite(writingTo(api), shop)
  await anonymise(api, shop, customer.id)
  const shipmentIds = [shipment.id, schedule.shipmentId ?? schedule.id]
  const records = [
    [endpoints.getCustomer, `/customers/${customer.id}`],
    ...orders.map(({ id }) => [endpoints.getOrder, `/orders/${id}`] as const),
    ...orders.map(({ id }) => [endpoints.listOrderComments, `/orders/${id}/comments`] as const),
    [endpoints.getRefund, `/refunds/${refund.id}`],
    ...shipmentIds.map((id) => [endpoints.getShipment, `/logistics/shipments/${id}`] as const),
    [endpoints.trackShipment, `/logistics/shipments/${shipment.id}/track`],
  ] as const
  const left = []
  for (const [endpoint, path] of records) {
    const { body, status } = await api.send('GET', `/api/v1${path}`, { token: shop.token })
    expect(status).toBe(200)
    const texts = personalTextsOf(endpoint.reply.body, body, endpoint.id)
    left.push(
      ...texts.filter(([field, text]) => !serviceText.test(field) && !replacements.some((one) => one.test(text))),
    )
  }
  expect(left).toEqual([])
})

test.each(
  Object.values(events).filter(({ data }) => hasPersonalText(data)),
)('anonymiseCustomer leaves no personal text in a stored event of the kind $kind', ({ data, example }) => {
  const { fieldOf, mark } = markers()
  const body = JSON.stringify(filledWith({ marker: mark('event') }, data, example))
  const after = redactIn(body, 'anon-0@anonymised.invalid')
  expect([...fieldOf].filter(([marker]) => after.includes(marker))).toEqual([])
})
