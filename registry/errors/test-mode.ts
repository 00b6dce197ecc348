import { z } from 'zod'
import type { ErrorDeclaration } from '../values/error.ts'

export const testModeErrors = {
  test_clock_advancing: {
    status: 409,
    type: 'state_error',
    meaning: 'Another advance of the test clock is under way.',
    fix: 'Read the test clock until its status is no longer `advancing`, and send the request again.',
    details: z.object({
      remainingSeconds: z
        .int()
        .meta({ description: 'Remaining time of the current test clock advance, in seconds.', examples: [3600] }),
    }),
  },
  test_clock_limit_reached: {
    status: 409,
    type: 'state_error',
    meaning: 'The test clock cannot be advanced that far: the sum of all its advances would exceed the maximum.',
    fix: 'Advance by fewer seconds, or create another merchant for the test.',
    details: z.object({
      advancedSeconds: z.int().meta({
        description: 'Total number of seconds by which the clock has been advanced.',
        examples: [315_360_000],
      }),
    }),
  },
  trigger_failed: {
    status: 409,
    type: 'state_error',
    meaning: 'A request of the trigger was rejected. The records that earlier requests of the trigger created remain.',
    fix: 'Read `details.code` and `details.operation`, which name the error and the rejected request, and run the trigger again.',
    details: z.object({
      operation: z.string().meta({ description: 'Operation of the rejected request.', examples: ['dispatchShipment'] }),
      code: z.string().meta({ description: 'Error code of the rejected request.', examples: ['no_carrier_available'] }),
    }),
  },
} as const satisfies Record<string, ErrorDeclaration>
