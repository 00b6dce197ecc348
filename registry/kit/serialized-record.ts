import type { z } from 'zod'
import type { Timestamp } from '../values/vocabulary.ts'

/** A record kept as the text it was first written in, which goes out as that text, byte for byte. */
export interface SerializedText {
  readonly id: string
  readonly createdAt: Timestamp
  readonly text: string
}

export interface SerializedRecord {
  readonly isSerialized: true
}

/**
 * Says that records of a schema are kept as text. The document describes them like any other; a handler gives the text,
 * and the serializer joins it in. Mark the schema last: one made from it by describing it further is another schema.
 */
export function serialized<Schema extends z.ZodType>(schema: Schema): Schema & SerializedRecord {
  return Object.assign(schema, { isSerialized: true as const })
}

export function isSerialized(schema: object): boolean {
  return 'isSerialized' in schema
}
