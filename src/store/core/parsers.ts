import pg from 'pg'

/**
 * Parsers for PostgreSQL's text format. Money becomes exact integers, and times and dates become ISO 8601 strings instead of
 * Date objects.
 */

const int8 = 20
const date = 1082
const timestamptz = 1184

/** Parses a bigint, which node-postgres returns as text by default. Throws for values beyond 2^53 instead of rounding. */
function parseInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error('An integer from the database is beyond 2^53.')
  return value
}

/** Converts `2026-11-21 08:30:00.12+00` to ISO 8601 with milliseconds (spec 2). The session's time zone is UTC. */
export function parseTimestamp(text: string): string {
  const seconds = `${text.slice(0, 10)}T${text.slice(11, 19)}`
  const zone = text.indexOf('+', 19)
  const fraction = zone > 20 ? text.slice(20, zone) : ''
  return `${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
}

export function parsers(typeId: number, format?: string): (text: string) => unknown {
  if (format === 'binary') return pg.types.getTypeParser(typeId, 'binary')
  if (typeId === int8) return parseInteger
  if (typeId === date) return (text) => text
  if (typeId === timestamptz) return parseTimestamp
  return pg.types.getTypeParser(typeId, 'text')
}
