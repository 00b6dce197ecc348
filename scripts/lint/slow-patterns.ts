import { type AnalysisOptions, analyse } from 'scslre'
import ts from 'typescript'

/**
 * Detects regular expressions with super-linear run time. Clients choose the input, and one slow match blocks all other
 * requests of the process.
 */

interface Literal {
  readonly source: string
  readonly flags: string
}

/** Returns a line for each regular expression of a file that takes more than linear time for some text. */
export function slowPatternsIn(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const constants = new Map<string, string>()
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined && ts.isIdentifier(node.name)) {
      const constant = textOf(node.initializer, constants)
      if (constant !== undefined) constants.set(node.name.text, constant)
    }
    const literal = literalOf(node, constants)
    const reason = literal && reasonOf(literal)
    if (reason !== undefined) {
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
      found.push(`${path}:${line}: /${literal?.source}/${literal?.flags} ${reason}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function literalOf(node: ts.Node, constants: ReadonlyMap<string, string>): Literal | undefined {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/')
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) }
  }
  if (!ts.isNewExpression(node) || !ts.isIdentifier(node.expression) || node.expression.text !== 'RegExp')
    return undefined
  const [source, flags = ''] = (node.arguments ?? []).map((each) => textOf(each, constants))
  return source === undefined ? undefined : { source, flags }
}

/** Returns the text of a string made of literals and constants of the same file. Undefined for any other expression. */
function textOf(node: ts.Expression, constants: ReadonlyMap<string, string>): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isIdentifier(node)) return constants.get(node.text)
  if (!ts.isTemplateExpression(node)) return undefined
  const parts = node.templateSpans.map(({ expression, literal }) => {
    const text = textOf(expression, constants)
    return text === undefined ? undefined : text + literal.text
  })
  return parts.includes(undefined) ? undefined : node.head.text + parts.join('')
}

/**
 * The analysis assumes that the text after a match makes the whole expression fail. An attacker can choose such a text,
 * and the pattern may be part of a longer expression that fails after it.
 */
const backtracking: AnalysisOptions = { reportTypes: { Move: false }, assumeRejectingSuffix: true }
const restarts: AnalysisOptions = { reportTypes: { Self: false, Trade: false } }

function reasonOf(literal: Literal): string | undefined {
  if (analyse(literal, backtracking).reports.length > 0) return 'backtracks.'
  // A sticky expression is tried at one position only, so it cannot restart at every character.
  if (literal.flags.includes('y')) return undefined
  const { reports, parsed } = analyse(literal, restarts)
  const isSlow = reports.length > 0 || parsed.pattern.alternatives.some(({ elements }) => startsWithLoop(elements))
  return isSlow ? 'restarts at every character.' : undefined
}

type Element = ReturnType<typeof analyse>['parsed']['pattern']['alternatives'][number]['elements'][number]

/**
 * Reports whether a match can start with an unlimited repetition that another element follows. If this element does not
 * match, the search restarts at the next character. The function analyse() itself finds only repetitions of one
 * character.
 */
function startsWithLoop([first, ...rest]: readonly Element[]): boolean {
  if (first === undefined) return false
  if (first.type === 'Group' || first.type === 'CapturingGroup')
    return first.alternatives.some(({ elements }) => startsWithLoop([...elements, ...rest]))
  if (first.type !== 'Quantifier') return false
  const isLoop = first.max === Number.POSITIVE_INFINITY
  return (isLoop && rest.length > 0) || (first.min === 0 && startsWithLoop(rest))
}
