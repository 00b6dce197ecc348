import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { objectionToDay } from '../../../scripts/release/release-day.ts'
import { stoppedClock } from '../../../src/base/clock.ts'

const clock = stoppedClock(Date.parse('2026-12-01T23:59:59.999Z'))

test.for(['2026-11-21', '2026-12-01'])('a release may have a past or present date: %s', (on) => {
  expect(objectionToDay(on, '2026-11-21', clock)).toBe(undefined)
  expect(objectionToDay(on, undefined, clock)).toBe(undefined)
})

test('a release must not be dated before the previous release', () => {
  expect(objectionToDay('2026-11-20', '2026-11-21', clock)).toContain('before the last release on 2026-11-21')
})

test.for([
  '2026-12-02',
  '2028-01-01',
])('a release cannot have the future date %s, because the deprecation periods of operations might end before that date', (on) => {
  expect(objectionToDay(on, '2026-11-21', clock)).toContain('Today is 2026-12-01')
  expect(objectionToDay(on, undefined, clock)).toContain('in the future')
})

test('the release command rejects an invalid date before it writes anything', async () => {
  // The test works on copies of the files, in case the command overwrites them by mistake.
  const folder = await mkdtemp(join(tmpdir(), 'commerce-release-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const path of ['openapi.json', 'generated/released']) await cp(path, join(folder, path), { recursive: true })
  const args = [resolve('scripts/release/release.ts'), '--on', '9999-12-31', '--summary', 'All that was promised ends.']
  const outcome: unknown = await promisify(execFile)(process.execPath, args, { cwd: folder }).catch((error) => error)
  expect(Object(outcome).stderr).toContain('in the future')
})
