import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { requestLimits } from '../../operations/execute/request-limits.ts'

/**
 * Rejects requests that would miss their deadline, or make others miss it. It limits the number of requests that the
 * process handles at once. The limit is at least a hundred while requests end in time, even if each takes long. A
 * request above the limit gets 503 at once, because waiting in a queue would make all requests slow.
 *
 * The limit is adapted ten times a second, to the load state that has lasted for several samples:
 *
 *   flooded ─── more than a sixth of the requests are rejected, and the event loop has at least a small delay, because
 *     rejections take time too. The limit falls to two.
 *   late ────── requests would wait too long for a database connection. The limit falls to the size of the pool.
 *   busy ────── requests wait for a database connection, or the event loop is late. The limit falls to a hundred.
 *   calm ────── otherwise. The limit grows by a tenth per sample.
 *
 * Reads are rejected first, other writes next, and refunds and dispatches last. The reads of a merchant with few
 * requests in progress are treated like writes, so that a busy merchant is rejected before a quiet one.
 */
export interface LoadShedder {
  rejects(request: ShedRequest): boolean
  /** Records that the process accepted a request. */
  accept(): void
  end(): void
  /** Adds a queue of requests that wait for a database connection of the pool. */
  addQueue(waiting: () => number): void
  /** Number of requests in progress up to which the process accepts every request. */
  limit(): number
  stop(): void
}

export interface ShedRequest {
  readonly importance: Importance
  /** Number of requests in progress in the process, not only those of the merchant. */
  readonly inProgress: number
}

/** Importance of a request: when the load grows, requests of low importance are rejected first. */
export type Importance = 'low' | 'normal' | 'high'

/** Load of the process since the previous load sample. */
export interface LoadSample extends LoopSample {
  /** Number of requests that wait for a database connection of the pool. */
  readonly waiting: number
}

export interface LoopSample {
  /** Mean delay of the event loop in milliseconds. */
  readonly loopDelayMs: number
  /** Share of the time in which the event loop did not wait for events, from 0 to 1. */
  readonly loopUtilization: number
}

export interface LoadShedderOptions {
  /** Returns the load since the previous call. */
  readonly sample: () => LoadSample
  /** Calls a function at an interval, and returns a function that ends the calls. Tests replace this timer. */
  readonly every?: (ms: number, run: () => void) => () => void
}

/**
 * Interval of load samples in milliseconds. It is long enough to contain many requests, and lets a process recover
 * within ten seconds.
 */
const sampleMs = 100

/**
 * Factors by which the limit of concurrent requests changes after a load sample. The limit rises from its minimum to
 * its maximum in under six seconds, and falls to its minimum in under one second. In a flood of requests, the first
 * change sets the limit to its minimum, because more requests would wait after each further sample.
 */
const growth = 1.1
const reduction = { flooded: 0, late: 0.67, busy: 0.67 }

/**
 * Maximum ratio of rejected to accepted requests. Above this ratio, the process is regarded as flooded. The ratio is
 * low, because a flood begins with few rejections: Node.js accepts one new connection in each turn of the event loop,
 * so most requests wait in connections that the process has not accepted yet. With a ratio of three, a load of five
 * times the capacity was recognised only after 1.2 seconds, and responses were late for six seconds.
 */
const rejectionsMax = 0.2

/**
 * Settings of a check that runs once in a flood, after `samples` load samples. It detects whether the lowered limit of
 * concurrent requests does harm. It divides the mean number of ended requests in the latest samples by the mean number
 * before the limit was lowered. If this share is below `endedShareMin`, the clients resend each rejected request at
 * once, and further rejections would only cause more requests. The process then ignores floods for two minutes. In a
 * flood of independent requests, the share is at least 40 %.
 */
const trial = { samples: 50, latestSamples: 10, endedShareMin: 0.25, ignoredSamples: 1_200 }

/**
 * Highest value of the limit of concurrent requests, more than the pool's connections can serve. Only requests that
 * wait for carriers need so high a limit.
 */
const limitMax = 400

/**
 * The limit of concurrent requests in a process without overload. A burst of that many requests takes about a tenth of
 * a second.
 */
const limitCalm = 100

/**
 * Lowest limit of concurrent requests in each load state. `flooded`: just enough requests to occupy PostgreSQL. `late`:
 * the number of connections of the pool, so that requests rarely wait for each other. `busy`: the same limit as without
 * overload, so that up to a hundred clients that each send one request at a time are never rejected.
 */
const limitMin = { flooded: 2, late: 20, busy: limitCalm }

/**
 * Number of consecutive load samples with the same load state that must pass before the limit of concurrent requests
 * changes. A garbage collection or a PostgreSQL checkpoint ends before that. A flood must last two samples, so that one
 * burst of a few hundred requests is not treated as a flood.
 */
const samplesMin = { flooded: 2, late: 20, busy: 5 }

/**
 * Delays of the event loop in milliseconds above which the event loop is treated as late: `flooded` during a flood,
 * otherwise `busy`. An idle event loop has a delay of about 0.2 ms. During a flood, the result of each SQL statement
 * waits about as long as `flooded` until the process reads it. When `flooded` was 2 ms instead of 0.7 ms, the p99
 * latency was a third longer, and the number of accepted requests was the same.
 */
const loopDelayMaxMs = { flooded: 0.7, busy: 20 }

/**
 * Minimum utilization of the event loop at which the delay of the event loop lowers the limit of concurrent requests.
 * If the loop mostly waits for events, other processes of the machine cause the delay, and fewer requests would not
 * help. Without this minimum utilization, a process on a machine with other busy processes would stay at the lowest
 * limit after a flood.
 */
const loopUtilizationMin = 0.5

/**
 * Factors by the importance of a request. A request is accepted while the number of requests in progress is below the
 * limit of concurrent requests times the factor of the request.
 */
const factors: Readonly<Record<Importance, number>> = { low: 1, normal: 1.5, high: 2 }

type Level = 'flooded' | 'late' | 'busy'

interface RequestCounts {
  readonly accepted: number
  readonly rejected: number
  readonly ended: number
}

const noRequests: RequestCounts = { accepted: 0, rejected: 0, ended: 0 }

export function openLoadShedder({ sample, every = everyMs }: LoadShedderOptions): LoadShedder {
  let limit = limitCalm
  let peak = 0
  let requests: RequestCounts = noRequests
  let busySamples = 0
  const flood = openFloodDetector()
  /**
   * Numbers of requests that ended in each of the latest load samples. Empty if no requests wait for a database
   * connection.
   */
  let endedWhileWaiting: readonly number[] = []
  const queues: (() => number)[] = []

  /**
   * Reports whether the last request in the queue for a database connection would wait too long. The estimate assumes
   * that requests continue to end at the rate of the latest load samples.
   */
  const isLate = (waiting: number): boolean => {
    endedWhileWaiting = waiting === 0 ? [] : [...endedWhileWaiting, requests.ended].slice(-samplesMin.late)
    if (endedWhileWaiting.length < samplesMin.late) return false
    const ended = endedWhileWaiting.reduce((sum, count) => sum + count)
    return waiting * samplesMin.late * sampleMs > ended * requestLimits.queuedMs
  }
  const level = (): Level | undefined => {
    const { loopDelayMs, loopUtilization, waiting: waitingForPool } = sample()
    const waiting = queues.reduce((sum, count) => sum + count(), waitingForPool)
    const isFlooded = flood.add(requests)
    const delayMaxMs = isFlooded ? loopDelayMaxMs.flooded : loopDelayMaxMs.busy
    const isBusy = waiting > 0 || (loopUtilization >= loopUtilizationMin && loopDelayMs > delayMaxMs)
    busySamples = isBusy ? busySamples + 1 : 0
    if (isLate(waiting)) return isFlooded ? 'flooded' : 'late'
    if (isFlooded && isBusy) return 'flooded'
    return busySamples >= samplesMin.busy ? 'busy' : undefined
  }
  const adapt = () => {
    const wasFlooded = flood.isFlooded()
    const current = level()
    const floor = current === undefined ? limit : limitMin[current]
    // The limit of concurrent requests stays near the number of requests in progress, because a much higher limit would
    // need a long time to fall.
    if (current !== undefined && limit > floor)
      limit = Math.max(floor, Math.min(limit, Math.max(peak, floor)) * reduction[current])
    else if (current !== 'late' && current !== 'flooded') {
      limit = Math.min(limit * growth, Math.max(limitCalm, Math.min(limitMax, 2 * peak)))
      // After a flood, the limit returns to `limitCalm` at once. If the limit instead grew from two requests by a tenth
      // per sample, requests would be rejected for seconds after a short flood.
      if (wasFlooded && !flood.isFlooded()) limit = Math.max(limit, limitCalm)
    }
    requests = noRequests
    peak = 0
  }
  const stop = every(sampleMs, adapt)

  return {
    rejects: ({ importance, inProgress }) => {
      peak = Math.max(peak, inProgress + 1)
      const isRejected = inProgress >= limit * factors[importance]
      if (isRejected) requests = { ...requests, rejected: requests.rejected + 1 }
      return isRejected
    },
    accept: () => {
      requests = { ...requests, accepted: requests.accepted + 1 }
    },
    end: () => {
      requests = { ...requests, ended: requests.ended + 1 }
    },
    addQueue: (count) => void queues.push(count),
    limit: () => limit,
    stop,
  }
}

/** Recognises a flood of requests by the numbers of accepted and rejected requests in each load sample. */
interface FloodDetector {
  /** Returns whether the process now has a flood of requests. */
  add(requests: RequestCounts): boolean
  isFlooded(): boolean
}

function openFloodDetector(): FloodDetector {
  /** Numbers of requests that ended in each of the first samples of the flood. Empty without a flood. */
  let ended: readonly number[] = []
  let ignoredSamples = 0
  const isFlooded = () => ended.length >= samplesMin.flooded

  /**
   * Reports whether the lowered limit of concurrent requests does harm during a flood of requests: far fewer requests
   * end in the latest samples than in the first samples of the flood.
   */
  const isHarmful = () => {
    const before = Math.max(...ended.slice(0, samplesMin.flooded))
    const latest = ended.slice(-trial.latestSamples).reduce((sum, count) => sum + count) / trial.latestSamples
    return latest < before * trial.endedShareMin
  }
  const add = (requests: RequestCounts) => {
    ignoredSamples = Math.max(0, ignoredSamples - 1)
    if (ignoredSamples > 0 || requests.rejected <= rejectionsMax * requests.accepted) ended = []
    // Samples are stored only until the check with the settings `trial`. After this check, no further samples are
    // needed: the flood ends with the first sample that has few rejections.
    else if (ended.length <= trial.samples) ended = [...ended, requests.ended]
    if (ended.length === trial.samples && isHarmful()) {
      ended = []
      ignoredSamples = trial.ignoredSamples
    }
    return isFlooded()
  }
  return { add, isFlooded }
}

/**
 * Interval, in milliseconds, of the timer that measures the delay of the event loop. Each run of the timer records the
 * time since its previous run.
 */
const loopResolutionMs = 10

/**
 * Measures the load of the event loop. `sample` returns the load since its previous call. `stop` ends the measurement.
 */
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
