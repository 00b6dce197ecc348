import { openApiDocument } from '../../../registry/openapi/openapi.ts'

/**
 * Compares the output shown on a page with the printed output. They must be equal, with these exceptions:
 *
 * an id, an order’s number, a token, a secret, a signature, a timestamp: any of the same form matches …  within a line
 * or a JSON text, matches some characters; alone on a line, one or more lines
 *
 * The value that an id, a number, a token or a secret matches is the same on the whole page: equal shown values must
 * print equal values, and different shown values must print different ones. The values of the document’s examples,
 * which the demo and the sample events use, match only themselves.
 */
export interface ShownOutput {
  /** Returns the differences between a text block, which shows the whole output, and the printed output. */
  faultsOfText(shown: string, printed: string): string[]
  /**
   * Returns the differences between a JSON block and the printed output. The block may show a part of it: fewer fields,
   * and only the first members of a list.
   */
  faultsOfJson(shown: string, printed: string): string[]
}

/** Starts the comparison for one page. Throughout the page, each shown value must stand for the same printed value. */
export function openShownOutput(): ShownOutput {
  const stands = openStandIns()
  return {
    faultsOfText: (shown, printed) => {
      if (!shown.split('\n').some((line) => line.trim() !== '' && line !== elision)) return [comparesNothing]
      return textFaults(linesOf(shown), linesOf(printed), stands)
    },
    faultsOfJson: (shown, printed) => {
      const value: unknown = JSON.parse(shown)
      return hasLeaf(value)
        ? differences({ shown: value, printed: parsed(printed), path: '' }, stands)
        : [comparesNothing]
    },
  }
}

const elision = '…'
const comparesNothing = 'it shows nothing that could be compared.'

interface Form {
  readonly name: string
  /** Pattern of the prefix that every value of this form has, both in the shown text and in the printed output. */
  readonly head: string
  readonly rest: string
  /**
   * Whether a value of this form identifies one record. If so, equal values on the page must match equal values in the
   * printed output.
   */
  readonly isOwn: boolean
}

/** The formats of values that differ in every run of the code, such as ids and tokens. */
const forms: readonly Form[] = [
  { name: 'id', head: '[a-z]{3}_', rest: '[0-9a-hjkmnp-tv-z]{26}', isOwn: true },
  { name: 'number', head: 'ORD-', rest: '[0-9A-HJKMNP-TV-Z]{8}', isOwn: true },
  { name: 'token', head: 'svc_(?:live|test)_', rest: '[0-9A-Za-z]{38}', isOwn: true },
  { name: 'secret', head: 'whsec_', rest: '[0-9A-Za-z+/]{43}=', isOwn: true },
  { name: 'signature', head: 't=', rest: '\\d{10},v1=[0-9a-f]{64}', isOwn: false },
  { name: 'moment', head: '', rest: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z', isOwn: false },
]

const alternatives = forms.map(({ name, head, rest }) => `(?<${name}>${head}${rest})`).join('|')
const volatile = new RegExp(`(?<![0-9A-Za-z_])(?:${alternatives})(?![0-9A-Za-z])`, 'g')

/** The ids and numbers in the OpenAPI document's examples. They are the same in every run. */
const chosen = new Set(
  [...JSON.stringify(openApiDocument()).matchAll(volatile)]
    .filter(({ groups }) => groups?.id !== undefined || groups?.number !== undefined)
    .map(([text]) => text),
)

interface StandIns {
  /** Returns the reason why a printed value does not match the value on the page, or undefined when it matches. */
  objection(shown: string, printed: string): string | undefined
}

function openStandIns(): StandIns {
  const printedFor = new Map<string, string>()
  const shownFor = new Map<string, string>()
  return {
    objection: (shown, printed) => {
      if (chosen.has(shown) || chosen.has(printed)) return shown === printed ? undefined : `${shown} is ${printed}.`
      const before = printedFor.get(shown) ?? printed
      if (before !== printed) return `${shown} stood for ${before} above, and is ${printed} here.`
      const other = shownFor.get(printed) ?? shown
      if (other !== shown) return `${printed} was shown as ${other} above, and is ${shown} here.`
      printedFor.set(shown, printed)
      shownFor.set(printed, shown)
      return undefined
    },
  }
}

function linesOf(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd())
}

function textFaults(shown: readonly string[], printed: readonly string[], stands: StandIns): string[] {
  const [line, ...rest] = shown
  if (line === undefined) return printed.length === 0 ? [] : [`“${printed[0]}” is printed as well.`]
  if (line === elision) return elidedFaults(rest, printed, stands)
  const [first, ...others] = printed
  if (first === undefined) return [`“${line}” is not printed.`]
  const faults = lineFaults(line, first, stands)
  return faults.length > 0 ? faults : textFaults(rest, others, stands)
}

/**
 * Compares the lines after an elision line, which stands for as few printed lines as possible, but at least one.
 * Returns the differences.
 */
function elidedFaults(rest: readonly string[], printed: readonly string[], stands: StandIns): string[] {
  if (printed.length === 0) return ['… stands for no line.']
  const [next] = rest
  if (next === undefined) return []
  const at = printed.findIndex((line, index) => index > 0 && patternOf(next).test(line))
  return at < 0 ? [`“${next}” is not printed.`] : textFaults(rest, printed.slice(at), stands)
}

function lineFaults(shown: string, printed: string, stands: StandIns): string[] {
  const found = patternOf(shown).exec(printed)
  if (found === null) return [`“${shown}” is “${printed}”.`]
  const values = found.slice(1)
  return [...shown.matchAll(volatile)].flatMap(({ 0: text, groups }, index) => {
    const isOwn = forms.some(({ name, isOwn }) => isOwn && groups?.[name] !== undefined)
    return isOwn ? (stands.objection(text, values[index] ?? '') ?? []) : []
  })
}

/** Returns a pattern for a shown text, with a group for each value that differs in every run. */
function patternOf(shown: string): RegExp {
  let pattern = ''
  let end = 0
  for (const { 0: text, index, groups } of shown.matchAll(volatile)) {
    const { head = '', rest = '' } = forms.find(({ name }) => groups?.[name] !== undefined) ?? {}
    const kind = new RegExp(`^${head}`).exec(text)?.[0] ?? ''
    pattern += `${literally(shown.slice(end, index))}(${kind}${rest})`
    end = index + text.length
  }
  return new RegExp(`^${pattern}${literally(shown.slice(end))}$`, 's')
}

function literally(text: string): string {
  return text
    .split(elision)
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('.+?')
}

/** Parses a JSON text. Returns undefined for any other text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function hasLeaf(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  // An empty list on the page must be compared too: only an empty printed list matches it.
  if (Array.isArray(value)) return value.length === 0 || value.some(hasLeaf)
  return Object.values(value).some(hasLeaf)
}

interface Compared {
  readonly shown: unknown
  readonly printed: unknown
  readonly path: string
}

/**
 * Returns the paths at which the printed value does not contain the value on the page. The page may show only a part of
 * a printed value.
 */
function differences({ shown, printed, path }: Compared, stands: StandIns): string[] {
  if (Array.isArray(shown)) return listDifferences({ shown, printed, path }, stands)
  if (typeof shown === 'object' && shown !== null) {
    if (typeof printed !== 'object' || printed === null) return [`${path} is no object.`]
    return Object.entries(shown).flatMap(([name, value]) => {
      const at = `${path}.${name}`
      return Object.hasOwn(printed, name)
        ? differences({ shown: value, printed: Reflect.get(printed, name), path: at }, stands)
        : [`${at} is not there.`]
    })
  }
  if (typeof shown === 'string' && typeof printed === 'string') {
    return lineFaults(shown, printed, stands).map((fault) => `${path}: ${fault}`)
  }
  return shown === printed ? [] : [`${path} is ${JSON.stringify(printed)}.`]
}

function listDifferences(
  { shown, printed, path }: Compared & { readonly shown: unknown[] },
  stands: StandIns,
): string[] {
  if (!Array.isArray(printed)) return [`${path} is no list.`]
  if (shown.length === 0) return printed.length === 0 ? [] : [`${path} is not empty.`]
  return shown.flatMap((value, index) => {
    const at = `${path}[${index}]`
    return index < printed.length
      ? differences({ shown: value, printed: printed[index], path: at }, stands)
      : [`${at} is not there.`]
  })
}
