import type { Answered, Asked, Client, TokenName } from './client.ts'
import { isAt, type Operation } from './document.ts'
import { drawing } from './draw.ts'
import type { Generator } from './generate-value.ts'
import { codeOf, faultsOfAnswer } from './judge.ts'
import type { Known } from './known.ts'
import { type Check, type Ledger, note, type Tested } from './ledger.ts'
import type { Schemas } from './schemas.ts'
import { undeclaredMembers } from './undeclared.ts'

/** One run against one service. */
export interface Run {
  readonly client: Client
  readonly schemas: Schemas
  readonly known: Known
  readonly ledger: Ledger
  /** All that the document has, and those of them that are checked. */
  readonly declared: readonly Operation[]
  readonly operations: readonly Operation[]
  readonly seed: number
  /** How many requests that fit, and how many that do not, each operation gets. */
  readonly runs: number
  readonly tokens: readonly TokenName[]
  /** In every key that must be new on this service. */
  readonly mark: string
  /** Another number each time, on this service never used before. */
  readonly next: () => number
  /** Those whose Location was followed. */
  readonly located: Set<Operation>
  /** Is told of every answer that is held to the document. */
  readonly hear: (heard: Heard) => void
}

export interface Heard {
  readonly operation: Operation
  readonly answered: Answered
}

export interface Observed {
  readonly operation: Operation
  readonly check: Check
  readonly asked: Asked
  /** What the answer must be beside what the document says of it. */
  readonly expect?: (answered: Answered) => readonly string[]
}

/** Sends one request, holds the answer to the document and to what is expected of it, and learns from it. */
export async function observe(run: Run, { operation, check, asked, expect }: Observed): Promise<Answered> {
  const { client, schemas, ledger, known } = run
  const answered = await client.ask(asked).catch((error: unknown) => unanswered(asked, error))
  const tested = ledger.operations.get(operation.id)
  if (tested !== undefined) count(tested, answered)
  run.hear({ operation, answered })
  const faults = answered.status === 0 ? [answered.text] : faultsOfAnswer(schemas, operation, answered)
  note(ledger, { operation, check, answered }, [...faults, ...(expect?.(answered) ?? [])])
  noteUndeclared(run, operation, answered)
  // What another merchant was told is not known to this one, and what was only tried is not there.
  if (answered.status < 300 && asked.as !== 'other-token' && !isDryRun(asked)) known.learn(answered.body)
  if (answered.status === 404 && asked.as === 'token') known.forget(lastIdOf(operation, asked))
  const docUrl: unknown = Reflect.get(Object(Reflect.get(Object(answered.body), 'error')), 'docUrl')
  if (typeof docUrl === 'string' && !ledger.docUrls.has(docUrl)) ledger.docUrls.set(docUrl, { operation, asked })
  return answered
}

/**
 * Sends a request that only prepares a check or reads the effect of another request. A 400 must still match one that
 * the operation declares.
 */
export async function ask({ client, declared, schemas, ledger }: Run, asked: Asked): Promise<Answered> {
  const answered = await client.ask(asked).catch((error: unknown) => unanswered(asked, error))
  if (answered.status !== 400) return answered
  const path = asked.path.replace(/\?.*/s, '')
  const operation = declared.find(({ method, template }) => method === asked.method && isAt(template, path))
  if (operation === undefined || !ledger.operations.has(operation.id)) return answered
  note(ledger, { operation, check: 'refusals', answered }, faultsOfAnswer(schemas, operation, answered))
  return answered
}

function count({ statuses, codes }: Tested, { status, body }: Answered): void {
  statuses[status] = (statuses[status] ?? 0) + 1
  const code = codeOf(body)
  if (code !== undefined) codes.add(code)
}

function noteUndeclared({ schemas, ledger }: Run, { id, answers }: Operation, { status, body }: Answered): void {
  const schema = answers[String(status)]?.content?.['application/json']?.schema
  if (schema === undefined) return
  for (const path of undeclaredMembers(schemas, schema, body)) ledger.undeclared.add(`${id} ${status} ${path}`)
}

export const dryRunHeader = 'Service-Dry-Run'

export function isDryRun({ headers = {} }: Asked): boolean {
  return headers[dryRunHeader] === 'true'
}

/** The record a path is about: the last that it names. */
function lastIdOf({ template }: Operation, { path }: Asked): string {
  const at = template.split('/').findLastIndex((part) => part.startsWith('{'))
  return decodeURIComponent(path.replace(/\?.*/s, '').split('/')[at] ?? '')
}

/** A connection that breaks, or an answer that never comes, is a fault of the service like any other. */
function unanswered(asked: Asked, error: unknown): Answered {
  if (!(error instanceof TypeError) && !(error instanceof DOMException)) throw error
  const cause = error instanceof TypeError ? error.cause : undefined
  const text = `There was no answer: ${error.message}${cause === undefined ? '' : `: ${String(cause)}`}`
  return { asked, status: 0, headers: new Headers(), text, body: undefined }
}

interface Turn {
  readonly operation: Operation
  /** What the values are for: another turn draws others. */
  readonly turn: string
  readonly changedPercent?: number
}

/** The same choices again for the same seed, whatever else was checked before. */
export function generatorFor(run: Run, { operation, turn, changedPercent = 0 }: Turn): Generator {
  const { schemas, known, next } = run
  return { schemas, known, next, draw: drawing(seedOf(`${run.seed} ${operation.id} ${turn}`)), changedPercent }
}

/** FNV-1a: any text as a number of 32 bits. */
function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return hash | 0
}

/** Whether an answer is one of the statuses, in words for the report. */
export function expectStatus(statuses: readonly number[], why: string): (answered: Answered) => string[] {
  return ({ status, body }) => {
    const code = codeOf(body)
    const found = code === undefined ? String(status) : `${status} ${code}`
    return statuses.includes(status) ? [] : [`${why}: expected ${statuses.join(' or ')}, found ${found}.`]
  }
}

export function isSuccess({ status }: Answered): boolean {
  return status >= 200 && status < 300
}
