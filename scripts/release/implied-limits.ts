import { headersMaxBytes } from '../../registry/values/limits.ts'
import type { Document } from './document.ts'

/**
 * Returns the newer document without the limits that the older document already implied. The bounds of an integer imply
 * its format. A bounded pattern implies a text length, and the server's limit implies a header length. Declaring an
 * implied limit rejects no request that was accepted before.
 */
export function withoutImpliedLimits(base: Document, revision: Document): Document {
  const copy: Document = structuredClone(revision)
  removeImplied(base, copy)
  return copy
}

function removeImplied(before: unknown, after: unknown): void {
  if (!isObject(before) || !isObject(after)) return
  const { format, maxLength, minimum, maximum } = after
  if (before.format === undefined && (format === 'int32' || format === 'int64')) delete after.format
  if (before.minimum === undefined && minimum === -Number.MAX_SAFE_INTEGER) delete after.minimum
  if (before.maximum === undefined && maximum === Number.MAX_SAFE_INTEGER) delete after.maximum
  const isImplied = isBounded(before.pattern) && before.pattern === after.pattern
  if (before.maxLength === undefined && (isImplied || maxLength === headersMaxBytes)) delete after.maxLength
  for (const [name, part] of Object.entries(after)) removeImplied(before[name], part)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Reports whether a pattern is anchored at both ends and has no unbounded repetition. */
function isBounded(pattern: unknown): boolean {
  return typeof pattern === 'string' && /^\^.*\$$/.test(pattern) && !/[*+]|\{\d+,\}/.test(pattern.replace(/\\./g, ''))
}
