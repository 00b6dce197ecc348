import { conform, type Outcome } from './conform.ts'
import { readOptions, UsageError, usage } from './options.ts'
import { reportOf } from './report.ts'
import { exitCodeOf, type Verdict, verdictOf } from './verdict.ts'

/**
 * `npm run conformance`: exits with 0 when the service conforms to its OpenAPI document, with 1 when it does not, and
 * with 2 when the run could not decide.
 */

try {
  const options = readOptions(process.argv.slice(2), process.env)
  const outcome = await conform({ ...options, startedAtMs: Date.now() })
  const verdict = verdictOf(outcome, options.allowsUnseen)
  console.log(options.json ? jsonOf(outcome, options.seed, verdict) : reportOf(outcome, options.seed, verdict))
  process.exitCode = exitCodeOf(verdict)
} catch (error) {
  if (error instanceof UsageError) console.error(`${error.message}\n\n${usage}`)
  else console.error(error instanceof Error ? `The service could not be checked: ${error.message}` : error)
  process.exitCode = 2
}

function jsonOf({ ledger, ...rest }: Outcome, seed: number, verdict: Verdict): string {
  const operations = [...ledger.operations].map(([id, tested]) => [id, { ...tested, codes: [...tested.codes] }])
  const { violations, undeclared } = ledger
  const all = { seed, verdict, ...rest, violations, undeclared: [...undeclared] }
  return JSON.stringify({ ...all, operations: Object.fromEntries(operations) }, null, 2)
}
