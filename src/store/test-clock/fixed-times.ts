import { tablesOf } from '../tables/distribution.ts'
import type { Tables } from '../tables/tables.ts'

/**
 * The test clock moves every timestamp in the tables with `merchant_id`, except the times that are listed here with the
 * reason. The times of a new column are therefore moved by default. `test/store/test-clock-times.test.ts` lists every
 * column whose times are moved.
 */

type TimeColumn<Table extends keyof Tables> = keyof Tables[Table] & string

/**
 * The tables of merchants in which an advance of the test clock moves no times. The value of each table is the reason.
 */
export const fixedTables = {
  api_tokens: 'A token must not expire because its holder advances the clock.',
  audit_heads: 'The audit log states real times, which its hash chain protects.',
  audit_log: 'The audit log states real times, which its hash chain protects.',
  audit_queue: 'The audit log states real times.',
  carrier_accounts: 'The account belongs to a carrier, whose time does not move.',
  carrier_call_windows: 'The limits of requests to carriers apply in real time.',
  invitations: 'The person who accepts an invitation acts in real time.',
  logistics_observations: 'Each measurement belongs to the real time of day at which it was made.',
  logistics_quantiles: 'The quantiles are calculated from durations that were measured in real time.',
  members: 'Members also belong to live mode, in which all times are real.',
  notification_mails: 'E-mails are sent in real time.',
  payment_provider_keys: 'The account belongs to a payment provider, whose time the test clock does not change.',
  request_counts: 'The log of requests states real times.',
  request_log: 'The log of requests states real times.',
  schedule_calibrations: 'The calibration is calculated from measurements in real time.',
  webhook_bulk_replays: 'A replay selects deliveries by a range of ids, and these ids contain real times.',
  webhook_events: 'The body of an event contains its time, and every delivery sends the stored body unchanged.',
  webhook_leases: 'A worker holds a lease by the real clock, which an advance of the test clock does not change.',
} as const satisfies Partial<Record<keyof Tables, string>>

/** Columns that the test clock does not move, although it moves the other times of their tables. */
export const fixedColumns = {
  product_imports: {
    leasedUntil: 'A worker holds a lease by the real clock, which an advance of the test clock does not change.',
  },
  webhook_deliveries: {
    leaseUntil: 'A worker holds a lease by the real clock, which an advance of the test clock does not change.',
  },
} as const satisfies { readonly [Table in keyof Tables]?: Partial<Record<TimeColumn<Table>, string>> }

/**
 * The JSON columns in which an advance of the test clock moves the times. JSON columns with texts of the merchant, such
 * as metadata, are not changed.
 */
export const movingDocuments = {
  carrier_callbacks: ['parsedBody'],
  customers: ['marketing'],
  dispatch_attempts: ['offer'],
  quotes: ['pickupWindow', 'dropoffWindow'],
  schedule_predictions: ['schedule', 'request'],
  shipments: ['plan', 'pickupEstimate', 'deliveryEstimate', 'capturedProof', 'exceptions'],
} as const satisfies { readonly [Table in keyof Tables]?: readonly TimeColumn<Table>[] }

export interface MovingTable {
  readonly table: string
  readonly fixed: readonly string[]
  readonly documents: readonly string[]
}

/**
 * Returns the tables whose times the test clock moves. Their columns have the camelCase names that the TypeScript code
 * uses.
 */
export function movingTables(): readonly MovingTable[] {
  const fixed: Readonly<Record<string, object>> = fixedColumns
  const documents: Readonly<Record<string, readonly string[]>> = movingDocuments
  return tablesOf('distributed')
    .filter((table) => !Object.hasOwn(fixedTables, table))
    .map((table) => ({ table, fixed: Object.keys(fixed[table] ?? {}), documents: documents[table] ?? [] }))
}
