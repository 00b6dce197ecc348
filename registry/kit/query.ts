import { z } from 'zod'
import { exportSettledMinutes, pageSize } from '../values/limits.ts'
import { impersonalText } from '../values/privacy.ts'

/**
 * Checks the digits itself, because `z.coerce.number()` also accepts `0x10`, `1e1`, `+5` and `" 25 "`. The OpenAPI
 * document describes the parameter as an integer.
 */
export function queryInteger(bounds: { min: number; max: number; description: string; example: number }) {
  return impersonalText()
    .regex(/^(0|[1-9]\d{0,15})$/, { error: 'Must be a whole number in decimal digits.' })
    .transform(Number)
    .pipe(z.int().min(bounds.min).max(bounds.max))
    .meta({
      type: 'integer',
      minimum: bounds.min,
      maximum: bounds.max,
      description: bounds.description,
      examples: [bounds.example],
    })
}

/** Accepts only `true` and `false`, because `1` or `yes` is ambiguous. */
export function queryBoolean(description: string) {
  return z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .pipe(z.boolean())
    .meta({ type: 'boolean', description, examples: [true] })
}

/** Returns the schema of a list of enum values in a query, separated by commas or sent as repeated parameters. */
export function queryChoices<const Values extends readonly [string, ...string[]]>(values: Values, description: string) {
  return (
    impersonalText()
      .transform((text) => text.split(','))
      // A list of enum values is limited to as many values as the enum has; a longer list would contain duplicates. The
      // limit is necessary, because the cursor contains all filters and must fit into a URL.
      .pipe(z.array(z.enum(values)).min(1).max(values.length))
      .meta({
        type: 'array',
        minItems: 1,
        maxItems: values.length,
        items: { type: 'string', enum: [...values] },
        param: { style: 'form', explode: false },
        description,
        examples: [[values[0]]],
      })
  )
}

/** A client separates the ids by commas, or repeats the parameter. */
export function queryIds<Id extends z.ZodString>(id: Id, bounds: { max: number; description: string }) {
  const { max, description } = bounds
  const { pattern, maxLength, examples } = z.toJSONSchema(id)
  return impersonalText()
    .transform((text) => text.split(','))
    .pipe(z.array(id).min(1).max(max))
    .meta({
      type: 'array',
      minItems: 1,
      maxItems: max,
      items: { type: 'string', pattern, maxLength },
      param: { style: 'form', explode: false },
      description,
      examples: [examples],
    })
}

export function isListParameter({ query }: { readonly query?: z.ZodObject }, name: string): boolean {
  const schema = query?.shape[name]
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema
  return inner instanceof z.ZodType && inner.meta()?.type === 'array'
}

/** Sentence for the API descriptions of filters by `updatedAt`. It states how a client finds all changes. */
export const changesFound =
  `To find each change, send a time at least ${exportSettledMinutes} minutes before your previous request: a change may be stored ` +
  'some time after its `updatedAt`, when that request has already been answered.'

/**
 * Query parameters of every list operation. `limit` is from 1 to 100 and defaults to 25 (spec 8); other values are
 * rejected.
 */
export const pageParameters = {
  // queryInteger() overrides the type of its schema in meta(), and the OpenAPI generator then omits the default value.
  // This meta() therefore repeats the default value.
  limit: queryInteger({ min: 1, max: pageSize.max, description: 'Number of records per page.', example: 25 })
    .default(pageSize.default)
    .meta({ default: pageSize.default }),
  cursor: impersonalText().min(1).max(4096).optional().meta({
    description:
      'Value of `pagination.cursor` on the previous page. Send the cursor unchanged, and never construct one.',
  }),
}
