import { Session } from 'node:inspector/promises'
import { performance } from 'node:perf_hooks'

/** Long enough for the first requests of clients that waited for the start, and for the first work of the parts. */
const checkEveryMs = 2_000

/** The part of the time in which an idle process may work. Above it, V8 collects the garbage by itself. */
const busyShareMax = 0.1

/**
 * Collects the garbage of the start once, as soon as the process is idle. V8 does not: an idle process allocates too little, and
 * would keep about 30 MiB. The inspector starts the collection, because the option of Node.js that exposes a function for it also
 * changes which compiled code the process accepts from the compile cache. The process serves no request during the collection,
 * which takes about a tenth of a second.
 */
export function collectGarbageWhenIdle(): void {
  let before = performance.eventLoopUtilization()
  const check = () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (utilization > busyShareMax) return
    clearInterval(timer)
    void collectGarbage()
  }
  const timer = setInterval(check, checkEveryMs).unref()
}

async function collectGarbage(): Promise<void> {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
}
