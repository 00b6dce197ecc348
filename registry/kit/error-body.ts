import { z } from 'zod'
import { type ErrorCode, errorCodes, errors, problemCodes } from '../errors/index.ts'
import { validationProblemsMax } from '../values/limits.ts'
import { named } from '../values/vocabulary.ts'

/** One invalid value that a validation error reports. */
export const Problem = named(
  'Problem',
  z.object({
    path: z
      .string()
      .meta({ description: 'Path of the invalid value in the request.', examples: ['body.items[0].quantity'] }),
    code: z
      .enum(problemCodes)
      .meta({ description: 'Code of the validation rule that the value violates. More values may be added.' }),
    message: z.string().meta({
      description: 'Description of the validation rule that the value violates, for people. The wording may change.',
      examples: ['Must be at least 1.'],
    }),
    fix: z.string().meta({
      description: 'How to correct the value, for people. The wording may change.',
      examples: ['Send a whole number from 1 to 1000.'],
    }),
  }),
)

export type Problem = z.output<typeof Problem>

/** All errors have this shape. `code` is a constant, so clients can narrow by it. */
function errorBody(code: ErrorCode) {
  const declared = errors[code]
  return named(
    componentName(code),
    z.object({
      error: z
        .object({
          type: z.literal(declared.type).meta({ description: 'Category of the error code.' }),
          code: z.literal(code).meta({ description: declared.meaning }),
          status: z.literal(declared.status).meta({ description: 'HTTP status of the response.' }),
          message: z.string().meta({ description: 'Description of the error, for people. The wording may change.' }),
          fix: z.string().meta({
            description: 'How to correct the request, for people. The wording may change.',
            examples: [declared.fix],
          }),
          ...(declared.type === 'validation_error'
            ? {
                errors: z
                  .array(Problem)
                  .max(validationProblemsMax)
                  .meta({ description: `Invalid values of the request, at most ${validationProblemsMax}.` }),
              }
            : {}),
          details:
            declared.details?.meta({ description: 'Machine-readable details of the error.' }) ??
            z.object({}).meta({ description: 'Details of the error. Always empty for this error code.' }),
          retryable: z
            .literal(declared.retryable ?? false)
            .meta({ description: 'Whether the same request may succeed when it is sent again later.' }),
          requestId: z.string().meta({
            description:
              'Identifier of the request, as in the `Request-Id` header. Include it when you contact support.',
          }),
          docUrl: z.string().meta({
            description: 'URL of the reference page of the error code.',
            format: 'uri',
            examples: [`http://127.0.0.1:3000/docs/errors/${code}`],
          }),
        })
        .meta({ description: 'The error.' }),
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
