import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { killDatabase } from '../../../scripts/faults/database/kills.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-database-kills-'))
  await chmod(folder, 0o711)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const kills = 5

/**
 * Maximum size of the service's log. Each kill of the database logs one line for each pooled connection. Stack traces
 * for all failed requests would take megabytes.
 */
const logMaxBytes = 300_000

test('the service recovers from five kills of its embedded PostgreSQL under load, and loses no acknowledged write', async () => {
  const report = await killDatabase(folder, kills)
  expect(report.recoveriesMs).toHaveLength(kills)
  expect(report).toMatchObject({ lost: [], unexpected: [], surplusRefunds: 0, exitCode: 0, isServerLeft: false })
  expect(report.acknowledged).toBeGreaterThan(kills)
  expect(report.logBytes).toBeLessThan(logMaxBytes)
}, 400_000)
