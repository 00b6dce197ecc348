/**
 * Adds to every integer schema its minimum, maximum and format, which the OpenAPI generator omits. Every integer of the
 * API is a safe integer of JavaScript, and its format is the smallest type that fits all its values.
 */
export function addBounds(part: unknown): void {
  if (typeof part !== 'object' || part === null) return
  if (Array.isArray(part)) {
    for (const entry of part) addBounds(entry)
    return
  }
  if (isInteger(part)) boundInteger(part)
  for (const [name, value] of Object.entries(part)) {
    // Examples in the OpenAPI document are left unchanged, because they contain values and not schemas.
    if (name !== 'example' && name !== 'examples') addBounds(value)
  }
}

interface IntegerSchema {
  type: 'integer'
  minimum?: number
  maximum?: number
  format?: string
}

function isInteger(part: object): part is IntegerSchema {
  return 'type' in part && part.type === 'integer'
}

const int32Max = 2 ** 31 - 1

function boundInteger(schema: IntegerSchema): void {
  schema.minimum ??= -Number.MAX_SAFE_INTEGER
  schema.maximum ??= Number.MAX_SAFE_INTEGER
  const isSmall = schema.minimum >= -int32Max && schema.maximum <= int32Max
  schema.format ??= isSmall ? 'int32' : 'int64'
}
