import {
  type CommonTableExpr,
  type InsertStmt,
  type JoinExpr,
  type Node,
  parseSync,
  type RangeFunction,
  type RangeSubselect,
  type RangeVar,
  type ResTarget,
  type ReturningClause,
  type SelectStmt,
  type SubLink,
  type WithClause,
} from 'libpg-query'
import {
  type Columns,
  columnValue,
  derived,
  equate,
  type Filter,
  nameOf,
  pathOf,
  type Scope,
  stringsOf,
  unknown,
  within,
} from './columns.ts'
import { argumentOf, type Value } from './values.ts'

/**
 * Finds the tenant tables that a statement reads or writes, and the argument that binds each use of a table. A use is
 * bound if all rows that it reads or writes have the merchant of the argument. It is bound by a condition such as
 * `merchant_id = $1`, by a join on merchant_id with a bound relation, or by the value that an insert stores. A
 * condition binds only the relations whose rows it removes: those of its own query, and for an outer join only those of
 * the side whose columns may be null. Each subquery must bind its own tables. An equality with a column of the outer
 * query, or of another subquery, does not bind them: a distributed database then cannot determine the node of the rows,
 * and rejects the statement or sends it to every node.
 */

/** A reference in a statement to a table with rows of many merchants. */
export interface TenantRelation {
  readonly table: string
  /** The name of the argument that contains the merchant. Undefined if the relation is not bound to one merchant. */
  readonly merchant: string | undefined
  /** Whether a condition on the relation itself names the merchant. */
  readonly hasCondition: boolean
}

export interface ParsedStatement {
  readonly relations: readonly TenantRelation[]
  /** Tables whose merchant_id the statement changes. */
  readonly movedTables: readonly string[]
  /**
   * Tables of merchants whose insert handles a conflict by a subquery, or by a condition with a function. A distributed
   * database rejects both.
   */
  readonly computedConflicts: readonly string[]
}

export interface Table {
  readonly columns: readonly string[]
  /** Whether the rows belong to merchants, and all rows of a merchant are on one node. */
  readonly isDistributed: boolean
}

export type Tables = ReadonlyMap<string, Table>

export interface StatementText {
  readonly text: string
  /** The names of the arguments, in the order of the parameters. Undefined for a parameter with a constant value. */
  readonly parameters: readonly (string | undefined)[]
}

const tenantColumn = 'merchant_id'

/**
 * Returns the tenant tables of a statement. Throws for SQL that it does not understand, so that no relation is missed.
 * The parser's module must be loaded (`loadModule` of libpg-query).
 */
export function tenantRelations({ text, parameters }: StatementText, tables: Tables): ParsedStatement {
  const parser: Parser = {
    tables,
    parameters: parameters.map((argument): Value => ({ required: [], argument })),
    relations: [],
    movedTables: [],
    computedConflicts: [],
  }
  const outermost: Scope = { relations: new Map(), commonTables: new Map() }
  for (const { stmt } of parseSync(text).stmts ?? []) {
    if (stmt === undefined || temporary.some((kind) => kind in stmt)) continue
    readQuery(parser, stmt, outermost)
  }
  return {
    relations: parser.relations.map(({ table, merchant }) => ({
      table,
      merchant: argumentOf(merchant),
      hasCondition: merchant.required.some(({ argument }) => argument !== undefined),
    })),
    movedTables: parser.movedTables,
    computedConflicts: parser.computedConflicts,
  }
}

/** The kinds of statements with which the store creates, indexes and analyses a temporary table of a transaction. */
const temporary = ['CreateStmt', 'IndexStmt', 'VacuumStmt']

interface Parser {
  readonly tables: Tables
  readonly parameters: readonly Value[]
  readonly relations: { readonly table: string; readonly merchant: Value }[]
  readonly movedTables: string[]
  readonly computedConflicts: string[]
}

function readQuery(parser: Parser, node: Node, outer: Scope): Columns {
  if ('SelectStmt' in node) return readSelect(parser, node.SelectStmt, outer)
  if ('InsertStmt' in node) return readInsert(parser, node.InsertStmt, outer)
  if ('UpdateStmt' in node)
    return readChange(parser, { ...node.UpdateStmt, sources: node.UpdateStmt.fromClause }, outer)
  if ('DeleteStmt' in node)
    return readChange(parser, { ...node.DeleteStmt, sources: node.DeleteStmt.usingClause }, outer)
  throw new Error(`The check does not understand ${Object.keys(node).join()}.`)
}

function readSelect(parser: Parser, select: SelectStmt, outer: Scope): Columns {
  const { withClause, larg, rarg, valuesLists, fromClause, whereClause, targetList, ...rest } = select
  const scope = within(outer)
  readWith(parser, withClause, scope)
  if (larg !== undefined && rarg !== undefined) {
    readSubqueries(parser, rest, scope)
    readSelect(parser, rarg, scope)
    return derived(readSelect(parser, larg, scope), undefined)
  }
  if (valuesLists !== undefined) return readValues(parser, valuesLists, scope)
  for (const source of fromClause ?? []) readSource(parser, source, scope)
  readCondition(parser, whereClause, scope)
  readSubqueries(parser, rest, scope)
  return readTargets(parser, targetList, scope)
}

/** Returns the columns of a VALUES list. The value of a column is known only if the list has one row. */
function readValues(parser: Parser, rows: readonly Node[], scope: Scope): Columns {
  readSubqueries(parser, rows, scope)
  const [first] = rows
  const items = first !== undefined && 'List' in first ? (first.List.items ?? []) : []
  const values = items.map((item, index): [string, Value] => {
    return [`column${index + 1}`, (rows.length === 1 && valueIn(parser, item, scope)) || unknown()]
  })
  return new Map(values)
}

function readInsert(parser: Parser, insert: InsertStmt, outer: Scope): Columns {
  const scope = within(outer)
  readWith(parser, insert.withClause, scope)
  const inserted = insert.selectStmt === undefined ? [] : [...readQuery(parser, insert.selectStmt, scope).values()]
  const columns = addTable(parser, insert.relation, scope)
  for (const [index, target] of (insert.cols ?? []).entries()) {
    const value = inserted[index]
    if (value !== undefined) columns.get(targetOf(target).name ?? '')?.required.push(value)
  }
  const { onConflictClause: conflict } = insert
  scope.relations.set('excluded', columns)
  readSubqueries(parser, conflict, scope)
  const { relname = '' } = insert.relation ?? {}
  const isComputed = contains(conflict?.whereClause, 'FuncCall') || contains(conflict, 'SubLink')
  if (parser.tables.get(relname)?.isDistributed === true && isComputed) parser.computedConflicts.push(relname)
  noteMove(parser, insert.relation, conflict?.targetList)
  return readTargets(parser, insert.returningClause?.exprs, scope)
}

/** The parts of an UPDATE or a DELETE. */
interface Change {
  readonly relation?: RangeVar
  readonly sources?: readonly Node[] | undefined
  readonly whereClause?: Node
  readonly targetList?: readonly Node[]
  readonly returningClause?: ReturningClause
  readonly withClause?: WithClause
}

function readChange(parser: Parser, change: Change, outer: Scope): Columns {
  const scope = within(outer)
  readWith(parser, change.withClause, scope)
  addTable(parser, change.relation, scope)
  for (const source of change.sources ?? []) readSource(parser, source, scope)
  readCondition(parser, change.whereClause, scope)
  readSubqueries(parser, change.targetList, scope)
  noteMove(parser, change.relation, change.targetList)
  return readTargets(parser, change.returningClause?.exprs, scope)
}

function noteMove({ movedTables }: Parser, range: RangeVar | undefined, targets: readonly Node[] | undefined): void {
  const changed = (targets ?? []).map((target) => targetOf(target).name)
  if (changed.includes(tenantColumn)) movedTables.push(range?.relname ?? '')
}

function readWith(parser: Parser, clause: WithClause | undefined, scope: Scope): void {
  for (const node of clause?.ctes ?? []) {
    if (!('CommonTableExpr' in node)) continue
    const { ctename = '', ctequery, aliascolnames }: CommonTableExpr = node.CommonTableExpr
    // In its own query, a recursive table has no columns, because they are not known yet.
    if (clause?.recursive === true) scope.commonTables.set(ctename, new Map())
    if (ctequery === undefined) continue
    scope.commonTables.set(ctename, derived(readQuery(parser, ctequery, scope), aliascolnames))
  }
}

function readSource(parser: Parser, node: Node, scope: Scope): void {
  if ('RangeVar' in node) addRelation(parser, node.RangeVar, scope)
  else if ('JoinExpr' in node) readJoin(parser, node.JoinExpr, scope)
  else if ('RangeSubselect' in node) readDerived(parser, node.RangeSubselect, scope)
  else if ('RangeFunction' in node) readFunction(parser, node.RangeFunction, scope)
  else throw new Error(`The check does not understand ${Object.keys(node).join()} in a FROM clause.`)
}

function addRelation(parser: Parser, range: RangeVar, scope: Scope): void {
  const commonTable = range.schemaname === undefined ? scope.commonTables.get(range.relname ?? '') : undefined
  if (commonTable === undefined) addTable(parser, range, scope)
  // Each use of a common table has columns of its own: a condition on one use does not apply to the others.
  else scope.relations.set(nameOf(range), derived(commonTable, undefined))
}

function addTable(parser: Parser, range: RangeVar | undefined, scope: Scope): Columns {
  const { relname: name = '', schemaname = 'public' } = range ?? {}
  const table = schemaname === 'public' ? parser.tables.get(name) : undefined
  const columns = new Map((table?.columns ?? []).map((column): [string, Value] => [column, unknown()]))
  const merchant = columns.get(tenantColumn)
  if (table?.isDistributed === true && merchant !== undefined) parser.relations.push({ table: name, merchant })
  if (range !== undefined) scope.relations.set(nameOf(range), columns)
  return columns
}

function readJoin(parser: Parser, join: JoinExpr, scope: Scope): void {
  const [left, right] = [join.larg, join.rarg].map((side) => {
    const before = new Set(scope.relations.keys())
    if (side !== undefined) readSource(parser, side, scope)
    return [...scope.relations].flatMap(([name, columns]) => (before.has(name) ? [] : [columns]))
  })
  const sides = { JOIN_INNER: [left, right], JOIN_LEFT: [right], JOIN_RIGHT: [left] } as const
  const { jointype = 'JOIN_INNER' } = join
  const filtered = jointype in sides ? sides[jointype as keyof typeof sides] : []
  const filter = new Set(filtered.flatMap((side) => (side ?? []).flatMap((columns) => [...columns.values()])))
  for (const name of stringsOf(join.usingClause)) {
    const [first, ...others] = [...(left ?? []), ...(right ?? [])].flatMap((columns) => columns.get(name) ?? [])
    for (const other of others) equate([first, other], filter)
  }
  readCondition(parser, join.quals, scope, filter)
}

function readDerived(parser: Parser, { subquery, alias }: RangeSubselect, scope: Scope): void {
  if (subquery === undefined) return
  const columns = derived(readQuery(parser, subquery, scope), alias?.colnames)
  scope.relations.set(alias?.aliasname ?? `derived table ${scope.relations.size}`, columns)
}

function readFunction(parser: Parser, { functions, alias, coldeflist }: RangeFunction, scope: Scope): void {
  readSubqueries(parser, functions, scope)
  const defined = (coldeflist ?? []).flatMap((node) => ('ColumnDef' in node ? [node.ColumnDef.colname ?? ''] : []))
  const names = [...stringsOf(alias?.colnames), ...defined]
  const columns = new Map(names.map((name): [string, Value] => [name, unknown()]))
  scope.relations.set(alias?.aliasname ?? `function ${scope.relations.size}`, columns)
}

/** Marks values as equal if a condition requires them to be equal. */
function readCondition(
  parser: Parser,
  node: Node | undefined,
  scope: Scope,
  filter: Filter = new Set([...scope.relations.values()].flatMap((columns) => [...columns.values()])),
): void {
  if (node === undefined) return
  if ('BoolExpr' in node && node.BoolExpr.boolop === 'AND_EXPR')
    for (const operand of node.BoolExpr.args ?? []) readCondition(parser, operand, scope, filter)
  else {
    if ('A_Expr' in node && node.A_Expr.kind === 'AEXPR_OP' && stringsOf(node.A_Expr.name).join() === '=')
      for (const [left, right] of pairsOf(node.A_Expr.lexpr, node.A_Expr.rexpr))
        equate([valueIn(parser, left, scope), valueIn(parser, right, scope)], filter)
    readSubqueries(parser, node, scope)
  }
}

/** Returns the pairs of operands that an equality compares. Rows are compared element by element. */
function pairsOf(left: Node | undefined, right: Node | undefined): readonly (readonly [Node, Node])[] {
  if (left === undefined || right === undefined) return []
  if (!('RowExpr' in left && 'RowExpr' in right)) return [[left, right]]
  const others = right.RowExpr.args ?? []
  return (left.RowExpr.args ?? []).flatMap((operand, index) => pairsOf(operand, others[index]))
}

/** Returns the columns of a select list or of a RETURNING clause. */
function readTargets(parser: Parser, targets: readonly Node[] | undefined, scope: Scope): Columns {
  const values = new Map<string, Value>()
  // A repeated column name gets another key. Otherwise a position would be missing, and an insert assigns columns by
  // position.
  const add = (name: string, value: Value) => values.set(values.has(name) ? `${name} ${values.size}` : name, value)
  for (const node of targets ?? []) {
    const { name, val } = targetOf(node)
    const path = val === undefined ? [] : pathOf(val)
    if (path.at(-1) === '*') {
      for (const [relation, starred] of scope.relations) {
        if (path.length > 1 && path[0] !== relation) continue
        for (const [column, value] of starred) add(column, value)
      }
    } else if (val !== undefined) {
      add(name ?? path.at(-1) ?? `column ${values.size}`, valueIn(parser, val, scope) ?? unknown())
      readSubqueries(parser, val, scope)
    }
  }
  return values
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

function readSubqueries(parser: Parser, part: unknown, scope: Scope): void {
  if (typeof part !== 'object' || part === null) return
  if (!isSubquery(part)) for (const inner of Object.values(part)) readSubqueries(parser, inner, scope)
  else {
    const { subselect, testexpr } = part.SubLink
    if (subselect !== undefined) readQuery(parser, subselect, scope)
    readSubqueries(parser, testexpr, scope)
  }
}

function contains(part: unknown, kind: string): boolean {
  if (typeof part !== 'object' || part === null) return false
  return kind in part || Object.values(part).some((inner) => contains(inner, kind))
}

function isSubquery(part: object): part is { readonly SubLink: SubLink } {
  return 'SubLink' in part
}
