import {
  type CommonTableExpr,
  type DeleteStmt,
  type InsertStmt,
  type JoinExpr,
  type MergeStmt,
  type Node,
  parseSync,
  type RangeFunction,
  type RangeSubselect,
  type RangeVar,
  type ResTarget,
  type SelectStmt,
  type SubLink,
  type UpdateStmt,
  type WithClause,
} from 'libpg-query'
import { areEqual, argumentOf, equate, type Value } from './equal-values.ts'

/**
 * Finds the tenant tables that a statement reads and writes, and the argument to which each is bound: every row that
 * the statement reads or writes there has the merchant of this argument. A relation is bound by a condition such as
 * `merchant_id = $1`, by a join on merchant_id with a relation that is bound, or by the value that an insert stores.
 */

/** A table that keeps rows of many merchants, as a statement uses it. */
export interface TenantRelation {
  readonly table: string
  /** The name of the argument that contains the merchant. Undefined if the relation is not bound to one merchant. */
  readonly merchant: string | undefined
}

export interface ParsedStatement {
  readonly relations: readonly TenantRelation[]
  /** Tables whose merchant_id the statement updates. */
  readonly movedTables: readonly string[]
}

/** The columns of each table, by the table's name. */
export type Tables = ReadonlyMap<string, ReadonlySet<string>>

export interface StatementText {
  readonly text: string
  /** The names of the arguments, in the order of the parameters. Undefined for a parameter with a constant value. */
  readonly parameters: readonly (string | undefined)[]
}

const tenantColumn = 'merchant_id'

/** Returns the tenant tables of a statement. The parser's module must be loaded (`loadModule` of libpg-query). */
export function tenantRelations({ text, parameters }: StatementText, tables: Tables): ParsedStatement {
  const values = new Map(parameters.flatMap((argument) => (argument === undefined ? [] : [[argument, { argument }]])))
  const parser: Parser = {
    tables,
    parameters: parameters.map((argument) => (argument === undefined ? {} : (values.get(argument) ?? {}))),
    relations: [],
    movedTables: [],
    unions: [],
  }
  for (const { stmt } of parseSync(text).stmts ?? []) if (stmt !== undefined) readQuery(parser, stmt, outermost)
  equateUnions(parser.unions)
  return {
    relations: parser.relations.map(({ table, merchant }) => ({ table, merchant: argumentOf(merchant) })),
    movedTables: parser.movedTables,
  }
}

interface Parser {
  readonly tables: Tables
  /** The value of each parameter. Two parameters with the same argument have the same value. */
  readonly parameters: readonly Value[]
  readonly relations: { readonly table: string; readonly merchant: Value }[]
  readonly movedTables: string[]
  readonly unions: Union[]
}

/** A column of a set operation, and the columns of its two operands. */
interface Union {
  readonly column: Value
  readonly operands: readonly [Value, Value]
}

/** The columns of a relation, by their names and in their order. */
type Columns = ReadonlyMap<string, Value>

/** The names that a part of a query can use. */
interface Scope {
  readonly relations: Map<string, Columns>
  readonly commonTables: Map<string, Columns>
  readonly outer: Scope | undefined
}

const outermost: Scope = { relations: new Map(), commonTables: new Map(), outer: undefined }

function within(outer: Scope): Scope {
  return { relations: new Map(), commonTables: new Map(outer.commonTables), outer }
}

/** A column of a union is equal to its operands if they are equal to each other. Each pass may make further ones equal. */
function equateUnions(unions: readonly Union[]): void {
  const equal = unions.filter(({ operands }) => areEqual(...operands))
  for (const { column, operands } of equal) equate(column, operands[0])
  const rest = unions.filter((union) => !equal.includes(union))
  if (equal.length > 0) equateUnions(rest)
}

/** Reads a query or a data-modifying statement, and returns the columns of its result. */
function readQuery(parser: Parser, node: Node, outer: Scope): Columns {
  if ('SelectStmt' in node) return readSelect(parser, node.SelectStmt, outer)
  if ('InsertStmt' in node) return readInsert(parser, node.InsertStmt, outer)
  if ('UpdateStmt' in node) return readUpdate(parser, node.UpdateStmt, outer)
  if ('DeleteStmt' in node) return readDelete(parser, node.DeleteStmt, outer)
  if ('MergeStmt' in node) return readMerge(parser, node.MergeStmt, outer)
  return new Map()
}

function readSelect(parser: Parser, select: SelectStmt, outer: Scope): Columns {
  const scope = within(outer)
  readWith(parser, select.withClause, scope)
  if (select.larg !== undefined && select.rarg !== undefined)
    return unite(parser, readSelect(parser, select.larg, scope), readSelect(parser, select.rarg, scope))
  if (select.valuesLists !== undefined) return readValues(parser, select.valuesLists, scope)
  for (const source of select.fromClause ?? []) readSource(parser, source, scope)
  readCondition(parser, select.whereClause, scope)
  const { groupClause, havingClause, sortClause, limitCount, limitOffset, windowClause } = select
  readSubqueries(parser, [groupClause, havingClause, sortClause, limitCount, limitOffset, windowClause], scope)
  return readTargets(parser, select.targetList, scope)
}

function unite(parser: Parser, first: Columns, second: Columns): Columns {
  const others = [...second.values()]
  return new Map(
    [...first].map(([name, value], index) => {
      const column = {}
      parser.unions.push({ column, operands: [value, others[index] ?? {}] })
      return [name, column]
    }),
  )
}

/** Returns the columns of a VALUES list. A column is equal to an expression only if the list has one row. */
function readValues(parser: Parser, rows: readonly Node[], scope: Scope): Columns {
  readSubqueries(parser, rows, scope)
  const [first] = rows
  const items = first !== undefined && 'List' in first ? (first.List.items ?? []) : []
  return new Map(
    items.map((item, index) => [`column${index + 1}`, (rows.length === 1 && valueIn(parser, item, scope)) || {}]),
  )
}

function readInsert(parser: Parser, insert: InsertStmt, outer: Scope): Columns {
  const scope = within(outer)
  readWith(parser, insert.withClause, scope)
  const inserted = insert.selectStmt === undefined ? [] : [...readQuery(parser, insert.selectStmt, scope).values()]
  const columns = addTable(parser, insert.relation, scope)
  for (const [index, target] of (insert.cols ?? []).entries())
    equateIfKnown(columns.get(targetOf(target).name ?? ''), inserted[index])
  // The row that conflicts has the same key, which begins with the merchant.
  scope.relations.set('excluded', columns)
  readSubqueries(parser, insert.onConflictClause?.targetList, scope)
  readCondition(parser, insert.onConflictClause?.whereClause, scope)
  return readTargets(parser, insert.returningClause?.exprs, scope)
}

function readUpdate(parser: Parser, update: UpdateStmt, outer: Scope): Columns {
  const scope = within(outer)
  readWith(parser, update.withClause, scope)
  addTable(parser, update.relation, scope)
  for (const source of update.fromClause ?? []) readSource(parser, source, scope)
  readCondition(parser, update.whereClause, scope)
  readSubqueries(parser, update.targetList, scope)
  const changed = (update.targetList ?? []).map((target) => targetOf(target).name)
  if (changed.includes(tenantColumn)) parser.movedTables.push(update.relation?.relname ?? '')
  return readTargets(parser, update.returningClause?.exprs, scope)
}

function readDelete(parser: Parser, deletion: DeleteStmt, outer: Scope): Columns {
  const scope = within(outer)
  readWith(parser, deletion.withClause, scope)
  addTable(parser, deletion.relation, scope)
  for (const source of deletion.usingClause ?? []) readSource(parser, source, scope)
  readCondition(parser, deletion.whereClause, scope)
  return readTargets(parser, deletion.returningClause?.exprs, scope)
}

function readMerge(parser: Parser, merge: MergeStmt, outer: Scope): Columns {
  const scope = within(outer)
  readWith(parser, merge.withClause, scope)
  addTable(parser, merge.relation, scope)
  if (merge.sourceRelation !== undefined) readSource(parser, merge.sourceRelation, scope)
  readCondition(parser, merge.joinCondition, scope)
  readSubqueries(parser, merge.mergeWhenClauses, scope)
  return readTargets(parser, merge.returningClause?.exprs, scope)
}

function readWith(parser: Parser, clause: WithClause | undefined, scope: Scope): void {
  for (const node of clause?.ctes ?? []) {
    if (!('CommonTableExpr' in node)) continue
    const { ctename = '', ctequery, aliascolnames }: CommonTableExpr = node.CommonTableExpr
    // In its own query, a recursive table has no columns that are known to be equal to others.
    if (clause?.recursive === true) scope.commonTables.set(ctename, new Map())
    if (ctequery === undefined) continue
    scope.commonTables.set(ctename, renamed(readQuery(parser, ctequery, scope), aliascolnames))
  }
}

/** Reads a relation of a FROM clause. */
function readSource(parser: Parser, node: Node, scope: Scope): void {
  if ('RangeVar' in node) addRelation(parser, node.RangeVar, scope)
  else if ('JoinExpr' in node) readJoin(parser, node.JoinExpr, scope)
  else if ('RangeSubselect' in node) readDerived(parser, node.RangeSubselect, scope)
  else if ('RangeFunction' in node) readFunction(parser, node.RangeFunction, scope)
}

function addRelation(parser: Parser, range: RangeVar, scope: Scope): void {
  const commonTable = scope.commonTables.get(range.relname ?? '')
  if (commonTable === undefined) addTable(parser, range, scope)
  else scope.relations.set(nameOf(range), commonTable)
}

function addTable(parser: Parser, range: RangeVar | undefined, scope: Scope): Columns {
  const table = range?.relname ?? ''
  const columns = new Map([...(parser.tables.get(table) ?? [])].map((name): [string, Value] => [name, {}]))
  const merchant = columns.get(tenantColumn)
  if (merchant !== undefined) parser.relations.push({ table, merchant })
  if (range !== undefined) scope.relations.set(nameOf(range), columns)
  return columns
}

function nameOf({ alias, relname = '' }: RangeVar): string {
  return alias?.aliasname ?? relname
}

function readJoin(parser: Parser, { larg, rarg, quals, usingClause }: JoinExpr, scope: Scope): void {
  if (larg !== undefined) readSource(parser, larg, scope)
  if (rarg !== undefined) readSource(parser, rarg, scope)
  for (const name of stringsOf(usingClause)) {
    const [first, ...others] = [...scope.relations.values()].flatMap((columns) => columns.get(name) ?? [])
    for (const other of others) equateIfKnown(first, other)
  }
  readCondition(parser, quals, scope)
}

function readDerived(parser: Parser, { subquery, alias }: RangeSubselect, scope: Scope): void {
  if (subquery === undefined) return
  const columns = renamed(readQuery(parser, subquery, scope), alias?.colnames)
  scope.relations.set(alias?.aliasname ?? `derived table ${scope.relations.size}`, columns)
}

function readFunction(parser: Parser, { functions, alias }: RangeFunction, scope: Scope): void {
  readSubqueries(parser, functions, scope)
  const columns = stringsOf(alias?.colnames).map((name): [string, Value] => [name, {}])
  scope.relations.set(alias?.aliasname ?? `function ${scope.relations.size}`, new Map(columns))
}

/** Makes those values equal that a condition requires to be equal. */
function readCondition(parser: Parser, node: Node | undefined, scope: Scope): void {
  if (node === undefined) return
  if ('BoolExpr' in node && node.BoolExpr.boolop === 'AND_EXPR')
    for (const operand of node.BoolExpr.args ?? []) readCondition(parser, operand, scope)
  else {
    if ('A_Expr' in node && node.A_Expr.kind === 'AEXPR_OP' && stringsOf(node.A_Expr.name).join() === '=')
      equateOperands(parser, [node.A_Expr.lexpr, node.A_Expr.rexpr], scope)
    readSubqueries(parser, node, scope)
  }
}

function equateOperands(
  parser: Parser,
  [left, right]: readonly [Node | undefined, Node | undefined],
  scope: Scope,
): void {
  if (left === undefined || right === undefined) return
  if ('RowExpr' in left && 'RowExpr' in right) {
    const others = right.RowExpr.args ?? []
    for (const [index, operand] of (left.RowExpr.args ?? []).entries())
      equateOperands(parser, [operand, others[index]], scope)
  } else equateIfKnown(valueIn(parser, left, scope), valueIn(parser, right, scope))
}

function equateIfKnown(first: Value | undefined, second: Value | undefined): void {
  if (first !== undefined && second !== undefined) equate(first, second)
}

/** Returns the columns of a select list or of a RETURNING clause. */
function readTargets(parser: Parser, targets: readonly Node[] | undefined, scope: Scope): Columns {
  const columns = new Map<string, Value>()
  for (const node of targets ?? []) {
    const { name, val } = targetOf(node)
    const path = val === undefined ? [] : pathOf(val)
    if (path.at(-1) === '*') {
      for (const [relation, starred] of scope.relations)
        if (path.length === 1 || path[0] === relation) for (const [column, value] of starred) columns.set(column, value)
    } else if (val !== undefined) {
      columns.set(name ?? path.at(-1) ?? `column ${columns.size}`, valueIn(parser, val, scope) ?? {})
      readSubqueries(parser, val, scope)
    }
  }
  return columns
}

function targetOf(node: Node): ResTarget {
  return 'ResTarget' in node ? node.ResTarget : {}
}

/** Returns the value of a parameter or of a column, and undefined for any other expression. */
function valueIn(parser: Parser, node: Node, scope: Scope): Value | undefined {
  if ('ParamRef' in node) return parser.parameters[(node.ParamRef.number ?? 0) - 1]
  if ('TypeCast' in node) return node.TypeCast.arg && valueIn(parser, node.TypeCast.arg, scope)
  const path = pathOf(node)
  const [column, relation] = [path.at(-1), path.at(-2)]
  return column === undefined ? undefined : columnValue(scope, { column, relation })
}

interface ColumnName {
  readonly column: string
  readonly relation: string | undefined
}

function columnValue(scope: Scope, { column, relation }: ColumnName): Value | undefined {
  const candidates = relation === undefined ? scope.relations.values() : [scope.relations.get(relation)]
  for (const columns of candidates) {
    const value = columns?.get(column)
    if (value !== undefined) return value
  }
  return scope.outer && columnValue(scope.outer, { column, relation })
}

/** Returns the names of a reference to a column, such as `orders` and `id`. A reference to all columns ends in `*`. */
function pathOf(node: Node): readonly string[] {
  if (!('ColumnRef' in node)) return []
  return (node.ColumnRef.fields ?? []).flatMap((field) => ('A_Star' in field ? ['*'] : stringsOf([field])))
}

function stringsOf(nodes: readonly Node[] | undefined): readonly string[] {
  return (nodes ?? []).flatMap((node) => ('String' in node ? [node.String.sval ?? ''] : []))
}

/** Returns the same columns with the names of an alias. */
function renamed(columns: Columns, names: readonly Node[] | undefined): Columns {
  const aliases = stringsOf(names)
  return new Map([...columns].map(([name, value], index) => [aliases[index] ?? name, value]))
}

/** Reads the subqueries of any part of a parse tree. */
function readSubqueries(parser: Parser, part: unknown, scope: Scope): void {
  if (typeof part !== 'object' || part === null) return
  if (!isSubquery(part)) for (const inner of Object.values(part)) readSubqueries(parser, inner, scope)
  else {
    const { subselect, testexpr } = part.SubLink
    if (subselect !== undefined) readQuery(parser, subselect, scope)
    readSubqueries(parser, testexpr, scope)
  }
}

function isSubquery(part: object): part is { readonly SubLink: SubLink } {
  return 'SubLink' in part
}
