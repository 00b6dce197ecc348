import { setTimeout as wait } from 'node:timers/promises'
import { type Cell, cell, durationOf, type Fault } from './cell.ts'
import type { Role } from './readiness.ts'
import type { World } from './world.ts'

const hourMs = 3_600_000

/**
 * Times around which programs that calculate with the system time have failed: a leap day, the new year, and the end of
 * 32-bit time.
 */
const oddMoments = ['2028-02-29T12:00:00Z', '2026-12-31T23:59:58Z', '2038-01-19T03:14:05Z']

/**
 * Step of a clock that runs too fast: it jumps ahead by one second ten times a second, until it is ahead by two
 * minutes.
 */
const driftStepMs = 1_000
const driftEveryMs = 100
const driftMaxMs = 120_000

export const clockCells: readonly Cell[] = [
  startCell('api', '25 h ahead', 25 * hourMs),
  startCell('api', '2 h behind', -2 * hourMs),
  startCell('worker', '25 h ahead', 25 * hourMs),
  startCell('worker', '1 day behind', -24 * hourMs),
  jumpCell('api', '25 h ahead', () => 25 * hourMs),
  jumpCell('api', '2 h back', () => -2 * hourMs),
  jumpCell('api', 'an odd date', ({ random }) => Date.parse(random.pick(oddMoments)) - Date.now()),
  jumpCell('worker', '25 h ahead', () => 25 * hourMs),
  jumpCell('worker', '1 day back', () => -24 * hourMs),
  jumpCell('worker', 'an odd date', ({ random }) => Date.parse(random.pick(oddMoments)) - Date.now()),
  clockCell('api', 'runs too fast', { run: (world, fault) => drift(world, 'api', fault) }),
  clockCell('worker', 'runs too fast', { run: (world, fault) => drift(world, 'worker', fault) }),
]

/** A fault matrix cell in which a process starts with a wrong clock, and is then restarted with the correct clock. */
function startCell(role: Role, shift: string, aheadMs: number): Cell {
  const run = async (world: World, fault: Fault) => {
    try {
      await world.clocks[role].setAhead(aheadMs)
      await world[role].restart()
      await fault.last(durationOf(fault))
    } finally {
      await world.clocks[role].setAhead(0)
      await world[role].restart()
    }
  }
  return clockCell(role, `starts ${shift}`, { run, restarts: [role], mayDisconnect: role === 'api' })
}

/** A fault matrix cell in which the clock is set to a wrong time while the process runs, and is then set back. */
function jumpCell(role: Role, shift: string, aheadMs: (fault: Fault) => number): Cell {
  const run = async ({ clocks }: World, fault: Fault) => {
    try {
      await clocks[role].setAhead(aheadMs(fault))
      await fault.last(durationOf(fault))
    } finally {
      await clocks[role].setAhead(0)
    }
  }
  return clockCell(role, `jumps to ${shift}`, { run, isShort: role === 'api' && shift === '25 h ahead' })
}

function clockCell(
  role: Role,
  fault: string,
  { run, ...options }: Pick<Cell, 'run'> & Partial<Pick<Cell, 'restarts' | 'mayDisconnect' | 'isShort'>>,
): Cell {
  const readiness = { api: 'ready', worker: 'ready', [role]: 'not_ready' } as const
  return cell(`clock: ${role} ${fault}`, run, { ...options, readiness })
}

async function drift({ clocks }: World, role: Role, fault: Fault): Promise<void> {
  try {
    for (let aheadMs = driftStepMs; aheadMs <= driftMaxMs; aheadMs += driftStepMs) {
      await clocks[role].setAhead(aheadMs)
      await wait(driftEveryMs)
    }
    await fault.last(durationOf(fault))
  } finally {
    await clocks[role].setAhead(0)
  }
}
