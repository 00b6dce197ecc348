import { type Day, dayMs, type ZoneName, zoneNames } from './day.ts'

/** A simulated shipment, with the times that the service would store. */
export interface Shipment {
  readonly zone: ZoneName
  readonly dispatchedMs: number
  assignedMs: number | undefined
  /** When the customer stopped waiting for a rider. Undefined if the order was not lost. */
  lostMs: number | undefined
  /** Times of the dispatch attempts for this shipment that failed because no rider was available. */
  readonly busyMs: number[]
  acceptedMs: number | undefined
}

export interface Quote {
  readonly zone: ZoneName
  readonly atMs: number
  /** Whether the customer ordered at the quoted price. */
  readonly isUsed: boolean
}

/** The state of the simulated city, from which a rule computes its multipliers. */
export interface City {
  readonly shipments: readonly Shipment[]
  readonly quotes: readonly Quote[]
  idleRiders(zone: ZoneName): number
  waitingShipments(zone: ZoneName): number
}

export interface Rule {
  readonly name: string
  /** Updates the price multipliers of the zones. Called at the start of each simulated minute. */
  update(nowMs: number, city: City): void
  multiplier(zone: ZoneName): number
}

export interface SimulatedDay {
  readonly shipments: readonly Shipment[]
  readonly quotes: readonly Quote[]
  /** Price multipliers of each zone, by minute. */
  readonly prices: ReadonlyMap<ZoneName, readonly number[]>
}

const minuteMs = 60_000

/** How long a customer waits for a rider before the order is lost. */
const patienceMs = 20 * minuteMs

/** Delay before the next dispatch attempt when no rider was available. */
const retryDelayMs = 4 * minuteMs

interface Rider {
  readonly zone: ZoneName
  freeAtMs: number
}

/** Step of the simulation, short compared with every measured time. */
const stepMs = 10_000

/**
 * Simulates a day at the prices of a pricing rule: which customers order, how long they wait, and which orders are
 * lost.
 */
export function simulateDay(day: Day, rule: Rule): SimulatedDay {
  const riders: Rider[] = []
  const queue: { readonly shipment: Shipment; readonly rideMs: number; readonly acceptMs: number }[] = []
  const shipments: Shipment[] = []
  const quotes: Quote[] = []
  const prices = new Map<ZoneName, number[]>(zoneNames.map((zone) => [zone, []]))
  let nowMs = 0
  const onDuty = (zone: ZoneName) => riders.filter((rider) => rider.zone === zone).slice(0, day.ridersAt(nowMs))
  const city: City = {
    shipments,
    quotes,
    idleRiders: (zone) => onDuty(zone).filter(({ freeAtMs }) => freeAtMs <= nowMs).length,
    waitingShipments: (zone) => queue.filter(({ shipment }) => shipment.zone === zone).length,
  }
  for (const zone of zoneNames) for (let count = 0; count < day.ridersAt(0); count++) riders.push({ zone, freeAtMs: 0 })
  let nextCustomer = 0
  for (; nowMs < dayMs; nowMs += stepMs) {
    if (nowMs % minuteMs === 0) {
      rule.update(nowMs, city)
      for (const zone of zoneNames) prices.get(zone)?.push(rule.multiplier(zone))
    }
    for (; nextCustomer < day.customers.length; nextCustomer++) {
      const customer = day.customers[nextCustomer]
      if (customer === undefined || customer.atMs >= nowMs + stepMs) break
      const isUsed = rule.multiplier(customer.zone) <= customer.highestMultiplier
      quotes.push({ zone: customer.zone, atMs: nowMs, isUsed })
      if (!isUsed) continue
      const shipment: Shipment = {
        zone: customer.zone,
        dispatchedMs: nowMs,
        assignedMs: undefined,
        lostMs: undefined,
        busyMs: [],
        acceptedMs: undefined,
      }
      shipments.push(shipment)
      queue.push({ shipment, rideMs: customer.rideMs, acceptMs: customer.acceptMs })
    }
    assignRiders()
  }
  return { shipments, quotes, prices }

  function assignRiders() {
    for (const waiting of [...queue]) {
      const { shipment, rideMs, acceptMs } = waiting
      const rider = onDuty(shipment.zone).find(({ freeAtMs }) => freeAtMs <= nowMs)
      if (rider !== undefined) {
        shipment.acceptedMs = nowMs
        shipment.assignedMs = nowMs + acceptMs
        rider.freeAtMs = nowMs + acceptMs + rideMs
      } else if (nowMs - shipment.dispatchedMs >= patienceMs) {
        shipment.lostMs = nowMs
      } else {
        const lastAttemptMs = shipment.busyMs.at(-1)
        if (lastAttemptMs === undefined || nowMs - lastAttemptMs >= retryDelayMs) shipment.busyMs.push(nowMs)
        continue
      }
      queue.splice(queue.indexOf(waiting), 1)
    }
  }
}
