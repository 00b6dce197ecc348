import { parseArgs } from 'node:util'
import { type TokenName, tokenNames, tokenVariables } from './client.ts'
import type { Conformance } from './conform.ts'
import { type Check, checks } from './ledger.ts'

/** The command line of `npm run conformance`. */

export const usage = `COMMERCE_TOKEN=svc_test_… npm run -s conformance -- --url http://127.0.0.1:3000

Holds a running service to its own OpenAPI document. It creates, changes and deletes records of the token’s merchant.

  --url                   the service, without a path; nothing else is asked
  --token                 a token of test mode with every scope to be checked ($COMMERCE_TOKEN)
  --other-token           a token of another merchant, which must see nothing of the first one’s ($COMMERCE_OTHER_TOKEN)
  --narrow-token          a token with hardly any scope, refused nearly everywhere ($COMMERCE_NARROW_TOKEN)
  --live                  allow tokens that are not of test mode
  --seed                  chooses the requests; the same again for the same number (1)
  --runs                  fitting and broken requests for each operation (10)
  --only                  check only this operation; may be given several times
  --check                 only this check, after the examples; may be given several times (${checks.join(', ')})
  --allow-unseen          accept operations that were never asked or never seen succeeding, for want of a record
  --max-requests          stop after so many (8000)
  --max-seconds           stop after so long (300)
  --document              where the document is served (/api/v1/openapi.json)
  --json                  print the outcome for programs

It ends with 0 when the service is as its document says; with 1 when it is not, when it was stopped before it had asked
everything, or when an operation was never seen succeeding; with 2 when an operation could not be asked, or nothing.
`

export class UsageError extends Error {}

export interface Options extends Omit<Conformance, 'startedAtMs'> {
  readonly json: boolean
  /** Whether operations that were only seen refusing are accepted. */
  readonly allowsUnseen: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

/** Tokens come from the environment, too: what starts a program often shows its command line to others. */
export function readOptions(args: readonly string[], environment: Environment = {}): Options {
  const text = { type: 'string' } as const
  const { values } = parsed(() =>
    parseArgs({
      args: [...args],
      options: {
        ...{ url: text, token: text, 'other-token': text, 'narrow-token': text, seed: text, runs: text },
        ...{ 'max-requests': text, 'max-seconds': text, document: text },
        only: { type: 'string', multiple: true },
        check: { type: 'string', multiple: true },
        'allow-unseen': { type: 'boolean' },
        live: { type: 'boolean' },
        json: { type: 'boolean' },
      },
    }),
  )
  const { url, live = false } = values
  const given = tokenNames.flatMap((name): [TokenName, string][] => {
    const token = values[name] ?? environment[tokenVariables[name]]
    return token === undefined || token === '' ? [] : [[name, token]]
  })
  const tokens: Conformance['tokens'] = Object.fromEntries(given)
  if (url === undefined || tokens.token === undefined) throw new UsageError('--url and --token are needed.')
  if (!live) for (const [name, token] of given) refuseLive(name, token)
  return {
    url: serviceOf(url),
    tokens,
    seed: wholeNumber('seed', values.seed ?? '1'),
    runs: positiveNumber('runs', values.runs ?? '10'),
    maxRequests: positiveNumber('max-requests', values['max-requests'] ?? '8000'),
    maxSeconds: positiveNumber('max-seconds', values['max-seconds'] ?? '300'),
    documentPath: values.document ?? '/api/v1/openapi.json',
    only: values.only ?? [],
    checks: (values.check ?? []).map(checkOf),
    allowsUnseen: values['allow-unseen'] ?? false,
    json: values.json ?? false,
  }
}

/** What it does to a merchant’s records it must not do to a shop that sells: only a token that says so is of test mode. */
function refuseLive(name: string, token: string): void {
  if (/^[a-z]+_test_/.test(token)) return
  throw new UsageError(
    `--${name} is not of test mode. This creates, changes and deletes records; say --live to mean it.`,
  )
}

/** The document says where the API is; a path beside it would be another thing to obey. */
function serviceOf(text: string): URL {
  const url = parsed(() => new URL(text))
  const isOrigin = url.pathname === '/' && url.search === '' && url.hash === ''
  if (!isOrigin) throw new UsageError(`--url names the service without a path: ${url.origin}.`)
  return url
}

function checkOf(text: string): Check {
  const found = checks.find((check) => check === text)
  if (found === undefined) throw new UsageError(`--check ${text} is none of ${checks.join(', ')}.`)
  return found
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} must be a whole number.`)
  return Number(text)
}

/** Nothing asked is nothing found. */
function positiveNumber(name: string, text: string): number {
  const number = wholeNumber(name, text)
  if (number === 0) throw new UsageError(`--${name} must be 1 or more.`)
  return number
}

function parsed<Value>(parse: () => Value): Value {
  try {
    return parse()
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
