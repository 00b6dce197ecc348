import { sql } from 'kysely'
import { fieldName } from '../core/json.ts'

/** The records with one kind of condition that needs manual action: the first rows, and the number of all rows. */
export interface Concern<Row> {
  readonly rows: readonly Row[]
  /** Number of all rows that need attention, at most `countedMax`. At this maximum, there may be more rows. */
  readonly count: number
}

/** Number of rows that the start page shows for each kind of condition. The start page links to a list of all rows. */
const shownMax = 5

/**
 * Maximum number of rows that are counted for each kind of condition. An exact number above this maximum would make no
 * difference to the member.
 */
export const countedMax = 100

/** SQL literal of `countedMax`, for the `limit` clause of each search. */
export const counted = sql.lit(countedMax)

/**
 * Returns SQL that selects one JSON object with the first rows of a query and the number of all its rows. The times in
 * these rows have the format of the service.
 */
export function concernOf(rows: ReturnType<typeof sql>, order: string, times: readonly string[]) {
  const fields = times.map(
    (name) => sql`${sql.lit(name)}, to_char(${fieldName(name)}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  )
  return sql`(
    select jsonb_build_object(
      'count', count(*),
      'rows', coalesce(
        jsonb_agg(
          to_jsonb(concern) || jsonb_build_object(${sql.join(fields)}) order by ${sql.raw(order)}
        ) filter (where place <= ${sql.lit(shownMax)}),
        '[]'
      )
    )
    from (select found.*, row_number() over (order by ${sql.raw(order)}) as place from (${rows}) found) concern
  )`
}

/**
 * Age in days from which a failed refund is no longer shown as a problem. By then, the shop has usually paid the
 * customer in another way, or has decided not to pay.
 */
export const failedRefundDays = 30

/** A refund that failed after the returned time is shown as a problem of its order. */
export function failedSince(now: unknown) {
  return sql`${now}::timestamptz - make_interval(days => ${sql.lit(failedRefundDays)})`
}
