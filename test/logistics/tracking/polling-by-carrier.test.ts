import pino from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ConnectableCarrier } from '../../../registry/values/carriers.ts'
import type { TestApi } from '../../support/api.ts'
import { type LiveBenches, type LiveRun, openLive, shipmentIdOf, useLiveApi } from '../../support/logistics/live-run.ts'

/** Shipments for which no callbacks arrive: the service brings them to their final status by polling alone. */

const started = useLiveApi()

type StatusSetters = { readonly [Code in ConnectableCarrier]: (bench: LiveBenches[Code], rawStatus: string) => void }

const setStatus: StatusSetters = {
  chowdeck: ({ server }, rawStatus) => {
    for (const delivery of server.deliveries) Object.assign(delivery, { status: rawStatus, driver: 'Musa' })
  },
  fez: ({ server }, rawStatus) => server.move(rawStatus),
  shipbubble: ({ server }, rawStatus) => {
    for (const order of server.orders) order.status = rawStatus
  },
}

/** The documented raw carrier statuses of a successful delivery, each with the shipment status that it means. */
const ways = {
  chowdeck: [
    ['preparing', 'courier_assigned'],
    ['awaiting_pickup', 'courier_assigned'],
    ['in_transit', 'in_transit'],
    ['success', 'delivered'],
  ],
  fez: [
    ['Assigned To A Rider', 'courier_assigned'],
    ['Picked-Up', 'picked_up'],
    ['Enroute To First Mile Hub', 'in_transit'],
    ['Delivered', 'delivered'],
  ],
  shipbubble: [
    ['confirmed', 'awaiting_courier'],
    ['picked_up', 'picked_up'],
    ['in_transit', 'in_transit'],
    ['completed', 'delivered'],
  ],
} as const satisfies Record<ConnectableCarrier, readonly (readonly [rawStatus: string, status: string])[]>

/** Maximum duration of the test delivery in hours, longer than the longest interval between two polls. */
const hoursMax = 12
const stepSeconds = 60

interface Seen {
  readonly status: string
  readonly attempts: readonly unknown[]
}

async function waitFor(
  run: Pick<LiveRun, 'read' | 'pass'>,
  id: string,
  isReached: (shipment: Seen) => boolean,
): Promise<string> {
  for (let step = 0; step < (hoursMax * 3600) / stepSeconds; step++) {
    const { body } = await run.read(id)
    if (isReached(body)) return body.status
    await run.pass(stepSeconds, stepSeconds)
  }
  return (await run.read(id)).body.status
}

test.for([
  ['NUL', '\0'],
  ['half of an emoji', '\ud83d'],
] as const)('a shipment gets its status by polls of the carrier although the name of its rider contains %s, which cannot be stored', async ([
  ,
  character,
]) => {
  const run = await openLive(started(), 'chowdeck')
  const id = shipmentIdOf(await run.dispatch())
  for (const delivery of run.benches.chowdeck.server.deliveries)
    Object.assign(delivery, { status: 'in_transit', driver: `Musa ${character}` })
  expect(await waitFor(run, id, (shipment) => shipment.status === 'in_transit')).toBe('in_transit')
  expect((await run.read(id)).body.courier).toMatchObject({ name: 'Musa \uFFFD' })
})

describe.each(['chowdeck', 'fez', 'shipbubble'] as const)('polling %s', (code) => {
  test('a shipment reaches the status delivered by polls of the carrier alone, without callbacks', async () => {
    const run: LiveRun = await openLive(started(), code)
    const id = shipmentIdOf(await run.dispatch())
    for (const [rawStatus, status] of ways[code]) {
      setStatusFor(run, code, rawStatus)
      expect(await waitFor(run, id, (shipment) => shipment.status === status)).toBe(status)
    }
  })
})

function setStatusFor<Code extends ConnectableCarrier>(run: LiveRun<Code>, code: Code, rawStatus: string): void {
  setStatus[code](run.benches[code], rawStatus)
}

test.each([
  ['chowdeck', 'rejected'],
  ['shipbubble', 'cancelled'],
] as const)('if %s reports a shipment as %s, the shipment fails over to the next carrier', async (code, rawStatus) => {
  const run: LiveRun = await openLive(started(), code, 'fez')
  const id = shipmentIdOf(await run.dispatch())
  setStatusFor(run, code, rawStatus)
  await waitFor(run, id, ({ status, attempts }) => status === 'awaiting_courier' && attempts.length > 1)
  const { body } = await run.read(id)
  expect(body.status).toBe('awaiting_courier')
  expect(body.attempts.map(({ state }: { state: string }) => state)).toEqual(['cancelled', 'accepted'])
})

test.each([
  'received',
  'preparing',
  'awaiting_pickup',
])('a Chowdeck rider stays assigned when later responses with the status %s do not contain the driver', async (rawStatus) => {
  const run = await openLive(started(), 'chowdeck', 'fez')
  const id = shipmentIdOf(await run.dispatch())
  setStatusFor(run, 'chowdeck', 'preparing')
  await waitFor(run, id, ({ status }) => status === 'courier_assigned')
  const { server } = run.benches.chowdeck
  const polls = server.asked('read')
  for (const delivery of server.deliveries) {
    Object.assign(delivery, { status: rawStatus, driver: undefined, updatedAt: null })
  }
  await waitFor(run, id, ({ status }) => status !== 'courier_assigned' || server.asked('read') >= polls + 3)
  const { body } = await run.read(id)
  expect(body).toMatchObject({ status: 'courier_assigned', courier: { name: 'Musa' } })
  setStatusFor(run, 'chowdeck', 'in_transit')
  expect(await waitFor(run, id, ({ status }) => status === 'in_transit')).toBe('in_transit')
})

test('a Chowdeck rider stays assigned when Chowdeck rejects the cancellation in a response without the field driver', async () => {
  const run = await openLive(started(), 'chowdeck')
  const id = shipmentIdOf(await run.dispatch())
  setStatusFor(run, 'chowdeck', 'preparing')
  await waitFor(run, id, ({ status }) => status === 'courier_assigned')
  for (const delivery of run.benches.chowdeck.server.deliveries) delivery.driver = undefined
  run.benches.chowdeck.fail('cancel', { isAccepted: false, answer: [400, { status: 'failed', message: 'Too late' }] })
  await run.cancel(id)
  expect((await run.read(id)).body).toMatchObject({ status: 'courier_assigned', courier: { name: 'Musa' } })
})

/** Stores every warning that is logged while the test runs. */
function logLines({ logistics }: TestApi): object[] {
  const lines: object[] = []
  const { log } = logistics
  const written = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  Object.assign(logistics, { log: written })
  onTestFinished(() => void Object.assign(logistics, { log }))
  return lines
}

test('a carrier status that no adapter maps is logged, counted, and shown as an exception at once, until a mapped status arrives', async () => {
  const run = await openLive(started(), 'fez')
  const id = shipmentIdOf(await run.dispatch())
  const lines = logLines(run.api)
  const rawStatus = `Held At Customs ${id.slice(-6)}`
  setStatusFor(run, 'fez', rawStatus)
  const codes = async () => {
    const { body } = await run.read(id)
    return body.exceptions
      .filter(({ resolvedAt }: { resolvedAt: string | null }) => resolvedAt === null)
      .map(({ code }: { code: string }) => code)
  }
  for (let step = 0; step < 60 && !(await codes()).includes('unknown_carrier_status'); step++) {
    await run.pass(stepSeconds, stepSeconds)
  }
  expect(await codes()).toEqual(['unknown_carrier_status'])
  const { rows } = await run.api.database.pool.query(
    'select carrier, times::int from unknown_carrier_statuses where status = $1',
    [rawStatus],
  )
  expect(rows).toEqual([{ carrier: 'fez', times: 1 }])
  const line = { merchantId: run.shop.merchantId, shipmentId: id, carrier: 'fez', carrierStatus: rawStatus }
  expect(lines).toMatchObject([{ ...line, msg: 'A carrier reports a status that is not mapped to a shipment status.' }])
  setStatusFor(run, 'fez', 'Picked-Up')
  await waitFor(run, id, ({ status }) => status === 'picked_up')
  expect(await codes()).toEqual([])
})
