import type { z } from 'zod'
import type { Timestamp } from '../values/vocabulary.ts'

/** A record stored as JSON text. Responses contain that text, byte for byte. */
export interface SerializedText {
  readonly id: string
  readonly createdAt: Timestamp
  readonly text: string
}

export interface SerializedRecord {
  readonly isSerialized: true
}

/**
 * Marks a schema whose records are stored as JSON text. The OpenAPI document describes such a schema like any other; a
 * handler returns the text, and the serializer inserts it unchanged. Must be applied after `.meta()`, which returns
 * another schema without the mark.
 */
export function serialized<Schema extends z.ZodType>(schema: Schema): Schema & SerializedRecord {
  return Object.assign(schema, { isSerialized: true as const })
}

export function isSerialized(schema: object): boolean {
  return 'isSerialized' in schema
}
