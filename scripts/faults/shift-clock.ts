/** Preloaded into a process to simulate a wrong system clock, ahead by CLOCK_AHEAD_MS. */

const aheadMs = Number(process.env.CLOCK_AHEAD_MS)
const trueNow = Date.now
const now = () => trueNow() + aheadMs

globalThis.Date = new Proxy(Date, {
  construct: (target, parts: unknown[], newTarget) =>
    Reflect.construct(target, parts.length === 0 ? [now()] : parts, newTarget),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
})
