import { globSync } from 'node:fs'
import { declaredStatements, type Statement } from '../../src/store/core/statement.ts'
import { tablesOf } from '../../src/store/tables/distribution.ts'
import { readCatalogue } from '../schema/catalogue.ts'
import type { StatementText, Tables } from './relations.ts'

/** A statement of the store, as the check of its relations reads it. */
export interface StoreStatement extends StatementText {
  readonly label: string
}

const root = new URL('../../', import.meta.url)

/** Loads all modules that declare statements, and returns the statements. */
export async function storeStatements(): Promise<readonly StoreStatement[]> {
  const modules = globSync('src/{store,worker}/**/*.ts', { cwd: root.pathname })
  await Promise.all(modules.map((path) => import(new URL(path, root).href)))
  return [...declaredStatements()].map((statement) => {
    return { label: labelOf(statement), text: statement.text, parameters: parametersOf(statement) }
  })
}

/** Returns the name of a statement without the hash of its SQL. */
function labelOf({ name }: Statement<object, unknown>): string {
  return name.slice(0, name.lastIndexOf('_'))
}

/** Stands for the value of an argument. */
class ArgumentName {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

function parametersOf(statement: Statement<object, unknown>): readonly (string | undefined)[] {
  const names = new Proxy({}, { get: (_, name) => new ArgumentName(String(name)) })
  return statement.bind(names).map((value) => (value instanceof ArgumentName ? value.name : undefined))
}

/** Returns the columns of all tables. A table that is not distributed is without its merchant, and needs no condition on it. */
export function readTables(connectionString: string): Promise<Tables> {
  const distributed = new Set(tablesOf('distributed'))
  return readCatalogue(connectionString, async (client) => {
    const { rows } = await client.query<{ table: string; columns: string[] }>(`
      select relname as table, array_agg(attname::text) as columns
      from pg_class
      join pg_attribute on attrelid = pg_class.oid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and attnum > 0
        and not attisdropped
      group by relname`)
    return new Map(
      rows.map(({ table, columns }) => [
        table,
        new Set(distributed.has(table) ? columns : columns.filter((column) => column !== 'merchant_id')),
      ]),
    )
  })
}
