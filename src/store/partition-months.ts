import { lowestIdAt, momentOf } from '../ids.ts'

/** Months as partitions: each holds the ids made in it, because ids begin with their moment. */

/** Each table with the prefix of the id its months are ranges of. Attempts lie where their delivery does. */
export const partitioned = [
  { table: 'webhook_attempts', prefix: 'dlv', key: 'delivery_id' },
  { table: 'webhook_deliveries', prefix: 'dlv', key: 'id' },
  { table: 'webhook_events', prefix: 'evt', key: 'id' },
] as const

export type Partitioned = (typeof partitioned)[number]

export type Month = Pick<Partitioned, 'table' | 'prefix'> & {
  /** Since 1970, in UTC. */
  readonly month: number
}

export function monthOf(ms: number): number {
  const date = new Date(ms)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}

export function monthOfId(id: string): number {
  return monthOf(momentOf(id))
}

export function startOf(month: number): number {
  return Date.UTC(1970, month)
}

/** The lowest id of the month. */
export function firstIdOf({ prefix, month }: Pick<Month, 'prefix' | 'month'>): string {
  return lowestIdAt(prefix, startOf(month))
}

/** Such as `webhook_events_202611`. */
export function partitionOf({ table, month }: Pick<Month, 'table' | 'month'>): string {
  return `${table}_${new Date(startOf(month)).toISOString().slice(0, 7).replace('-', '')}`
}

/** By name, because the name is the month. Undefined for the default partition, and for those of another table. */
export function monthOfPartition(table: string, partition: string): number | undefined {
  const [, year, month] = new RegExp(`^${table}_(\\d{4})(\\d{2})$`).exec(partition) ?? []
  return year === undefined || month === undefined ? undefined : (Number(year) - 1970) * 12 + Number(month) - 1
}

/** Attached rather than created in place, which would lock the whole table against every insert. */
export function makingOf({ table, prefix, month }: Month): string[] {
  const partition = partitionOf({ table, month })
  const [from, to] = [firstIdOf({ prefix, month }), firstIdOf({ prefix, month: month + 1 })]
  return [
    `create table ${partition} (like ${table} including defaults including constraints)`,
    ...(table === 'webhook_deliveries' ? [withoutStatistics(partition)] : []),
    `alter table ${table} attach partition ${partition} for values from ('${from}') to ('${to}')`,
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
