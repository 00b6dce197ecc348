import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { shortcomingsOf, sumOf } from './tally.ts'
import { openValidatingProxy } from './validating-proxy.ts'

/**
 * `npm run proxy-check`: runs the endpoint tests with Prism, a third-party validating proxy, between the tests and the
 * service. It fails when Prism finds a response that violates the document, and when Prism itself fails. For the whole
 * suite, it also fails when an operation is never validated or there are fewer validated responses than tests.
 * Arguments select other tests instead of test/endpoints. Some requests bypass Prism and are listed with their reason:
 * the request belongs to no operation, its address cannot be decoded, it has more violations than Prism can report, or
 * the response is a file of lines, which Prism would validate as one value. Malformed requests go to the service
 * directly (sendRaw and sendBytes of the tests). The tests themselves check the responses to all of these requests.
 */

const documentPath = 'openapi.json'

const document: object = JSON.parse(await readFile(documentPath, 'utf8'))
const proxy = await openValidatingProxy(documentPath, document)
const chosen = process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'commerce-proxy-'))
const report = join(folder, 'report.json')
const vitestArguments = [
  'run',
  '--config',
  'scripts/config/vitest.config.ts',
  ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
  ...(chosen.length > 0 ? chosen : ['test/endpoints']),
]
const startedAt = performance.now()
const vitest = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...vitestArguments], {
  stdio: 'inherit',
  env: { ...process.env, VALIDATING_PROXY: proxy.url, NO_COLOR: '1' },
})
const [code]: (number | null)[] = await once(vitest, 'exit')
await proxy.close()

const { validated, bypassed, violations, faults } = proxy.tally
const shortcomings =
  chosen.length > 0 ? [] : shortcomingsOf(proxy.tally, { declared: proxy.declared, tests: await testsRun() })
await rm(folder, { recursive: true })
for (const found of [...violations, ...faults, ...shortcomings]) console.log(found)
for (const [reason, times] of bypassed) console.log(`bypassed ${times} times: ${reason}`)
const seconds = Math.round((performance.now() - startedAt) / 1000)
console.log(
  `Prism validated ${sumOf(validated)} responses of ${validated.size} operations in ${seconds} s and found ` +
    `${violations.length} violation(s); vitest exited with ${code}.`,
)
process.exitCode = violations.length + faults.length + shortcomings.length === 0 && code === 0 ? 0 : 1

async function testsRun(): Promise<number> {
  const text = await readFile(report, 'utf8')
  return z.object({ numTotalTests: z.number() }).parse(JSON.parse(text)).numTotalTests
}
