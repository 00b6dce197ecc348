import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { requireProgram } from './require-program.ts'

/**
 * `npm run pgbouncer-check`: runs the endpoint tests with Debian’s PgBouncer in transaction mode between the service
 * and PostgreSQL. Arguments select other tests instead of test/endpoints. The tests start PgBouncer themselves
 * (test/support/pooler.ts), because each test file has a database of its own. Ends with 2 when PgBouncer is not
 * installed.
 */

requireProgram('pgbouncer', 'pgbouncer')
const chosen = process.argv.slice(2)
const vitestArguments = ['run', '--config', 'scripts/config/vitest.config.ts']
const vitest = spawn(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', ...vitestArguments, ...(chosen.length > 0 ? chosen : ['test/endpoints'])],
  { stdio: 'inherit', env: { ...process.env, TEST_POOLER: 'transaction', NO_COLOR: '1' } },
)
const [code]: (number | null)[] = await once(vitest, 'exit')
console.log(`The endpoint tests through PgBouncer in transaction mode exited with ${code}.`)
process.exitCode = code === 0 ? 0 : 1
