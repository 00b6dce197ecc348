import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { indexesOf, planOf, type Query, scannedTables } from '../../scripts/bench/plan.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemClock, toTimestamp } from '../../src/base/clock.ts'
import { newCustomerId } from '../../src/base/records.ts'
import { carrierCallbacks } from '../../src/store/callbacks/inboxes.ts'
import { carrierCallbackRedaction } from '../../src/store/logistics/shipments/redact-shipments.ts'
import { positionDeletion } from '../../src/store/logistics/shipments/shipment-positions.ts'
import { asOwner, useDatabase } from '../support/database.ts'
import { operator } from '../support/shop.ts'

/**
 * The query plans of the statements that read tracking updates: no plan reads the waiting rows of another merchant.
 * Half of the rows belong to the first merchant, and few are waiting, because callbacks are applied as they arrive.
 */

const opened = useDatabase()

const callbacks = `
  insert into carrier_callbacks (
    merchant_id, id, carrier, dedupe_hash, body, parsed_body, is_trusted, source_ip, request_id, received_at, next_attempt_at, outcome,
    processed_at
  )
  select
    ($1::text[])[1 + case when i % 2 = 0 then 0 else i / 2 % 8 end], 'ccb_' || i, 'fez', sha256(i::text::bytea), 'body',
    jsonb_build_array(jsonb_build_object('order', jsonb_build_object('carrierReference', 'FZ-' || i))),
    true, '127.0.0.1', 'req', now() - interval '99 days',
    case when i % 61 = 0 then now() - i * interval '1 second' end, case when i % 61 > 0 then 'applied' end,
    case when i % 61 > 0 then now() - i * interval '5 minutes' end
  from generate_series(1, 20000) i`

const positions = `
  insert into shipment_positions (
    merchant_id, shipment_id, number, attempt_number, lat, lng, source, recorded_at, received_at
  )
  select
    ($1::text[])[1 + i % 8], 'shp_' || i / 40, i, 1, 6.5, 3.4, 'poll', now(), now() - i * interval '3 minutes'
  from generate_series(1, 20000) i`

let merchants: MerchantId[]
let client: pg.Client
beforeAll(async () => {
  const { database, connectionString } = opened()
  const context = { database, clock: systemClock, nudge: () => undefined }
  merchants = []
  for (let index = 0; index < 8; index++) merchants.push((await createMerchant(context, operator, `Shop ${index}`)).id)
  client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(callbacks, [merchants])
  await client.query(positions, [merchants])
  await asOwner(opened(), 'vacuum analyze carrier_callbacks, shipment_positions')
})
afterAll(() => client.end())

const now = toTimestamp(systemClock.nowMs())

function planFor<Args>(query: Query<Args>) {
  return planOf(client, query)
}

describe('queries of tracking that use an index', () => {
  test.for([0, 5])('the query for the due callbacks of merchant %i uses an index', async (index) => {
    const [merchantId] = merchants.slice(index)
    if (merchantId === undefined) expect.fail('No merchant.')
    const plan = await planFor({
      statement: carrierCallbacks.claim,
      args: { merchantId, now, senders: [], areExcluded: true, leaseSeconds: 60 },
    })
    expect(scannedTables(plan)).toEqual([])
    expect(indexesOf(plan)).toContain('carrier_callbacks_to_apply')
    expect(plan.map((node) => node['Node Type'])).not.toContain('Sort')
  })

  test('the query for the merchants with due callbacks uses an index', async () => {
    const plan = await planFor({ statement: carrierCallbacks.merchants, args: { now } })
    expect(scannedTables(plan)).toEqual([])
    expect(indexesOf(plan)).toEqual(['carrier_callbacks_to_apply'])
  })

  test('the query for rows that are old enough to be redacted or deleted uses an index', async () => {
    const before = toTimestamp(systemClock.nowMs() - 30 * 86_400_000)
    const { find } = carrierCallbacks.redaction
    const redaction = await planFor({ statement: find, args: { processedBefore: before } })
    expect(indexesOf(redaction)).toEqual(['carrier_callbacks_to_redact'])
    const deletion = await planFor({ statement: positionDeletion.find, args: { receivedBefore: before } })
    expect(indexesOf(deletion)).toEqual(['shipment_positions_by_age'])
  })

  test('the query that uses carrier references to find the callbacks about one person’s parcels uses an index', async () => {
    const [merchantId] = merchants
    if (merchantId === undefined) expect.fail('No merchant.')
    const person = { merchantId, customerId: newCustomerId(0) }
    const plan = await planFor({ statement: carrierCallbackRedaction, args: person })
    expect(indexesOf(plan)).toContain('carrier_callbacks_by_order')
  })
})
