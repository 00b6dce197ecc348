import { z } from 'zod'
import { type ErrorCode, errorCodes, errors, problemCodes } from '../errors/index.ts'
import { validationProblemsMax } from '../values/limits.ts'
import { named } from '../values/vocabulary.ts'

/** One problem of a validation error: where, what, and what to do. */
export const Problem = named(
  'Problem',
  z.object({
    path: z.string().meta({ description: 'Where the value is.', examples: ['body.items[0].quantity'] }),
    code: z.enum(problemCodes).meta({ description: 'What is wrong with it. More values may be added.' }),
    message: z.string().meta({ description: 'What is wrong, in words.', examples: ['Must be at least 1.'] }),
    fix: z.string().meta({ description: 'What to send instead.', examples: ['Send a whole number from 1 to 1000.'] }),
  }),
)

export type Problem = z.output<typeof Problem>

/** The one shape of every error, with the code as a constant so that clients can tell them apart by type. */
function errorBody(code: ErrorCode) {
  const declared = errors[code]
  return named(
    componentName(code),
    z.object({
      error: z
        .object({
          type: z.literal(declared.type).meta({ description: 'The family of the code.' }),
          code: z.literal(code).meta({ description: declared.meaning }),
          status: z.literal(declared.status).meta({ description: 'The HTTP status.' }),
          message: z.string().meta({ description: 'What was found. For people; it may change.' }),
          fix: z
            .string()
            .meta({ description: 'What to do about it. For people; it may change.', examples: [declared.fix] }),
          ...(declared.type === 'validation_error'
            ? {
                errors: z
                  .array(Problem)
                  .max(validationProblemsMax)
                  .meta({ description: 'Every problem found, at most 20.' }),
              }
            : {}),
          details:
            declared.details?.meta({ description: 'What was found, for programs.' }) ??
            z.object({}).meta({ description: 'Nothing more is known for this code.' }),
          retryable: z
            .literal(declared.retryable ?? false)
            .meta({ description: 'Whether the same request may succeed later.' }),
          requestId: z
            .string()
            .meta({ description: 'Name it when asking for help; the Request-Id header repeats it.' }),
          docUrl: z.string().meta({
            description: 'URL of the page that explains the code.',
            format: 'uri',
            examples: [`http://127.0.0.1:3000/docs/errors/${code}`],
          }),
        })
        .meta({ description: 'What went wrong.' }),
    }),
  )
}

function componentName(code: ErrorCode): string {
  const words = code.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('').replace(/Error$/, '')}Error`
}

export const errorBodies: ReadonlyMap<ErrorCode, z.ZodObject> = new Map(
  errorCodes.map((code) => [code, errorBody(code)]),
)
