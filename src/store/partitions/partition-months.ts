import { lowestIdAt, timeOfId } from '../../base/ids.ts'

/** Months as partitions: each holds the ids made in it, because ids begin with their moment. */

/** Each table with the prefix of the id its months are ranges of. Attempts lie where their delivery does. */
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
  /** Since 1970, in UTC. */
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

/** The lowest id of the month. */
export function firstIdOf({ prefix, month }: Pick<Month, 'prefix' | 'month'>): string {
  return lowestIdAt(prefix, startOf(month))
}

export function defaultOf({ table }: Pick<Month, 'table'>): string {
  return `${table}_default`
}

/** Such as `webhook_events_202611`. A year beyond 9999 has five digits; ids end in the year 10889. */
export function partitionOf({ table, month }: Pick<Month, 'table' | 'month'>): string {
  const date = new Date(startOf(month))
  return `${table}_${date.getUTCFullYear()}${String(date.getUTCMonth() + 1).padStart(2, '0')}`
}

/** By name, because the name is the month. Undefined for the default partition, and for those of another table. */
export function monthOfPartition(table: string, partition: string): number | undefined {
  const [, year, month] = new RegExp(`^${table}_(\\d{4,5})(\\d{2})$`).exec(partition) ?? []
  return year === undefined || month === undefined ? undefined : (Number(year) - 1970) * 12 + Number(month) - 1
}

/** The first id of the month and that of the next one. */
export function rangeOf({ prefix, month }: Pick<Month, 'prefix' | 'month'>): readonly [from: string, to: string] {
  return [firstIdOf({ prefix, month }), firstIdOf({ prefix, month: month + 1 })]
}

/** Attached rather than created in place, which would lock the whole table against every insert. */
export function makingOf(month: Month): string[] {
  return [...stagingOf(month), ...attachingOf(month)]
}

/** A table to be filled before it is attached. */
export function stagingNameOf(month: Pick<Month, 'table' | 'month'>): string {
  return `${partitionOf(month)}_staging`
}

/** Its constraint proves which ids it holds, so that attaching it reads none of its rows; its indexes are those of the table. */
export function stagingOf(month: Month): string[] {
  const { table, key } = month
  const staging = stagingNameOf(month)
  const [from, to] = rangeOf(month)
  return [
    // One that a process left behind when it was killed.
    `drop table if exists ${staging}`,
    `create table ${staging} (
       like ${table} including defaults including constraints including indexes,
       constraint partition_holds_its_month check (${key} >= '${from}' and ${key} < '${to}')
     )`,
    ...(table === 'webhook_deliveries' ? [withoutStatistics(staging)] : []),
  ]
}

export function attachingOf(month: Month): string[] {
  const partition = partitionOf(month)
  const [from, to] = rangeOf(month)
  return [
    `alter table ${stagingNameOf(month)} rename to ${partition}`,
    `alter table ${month.table} attach partition ${partition} for values from ('${from}') to ('${to}')`,
    `alter table ${partition} drop constraint partition_holds_its_month`,
  ]
}

/**
 * Of the columns the partial indexes are made by. Statistics are mostly gathered while nothing waits; they would say that those
 * indexes hold nothing, however many pages they have, and PostgreSQL would rather read all deliveries of a merchant.
 */
const uncounted = ['status', 'next_attempt_at', 'lease_until', 'replay_of', 'bulk_replay_id']

function withoutStatistics(partition: string): string {
  const columns = uncounted.map((column) => `alter column ${column} set statistics 0`)
  return `alter table ${partition} ${columns.join(', ')}`
}
