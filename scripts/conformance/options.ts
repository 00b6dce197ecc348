import { parseArgs } from 'node:util'
import { type TokenName, tokenNames, tokenVariables } from './client.ts'
import type { Conformance } from './conform.ts'
import { type Check, checks } from './ledger.ts'

export const usage = `COMMERCE_TOKEN=svc_test_… npm run -s conformance -- --url http://127.0.0.1:3000

Checks a running service against its own OpenAPI document. It creates, changes and deletes records of the token’s merchant.

  --url                   origin of the service, without a path; no other host is contacted
  --token                 test mode token with every scope to check ($COMMERCE_TOKEN)
  --other-token           token of another merchant, for the isolation checks ($COMMERCE_OTHER_TOKEN)
  --narrow-token          token with few scopes, for the scope checks ($COMMERCE_NARROW_TOKEN)
  --live                  allow live mode tokens
  --seed                  seed of the random requests; the same seed repeats them (1)
  --runs                  number of valid and of invalid requests for each operation (10)
  --only                  check only this operation; repeatable
  --check                 run only this check, after the examples; repeatable (${checks.join(', ')})
  --allow-unseen          accept operations that were never requested or never succeeded for lack of a record
  --max-requests          stop after this many requests (8000)
  --max-seconds           stop after this many seconds (300)
  --document              path of the document (/api/v1/openapi.json)
  --json                  print the outcome as JSON

Exit codes: 0 when the service conforms to its document; 1 when it does not, when the run stopped early, or when an
operation never succeeded; 2 when an operation was never requested, or when the run could not start.
`

export class UsageError extends Error {}

export interface Options extends Omit<Conformance, 'startedAtMs'> {
  readonly json: boolean
  /** Whether the conformance run may pass although some operations never succeeded. */
  readonly allowsUnseen: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

/** Tokens may come from environment variables, because other users can see a command line. */
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
  if (url === undefined || tokens.token === undefined) throw new UsageError('--url and --token are required.')
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

/** Rejects tokens of live mode, because the run changes and deletes the records of the merchant. */
function refuseLive(name: string, token: string): void {
  if (/^[a-z]+_test_/.test(token)) return
  throw new UsageError(
    `--${name} is not a test mode token. The run creates, changes and deletes records. Add --live to allow that.`,
  )
}

/** Rejects a URL with a path, because the OpenAPI document declares the path of the API. */
function serviceOf(text: string): URL {
  const url = parsed(() => new URL(text))
  const isOrigin = url.pathname === '/' && url.search === '' && url.hash === ''
  if (!isOrigin) throw new UsageError(`--url must be an origin without a path: ${url.origin}.`)
  return url
}

function checkOf(text: string): Check {
  const found = checks.find((check) => check === text)
  if (found === undefined) throw new UsageError(`--check ${text} must be one of ${checks.join(', ')}.`)
  return found
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} must be a whole number.`)
  return Number(text)
}

/** Rejects the number 0, because a run that sends no requests would always pass. */
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
