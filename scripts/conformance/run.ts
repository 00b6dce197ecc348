import { conform } from './conform.ts'
import { readOptions, UsageError, usage } from './options.ts'
import { reportOf } from './report.ts'

/** `npm run conformance`: 0 when the service is as its document says, 1 when it is not, 2 when that cannot be told. */

try {
  const options = readOptions(process.argv.slice(2))
  const outcome = await conform({ ...options, startedAtMs: Date.now() })
  const { ledger, requests, seconds, tokens, stopped } = outcome
  const { violations } = ledger
  const operations = Object.fromEntries(ledger.operations)
  const { seed } = options
  const json = () => JSON.stringify({ seed, requests, seconds, tokens, stopped, violations, operations }, null, 2)
  console.log(options.json ? json() : reportOf(outcome, seed))
  process.exitCode = violations.length === 0 && stopped === undefined ? 0 : 1
} catch (error) {
  if (error instanceof UsageError) console.error(`${error.message}\n\n${usage}`)
  else console.error(error instanceof Error ? `It could not be checked: ${error.message}` : error)
  process.exitCode = 2
}
