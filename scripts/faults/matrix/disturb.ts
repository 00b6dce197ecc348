import { setTimeout as wait } from 'node:timers/promises'
import type { Random } from '../../../src/demo/random.ts'
import type { Cell } from './cell.ts'
import type { Load } from './load.ts'
import { processorWaitMs } from './processor-wait.ts'
import { hasReported, isReadySince, monitorReadiness, type Observation, readinessFaults, roles } from './readiness.ts'
import type { Shop } from './shop.ts'
import type { World } from './world.ts'

/** How the service behaved during a fault and after it. */
export interface Disturbance {
  /**
   * Time from the end of the fault until the service has recovered: both processes are ready, and each client has an
   * acknowledged write that it sent after the fault. Null if the service did not recover.
   */
  readonly recoveryMs: number | null
  /**
   * All violations: false reports of readiness, late recoveries, and process exits that the simulated fault does not
   * explain.
   */
  readonly violations: readonly string[]
}

export interface DisturbanceOptions {
  readonly cell: Cell
  readonly load: Load
  readonly random: Random
  readonly shop: Shop
}

/**
 * Time for which clients send requests before the fault is simulated, so that the fault affects requests of every kind.
 */
const warmUpMs = { min: 200, max: 800 }

/**
 * Time within which a process must report a lost database or a wrong clock: five seconds, or 30 on a machine that is
 * always busy.
 */
const reportMaxMs = 5_000
const reportGiveUpMs = 30_000

/**
 * Time within which the service must work again after a fault. The limit is longer for a restarted process, which also
 * needs some seconds to start.
 */
const recoveryMaxMs = 10_000
const restartMaxMs = 30_000

/** Maximum wait for the recovery. If it takes longer, the round reports that the service did not recover. */
const giveUpMs = 120_000

/** Time for which clients send requests after the recovery, so that the round also contains writes after the fault. */
const calmMs = 400

const pollMs = 20

/** Applies the fault of a cell under load, and waits for the recovery. */
export async function disturb(world: World, options: DisturbanceOptions): Promise<Disturbance> {
  const { cell, load, random, shop } = options
  const before = roles.map((role) => ({ role, process: world[role].current() }))
  const monitor = monitorReadiness(world)
  const { observations } = monitor
  let appliedMs: number | undefined
  const last = async (ms: number) => {
    appliedMs = performance.now()
    await Promise.all([wait(ms), untilReported(world, { cell, observations, sinceMs: appliedMs })])
  }
  try {
    await wait(random.between(warmUpMs.min, warmUpMs.max))
    await cell.run(world, { random, shop, last })
    const recovery = await recover(world, load, observations)
    await wait(calmMs)
    const ended = before.filter(({ role, process }) => world[role].current() !== process)
    return {
      recoveryMs: recovery.tookMs,
      violations: [
        ...lateRecovery(cell, recovery),
        ...readinessFaults({ ...cell, expected: cell.readiness, observations, appliedMs }),
        ...ended
          .filter(({ role }) => !cell.restarts.includes(role))
          .map(({ role, process }) => `The ${role} process ended: ${process.output()}`),
      ],
    }
  } finally {
    await monitor.stop()
  }
}

/**
 * Returns how long a request has waited for a processor, in milliseconds. A request waits in three processes: the
 * client, the service and the database server. Only the first two are measured. The wait of the database server is
 * assumed to equal that of the service, because both do equal work with the same priority.
 */
export function waitedMs({ api }: World): number {
  return processorWaitMs([process.pid]) + 2 * processorWaitMs([api.current().pid])
}

interface Reporting {
  readonly cell: Cell
  readonly observations: readonly Observation[]
  readonly sinceMs: number
}

/**
 * Resolves when every process that must report the simulated fault has reported it, or when the time limit for the
 * report has passed.
 */
async function untilReported(world: World, { cell, observations, sinceMs }: Reporting): Promise<void> {
  const waitedBeforeMs = waitedMs(world)
  const reporting = roles.filter((role) => cell.readiness[role] === 'not_ready')
  while (!reporting.every((role) => hasReported(observations, role, sinceMs))) {
    const starvedMs = Math.max(0, waitedMs(world) - waitedBeforeMs)
    const elapsedMs = performance.now() - sinceMs
    if (elapsedMs - starvedMs > reportMaxMs || elapsedMs > reportGiveUpMs) return
    await wait(pollMs)
  }
}

interface Recovery {
  readonly tookMs: number | null
  /** The part of the recovery time during which a process waited for a processor. */
  readonly starvedMs: number
  /** The conditions of the recovery that were not met when the wait ended. */
  readonly missing: string
}

async function recover(world: World, load: Load, observations: readonly Observation[]): Promise<Recovery> {
  const endedMs = performance.now()
  const waitedBeforeMs = waitedMs(world)
  let servedAtMs: number | undefined
  void load.recoveredAfter(endedMs).then((atMs) => {
    servedAtMs = atMs
  })
  const unready = () => roles.filter((role) => !isReadySince(observations, role, endedMs))
  while (servedAtMs === undefined || unready().length > 0) {
    if (performance.now() - endedMs > giveUpMs) break
    await wait(pollMs)
  }
  const missing = [...(servedAtMs === undefined ? ['a write of each client'] : []), ...unready()].join(', ')
  return {
    tookMs: missing === '' ? Math.round(performance.now() - endedMs) : null,
    starvedMs: Math.max(0, waitedMs(world) - waitedBeforeMs),
    missing,
  }
}

function lateRecovery({ restarts }: Cell, { tookMs, starvedMs, missing }: Recovery): string[] {
  const maxMs = restarts.length > 0 ? restartMaxMs : recoveryMaxMs
  if (tookMs === null) return [`The service had not recovered after ${giveUpMs / 1000} s. Missing: ${missing}.`]
  return tookMs - starvedMs <= maxMs ? [] : [`The service recovered ${tookMs} ms after the fault, not within ${maxMs}.`]
}
