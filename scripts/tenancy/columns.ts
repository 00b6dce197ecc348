import type { ColumnRef, Node, RangeVar } from 'libpg-query'
import type { Value } from './values.ts'

/** The relations and columns that the parts of a statement can name, and the values of these columns. */

/**
 * The columns of a relation in order. If the relation is, for example, a function, some of its columns may be missing.
 */
export type Columns = ReadonlyMap<string, Value>

/**
 * The names that a query can use. The columns of outer queries are left out, because a distributed database computes a
 * subquery on its own, without the values of the outer query.
 */
export interface Scope {
  readonly relations: Map<string, Columns>
  readonly commonTables: Map<string, Columns>
}

export function within(outer: Scope): Scope {
  return { relations: new Map(), commonTables: new Map(outer.commonTables) }
}

export function unknown(): Value {
  return { required: [] }
}

/**
 * Returns the columns of a subquery or of a common table expression, with the names that the outer query uses. The
 * values of the columns are unknown, because a distributed database computes the subquery on its own.
 */
export function derived(columns: Columns, names: readonly Node[] | undefined): Columns {
  const aliases = stringsOf(names)
  return new Map([...columns.keys()].map((name, index) => [aliases[index] ?? name, unknown()]))
}

interface ColumnName {
  readonly column: string
  readonly relation: string | undefined
}

export function columnValue({ relations }: Scope, { column, relation }: ColumnName): Value | undefined {
  if (relation !== undefined) return relations.get(relation)?.get(column)
  return [...relations.values()].flatMap((columns) => columns.get(column) ?? [])[0]
}

/** The values of all columns of the relations from which a condition removes rows. */
export type Filter = ReadonlySet<Value>

export function equate([first, second]: readonly [Value | undefined, Value | undefined], filter: Filter): void {
  if (first === undefined || second === undefined) return
  if (filter.has(first)) first.required.push(second)
  if (filter.has(second)) second.required.push(first)
}

export function nameOf({ alias, relname = '' }: RangeVar): string {
  return alias?.aliasname ?? relname
}

/** Returns the names of a reference to a column, such as `orders` and `id`. A reference to all columns ends in `*`. */
export function pathOf(node: Node): readonly string[] {
  const { fields }: ColumnRef = 'ColumnRef' in node ? node.ColumnRef : {}
  return (fields ?? []).flatMap((field) => ('A_Star' in field ? ['*'] : stringsOf([field])))
}

export function stringsOf(nodes: readonly Node[] | undefined): readonly string[] {
  return (nodes ?? []).flatMap((node) => ('String' in node ? [node.String.sval ?? ''] : []))
}
