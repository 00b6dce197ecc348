import { type RawBuilder, sql } from 'kysely'
import type { Tables } from '../tables/tables.ts'
import type { Database } from './database.ts'
import { columnOf } from './names.ts'
import { isOf, type MerchantCondition, searching, writing } from './statement.ts'

/**
 * Changes rows whose retention has ended, for all merchants and in batches. A read without locks finds the keys of the
 * oldest such rows. A statement for each merchant then locks and changes the rows of this merchant. This statement
 * checks the retention again, because a row may have changed since it was found.
 */

interface Retention<Args, Table extends keyof Tables & string> {
  /** The name of the statement that changes the rows. */
  readonly label: string
  readonly table: Table
  /** The fields of the primary key, apart from the merchant's id, which comes first. */
  readonly key: readonly (keyof Tables[Table] & string)[]
  /** The indexed column by which the oldest rows are found first. */
  readonly age: string
  /**
   * SQL condition that the retention period of a row has ended. If the condition reads another table, it must limit the
   * rows of that table to the same merchants, with `isIncluded`.
   */
  readonly hasEnded: (p: Args, isIncluded: MerchantCondition) => RawBuilder<unknown>
  /** Maximum number of rows per batch, so few that each statement takes a fraction of a second. */
  readonly size: number
}

/** The primary key of a row: an object with one field for each column of the key. */
type FoundRow = Readonly<Record<string, unknown>> & { readonly merchantId: string }

interface RowsOfMerchant {
  readonly merchantId: string
  /** The primary keys of the rows, as JSON text. */
  readonly keys: string
}

export function deletingExpired<Args extends object>() {
  return <Table extends keyof Tables & string>(retention: Retention<Args, Table>) => {
    const [table, key] = [sql.table(retention.table), columnsOf(retention.key)]
    return declare(retention, sql`for update`, (p, expired) => {
      return sql`
        with expired as (${expired})
        delete from ${table}
        where merchant_id = ${p.merchantId} and (${key}) in (select ${key} from expired)
        returning merchant_id`
    })
  }
}

/**
 * Declares an update, such as a redaction, of the rows of a table whose retention has ended. `change` builds the SQL
 * statement of the update. The statement begins with the given query for the rows, and returns each changed row.
 */
export function updatingExpired<Args extends object>() {
  return <Table extends keyof Tables & string>(
    retention: Retention<Args, Table>,
    change: (p: Args & RowsOfMerchant, expired: RawBuilder<unknown>) => RawBuilder<unknown>,
  ) => declare(retention, sql`for no key update`, change)
}

function declare<Args extends object, Table extends keyof Tables & string>(
  { label, table: name, key: fields, age, hasEnded, size }: Retention<Args, Table>,
  lock: RawBuilder<unknown>,
  change: (p: Args & RowsOfMerchant, expired: RawBuilder<unknown>) => RawBuilder<unknown>,
) {
  const [table, key] = [sql.table(name), columnsOf(fields)]

  const find = searching<Args>()(
    `find_${label}`,
    (p, isReachable) => sql<FoundRow>`
      select merchant_id, ${key}
      from ${table}
      where ${isReachable('merchantId')} and ${hasEnded(p, isReachable)}
      order by ${sql.ref(age)}
      limit ${sql.lit(size)}`,
  )

  const statement = writing<Args & RowsOfMerchant>()(label, (p) =>
    change(
      p,
      sql`
        select ${key}
        from ${table}
        where merchant_id = ${p.merchantId}
          and (${key}) in (select ${key} from json_populate_recordset(null::${table}, ${p.keys}::json))
          and ${hasEnded(p, isOf(p.merchantId))}
        ${lock} skip locked`,
    ),
  )

  const keysOf = (rows: readonly FoundRow[]) =>
    JSON.stringify(rows.map((row) => Object.fromEntries(fields.map((field) => [columnOf(field), row[field]]))))

  return {
    find,
    change: statement,

    /**
     * Searches and changes rows until none is left to change, and returns the number of changed rows. Rows that another
     * transaction has locked are skipped; the next run of the job changes them.
     */
    run: async (database: Database, args: Args): Promise<number> => {
      let total = 0
      for (;;) {
        const found = await database.search(find, args)
        let changed = 0
        for (const [merchantId, rows] of Map.groupBy(found, (row) => row.merchantId))
          changed += (await database.run(statement, { ...args, merchantId, keys: keysOf(rows) })).length
        total += changed
        if (found.length < size || changed === 0) return total
      }
    },
  }
}

function columnsOf(fields: readonly string[]): RawBuilder<unknown> {
  return sql.join(fields.map((field) => sql.ref(columnOf(field))))
}
