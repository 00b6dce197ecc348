import { parseArgs } from 'node:util'
import type { Conformance } from './conform.ts'

/** The command line of `npm run conformance`. */

export const usage = `npm run conformance -- --url http://127.0.0.1:3000 --token svc_test_…

Holds a running service to its own OpenAPI document. It creates, changes and deletes records of the token’s merchant.

  --url                   the service; nothing else is asked
  --token                 a token of test mode with every scope to be checked
  --other-token           a token of another merchant, which must see nothing of the first one’s
  --narrow-token          a token with hardly any scope, which must be refused nearly everywhere
  --live                  allow tokens that are not of test mode
  --seed                  chooses the requests; the same again for the same number (1)
  --runs                  fitting and broken requests for each operation (10)
  --only                  check only this operation; may be given several times
  --max-requests          stop after so many (6000)
  --max-seconds           stop after so long (300)
  --document              where the document is served (/api/v1/openapi.json)
  --json                  print the outcome for programs
`

export class UsageError extends Error {}

export interface Options extends Omit<Conformance, 'startedAtMs'> {
  readonly json: boolean
}

export function readOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const
  const { values } = parsed(() =>
    parseArgs({
      args: [...args],
      options: {
        ...{ url: text, token: text, 'other-token': text, 'narrow-token': text, seed: text, runs: text },
        ...{ 'max-requests': text, 'max-seconds': text, document: text },
        only: { type: 'string', multiple: true },
        live: { type: 'boolean' },
        json: { type: 'boolean' },
      },
    }),
  )
  const { url, token, live = false } = values
  if (url === undefined || token === undefined) throw new UsageError('--url and --token are needed.')
  const tokens = {
    token,
    ...(values['other-token'] === undefined ? {} : { 'other-token': values['other-token'] }),
    ...(values['narrow-token'] === undefined ? {} : { 'narrow-token': values['narrow-token'] }),
  }
  if (!live) for (const [name, given] of Object.entries(tokens)) refuseLive(name, given)
  return {
    url: parsed(() => new URL(url)),
    tokens,
    seed: wholeNumber('seed', values.seed ?? '1'),
    runs: wholeNumber('runs', values.runs ?? '10'),
    maxRequests: wholeNumber('max-requests', values['max-requests'] ?? '6000'),
    maxSeconds: wholeNumber('max-seconds', values['max-seconds'] ?? '300'),
    documentPath: values.document ?? '/api/v1/openapi.json',
    only: values.only ?? [],
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

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} must be a whole number.`)
  return Number(text)
}

function parsed<Value>(parse: () => Value): Value {
  try {
    return parse()
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
