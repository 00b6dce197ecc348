/**
 * What the generator leaves out of a schema though it holds: every integer of this API is one that JavaScript holds exactly,
 * and has the format of the smallest type that takes all its values.
 */
export function addBounds(part: unknown): void {
  if (typeof part !== 'object' || part === null) return
  if (Array.isArray(part)) {
    for (const entry of part) addBounds(entry)
    return
  }
  if (isInteger(part)) boundInteger(part)
  for (const [name, value] of Object.entries(part)) {
    // An example is a value, and no schema.
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

/** The largest value of the smaller of the two integer formats of OpenAPI. */
const int32Max = 2 ** 31 - 1

function boundInteger(schema: IntegerSchema): void {
  schema.minimum ??= -Number.MAX_SAFE_INTEGER
  schema.maximum ??= Number.MAX_SAFE_INTEGER
  const isSmall = schema.minimum >= -int32Max && schema.maximum <= int32Max
  schema.format ??= isSmall ? 'int32' : 'int64'
}
