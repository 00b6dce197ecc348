import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ShipmentId } from '../../../registry/values/vocabulary.ts'
import { newId } from '../../../src/base/ids.ts'
import { silentLog } from '../../../src/base/log.ts'
import { newMerchantId } from '../../../src/base/records.ts'
import { openSubscriptions, type Subscription } from '../../../src/logistics/tracking/shipment-subscriptions.ts'
import { openDatabase } from '../../../src/store/core/database.ts'
import type { ShipmentKey } from '../../../src/store/logistics/shipments/shipments.ts'
import { useApi } from '../../support/api.ts'
import { asSuperuser, select } from '../../support/database-contents.ts'
import { storeShipment } from '../../support/logistics/shipment.ts'
import { applyUpdate } from '../../support/logistics/tracking-updates.ts'
import { openShop, type Shop } from '../../support/shop.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Long polls of a shipment. The test advances the timers of their timeouts. */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
})

const opened: Subscription[] = []
afterEach(async () => {
  for (const subscriptions of opened.splice(0)) await subscriptions.close()
})

/** Opens subscriptions to shipments whose timers the function `pass` advances. */
function open() {
  const timers = new Set<{ left: number; readonly run: () => void }>()
  const after = (ms: number, run: () => void) => {
    const timer = { left: ms, run }
    timers.add(timer)
    return () => void timers.delete(timer)
  }
  const pass = (ms: number) => {
    for (const timer of [...timers]) {
      timer.left -= ms
      if (timer.left <= 0 && timers.delete(timer)) timer.run()
    }
  }
  const subscriptions = openSubscriptions({ database: started().database, log: silentLog }, after)
  opened.push(subscriptions)
  return { subscriptions, pass, timers }
}

const known = { version: 1, positionNumber: 0 }
const stays = () => () => undefined

function begin(subscriptions: Subscription, key: ShipmentKey, waitMs = 25_000) {
  const state = { isOver: false }
  const over = subscriptions.wait(key, known, { waitMs, onDisconnect: stays }).then(() => {
    state.isOver = true
  })
  return { state, over }
}

/** Waits until a database connection listens for changes of shipments. Calls `before` before each check. */
async function listens(before = () => {}): Promise<void> {
  const text = `select 1 from pg_stat_activity where datname = current_database() and query = 'listen shipment_changed'`
  const isListening = async () => {
    before()
    expect(await select(started(), text)).toHaveLength(1)
  }
  await waitFor(isListening, { interval: 5, timeout: 120_000 })
}

async function breakListener(): Promise<void> {
  await asSuperuser(started(), async (client) => {
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and query = 'listen shipment_changed'`,
    )
  })
}

describe('a subscription to a shipment', () => {
  test('a subscription to a shipment ends as soon as a notification reports a change of the shipment, without waiting for the next sweep', async () => {
    const { subscriptions } = open()
    const key = await storeShipment(started(), shop)
    const { over, state } = begin(subscriptions, key)
    await listens()
    expect(state.isOver).toBe(false)
    await applyUpdate(started(), shop, key, { status: 'picked_up' })
    await over
    expect(subscriptions.waiting()).toBe(0)
  })

  test('a subscription to an unchanged shipment ends at its timeout, and not before', async () => {
    const { subscriptions, pass, timers } = open()
    const { over, state } = begin(subscriptions, await storeShipment(started(), shop), 10_000)
    await listens()
    pass(9_999)
    await started().database.pool.query('select 1')
    expect(state.isOver).toBe(false)
    pass(1)
    await over
    pass(60_000)
    expect(timers.size).toBeLessThanOrEqual(1)
  })

  test('a subscription ends at once if the shipment changed between the read and the subscription', async () => {
    const { subscriptions } = open()
    const key = await storeShipment(started(), shop)
    await applyUpdate(started(), shop, key, { status: 'picked_up' })
    await begin(subscriptions, key).over
  })

  test('a subscription to a shipment ignores changes of other shipments', async () => {
    const { subscriptions } = open()
    const [mine, other] = [await storeShipment(started(), shop), await storeShipment(started(), shop)]
    const waiting = begin(subscriptions, mine)
    await listens()
    const otherWaiting = begin(subscriptions, other)
    await applyUpdate(started(), shop, other, { status: 'picked_up' })
    await otherWaiting.over
    expect(waiting.state.isOver).toBe(false)
  })

  test('a subscription to a shipment ends when its client disconnects, and frees its slot', async () => {
    const { subscriptions } = open()
    const key = await storeShipment(started(), shop)
    let disconnect = () => {}
    const onDisconnect = (listener: () => void) => {
      disconnect = listener
      return () => undefined
    }
    const over = subscriptions.wait(key, known, { waitMs: 25_000, onDisconnect })
    expect(subscriptions.waiting()).toBe(1)
    disconnect()
    await over
    expect(subscriptions.waiting()).toBe(0)
  })
})

describe('a subscription without a notification', () => {
  test('if the LISTEN connection breaks, a sweep after two seconds finds the missed change of a shipment, and the connection is opened again', async () => {
    const { subscriptions, pass } = open()
    const key = await storeShipment(started(), shop)
    const { over, state } = begin(subscriptions, key)
    await listens()
    await breakListener()
    await select(started(), 'update shipments set version = 2 where id = $1', [key.id])
    expect(state.isOver).toBe(false)
    pass(2_000)
    await over
    // The process may detect the broken connection only now, so the test advances the time to the next sweeps.
    const again = begin(subscriptions, await storeShipment(started(), shop), Number.POSITIVE_INFINITY)
    await listens(() => pass(2_000))
    expect(again.state.isOver).toBe(false)
  })

  test('while the database is unavailable, no subscription to a shipment ends', async () => {
    const away = openDatabase({ connectionString: 'postgres://none@127.0.0.1:1/none' })
    const subscriptions = openSubscriptions({ database: away, log: silentLog })
    opened.push(subscriptions)
    const { over, state } = begin(subscriptions, await storeShipment(started(), shop), 50)
    expect(state.isOver).toBe(false)
    await over
    await away.close()
  })
})

describe('the limit of open subscriptions', () => {
  test('while a merchant has a hundred open shipment subscriptions, the merchant’s next subscription returns at once, and a subscription of another merchant waits', async () => {
    const { subscriptions } = open()
    const key = await storeShipment(started(), shop)
    const waits = Array.from({ length: 100 }, () => begin(subscriptions, key))
    await subscriptions.wait(key, known, { waitMs: 25_000, onDisconnect: stays })
    expect(subscriptions.waiting()).toBe(100)
    const other = await openShop(started().context)
    const others = begin(subscriptions, await storeShipment(started(), other))
    expect(subscriptions.waiting()).toBe(101)
    await subscriptions.close()
    await Promise.all([...waits, others].map(({ over }) => over))
  })

  test('while a process has a thousand open shipment subscriptions, each further subscription ends immediately', async () => {
    const { subscriptions } = open()
    const keys = Array.from({ length: 11 }, () => ({
      merchantId: newMerchantId(0),
      id: ShipmentId.parse(newId('shp', 0)),
    }))
    for (const key of keys) for (let index = 0; index < 100; index++) void begin(subscriptions, key)
    expect(subscriptions.waiting()).toBe(1000)
  })

  test('a shutdown ends all shipment subscriptions', async () => {
    const { subscriptions } = open()
    const key = await storeShipment(started(), shop)
    const { over } = begin(subscriptions, key)
    await subscriptions.close()
    await over
    await begin(subscriptions, key).over
    expect(subscriptions.waiting()).toBe(0)
  })
})
