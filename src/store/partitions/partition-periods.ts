import { requestLogDays, webhookRetentionDays } from '../../../registry/values/limits.ts'
import { lowestIdAt, timeOfId } from '../../base/ids.ts'

/**
 * Partitions of one month or one day each. They are ranges of record ids, because an id starts with the creation time
 * of its record.
 */

export type Unit = 'month' | 'day'

/**
 * The partitioned tables with their partition keys. The attempts of a delivery are in the partition of the delivery's
 * month. Deliveries have monthly rather than weekly partitions, because every query for due deliveries scans all
 * partitions.
 */
export const partitioned = [
  {
    table: 'webhook_attempts',
    prefix: 'dlv',
    key: 'delivery_id',
    primaryKey: ['merchant_id', 'delivery_id', 'number'],
    unit: 'month',
    retentionDays: webhookRetentionDays,
  },
  {
    table: 'webhook_deliveries',
    prefix: 'dlv',
    key: 'id',
    primaryKey: ['merchant_id', 'id'],
    unit: 'month',
    retentionDays: webhookRetentionDays,
  },
  {
    table: 'webhook_events',
    prefix: 'evt',
    key: 'id',
    primaryKey: ['merchant_id', 'id'],
    unit: 'month',
    retentionDays: webhookRetentionDays,
  },
  {
    table: 'request_log',
    prefix: 'req',
    key: 'id',
    primaryKey: ['merchant_id', 'id'],
    unit: 'day',
    retentionDays: requestLogDays,
  },
] as const

export type Partitioned = (typeof partitioned)[number]

export type Period = Pick<Partitioned, 'table' | 'prefix' | 'key' | 'unit'> & {
  /** Number of the month or day, counted from 1970-01-01 in UTC. */
  readonly number: number
}

const dayMs = 24 * 60 * 60 * 1000

/** Returns the number of the month or day in which a time falls. Months and days are counted from 1970-01-01. */
export function numberAt(unit: Unit, ms: number): number {
  if (unit === 'day') return Math.floor(ms / dayMs)
  const date = new Date(ms)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}

export function numberOfId(unit: Unit, id: string): number {
  return numberAt(unit, timeOfId(id))
}

export function startOf({ unit, number }: Pick<Period, 'unit' | 'number'>): number {
  return unit === 'day' ? number * dayMs : Date.UTC(1970, number)
}

/** Returns the oldest period to retain. A period is dropped once the retention has passed for all its records. */
export function oldestRetainedOf({ unit, retentionDays }: Partitioned, nowMs: number): number {
  return numberAt(unit, nowMs - retentionDays * dayMs)
}

export function firstIdOf({ prefix, unit, number }: Pick<Period, 'prefix' | 'unit' | 'number'>): string {
  return lowestIdAt(prefix, startOf({ unit, number }))
}

export function defaultOf({ table }: Pick<Period, 'table'>): string {
  return `${table}_default`
}

/**
 * Returns the partition's name, for example `webhook_events_202611` or `request_log_20261123`. Years above 9999 have
 * five digits; the last year that an id can contain is 10889.
 */
export function partitionOf({ table, unit, number }: Pick<Period, 'table' | 'unit' | 'number'>): string {
  const date = new Date(startOf({ unit, number }))
  const parts = [date.getUTCMonth() + 1, ...(unit === 'day' ? [date.getUTCDate()] : [])]
  return `${table}_${date.getUTCFullYear()}${parts.map((part) => String(part).padStart(2, '0')).join('')}`
}

const dates = { month: String.raw`(\d{4,5})(\d{2})`, day: String.raw`(\d{4,5})(\d{2})(\d{2})` } as const

/** Parses the period from a partition's name. Undefined for the default partition and partitions of other tables. */
export function numberOfPartition(
  { table, unit }: Pick<Partitioned, 'table' | 'unit'>,
  partition: string,
): number | undefined {
  const [, year, month, day = 1] = new RegExp(`^${table}_${dates[unit]}$`).exec(partition) ?? []
  if (year === undefined || month === undefined) return undefined
  return numberAt(unit, Date.UTC(Number(year), Number(month) - 1, Number(day)))
}

export function rangeOf(period: Pick<Period, 'prefix' | 'unit' | 'number'>): readonly [from: string, to: string] {
  return [firstIdOf(period), firstIdOf({ ...period, number: period.number + 1 })]
}

export function stagingNameOf(period: Pick<Period, 'table' | 'unit' | 'number'>): string {
  return `${partitionOf(period)}_staging`
}
