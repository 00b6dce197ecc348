import { StatementSkipped } from './batch.ts'

/** What PostgreSQL's errors mean to us. */

interface PostgresFault {
  readonly code: string
  readonly constraint?: string
}

function isPostgresFault(error: unknown): error is PostgresFault {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}

/**
 * The error that explains a failure. A statement that was skipped says only that another one failed before it; which
 * one fails first depends on how statements were batched, so a decision is always made on the cause.
 */
export function faultOf(error: unknown): unknown {
  return error instanceof StatementSkipped && error.cause !== undefined ? faultOf(error.cause) : error
}

const deadlock = '40P01'
const serializationFailure = '40001'
const uniqueViolation = '23505'
const lockNotAvailable = '55P03'

/**
 * A deadlock's victim succeeds when it runs again. So does the loser of a race for a unique name: its
 * own look-up, which came too early, now finds the winner and says so properly.
 */
export function isWorthRepeating(error: unknown): boolean {
  if (hasStaleStatements(error)) return true
  return hasCode(error, [deadlock, serializationFailure, uniqueViolation])
}

/**
 * A migration has changed what a statement prepared on this connection returns, or the server has forgotten it. Another
 * connection prepares it anew.
 */
export function hasStaleStatements(error: unknown): boolean {
  return hasCode(error, ['0A000', '26000'])
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  const fault = faultOf(error)
  return isPostgresFault(fault) && codes.includes(fault.code)
}

/** Others held what this request needed for longer than it may wait. */
export function isContention(error: unknown): boolean {
  return hasCode(error, [deadlock, serializationFailure, lockNotAvailable])
}

const statementCancelled = '57014'

/** The same statement may well succeed a moment later: the server is away, or was kept from it for too long. */
export function isPassing(error: unknown): boolean {
  return isUnavailable(error) || isContention(error) || hasCode(error, [statementCancelled])
}

/** Class 08 is a broken connection, 57P a server shutting down or restarting, 53 one without resources, 25006 a standby. */
const unavailable = /^(08|57P|53|25006|ECONN|EPIPE|ENOTFOUND|ETIMEDOUT)/

/** Texts of node-postgres for a connection that broke or could not be had; these errors carry no code. */
const unavailableMessages =
  /connection terminated|timeout exceeded when trying to connect|not queryable|did not answer in time/i

export function isUnavailable(error: unknown): boolean {
  if (error instanceof Error && error.cause !== undefined && isUnavailable(error.cause)) return true
  if (isPostgresFault(error)) return unavailable.test(error.code)
  return error instanceof Error && unavailableMessages.test(error.message)
}
