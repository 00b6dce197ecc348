import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { shortcomingsOf, sumOf } from './tally.ts'
import { openValidatingProxy } from './validating-proxy.ts'

/**
 * `npm run proxy-check`: the whole endpoint suite with Prism, a validating proxy not written here, between the tests and
 * the service. It fails when Prism finds an answer that is not as the document says, when Prism itself fails,
 * and, of the whole suite, when an operation is never judged or fewer answers are than there are tests. Words behind it are given to vitest
 * in place of test/endpoints.
 *
 * Some requests pass Prism by, and are told with their reason: those to no operation, those to an address that cannot be
 * decoded, and those with more faults than it can name. Bytes that are no proper request go to the service directly
 * (sendRaw and sendBytes of the tests). All of these the tests judge by themselves.
 */

const documentPath = 'openapi.json'

const document: object = JSON.parse(await readFile(documentPath, 'utf8'))
const proxy = await openValidatingProxy(documentPath, document)
const chosen = process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'commerce-proxy-'))
const report = join(folder, 'report.json')
const words = [
  'run',
  '--config',
  'scripts/config/vitest.config.ts',
  ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
  ...(chosen.length > 0 ? chosen : ['test/endpoints']),
]
const startedAt = performance.now()
const vitest = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...words], {
  stdio: 'inherit',
  env: { ...process.env, VALIDATING_PROXY: proxy.url, NO_COLOR: '1' },
})
const [code]: (number | null)[] = await once(vitest, 'exit')
await proxy.close()

const { judged, passedBy, violations, faults } = proxy.tally
const shortcomings =
  chosen.length > 0 ? [] : shortcomingsOf(proxy.tally, { declared: proxy.declared, tests: await testsRun() })
await rm(folder, { recursive: true })
for (const found of [...violations, ...faults, ...shortcomings]) console.log(found)
for (const [reason, times] of passedBy) console.log(`passed by ${times} times: ${reason}`)
const seconds = Math.round((performance.now() - startedAt) / 1000)
console.log(
  `Prism judged ${sumOf(judged)} answers of ${judged.size} operations in ${seconds} s and found ` +
    `${violations.length} violation(s) of a response; vitest ended with ${code}.`,
)
process.exitCode = violations.length + faults.length + shortcomings.length === 0 && code === 0 ? 0 : 1

async function testsRun(): Promise<number> {
  const text = await readFile(report, 'utf8')
  return z.object({ numTotalTests: z.number() }).parse(JSON.parse(text)).numTotalTests
}
