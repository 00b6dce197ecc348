import type { Random } from '../../../src/demo/random.ts'
import type { Expected, Role } from './readiness.ts'
import type { Shop } from './shop.ts'
import type { World } from './world.ts'

/** A cell of the fault matrix: a fault, and the part of the system at which it occurs. */
export interface Cell {
  readonly name: string
  /** Applies the fault. Resolves when the fault has ended. */
  readonly run: (world: World, fault: Fault) => Promise<void>
  /** Whether clients may lose their connections during the fault. If not, every request must get a response in time. */
  readonly mayDisconnect: boolean
  /**
   * The processes that the fault of this cell restarts. A restart takes seconds. All other processes must survive the
   * fault.
   */
  readonly restarts: readonly Role[]
  /** The readiness that each process must report from the start of the fault to the recovery. */
  readonly readiness: Readonly<Record<Role, Expected>>
  /** Whether a webhook receiver may get a delivery more often than the database has recorded attempts of it. */
  readonly mayRepeat: boolean
  /** Whether the short run of the fault matrix in `npm run verify` includes this cell. */
  readonly isShort: boolean
}

export interface Fault {
  readonly random: Random
  readonly shop: Shop
  /**
   * Resolves when two conditions are met: the given time has passed, and every process that must report the fault has
   * reported itself as not ready.
   */
  readonly last: (ms: number) => Promise<void>
}

type Options = Partial<Omit<Cell, 'name' | 'run'>>

export function cell(name: string, run: Cell['run'], options: Options = {}): Cell {
  const readiness = { api: 'ready', worker: 'ready' } as const
  return { name, run, readiness, mayDisconnect: false, restarts: [], mayRepeat: false, isShort: false, ...options }
}

/** Duration of a fault: longer than a request takes, and shorter than the lease of a delivery. */
const faultMs = { min: 600, max: 3_000 }

/** Returns the minimum duration of a fault in a cell of the fault matrix. */
export function durationOf({ random }: Pick<Fault, 'random'>): number {
  return random.between(faultMs.min, faultMs.max)
}
