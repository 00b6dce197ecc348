import { lowestIdAt, timeOfId } from '../../base/ids.ts'

/** Monthly partitions by ranges of ids, which start with their creation time. */

/** The partitioned tables with their partition keys. Attempts are in the month of their delivery. */
export const partitioned = [
  {
    table: 'webhook_attempts',
    prefix: 'dlv',
    key: 'delivery_id',
    primaryKey: ['merchant_id', 'delivery_id', 'number'],
  },
  { table: 'webhook_deliveries', prefix: 'dlv', key: 'id', primaryKey: ['merchant_id', 'id'] },
  { table: 'webhook_events', prefix: 'evt', key: 'id', primaryKey: ['merchant_id', 'id'] },
] as const

export type Partitioned = (typeof partitioned)[number]

export type Month = Pick<Partitioned, 'table' | 'prefix' | 'key'> & {
  /** Months since 1970-01, in UTC. */
  readonly month: number
}

export function monthOf(ms: number): number {
  const date = new Date(ms)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}

export function monthOfId(id: string): number {
  return monthOf(timeOfId(id))
}

export function startOf(month: number): number {
  return Date.UTC(1970, month)
}

/** Returns the lowest id of the month. */
export function firstIdOf({ prefix, month }: Pick<Month, 'prefix' | 'month'>): string {
  return lowestIdAt(prefix, startOf(month))
}

export function defaultOf({ table }: Pick<Month, 'table'>): string {
  return `${table}_default`
}

/**
 * Returns the partition's name, for example `webhook_events_202611`. Years above 9999 have five digits; ids end in
 * 10889.
 */
export function partitionOf({ table, month }: Pick<Month, 'table' | 'month'>): string {
  const date = new Date(startOf(month))
  return `${table}_${date.getUTCFullYear()}${String(date.getUTCMonth() + 1).padStart(2, '0')}`
}

/** Parses the month from a partition's name. Undefined for the default partition and partitions of other tables. */
export function monthOfPartition(table: string, partition: string): number | undefined {
  const [, year, month] = new RegExp(`^${table}_(\\d{4,5})(\\d{2})$`).exec(partition) ?? []
  return year === undefined || month === undefined ? undefined : (Number(year) - 1970) * 12 + Number(month) - 1
}

/** Returns the lowest ids of the month and of the next month. */
export function rangeOf({ prefix, month }: Pick<Month, 'prefix' | 'month'>): readonly [from: string, to: string] {
  return [firstIdOf({ prefix, month }), firstIdOf({ prefix, month: month + 1 })]
}

/** Returns the name of a partition before it is attached. */
export function stagingNameOf(month: Pick<Month, 'table' | 'month'>): string {
  return `${partitionOf(month)}_staging`
}
