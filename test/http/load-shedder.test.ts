import { describe, expect, onTestFinished, test } from 'vitest'
import { endpoints } from '../../registry/index.ts'
import { MerchantId } from '../../registry/values/vocabulary.ts'
import { openAdmission } from '../../src/http/pipeline/admission.ts'
import type { Caller } from '../../src/http/pipeline/caller.ts'
import { type LoadSample, type LoadShedder, openLoadShedder, sampleLoop } from '../../src/http/pipeline/load-shedder.ts'
import { Refusal } from '../../src/http/pipeline/refusal.ts'
import { waitFor } from '../support/wait-for.ts'

const calm: LoadSample = { loopDelayMs: 1, loopUtilization: 0.1, waiting: 0 }
const overloaded: LoadSample = { loopDelayMs: 50, loopUtilization: 1, waiting: 0 }

/** Returns a shedder whose samples are taken by hand. */
function openShedder() {
  let sample = calm
  let tick = () => {}
  const every = (_ms: number, run: () => void) => {
    tick = run
    return () => {}
  }
  const shedder = openLoadShedder({ sample: () => sample, every })
  const samples = (next: LoadSample, count: number) => {
    sample = next
    for (let index = 0; index < count; index++) tick()
  }
  return { shedder, samples }
}

/** Requests arrive while this many are in progress. */
function arrive(shedder: LoadShedder, inProgress: number): void {
  shedder.rejects({ importance: 'low', inProgress })
}

describe('the limit of requests in progress', () => {
  test('falls to 20 within a second of overload', () => {
    const { shedder, samples } = openShedder()
    expect(shedder.limit()).toBe(100)
    samples(overloaded, 10)
    expect(shedder.limit()).toBe(20)
  })

  test('is back within four seconds after the overload', () => {
    const { shedder, samples } = openShedder()
    samples(overloaded, 10)
    samples(calm, 40)
    expect(shedder.limit()).toBe(100)
  })

  test('falls while requests wait for a connection of the pool', () => {
    const { shedder, samples } = openShedder()
    samples({ ...calm, waiting: 3 }, 10)
    expect(shedder.limit()).toBe(20)
  })

  test('falls while requests wait in a queue of the process', () => {
    const { shedder, samples } = openShedder()
    let waiting = 0
    shedder.addQueue(() => waiting)
    samples(calm, 10)
    expect(shedder.limit()).toBe(100)
    waiting = 1
    samples(calm, 10)
    expect(shedder.limit()).toBe(20)
  })

  test('grows to twice the requests in progress, so that many may wait for carriers', () => {
    const { shedder, samples } = openShedder()
    for (let count = 0; count < 20; count++) {
      arrive(shedder, 89)
      samples(calm, 1)
    }
    expect(shedder.limit()).toBe(180)
    for (let count = 0; count < 20; count++) {
      arrive(shedder, 999)
      samples(calm, 1)
    }
    expect(shedder.limit()).toBe(400)
  })

  test('falls to 2 while most requests are rejected, and at a small delay', () => {
    const { shedder, samples } = openShedder()
    const flood = (loopDelayMs: number, accepted: number) => {
      for (let count = 0; count < 10; count++) arrive(shedder, 500)
      for (let count = 0; count < accepted; count++) shedder.accept()
      samples({ ...overloaded, loopDelayMs }, 1)
    }
    samples(overloaded, 10)
    for (let count = 0; count < 10; count++) flood(1, 10)
    expect(shedder.limit()).toBeGreaterThan(20)
    for (let count = 0; count < 10; count++) flood(1, 9)
    expect(shedder.limit()).toBe(2)
    samples(calm, 50)
    expect(shedder.limit()).toBe(100)
  })

  test('ignores the delay of an event loop that mostly waits: other processes cause it', () => {
    const { shedder, samples } = openShedder()
    samples(overloaded, 10)
    for (let count = 0; count < 40; count++) {
      arrive(shedder, 999)
      samples({ ...overloaded, loopUtilization: 0.4 }, 1)
    }
    expect(shedder.limit()).toBe(400)
  })

  test('falls while reads take more than twice as long as before', () => {
    const { shedder, samples } = openShedder()
    const reads = (durationMs: number) => {
      for (let read = 0; read < 10; read++) shedder.record(durationMs)
      samples(calm, 1)
    }
    for (let count = 0; count < 10; count++) reads(10)
    expect(shedder.limit()).toBe(100)
    for (let count = 0; count < 10; count++) reads(25)
    expect(shedder.limit()).toBe(20)
    for (let count = 0; count < 40; count++) reads(12)
    expect(shedder.limit()).toBe(100)
  })

  test('ignores a few slow reads', () => {
    const { shedder, samples } = openShedder()
    for (let count = 0; count < 50; count++) {
      shedder.record(count === 0 ? 1 : 2_000)
      samples(calm, 1)
    }
    expect(shedder.limit()).toBe(100)
  })
})

describe('a sample of the event loop', () => {
  test('is late and busy while a callback occupies the loop', async () => {
    const loop = sampleLoop()
    onTestFinished(loop.stop)
    const occupied = setInterval(() => {
      const untilMs = performance.now() + 40
      while (performance.now() < untilMs) {
        // The callback keeps the loop from its other events.
      }
    }, 1)
    onTestFinished(() => clearInterval(occupied))
    await waitFor(
      () => {
        const { loopDelayMs, loopUtilization } = loop.sample()
        expect(loopDelayMs).toBeGreaterThan(20)
        expect(loopUtilization).toBeGreaterThan(0.5)
      },
      { interval: 200 },
    )
  })

  test('is not busy while the loop waits for events', async () => {
    const loop = sampleLoop()
    onTestFinished(loop.stop)
    await waitFor(() => expect(loop.sample().loopUtilization).toBeLessThan(0.5))
  })
})

describe('an overloaded process', () => {
  const callerOf = (id: string): Caller => ({
    merchantId: MerchantId.parse(`mer_01jd3f8q6hf5n8v1zr4c7e2m9${id}`),
    mode: 'live',
    by: { type: 'token', id: `tok_${id}`, label: id, sessionId: null },
    scopes: [],
    sourceIp: '127.0.0.1',
    rateLimits: null,
  })
  const busy = callerOf('a')
  const quiet = callerOf('b')
  const { listOrders, createOrder, createRefund, dispatchShipment } = endpoints

  const rejected = async (answering: Promise<unknown>) => {
    const error: unknown = await answering.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    return error instanceof Refusal ? error.code : error
  }

  /** Returns the admission of a process that has reached its limit with requests of one merchant. */
  const full = async () => {
    const { shedder, samples } = openShedder()
    samples(overloaded, 10)
    const admission = openAdmission({ rates: undefined, load: shedder })
    const slots = await Promise.all(Array.from({ length: 20 }, () => admission.admit(busy, listOrders)))
    return { admission, slots, samples }
  }

  test('rejects the reads of a busy merchant first', async () => {
    const { admission } = await full()
    expect(await rejected(admission.admit(busy, listOrders))).toBe('service_unavailable')
    expect(await rejected(admission.admit(quiet, listOrders))).toBeUndefined()
    expect(await rejected(admission.admit(busy, createOrder))).toBeUndefined()
  })

  test('rejects refunds and dispatches after all others', async () => {
    const { admission } = await full()
    for (let count = 0; count < 10; count++) await admission.admit(busy, createOrder)
    expect(await rejected(admission.admit(busy, createOrder))).toBe('service_unavailable')
    expect(await rejected(admission.admit(quiet, listOrders))).toBe('service_unavailable')
    expect(await rejected(admission.admit(busy, createRefund))).toBeUndefined()
    for (let count = 0; count < 9; count++) await admission.admit(busy, createRefund)
    expect(await rejected(admission.admit(busy, createRefund))).toBe('service_unavailable')
    expect(await rejected(admission.admit(busy, dispatchShipment))).toBe('service_unavailable')
  })

  test('accepts other requests while dispatches wait for their carriers', async () => {
    const { shedder, samples } = openShedder()
    samples(overloaded, 10)
    const admission = openAdmission({ rates: undefined, load: shedder })
    const dispatch = () => admission.admit(busy, dispatchShipment)
    const [first] = await Promise.all(Array.from({ length: 40 }, dispatch))
    expect(await rejected(dispatch())).toBe('service_unavailable')
    const reads = Array.from({ length: 20 }, () => admission.admit(busy, listOrders))
    expect(await Promise.all(reads)).toHaveLength(20)
    expect(await rejected(admission.admit(busy, listOrders))).toBe('service_unavailable')
    first?.slot.leave()
    // A dispatch that has ended frees its own place only.
    expect(await rejected(admission.admit(busy, listOrders))).toBe('service_unavailable')
  })

  test('accepts requests again as others end', async () => {
    const { admission, slots } = await full()
    slots[0]?.slot.leave()
    expect(await rejected(admission.admit(busy, listOrders))).toBeUndefined()
  })

  test('counts a long poll only while it does not wait', async () => {
    const { admission, slots } = await full()
    const wait = Promise.withResolvers<void>()
    const polling = slots[0]?.slot.whileIdle(() => wait.promise)
    expect(await rejected(admission.admit(busy, listOrders))).toBeUndefined()
    expect(await rejected(admission.admit(busy, listOrders))).toBe('service_unavailable')
    wait.resolve()
    await polling
  })
})
