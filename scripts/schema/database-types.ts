import * as vocabulary from '../../registry/values/vocabulary.ts'
import { fieldOf } from '../../src/store/core/names.ts'
import { ownTables, readCatalogue } from './catalogue.ts'

interface Column {
  readonly table: string
  readonly name: string
  /** The PostgreSQL type of the column. For a domain type, its base type. */
  readonly type: string
  readonly isArray: boolean
  readonly isNullable: boolean
  readonly hasDefault: boolean
  readonly isGeneratedAlways: boolean
}

/** Returns the text of generated/database.ts, which contains the Kysely row type of each table, with the names of its fields. */
export async function databaseTypes(connectionString: string): Promise<string> {
  const columns = await readCatalogue(connectionString, async (client) => {
    const { rows } = await client.query<Column>(columnsQuery)
    return rows
  })
  const tables = [...Map.groupBy(columns, (column) => column.table)]
  const interfaces = tables.map(([table, ofTable]) => tableInterface(table, ofTable))
  return [
    headerOf(branded.filter((type) => interfaces.some((text) => new RegExp(`\\b${type}\\b`).test(text)))),
    ...interfaces,
    `export interface Tables {\n${tables.map(([table]) => `  ${table}: ${interfaceName(table)}`).join('\n')}\n}\n`,
  ].join('\n')
}

const headerOf = (
  types: readonly string[],
) => `// DO NOT EDIT. Written by \`npm run generate\` from the migrated schema.

import type { ColumnType } from 'kysely'
import type { ${types.join(', ')} } from '../registry/values/vocabulary.ts'

/** A column the database fills in when an insert leaves it out. */
export type Generated<T> =
  T extends ColumnType<infer Select, infer Insert, infer Update>
    ? ColumnType<Select, Insert | undefined, Update>
    : ColumnType<T, T | undefined, T>

/** Read as parsed JSON, written as JSON text. */
export type JsonColumn = ColumnType<unknown, string, string>
`

// The query does not resolve domains that are based on another domain. The schema has none.
const columnsQuery = `
  select t.name as table,
    a.attname as name,
    coalesce(element.typname, base.typname) as type,
    element.oid is not null as "isArray",
    not a.attnotnull as "isNullable",
    a.atthasdef and a.attgenerated = '' or a.attidentity = 'd' as "hasDefault",
    a.attgenerated <> '' or a.attidentity = 'a' as "isGeneratedAlways"
  from (${ownTables}) t
  join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
  join pg_type declared on declared.oid = a.atttypid
  join pg_type base on base.oid = case declared.typtype when 'd' then declared.typbasetype else declared.oid end
  left join pg_type element on base.typcategory = 'A' and element.oid = base.typelem
  order by t.name collate "C", a.attnum`

/** The TypeScript type of each PostgreSQL type, as the parsers of store/core/database.ts return it. */
const typescriptTypes: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  cidr: 'string',
  date: 'string',
  float8: 'number',
  inet: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  jsonb: 'JsonColumn',
  text: 'string',
  timestamptz: 'Timestamp',
  uuid: 'string',
  xid8: 'string',
}

/**
 * Columns with ids whose names differ from the names of the id types. All other columns with ids have the name of their
 * type.
 */
const renamedIds: Readonly<Record<string, string>> = {
  liveMerchantId: 'MerchantId',
  itemId: 'OrderItemId',
  exchangeOfReturnId: 'ReturnId',
}

/** The types of the ids of records, by table. The type of a table applies to its column `id`. */
const ownIdTypes: Readonly<Record<string, string>> = {
  merchants: 'MerchantId',
  api_tokens: 'TokenId',
  users: 'UserId',
  members: 'MemberId',
  invitations: 'InvitationId',
  sessions: 'SessionId',
  orders: 'OrderId',
  order_comments: 'CommentId',
  order_items: 'OrderItemId',
  products: 'ProductId',
  product_variants: 'VariantId',
  stock_movements: 'MovementId',
  customers: 'CustomerId',
  customer_addresses: 'AddressId',
  discounts: 'DiscountId',
  discount_redemptions: 'RedemptionId',
  payments: 'PaymentId',
  payment_links: 'PaymentLinkId',
  refunds: 'RefundId',
  remittances: 'RemittanceId',
  returns: 'ReturnId',
  quotes: 'QuoteId',
  quote_offers: 'OfferId',
  shipments: 'ShipmentId',
  schedule_predictions: 'ScheduleId',
  surge_snapshots: 'SurgeSnapshotId',
  webhook_endpoints: 'EndpointId',
  webhook_events: 'EventId',
  webhook_deliveries: 'DeliveryId',
  webhook_bulk_replays: 'BulkReplayId',
  product_imports: 'ImportId',
}

const branded = ['Kobo', 'Timestamp', ...Object.keys(vocabulary).filter((name) => name.endsWith('Id'))].toSorted()

/**
 * Reports whether a column contains other values than its name suggests. This applies to the tables of the simulated
 * companies, which have ids and prices of their own, and to `token_id` of `idempotency_keys`, which may be the id of a
 * member instead of a token.
 */
function isForeign({ table, name }: Column): boolean {
  return table.startsWith('simulated_') || (table === 'idempotency_keys' && name === 'token_id')
}

function brandOf(column: Column): string | undefined {
  const { table, name } = column
  if (isForeign(column)) return undefined
  if (name === 'id') return ownIdTypes[table]
  if (name.endsWith('_kobo')) return 'Kobo'
  const field = fieldOf(name)
  const type = renamedIds[field] ?? field.charAt(0).toUpperCase() + field.slice(1)
  return branded.includes(type) ? type : undefined
}

function tableInterface(table: string, columns: readonly Column[]): string {
  const lines = columns.map((column) => `  ${fieldOf(column.name)}: ${columnType(column)}`)
  return `export interface ${interfaceName(table)} {\n${lines.join('\n')}\n}\n`
}

function columnType(column: Column): string {
  const plain = brandOf(column) ?? typescriptTypes[column.type]
  if (plain === undefined) {
    throw new Error(
      `Column ${column.table}.${column.name} has type ${column.type}: add it to typescriptTypes in scripts/schema/database-types.ts.`,
    )
  }
  const type = `${plain}${column.isArray ? '[]' : ''}${column.isNullable ? ' | null' : ''}`
  if (column.isGeneratedAlways) return `ColumnType<${type}, never, never>`
  return column.hasDefault ? `Generated<${type}>` : type
}

function interfaceName(table: string): string {
  return table.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
