/**
 * A minimal model of the delivery rules, written from the specification without reference to the service's code. It
 * executes one delivery attempt at a time, during which its clock does not advance.
 */
export interface Expected {
  status: 'pending' | 'failed' | 'succeeded' | 'held' | 'skipped'
  attempts: number
  dueMs: number | undefined
  waitsForPace: boolean
  failedMs: number
  original?: Expected
  isSample?: boolean
}

const minute = 60_000
const delaysMs = [1, 5, 30, 120, 720, 1440].map((minutes) => minutes * minute)
const pacesMs = [2, 4, 8, 16, 32].map((seconds) => seconds * 1000)

export function openReference(answers: () => boolean) {
  const endpoint = { isEnabled: true, failures: 0, pacedUntilMs: 0 }
  const deliveries: Expected[] = []
  const add = (nowMs: number, more: Partial<Expected> = {}) => {
    const pending: Expected = { status: 'pending', attempts: 0, dueMs: nowMs, waitsForPace: true, failedMs: 0 }
    deliveries.push({ ...pending, ...more })
  }
  const disable = () => {
    endpoint.isEnabled = false
    for (const each of deliveries) {
      if (each.dueMs !== undefined && each.waitsForPace !== undefined && !each.original && !each.isSample)
        Object.assign(each, { status: 'held', dueMs: undefined })
    }
  }
  const succeed = (delivery: Expected) => {
    Object.assign(delivery, { status: 'succeeded', dueMs: undefined })
    if (delivery.original) Object.assign(delivery.original, { status: 'succeeded', dueMs: undefined })
    if (!delivery.isSample && (endpoint.isEnabled || delivery.original)) endpoint.failures = endpoint.pacedUntilMs = 0
  }
  const fail = (delivery: Expected, nowMs: number) => {
    const isAutomatic = !delivery.original && !delivery.isSample
    const delayMs = isAutomatic ? delaysMs[delivery.attempts - 1] : undefined
    const dueMs = delayMs === undefined ? undefined : nowMs + delayMs
    Object.assign(delivery, { status: 'failed', dueMs, waitsForPace: false, failedMs: nowMs })
    if (!isAutomatic) return
    endpoint.failures += 1
    endpoint.pacedUntilMs = Math.max(nowMs, endpoint.pacedUntilMs) + (pacesMs[endpoint.failures - 1] ?? 0)
    if (endpoint.failures === 6) disable()
  }
  return {
    endpoint,
    deliveries,
    emit: (nowMs: number) => add(nowMs, endpoint.isEnabled ? {} : { status: 'skipped', dueMs: undefined }),
    sample: (nowMs: number) => add(nowMs, { waitsForPace: false, isSample: true }),
    replay: (original: Expected, nowMs: number) =>
      add(nowMs, { waitsForPace: false, original: original.original ?? original }),
    disable,
    enable: (nowMs: number) => {
      if (endpoint.isEnabled) return
      Object.assign(endpoint, { isEnabled: true, failures: 0, pacedUntilMs: 0 })
      for (const each of deliveries.filter(({ status }) => status === 'held')) {
        const retryMs = each.attempts === 0 ? 0 : each.failedMs + (delaysMs[each.attempts - 1] ?? 0)
        const status = each.attempts === 0 ? 'pending' : 'failed'
        Object.assign(each, { status, dueMs: Math.max(nowMs, retryMs), waitsForPace: true })
      }
    },
    deliver: (nowMs: number) => {
      for (;;) {
        const due = deliveries
          .filter(({ dueMs }) => dueMs !== undefined && dueMs <= nowMs)
          .filter(({ waitsForPace }) => !waitsForPace || endpoint.pacedUntilMs <= nowMs)
          .toSorted((one, other) => (one.dueMs ?? 0) - (other.dueMs ?? 0))
        const [next] = due
        if (next === undefined) return
        next.attempts += 1
        if (answers()) succeed(next)
        else fail(next, nowMs)
      }
    },
  }
}
