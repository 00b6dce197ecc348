import { sql } from 'kysely'
import { writing } from './statement.ts'
import type { GeneratedTables } from './tables.ts'

type Insertable<Row> = { readonly [Column in keyof Row]?: unknown }

/**
 * A statement that inserts any number of rows of one table from one JSON parameter. The columns are named once, here,
 * and checked against the generated table; what is not named gets its default.
 */
export function insertingRows<Table extends keyof GeneratedTables & string>(
  table: Table,
  columns: readonly (keyof GeneratedTables[Table] & string)[],
) {
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const statement = writing<{ rows: string }>()(
    `insert_${table}`,
    (p) => sql`
      insert into ${sql.table(table)} (${names})
      select ${names}
      from jsonb_populate_recordset(null::${sql.table(table)}, ${p.rows}::jsonb)`,
  )
  return {
    statement,
    args: (rows: readonly Insertable<GeneratedTables[Table]>[]) => ({ rows: JSON.stringify(rows) }),
  }
}
