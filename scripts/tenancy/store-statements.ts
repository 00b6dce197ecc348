import { globSync } from 'node:fs'
import { MerchantId } from '../../registry/values/vocabulary.ts'
import { declaredStatements, type Statement } from '../../src/store/core/statement.ts'
import { customerQuery } from '../../src/store/customers/customer-list.ts'
import { orderQuery } from '../../src/store/orders/order-list.ts'
import { productQuery } from '../../src/store/products/product-list.ts'
import { tablesOf } from '../../src/store/tables/distribution.ts'
import { orderCases, pages, productCases } from '../bench/filter-cases.ts'
import { readCatalogue } from '../schema/catalogue.ts'
import type { StatementText, Tables } from './relations.ts'

export interface StoreStatement extends StatementText {
  readonly label: string
  readonly effect: Statement<object, unknown>['effect']
}

/**
 * Names of the arguments that identify a merchant. `chain` is the id of the merchant of an audit log; `owner` is the
 * merchant that owns a stored secret.
 */
export const merchantArguments: readonly string[] = ['merchantId', 'chain', 'owner']

const root = new URL('../../', import.meta.url)

export async function storeStatements(): Promise<readonly StoreStatement[]> {
  const modules = globSync('src/{store,worker}/**/*.ts', { cwd: root.pathname })
  await Promise.all(modules.map((path) => import(new URL(path, root).href)))
  declareLists()
  return [...declaredStatements()].map((statement) => {
    const { text, effect } = statement
    return { label: labelOf(statement), text, effect, parameters: parametersOf(statement) }
  })
}

/** Declares the statements of lists that have one statement for each combination of filters. */
function declareLists(): void {
  const merchantId = MerchantId.parse(`mer_${'0'.repeat(26)}`)
  const customerCases = [{}, { q: 'ada' }, { email: 'ada@example.com' }, { phone: '+2348031234567' }, { tag: 'vip' }]
  for (const page of pages) {
    for (const [, filters] of orderCases) orderQuery(merchantId, filters, page)
    for (const [, filters] of productCases) productQuery(merchantId, filters, page)
    for (const filters of customerCases) customerQuery(merchantId, filters, page)
  }
}

/** Returns the name of a statement without the hash of its SQL. */
function labelOf({ name }: Statement<object, unknown>): string {
  return name.slice(0, name.lastIndexOf('_'))
}

/** Placeholder for the value of an argument, with the name of the argument. */
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

export function readTables(connectionString: string): Promise<Tables> {
  const distributed = new Set<string>(tablesOf('distributed'))
  return readCatalogue(connectionString, async (client) => {
    const { rows } = await client.query<{ table: string; columns: string[] }>(`
      select relname as table, array_agg(attname::text order by attnum) as columns
      from pg_class
      join pg_attribute on attrelid = pg_class.oid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and attnum > 0
        and not attisdropped
      group by relname`)
    return new Map(rows.map(({ table, columns }) => [table, { columns, isDistributed: distributed.has(table) }]))
  })
}
