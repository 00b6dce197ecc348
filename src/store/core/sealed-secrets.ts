import { sql } from 'kysely'
import type { Database, ReadDb } from './database.ts'
import { columnOf } from './names.ts'
import { retryConflicts } from './retry-conflicts.ts'
import { reading, writing } from './statement.ts'

/**
 * A page of the secrets that are not encrypted with the key that `mark` identifies. The page starts after the row
 * `after`.
 */
interface Page<Row> {
  readonly mark: Buffer
  readonly after: Row | undefined
  readonly limit: number
}

/**
 * Declares the statements that re-encrypt the secrets in a column of a table. The primary key of the table consists of
 * text columns. The first of these columns is the owner of the secrets, a merchant or a user.
 */
export function sealedSecrets<Key extends object>(
  table: string,
  column: string,
  fields: readonly [owner: keyof Key & string, ...others: (keyof Key & string)[]],
) {
  type Row = Key & { readonly sealed: Buffer }
  const [of, secret, columns] = [sql.table(table), sql.ref(column), fields.map((field) => sql.ref(columnOf(field)))]
  const [owner] = fields

  const exist = reading<object>()(`any_${column}`, () => sql`select from ${of} where ${secret} is not null limit 1`)

  const listStale = reading<{ mark: Buffer; after: readonly string[]; limit: number }>()(
    `list_stale_${column}`,
    (p) => sql<Row>`
      select ${sql.join(columns)}, ${secret} as sealed
      from ${of}
      where ${secret} is not null
        and substr(${secret}, 1, length(${p.mark}::bytea)) <> ${p.mark}::bytea
        and (${sql.join(columns)}) > (${sql.join(columns.map((_, index) => sql`(${p.after}::text[])[${sql.lit(index + 1)}]`))})
      order by ${sql.join(columns)}
      limit ${p.limit}::integer`,
  )

  // Only secrets that are unchanged since they were read are updated: another process may have encrypted or replaced a
  // secret.
  const reseal = writing<{ owner: string; rows: string }>()(
    `reseal_${column}`,
    (p) => sql<object>`
      update ${of} stored
      set ${secret} = decode(resealed.after, 'hex')
      from jsonb_to_recordset(${p.rows}::jsonb)
        as resealed (${sql.join(columns.map((each) => sql`${each} text`))}, before text, after text)
      where ${sql.join(
        columns.map((each, index) => sql`stored.${each} = ${index === 0 ? sql`${p.owner}` : sql`resealed.${each}`}`),
        sql` and `,
      )}
        and stored.${secret} = decode(resealed.before, 'hex')
      returning ${sql.join(columns.map((each) => sql`stored.${each}`))}`,
  )

  return {
    exist: async (db: ReadDb): Promise<boolean> => (await db.read(exist, {})).length > 0,

    /**
     * The secrets are listed in key order, and each page starts after the previous one, so a secret that cannot be
     * decrypted is not listed again.
     */
    list: (db: ReadDb, { mark, after, limit }: Page<Row>): Promise<readonly Row[]> => {
      return db.read(listStale, { mark, after: fields.map((field) => String(after?.[field] ?? '')), limit })
    },

    /**
     * Stores secrets that were encrypted again, with one statement for each owner. Returns the number of secrets that
     * were stored. A secret that has changed since it was read is not overwritten.
     */
    replace: async (database: Database, secrets: readonly { readonly before: Row; readonly sealed: Buffer }[]) => {
      let replaced = 0
      for (const [ownedBy, owned] of Map.groupBy(secrets, ({ before }) => String(before[owner]))) {
        const rows = owned.map(({ before, sealed }) => ({
          ...Object.fromEntries(fields.map((field) => [columnOf(field), before[field]])),
          ...{ before: before.sealed.toString('hex'), after: sealed.toString('hex') },
        }))
        const args = { owner: ownedBy, rows: JSON.stringify(rows) }
        replaced += (await retryConflicts(() => database.run(reseal, args))).length
      }
      return replaced
    },
  }
}
