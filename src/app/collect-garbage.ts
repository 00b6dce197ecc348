import { performance } from 'node:perf_hooks'

/**
 * Interval in milliseconds at which collectGarbageWhenIdle() checks whether the process is idle. It is long enough for
 * the first requests after the start and for the first work of the worker.
 */
const checkEveryMs = 2_000

/**
 * A process is treated as idle if its event loop is busy for at most this share of the time. An idle worker is busy for
 * a much smaller share. In a busier process, the pause of a garbage collection would delay so many requests that the
 * process sheds load.
 */
const busyShareMax = 0.05

/**
 * Collects the garbage that the start of the process has left. This happens a single time, as soon as the process has
 * been idle for two seconds. Requires the Node.js option `--expose-gc`. V8 itself does not collect this garbage,
 * because an idle process allocates too little, so 30 to 35 MiB would stay in use. The collection takes about a tenth
 * of a second, in which the process serves no request.
 */
export function collectGarbageWhenIdle(stopping: AbortSignal): void {
  const { gc } = globalThis
  if (gc === undefined) return
  let before = performance.eventLoopUtilization()
  const check = () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (utilization > busyShareMax) return
    clearInterval(timer)
    // `last-resort` makes the garbage collection return the memory to the operating system at once.
    void gc({ type: 'major', flavor: 'last-resort', execution: 'async' })
  }
  const timer = setInterval(check, checkEveryMs).unref()
  stopping.addEventListener('abort', () => clearInterval(timer), { once: true })
}
