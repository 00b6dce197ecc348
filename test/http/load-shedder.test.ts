import { describe, expect, onTestFinished, test } from 'vitest'
import { endpoints } from '../../registry/index.ts'
import { MerchantId } from '../../registry/values/vocabulary.ts'
import { openAdmission } from '../../src/http/pipeline/admission.ts'
import { type LoadSample, type LoadShedder, openLoadShedder, sampleLoop } from '../../src/http/pipeline/load-shedder.ts'
import type { Caller } from '../../src/operations/execute/caller.ts'
import { Refusal } from '../../src/operations/execute/refusal.ts'
import { waitFor } from '../support/wait-for.ts'

const calm: LoadSample = { loopDelayMs: 1, loopUtilization: 0.1, waiting: 0 }
/** Measured values of an overloaded process: the event loop is late, and requests wait for database connections. */
const busySample: LoadSample = { loopDelayMs: 50, loopUtilization: 1, waiting: 3 }

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

/** Simulates requests that arrive while the given number of other requests is in progress. */
function arrive(shedder: LoadShedder, inProgress: number, count = 1): void {
  for (let arrived = 0; arrived < count; arrived++) shedder.rejects({ importance: 'low', inProgress })
}

/**
 * Simulates more than two seconds in which requests wait and none ends. The limit of concurrent requests falls to
 * twenty.
 */
function stall({ samples }: Pick<ReturnType<typeof openShedder>, 'samples'>): void {
  samples(busySample, 25)
}

function acceptAndEnd(shedder: LoadShedder): void {
  shedder.accept()
  shedder.end()
}

describe('the limit of requests in progress', () => {
  test('the limit of requests in progress is at least a hundred, however slow the process is, as long as requests complete', () => {
    const { shedder, samples } = openShedder()
    for (let count = 0; count < 600; count++) {
      arrive(shedder, 63)
      acceptAndEnd(shedder)
      samples({ loopDelayMs: 2_000, loopUtilization: 1, waiting: 1 }, 1)
      expect(shedder.limit()).toBeGreaterThanOrEqual(100)
    }
  })

  test('the limit of requests in progress falls to 20 when the expected wait for a database connection is too long for two seconds', () => {
    const { shedder, samples } = openShedder()
    const slow = (count: number) => {
      for (let sample = 0; sample < count; sample++) {
        // Ten requests end per second, so the last of the 50 waiting requests would wait for five seconds.
        acceptAndEnd(shedder)
        samples({ ...calm, waiting: 50 }, 1)
      }
    }
    slow(19)
    expect(shedder.limit()).toBe(100)
    slow(10)
    expect(shedder.limit()).toBe(20)
  })

  test('the limit of requests in progress stays at a hundred while every request that waits for a database connection gets one in time', () => {
    const { shedder, samples } = openShedder()
    for (let count = 0; count < 100; count++) {
      for (let ended = 0; ended < 2; ended++) acceptAndEnd(shedder)
      samples({ ...calm, waiting: 50 }, 1)
    }
    expect(shedder.limit()).toBe(100)
  })

  test('the limit of requests in progress also falls while requests wait in a queue that was registered with addQueue', () => {
    const { shedder, samples } = openShedder()
    let waiting = 0
    shedder.addQueue(() => waiting)
    samples(calm, 30)
    expect(shedder.limit()).toBe(100)
    waiting = 1
    samples(calm, 30)
    expect(shedder.limit()).toBe(20)
  })

  test('the limit of requests in progress recovers within four seconds after the overload', () => {
    const opened = openShedder()
    stall(opened)
    expect(opened.shedder.limit()).toBe(20)
    opened.samples(calm, 40)
    expect(opened.shedder.limit()).toBe(100)
  })

  test('the limit of requests in progress grows to twice the number of running requests, but not above 400', () => {
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
    // No sample shows a busy process, so the limit grows even if the only request of each sample is rejected.
    expect(shedder.limit()).toBe(400)
  })

  test('a raised limit of requests in progress falls back to a hundred after the process has been busy for half a second', () => {
    const { shedder, samples } = openShedder()
    for (let count = 0; count < 20; count++) {
      arrive(shedder, 199)
      samples(calm, 1)
    }
    const wide = shedder.limit()
    const busy = (count: number) => {
      for (let sample = 0; sample < count; sample++) {
        for (let ended = 0; ended < 5; ended++) acceptAndEnd(shedder)
        arrive(shedder, 199)
        samples(busySample, 1)
      }
    }
    busy(4)
    expect(shedder.limit()).toBeGreaterThanOrEqual(wide)
    busy(10)
    expect(shedder.limit()).toBe(100)
  })

  describe('the limit of requests in progress in a flood of requests', () => {
    /**
     * Returns a load shedder, and a function that simulates one load sample of a flood of requests, in which the event
     * loop is hardly delayed.
     */
    const flooded = () => {
      const { shedder, samples } = openShedder()
      const flood = (counts: { readonly accepted: number; readonly rejected: number; readonly ended: number }) => {
        arrive(shedder, 500, counts.rejected)
        for (let count = 0; count < counts.accepted; count++) shedder.accept()
        for (let count = 0; count < counts.ended; count++) shedder.end()
        samples({ loopDelayMs: 1, loopUtilization: 1, waiting: 0 }, 1)
      }
      return { shedder, flood }
    }
    const ordinary = { accepted: 10, rejected: 2, ended: 10 }
    const begins = { accepted: 10, rejected: 3, ended: 10 }

    test('if two samples each have more than one rejection per five accepted requests, the limit falls to 2', () => {
      const { shedder, flood } = flooded()
      for (let count = 0; count < 10; count++) flood(ordinary)
      flood(begins)
      expect(shedder.limit()).toBeGreaterThanOrEqual(100)
      flood(begins)
      expect(shedder.limit()).toBe(2)
    })

    test('during a flood, the limit of requests in progress stays at 2 while requests complete at more than a quarter of the rate before the flood', () => {
      const { shedder, flood } = flooded()
      for (let count = 0; count < 2; count++) flood(begins)
      for (let count = 0; count < 500; count++) flood({ accepted: 3, rejected: 50, ended: 3 })
      expect(shedder.limit()).toBe(2)
    })

    test('the limit rises from 2 back to a hundred after the first sample with few rejected requests', () => {
      const { shedder, flood } = flooded()
      for (let count = 0; count < 60; count++) flood({ accepted: 10, rejected: 50, ended: 10 })
      expect(shedder.limit()).toBe(2)
      flood(ordinary)
      expect(shedder.limit()).toBeGreaterThanOrEqual(100)
    })

    test('after five seconds with few completed requests, the limit of requests in progress rises from 2 to a hundred, and falls back to 2 after two minutes', () => {
      const { shedder, flood } = flooded()
      for (let count = 0; count < 2; count++) flood(begins)
      const harmed = { accepted: 2, rejected: 50, ended: 2 }
      for (let count = 2; count < 49; count++) flood(harmed)
      expect(shedder.limit()).toBe(2)
      for (let count = 0; count < 1_200; count++) {
        flood(harmed)
        expect(shedder.limit()).toBeGreaterThanOrEqual(100)
      }
      for (let count = 0; count < 2; count++) flood(harmed)
      expect(shedder.limit()).toBe(2)
    })
  })

  test('the limit of requests in progress does not fall when the event loop is delayed but mostly idle, because other processes then cause the delay', () => {
    const { shedder, samples } = openShedder()
    for (let count = 0; count < 40; count++) {
      arrive(shedder, 999)
      samples({ loopDelayMs: 50, loopUtilization: 0.4, waiting: 0 }, 1)
    }
    expect(shedder.limit()).toBe(400)
  })
})

describe('a sample of the event loop', () => {
  test('a sample of the event loop reports a high delay and a high utilisation while a callback blocks the loop', async () => {
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

  test('a sample of the event loop reports a low utilisation while the loop only waits for events', async () => {
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
    recordsBodies: false,
  })
  const busy = callerOf('a')
  const quiet = callerOf('b')
  const { listOrders, createOrder, createRefund, dispatchShipment } = endpoints

  /** Returns the error code with which a request is rejected. Undefined if the request was admitted. */
  const rejected = (enter: () => unknown) => {
    try {
      enter()
      return undefined
    } catch (error) {
      return error instanceof Refusal ? error.code : error
    }
  }

  /** Returns the admission control of a process in which the requests of one merchant have reached the limit. */
  const full = () => {
    const { shedder, samples } = openShedder()
    stall({ samples })
    const admission = openAdmission({ rates: undefined, load: shedder })
    const slots = Array.from({ length: 20 }, () => admission.enter(busy, listOrders))
    return { admission, slots, samples }
  }

  test('an overloaded process rejects the reads of a busy merchant first', async () => {
    const { admission } = full()
    expect(rejected(() => admission.enter(busy, listOrders))).toBe('service_unavailable')
    expect(rejected(() => admission.enter(quiet, listOrders))).toBeUndefined()
    expect(rejected(() => admission.enter(busy, createOrder))).toBeUndefined()
  })

  test('an overloaded process rejects all other requests before it rejects refunds and dispatches', async () => {
    const { admission } = full()
    for (let count = 0; count < 10; count++) admission.enter(busy, createOrder)
    expect(rejected(() => admission.enter(busy, createOrder))).toBe('service_unavailable')
    expect(rejected(() => admission.enter(quiet, listOrders))).toBe('service_unavailable')
    expect(rejected(() => admission.enter(busy, createRefund))).toBeUndefined()
    for (let count = 0; count < 9; count++) admission.enter(busy, createRefund)
    expect(rejected(() => admission.enter(busy, createRefund))).toBe('service_unavailable')
    expect(rejected(() => admission.enter(busy, dispatchShipment))).toBe('service_unavailable')
  })

  test('dispatches that wait for carriers do not use up the slots that an overloaded process has for other requests', async () => {
    const { shedder, samples } = openShedder()
    stall({ samples })
    const admission = openAdmission({ rates: undefined, load: shedder })
    const dispatch = () => admission.enter(busy, dispatchShipment)
    const [first] = Array.from({ length: 40 }, dispatch)
    expect(rejected(dispatch)).toBe('service_unavailable')
    for (let count = 0; count < 20; count++) admission.enter(busy, listOrders)
    expect(rejected(() => admission.enter(busy, listOrders))).toBe('service_unavailable')
    first?.leave()
    // When a dispatch ends, it makes room only for another dispatch, not for other requests.
    expect(rejected(() => admission.enter(busy, listOrders))).toBe('service_unavailable')
  })

  test('a process at its limit of requests in progress accepts a new request as soon as a running request ends', async () => {
    const { admission, slots } = full()
    slots[0]?.leave()
    expect(rejected(() => admission.enter(busy, listOrders))).toBeUndefined()
  })

  test('an overloaded process excludes waiting long polls from its number of requests in progress', async () => {
    const { admission, slots } = full()
    const wait = Promise.withResolvers<void>()
    const polling = slots[0]?.whileIdle(() => wait.promise)
    expect(rejected(() => admission.enter(busy, listOrders))).toBeUndefined()
    expect(rejected(() => admission.enter(busy, listOrders))).toBe('service_unavailable')
    wait.resolve()
    await polling
  })
})
