import { readFileSync } from 'node:fs'

/**
 * Preloaded into a process to simulate a wrong system clock. The clock is ahead by CLOCK_AHEAD_MS, or by the
 * milliseconds in the file CLOCK_FILE, which may change while the process runs. Timers and the monotonic clock stay
 * correct, as on a machine whose clock is set.
 */

/**
 * Interval at which the file with the clock offset is read. It is so short that at most one request has the old time
 * after a change of the offset.
 */
const readEveryMs = 10

const { CLOCK_FILE: file, CLOCK_AHEAD_MS = '0' } = process.env
const read = (path: string) => Number(readFileSync(path, 'utf8'))
let aheadMs = file === undefined ? Number(CLOCK_AHEAD_MS) : read(file)
if (file !== undefined) setInterval(() => (aheadMs = read(file)), readEveryMs).unref()

const trueNow = Date.now
const now = () => trueNow() + aheadMs

globalThis.Date = new Proxy(Date, {
  construct: (target, parts: unknown[], newTarget) =>
    Reflect.construct(target, parts.length === 0 ? [now()] : parts, newTarget),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
})
