import { monitorEventLoopDelay, performance } from 'node:perf_hooks'

/**
 * Rejects requests before a process becomes slow. It limits the requests that the process handles at the same time, and adapts
 * the limit ten times a second: down by a third while the process is overloaded, up by a tenth otherwise. An excess request gets
 * 503 at once instead of waiting in a queue in which all requests become slow.
 *
 * While the process rejects more requests than it accepts, it is flooded: it halves the limit at a much smaller delay, down to
 * two requests. The rejections then take a large part of its time, and the accepted requests wait for them.
 *
 * Reads are rejected first, other writes next, and refunds and dispatches last. The reads of a merchant with few requests in
 * progress are treated like writes, so that a busy merchant is rejected before a quiet one.
 */
export interface LoadShedder {
  /** Reports whether the process should reject a request. */
  rejects(request: ShedRequest): boolean
  /** Records that a request was accepted. */
  accept(): void
  /** Records how long a read took. */
  record(durationMs: number): void
  /** Adds a queue of the process: while requests wait in it, the process is overloaded. */
  addQueue(waiting: () => number): void
  /** Requests in progress up to which every request is accepted. */
  limit(): number
  stop(): void
}

export interface ShedRequest {
  readonly importance: Importance
  /** Requests in progress in the process. */
  readonly inProgress: number
}

/** How long a request is accepted while the load grows. */
export type Importance = 'low' | 'normal' | 'high'

/** The state of the process since the previous sample. */
export interface LoadSample extends LoopSample {
  /** Requests that wait for a connection of the pool. */
  readonly waiting: number
}

export interface LoopSample {
  /** Mean delay of the event loop. */
  readonly loopDelayMs: number
  /** Share of the time in which the event loop did not wait for events, from 0 to 1. */
  readonly loopUtilization: number
}

export interface LoadShedderOptions {
  /** Returns the sample since the previous call. */
  readonly sample: () => LoadSample
  /** Calls a function at an interval, and returns its cancellation. Tests replace it. */
  readonly every?: (ms: number, run: () => void) => () => void
}

/** Long enough for a mean of several requests, and far shorter than the ten seconds in which a process must recover. */
const sampleMs = 100

/** From the lowest to the highest limit in less than four seconds, and down in less than one. */
const growth = 1.1
const reduction = { overloaded: 0.67, flooded: 0.5 }

/** More than the connections of the pool can use. Only requests that wait for carriers occupy so many places. */
const limitMax = 400

/** The limit of a process with few requests in progress: a burst of as many takes about a tenth of a second. */
const limitCalm = 100

/**
 * As many as the connections of the pool: below, requests hardly wait for each other. In a flood, as few as keep PostgreSQL
 * busy.
 */
const limitMin = { overloaded: 20, flooded: 2 }

/**
 * A request of a few milliseconds is delayed by several others. In a flood, each statement of a request is delayed by this time:
 * with 2 ms, p99 was a third longer than with 0.7 ms, and as many requests were accepted. An idle loop has a delay of about 0.2 ms.
 */
const loopDelayMaxMs = { overloaded: 20, flooded: 0.7 }

/**
 * A loop that mostly waits for events is delayed by other processes of the machine. Fewer requests would not help, and after a flood
 * such a process would stay at the lowest limit.
 */
const loopUtilizationMin = 0.5

/** Reads are overloaded when they take twice as long as in calm times, and this much longer. */
const slowdown = 2
const slowdownMinMs = 10

/** The calm duration follows a slower service within about a minute, and a faster one at once. */
const calmDrift = 1.002

/** Fewer reads in a sample say nothing about the load. */
const readsMin = 5

/** How far above the limit a request of each importance is still accepted. */
const factors: Readonly<Record<Importance, number>> = { low: 1, normal: 1.5, high: 2 }

export function openLoadShedder({ sample, every = everyMs }: LoadShedderOptions): LoadShedder {
  let limit = limitCalm
  let peak = 0
  let decisions = { accepted: 0, rejected: 0 }
  let reads = { count: 0, totalMs: 0 }
  let calmMs = Number.POSITIVE_INFINITY
  const queues: (() => number)[] = []

  const isSlow = (): boolean => {
    const { count, totalMs } = reads
    reads = { count: 0, totalMs: 0 }
    if (count < readsMin) return false
    const meanMs = totalMs / count
    const isAboveCalm = meanMs > Math.max(calmMs * slowdown, calmMs + slowdownMinMs)
    calmMs = Math.min(calmMs * calmDrift, meanMs)
    return isAboveCalm
  }

  const adapt = () => {
    const { loopDelayMs, loopUtilization, waiting } = sample()
    const level = decisions.rejected > decisions.accepted ? 'flooded' : 'overloaded'
    decisions = { accepted: 0, rejected: 0 }
    const isQueueing = waiting > 0 || queues.some((count) => count() > 0)
    const isLoopLate = loopUtilization >= loopUtilizationMin && loopDelayMs > loopDelayMaxMs[level]
    const isOverloaded = [isSlow(), isLoopLate, isQueueing].includes(true)
    const floor = limitMin[level]
    // A limit far above the requests in progress would take long to come down.
    if (isOverloaded) limit = Math.max(floor, Math.min(limit, Math.max(peak, floor)) * reduction[level])
    else limit = Math.min(limit * growth, Math.max(limitCalm, Math.min(limitMax, 2 * peak)))
    peak = 0
  }
  const stop = every(sampleMs, adapt)

  return {
    rejects: ({ importance, inProgress }) => {
      peak = Math.max(peak, inProgress + 1)
      const isRejected = inProgress >= limit * factors[importance]
      if (isRejected) decisions = { ...decisions, rejected: decisions.rejected + 1 }
      return isRejected
    },
    accept: () => {
      decisions = { ...decisions, accepted: decisions.accepted + 1 }
    },
    record: (durationMs) => {
      reads = { count: reads.count + 1, totalMs: reads.totalMs + durationMs }
    },
    addQueue: (count) => void queues.push(count),
    limit: () => limit,
    stop,
  }
}

/** The timer of the histogram fires at this interval and records the time since it fired last. */
const loopResolutionMs = 10

/** Returns the function that samples the event loop since its previous call, and the end of the measurement. */
export function sampleLoop(): { readonly sample: () => LoopSample; readonly stop: () => void } {
  const histogram = monitorEventLoopDelay({ resolution: loopResolutionMs })
  histogram.enable()
  let before = performance.eventLoopUtilization()
  const sample = () => {
    const meanMs = histogram.count === 0 ? 0 : histogram.mean / 1e6
    histogram.reset()
    const now = performance.eventLoopUtilization()
    const { utilization: loopUtilization } = performance.eventLoopUtilization(now, before)
    before = now
    return { loopDelayMs: Math.max(0, meanMs - loopResolutionMs), loopUtilization }
  }
  return { sample, stop: () => void histogram.disable() }
}

function everyMs(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms)
  timer.unref()
  return () => clearInterval(timer)
}
