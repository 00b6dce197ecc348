import {
  AliasNode,
  ColumnNode,
  type Expression,
  IdentifierNode,
  type OperationNode,
  type RawBuilder,
  ReferenceNode,
  SelectQueryNode,
  type Simplify,
  sql,
} from 'kysely'
import { fieldOf } from './names.ts'

/**
 * Casts a database row to the record from which it was written. Kysely gives columns of jsonb, arrays and sums only the
 * types `unknown` and `number`. The cast is safe: only the service writes the rows, and check constraints guard the
 * columns of union types. This is the only cast of a row. The compiler checks the field names, and the tests validate
 * every response against the OpenAPI document.
 */
export function asRecord<Record>(fields: { readonly [Field in keyof Record]: unknown }): Record {
  return fields as Record
}

/**
 * Returns a field name as a quoted name in SQL, in camelCase. This is needed only where PostgreSQL makes JSON of a row,
 * because the keys of the JSON are the column names of the query.
 */
export function fieldName(name: string): RawBuilder<unknown> {
  return sql.raw(`"${fieldOf(name)}"`)
}

interface SelectExpression<Row> extends Expression<Row> {
  readonly isSelectQueryBuilder: true
}

/** Returns the rows of a select statement as a JSON array of objects with the names of the fields as keys. */
export function jsonArrayFrom<Row>(rows: SelectExpression<Row>): RawBuilder<Simplify<Row>[]> {
  const names = sql.join(selectedNames(rows.toOperationNode()).map(fieldName))
  return sql`(select coalesce(json_agg(row_), '[]') from ${rows} as row_ (${names}))`
}

function selectedNames(node: OperationNode): string[] {
  if (!SelectQueryNode.is(node)) throw new Error('Only the rows of a select statement have names.')
  return (node.selections ?? []).map(({ selection }) => {
    if (AliasNode.is(selection) && IdentifierNode.is(selection.alias)) return selection.alias.name
    if (ReferenceNode.is(selection) && ColumnNode.is(selection.column)) return selection.column.column.name
    if (ColumnNode.is(selection)) return selection.column.name
    throw new Error('Each column of a JSON object needs a name.')
  })
}
