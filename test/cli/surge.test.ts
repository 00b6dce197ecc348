import { expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { operator } from '../../src/cli/kit/operator.ts'
import { publishSurge } from '../../src/logistics/surge/publish-surge.ts'
import { surgeRules } from '../../src/logistics/surge/surge-rules.ts'
import { useDatabase } from '../support/database.ts'
import { commerce, commerceJson } from './commerce.ts'

const opened = useDatabase()
const run = (...words: string[]) => commerceJson(opened().connectionString, 'surge', ...words)

test('the commands `surge override` and `surge freeze` store their reason and take effect when surge multipliers are next published', async () => {
  const reason = ['--reason', 'Flood on the expressway']
  const stored = await run('override', '--zone', 'lag-lekki-1', '--multiplier', '1.35', '--minutes', '60', ...reason)
  expect(stored).toMatchObject({
    kind: 'override',
    multiplier: 1.35,
    zoneIds: ['lag-lekki-1'],
    book: 'live',
    reason: reason[1],
  })
  await run('freeze', '--city', 'Abuja', '--minutes', '10', ...reason)
  await publishSurge({ database: opened().database, clock: systemClock }, surgeRules)
  const shown = await run('show')
  expect(shown).toMatchObject({
    zones: expect.arrayContaining([
      expect.objectContaining({ zoneId: 'lag-lekki-1', multiplier: 1.35, basis: 'override' }),
      expect.objectContaining({ zoneId: 'abj-south', multiplier: 1, basis: 'frozen' }),
      expect.objectContaining({ zoneId: 'lag-epe', multiplier: 1, basis: 'insufficient_data' }),
    ]),
    overrides: [
      { kind: 'freeze', city: 'Abuja', actorLabel: operator.label },
      { kind: 'override', zoneId: 'lag-lekki-1' },
    ],
  })
  await run('clear', '--zone', 'lag-lekki-1', '--reason', 'The water is gone')
  expect(await run('show', '--limit', '1')).toMatchObject({ overrides: [{ kind: 'clear', expiresAt: null }] })
  expect(await run('show', '--mode', 'test')).toMatchObject({ overrides: [] })
})

test('the command `surge show` without --json prints a table of zones and a table of overrides', async () => {
  const { stdout } = await commerce(opened().connectionString, 'surge', 'show')
  expect(stdout).toContain('zoneId')
  expect(stdout).toContain('Flood on the expressway')
})

test.for([
  [
    'an unknown city',
    ['freeze', '--city', 'Kano', '--minutes', '10', '--reason', 'x'],
    1,
    'No active delivery zone matches Kano',
  ],
  ['neither a zone nor a city', ['freeze', '--minutes', '10', '--reason', 'x'], 2, 'either --zone or --city'],
  [
    'both a zone and a city',
    ['clear', '--zone', 'lag-epe', '--city', 'Lagos', '--reason', 'x'],
    2,
    'either --zone or --city',
  ],
  ['no reason', ['freeze', '--city', 'Lagos', '--minutes', '10'], 2, 'Missing required options: --reason.'],
  ['no duration', ['freeze', '--city', 'Lagos', '--reason', 'x'], 2, 'Missing required options: --minutes.'],
  [
    'a multiplier between the steps',
    ['override', '--city', 'Lagos', '--multiplier', '1.33', '--minutes', '10', '--reason', 'x'],
    2,
    'in steps of 0.05',
  ],
  [
    'a multiplier above the cap',
    ['override', '--city', 'Lagos', '--multiplier', '2.5', '--minutes', '10', '--reason', 'x'],
    2,
    'from 1 to 2',
  ],
] as const)('a surge command with %s fails', async ([, words, code, message]) => {
  const ended = await commerce(opened().connectionString, 'surge', ...words)
  expect(ended.code).toBe(code)
  expect(ended.stderr).toContain(message)
})
