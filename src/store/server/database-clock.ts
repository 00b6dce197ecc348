import { performance } from 'node:perf_hooks'
import { sql } from 'kysely'
import { type Clock, clockSkewMaxMs, type MeasuredClock, type Measurement, systemClock } from '../../base/clock.ts'
import { openChannel } from '../core/channel.ts'
import type { Database } from '../core/database.ts'
import { reading } from '../core/statement.ts'

/**
 * The database's clock, readable without a round trip. The clock is measured at regular intervals. Between two
 * measurements, the time that has passed on the process's monotonic clock is added to the last measurement. All
 * processes use this one clock for their decisions. A process whose own clock is wrong, or is set while the process
 * runs, therefore decides like the others. The process's own clock is used only for its own timeouts.
 */
export interface DatabaseClock extends MeasuredClock {
  stop(): void
}

export interface DatabaseClockOptions {
  /** Reads the database's clock, in milliseconds since 1970. */
  readonly read: () => Promise<number>
  /** The process's own clock. It is only compared with the database's clock. */
  readonly processClock?: Clock
  readonly onMeasured?: (measurement: Measurement) => void
  /**
   * Called when a regular measurement of the database's clock has failed. The next measurement follows after the
   * interval.
   */
  readonly onFailed?: (error: unknown) => void
}

/**
 * Interval of the measurements of the database's clock. Within ten seconds, two clocks drift apart by less than a few
 * milliseconds. The interval is also short enough to detect a failover to another server before a lease of 30 seconds
 * expires.
 */
const measureEveryMs = 10_000

/**
 * Number of measurements of the database's clock when the process starts. The best measurement is used, because a
 * single one may be slow: during the start, the machine is busy, and PostgreSQL still has to parse the statement.
 */
const firstMeasurements = 3

/** Assumed drift between two clocks: ten times that of ordinary machines. */
const driftPerMs = 1e-3

/** The database's clock minus the monotonic clock, with the error of the measurement. */
interface Offset {
  readonly ms: number
  readonly errorMs: number
  readonly atMs: number
}

export async function openDatabaseClock(options: DatabaseClockOptions): Promise<DatabaseClock> {
  const { read, processClock = systemClock, onMeasured = () => undefined, onFailed = () => undefined } = options
  let offset = await measureOffset(read)
  const nowMs = () => Math.round(performance.now() + offset.ms)
  const compare = (): Measurement => {
    const skewMs = processClock.nowMs() - nowMs()
    return { nowMs: nowMs(), skewMs, isWithinLimit: Math.abs(skewMs) <= clockSkewMaxMs }
  }
  const adopt = (measured: Offset): Measurement => {
    offset = betterOf(offset, measured)
    const measurement = compare()
    onMeasured(measurement)
    return measurement
  }
  adopt(offset)
  for (let count = 1; count < firstMeasurements; count++) adopt(await measureOffset(read))
  const measure = async () => adopt(await measureOffset(read))
  // While the database is unreachable, the monotonic clock continues from the last measurement.
  const timer = setInterval(() => void measure().catch(onFailed), measureEveryMs)
  timer.unref()
  return { nowMs, measure, compare, stop: () => clearInterval(timer) }
}

/** The server reads its clock at some time during the round trip, so the error is at most half of the round trip. */
async function measureOffset(read: () => Promise<number>): Promise<Offset> {
  const startMs = performance.now()
  const databaseMs = await read()
  const atMs = performance.now()
  const errorMs = (atMs - startMs) / 2
  return { ms: databaseMs - startMs - errorMs, errorMs, atMs }
}

/**
 * Returns the more accurate of two measurements of the database's clock, so that a slow round trip does not replace an
 * accurate measurement. If the two contradict each other, returns the newer one, because the database's clock was set,
 * or another server responds.
 */
function betterOf(known: Offset, measured: Offset): Offset {
  const knownErrorMs = known.errorMs + (measured.atMs - known.atMs) * driftPerMs
  const isContradiction = Math.abs(measured.ms - known.ms) > knownErrorMs + measured.errorMs
  return isContradiction || measured.errorMs <= knownErrorMs ? measured : known
}

const readClock = reading<object>()(
  'read_database_clock',
  () => sql<{ ms: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
)

/**
 * Returns a function that reads the database's clock on a connection that is already checked out. Otherwise, the wait
 * for a connection would add to the measured round trip.
 */
export function clockReaderOf(database: Database): () => Promise<number> {
  return async () => {
    const connection = await database.connect()
    try {
      const [row] = await openChannel(() => connection).run(readClock, {})
      connection.release()
      if (row === undefined) throw new Error('The database returned no time.')
      return row.ms
    } catch (error) {
      connection.release(true)
      throw error
    }
  }
}
