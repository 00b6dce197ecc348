import type { Random } from '../../../src/demo/random.ts'
import type { Expected, Role } from './readiness.ts'
import type { Shop } from './shop.ts'
import type { World } from './world.ts'

/** A place of the matrix with a fault. */
export interface Cell {
  readonly name: string
  /** Applies the fault and resolves when it has ended. */
  readonly run: (world: World, fault: Fault) => Promise<void>
  /** Whether clients may lose their connections. If not, each request has a response in time. */
  readonly mayDisconnect: boolean
  /** The processes that the fault restarts, which takes seconds. The others must survive it. */
  readonly restarts: readonly Role[]
  /** The readiness that the processes report from the fault to the recovery. */
  readonly readiness: Readonly<Record<Role, Expected>>
  /** Whether a delivery may be received more often than it was attempted. */
  readonly mayRepeat: boolean
  /** Whether the short version in `npm run verify` includes it. */
  readonly isShort: boolean
}

/** The fault of one round. */
export interface Fault {
  readonly random: Random
  readonly shop: Shop
  /** Resolves after this time, but not before the processes that must report the fault have done so. */
  readonly last: (ms: number) => Promise<void>
}

type Options = Partial<Omit<Cell, 'name' | 'run'>>

export function cell(name: string, run: Cell['run'], options: Options = {}): Cell {
  const readiness = { api: 'ready', worker: 'ready' } as const
  return { name, run, readiness, mayDisconnect: false, restarts: [], mayRepeat: false, isShort: false, ...options }
}

/** How long a fault lasts: longer than a request, shorter than a lease. */
const faultMs = { min: 600, max: 3_000 }

/** Returns the time that a fault lasts at least. */
export function durationOf({ random }: Pick<Fault, 'random'>): number {
  return random.between(faultMs.min, faultMs.max)
}
