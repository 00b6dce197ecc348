import { z } from 'zod'
import { read, write } from '../kit/endpoint.ts'
import { testClockAdvanceDaysMax, testClockTotalDaysMax } from '../values/limits.ts'
import { MerchantId, named } from '../values/vocabulary.ts'

/** The test clock of a merchant in test mode: an advance makes its records older, so that their due times come. */

export const testClockStatuses = ['idle', 'advancing', 'failed'] as const

const TestClock = named(
  'TestClock',
  z
    .object({
      id: MerchantId.meta({ description: 'Identifier of the merchant in test mode to which the test clock belongs.' }),
      status: z.enum(testClockStatuses).meta({
        description:
          'Whether an advance is under way. `failed`: a step of the last advance failed, for example because it took longer ' +
          'than 15 seconds with very many records, and the rest of the advance was not made. Another advance can start with any status ' +
          'except `advancing`.',
        examples: ['advancing'],
      }),
      advancedSeconds: z
        .int()
        .min(0)
        .meta({ description: 'Total number of seconds by which the clock has been advanced.', examples: [3600] }),
      remainingSeconds: z
        .int()
        .min(0)
        .meta({
          description:
            'Remaining time of the advance that is under way, in seconds. 0 while no advance is under way. Also 0 when the advance has moved all times and the service only completes the due work.',
          examples: [86_400],
        }),
    })
    .meta({ description: 'Test clock of a merchant in test mode.' }),
)

export type TestClock = z.output<typeof TestClock>

const example = {
  id: 'mer_01jd3f8q6hf5n8v1zr4c7e2m9k',
  status: 'idle',
  advancedSeconds: 90_000,
  remainingSeconds: 0,
} as const satisfies z.input<typeof TestClock>

export const getTestClock = read({
  id: 'getTestClock',
  path: '/test/clock',
  tag: 'Test mode',
  summary: 'Get the test clock',
  description:
    'Returns by how much the test clock was advanced, and the rest of the advance that is under way. Only tokens of test ' +
    'mode can use this operation.',
  access: 'orders:read',
  refusals: ['test_mode_required'],
  reply: { body: TestClock, meaning: 'The test clock.', example },
})

const TestClockAdvance = named(
  'TestClockAdvance',
  z.strictObject({
    seconds: z
      .int()
      .min(1)
      .max(testClockAdvanceDaysMax * 86_400)
      .meta({
        description: `Number of seconds by which the clock is advanced. At most ${testClockAdvanceDaysMax} days.`,
        examples: [86_400],
      }),
  }),
)

export const advanceTestClock = write({
  id: 'advanceTestClock',
  path: '/test/clock/advance',
  tag: 'Test mode',
  summary: 'Advance the test clock',
  description:
    'Advances the time of the merchant in test mode: all its records become older by `seconds`, so orders expire, retries ' +
    'of webhooks come due, shipments move, and cursors and idempotency keys age. An advance changes neither other merchants nor live mode. The advance takes place after the response, in steps from one due time to the next, and the work that is due ' +
    'is done before the next step. It has ended when the test clock no longer has the status `advancing`. The clock moves only forward, at ' +
    `most ${testClockTotalDaysMax} days altogether. The audit log, the request log, events, tokens and members state real times. ` +
    'Only tokens of test mode can use this operation.',
  access: 'orders:write',
  body: { schema: TestClockAdvance, example: { seconds: 86_400 } },
  reply: {
    status: 200,
    body: TestClock,
    meaning: 'The test clock, whose advance has started.',
    example: { ...example, status: 'advancing', advancedSeconds: 3600, remainingSeconds: 86_400 },
  },
  refusals: ['test_mode_required', 'test_clock_advancing', 'test_clock_limit_reached'],
  emits: [],
  audits: { action: 'test_clock.advance', resourceType: 'test_clock' },
})
