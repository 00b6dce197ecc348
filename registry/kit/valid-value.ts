import { z } from 'zod'

/**
 * Returns a valid value of the required field at a path of a request body. For a number, this is the minimum of the
 * field, so that a second field that must be higher, such as `compareAtPriceKobo`, stays valid. For a text, it is the
 * example of the field. Returns undefined for a field that is optional or unknown.
 */
export function validValueAt(body: z.ZodType, path: readonly PropertyKey[]): unknown {
  const schema = path.reduce(memberOf, body)
  if (schema instanceof z.ZodNumber) return schema.minValue
  const examples = schema instanceof z.ZodType ? schema.meta()?.examples : undefined
  return Array.isArray(examples) ? examples[0] : undefined
}

function memberOf(schema: unknown, name: PropertyKey): unknown {
  const content = schema instanceof z.ZodOptional ? schema.unwrap() : schema
  if (content instanceof z.ZodArray) return content.element
  return content instanceof z.ZodObject ? content.shape[String(name)] : undefined
}
