import { type RawBuilder, sql } from 'kysely'

/** The text that the hash of an audit row covers: a JSON array of the columns of the row, as PostgreSQL prints them. */

/**
 * The columns of an audit row that its hash covers, in order. The columns of a linked row never change; new columns are
 * listed in
 * `addedLater`.
 */
const audited = [
  'merchant_id',
  'id',
  'occurred_at',
  'actor_type',
  'actor_id',
  'actor_label',
  'action',
  'resource_type',
  'resource_id',
  'request_id',
  'source_ip',
  'user_agent',
  'changes',
  'recorded_at',
  'recorded_xid',
] as const

const sharedAudited = [
  'id',
  'occurred_at',
  'actor_type',
  'actor_label',
  'action',
  'resource_type',
  'resource_id',
  'changes',
  'recorded_at',
  'recorded_xid',
] as const

/**
 * For each audit log, the column that a later migration added. If a row has a value in this column, the hash of the row
 * covers this value, after all other values. The hashes of rows from before the migration therefore remain the same,
 * and the verification detects a value that is set or removed afterwards.
 */
const addedLater = { audit: 'session_id', sharedAudit: 'source_ip' } as const

/**
 * A second optional column, which a later migration added to the audit log. If a row has a value in this column, the
 * hash covers 17 values, with the value of the first optional column in place 16, even if it is null. A value of one
 * optional column therefore cannot pass as a value of the other column.
 */
const addedLast = 'resources'

const textsOf = (columns: readonly string[]) =>
  sql`array[${sql.join(columns.map((column) => sql`row_.${sql.ref(column)}::text`))}]`

/**
 * PostgreSQL builds the hashed text, which is JSON without spaces. To build the text, this process would have to parse
 * an array, which would cost more than the hash.
 */
const jsonOf = (texts: RawBuilder<unknown>) => sql<string>`array_to_json(${texts})::text`

const optionalTextOf = (column: string) => sql`array_remove(array[row_.${sql.ref(column)}::text], null)`

/** SQL expression for the text of the `audit_log` row `row_`. The hash of the row is computed from this text. */
export const rowText = jsonOf(sql`
  ${textsOf(audited)} || case
    when row_.${sql.ref(addedLast)} is null then ${optionalTextOf(addedLater.audit)}
    else ${textsOf([addedLater.audit, addedLast])}
  end`)

/** SQL of the text from which the hash of a shared audit row is computed. The row is `row_` of `shared_audit_log`. */
export const sharedRowText = jsonOf(sql`${textsOf(sharedAudited)} || ${optionalTextOf(addedLater.sharedAudit)}`)
