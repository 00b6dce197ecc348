import { type Day, dayMs, type ZoneName, zoneNames } from './day.ts'

/** Lives through a day at the prices of a rule: who orders, who waits for a rider, who is lost. */

/** One asking for a rider, as the service would keep it. */
export interface Sending {
  readonly zone: ZoneName
  readonly dispatchedMs: number
  assignedMs: number | undefined
  /** Gave up waiting. */
  lostMs: number | undefined
  /** Moments at which a carrier was asked and had nobody. */
  readonly busyMs: number[]
  acceptedMs: number | undefined
}

export interface Quoted {
  readonly zone: ZoneName
  readonly atMs: number
  readonly isUsed: boolean
}

export interface Streets {
  readonly sendings: readonly Sending[]
  readonly quotes: readonly Quoted[]
  idleRiders(zone: ZoneName): number
  waiting(zone: ZoneName): number
}

export interface Rule {
  readonly name: string
  /** Called each minute, before what happens in it. */
  look(nowMs: number, streets: Streets): void
  multiplier(zone: ZoneName): number
}

export interface Lived {
  readonly sendings: readonly Sending[]
  readonly quotes: readonly Quoted[]
  /** What each zone cost, minute by minute. */
  readonly prices: ReadonlyMap<ZoneName, readonly number[]>
}

const minuteMs = 60_000

/** Nobody waits longer for a rider than this: the order is lost. */
const patienceMs = 20 * minuteMs

/** A carrier is asked again so long after it had nobody. */
const askAgainMs = 4 * minuteMs

interface Rider {
  readonly zone: ZoneName
  freeAtMs: number
}

/** Riders act in steps of so much: small beside anything that is measured. */
const stepMs = 10_000

export function live(day: Day, rule: Rule): Lived {
  const riders: Rider[] = []
  const queue: { readonly sending: Sending; readonly rideMs: number; readonly acceptMs: number }[] = []
  const sendings: Sending[] = []
  const quotes: Quoted[] = []
  const prices = new Map<ZoneName, number[]>(zoneNames.map((zone) => [zone, []]))
  let nowMs = 0
  const onDuty = (zone: ZoneName) => riders.filter((rider) => rider.zone === zone).slice(0, day.ridersAt(nowMs))
  const streets: Streets = {
    sendings,
    quotes,
    idleRiders: (zone) => onDuty(zone).filter(({ freeAtMs }) => freeAtMs <= nowMs).length,
    waiting: (zone) => queue.filter(({ sending }) => sending.zone === zone).length,
  }
  for (const zone of zoneNames) for (let count = 0; count < day.ridersAt(0); count++) riders.push({ zone, freeAtMs: 0 })
  let nextWish = 0
  for (; nowMs < dayMs; nowMs += stepMs) {
    if (nowMs % minuteMs === 0) {
      rule.look(nowMs, streets)
      for (const zone of zoneNames) prices.get(zone)?.push(rule.multiplier(zone))
    }
    for (; nextWish < day.wishes.length; nextWish++) {
      const wish = day.wishes[nextWish]
      if (wish === undefined || wish.atMs >= nowMs + stepMs) break
      const isUsed = rule.multiplier(wish.zone) <= wish.walksAwayAbove
      quotes.push({ zone: wish.zone, atMs: nowMs, isUsed })
      if (!isUsed) continue
      const sending: Sending = {
        zone: wish.zone,
        dispatchedMs: nowMs,
        assignedMs: undefined,
        lostMs: undefined,
        busyMs: [],
        acceptedMs: undefined,
      }
      sendings.push(sending)
      queue.push({ sending, rideMs: wish.rideMs, acceptMs: wish.acceptMs })
    }
    serve()
  }
  return { sendings, quotes, prices }

  function serve() {
    for (const waiting of [...queue]) {
      const { sending, rideMs, acceptMs } = waiting
      const rider = onDuty(sending.zone).find(({ freeAtMs }) => freeAtMs <= nowMs)
      if (rider !== undefined) {
        sending.acceptedMs = nowMs
        sending.assignedMs = nowMs + acceptMs
        rider.freeAtMs = nowMs + acceptMs + rideMs
      } else if (nowMs - sending.dispatchedMs >= patienceMs) {
        sending.lostMs = nowMs
      } else {
        const asked = sending.busyMs.at(-1)
        if (asked === undefined || nowMs - asked >= askAgainMs) sending.busyMs.push(nowMs)
        continue
      }
      queue.splice(queue.indexOf(waiting), 1)
    }
  }
}
