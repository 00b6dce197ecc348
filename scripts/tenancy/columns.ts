import type { ColumnRef, Node, RangeVar } from 'libpg-query'
import type { Value } from './values.ts'

/** The relations and columns that the parts of a statement can name, and the values of these columns. */

/** The columns of a relation, in their order. */
export interface Columns {
  readonly values: ReadonlyMap<string, Value>
  /** Whether the relation has no other columns. The columns of most functions are unknown. */
  readonly isComplete: boolean
}

/** The names that a part of a query can use. */
export interface Scope {
  readonly relations: Map<string, Columns>
  readonly commonTables: Map<string, Columns>
  readonly outer: Scope | undefined
}

export function within(outer: Scope): Scope {
  return { relations: new Map(), commonTables: new Map(outer.commonTables), outer }
}

export function unknown(): Value {
  return { required: [] }
}

/** Returns the columns of a set operation. A column has the value of both operands if they are equal. */
export function unite(first: Columns, second: Columns): Columns {
  const others = [...second.values.values()]
  const values = [...first.values].map(([name, value], index): [string, Value] => {
    return [name, { required: [], operands: [value, others[index] ?? unknown()] }]
  })
  return { values: new Map(values), isComplete: first.isComplete && second.isComplete }
}

/** Returns the columns of a use of a query: each has the value of a column of the query, with the name of an alias. */
export function renamed({ values, isComplete }: Columns, names: readonly Node[] | undefined): Columns {
  const aliases = stringsOf(names)
  const used = [...values].map(([name, value], index): [string, Value] => [
    aliases[index] ?? name,
    { required: [value] },
  ])
  return { values: new Map(used), isComplete }
}

interface ColumnName {
  readonly column: string
  readonly relation: string | undefined
}

export function columnValue(scope: Scope, { column, relation }: ColumnName): Value | undefined {
  const named = relation === undefined ? undefined : scope.relations.get(relation)
  if (named !== undefined) return named.values.get(column)
  if (relation === undefined) {
    const columns = [...scope.relations.values()]
    const found = columns.flatMap(({ values }) => values.get(column) ?? [])
    // A relation whose columns are unknown may have the column, and hides the column of an outer query.
    if (found.length > 0 || columns.some(({ isComplete }) => !isComplete)) return found[0]
  }
  return scope.outer && columnValue(scope.outer, { column, relation })
}

/** The values of the relations whose rows a condition removes. */
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
