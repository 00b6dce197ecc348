import { StatementSkipped } from './batch.ts'

interface PostgresFault {
  readonly code: string
  readonly message: string
}

function isPostgresFault(error: unknown): error is PostgresFault {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}

/**
 * Returns the root cause of an error. The error of a skipped statement says only that an earlier statement of its
 * pipeline failed. Which statement fails first depends on the batching, so every decision uses the root cause.
 */
export function faultOf(error: unknown): unknown {
  return error instanceof StatementSkipped && error.cause !== undefined ? faultOf(error.cause) : error
}

const deadlock = '40P01'
const serializationFailure = '40001'
const uniqueViolation = '23505'
const lockNotAvailable = '55P03'

/**
 * Reports whether the transaction should be retried. The victim of a deadlock succeeds when it runs again. A
 * transaction that lost a race for a unique value finds the row of the winner when it runs again, and returns the
 * proper outcome. A transaction that a demoted server rejected runs on the new primary when it runs again.
 */
export function isRetryable(error: unknown): boolean {
  if (hasStaleStatements(error) || isReadOnly(error)) return true
  return hasCode(error, [deadlock, serializationFailure, uniqueViolation])
}

/**
 * Reports whether a prepared statement of the connection is invalid: a migration changed its result columns, or the
 * server no longer has it. Another connection prepares the statement again.
 */
export function hasStaleStatements(error: unknown): boolean {
  return hasCode(error, ['0A000', '26000'])
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  const fault = faultOf(error)
  return isPostgresFault(fault) && codes.includes(codeOf(fault))
}

const internalError = 'XX000'
const integrityConstraintViolation = '23000'

/**
 * When Citus copies the rows of an insert to a node, it reports every error of the node as an internal error. The
 * SQLSTATE code is then derived from the node's message.
 */
function codeOf({ code, message }: PostgresFault): string {
  if (code !== internalError) return code
  if (/^duplicate key value violates unique constraint/.test(message)) return uniqueViolation
  return / violates .*constraint/.test(message) ? integrityConstraintViolation : code
}

export function isContention(error: unknown): boolean {
  return hasCode(error, [deadlock, serializationFailure, lockNotAvailable])
}

const readOnlySqlTransaction = '25006'

/** Reports whether the server rejected a write, because it is a standby or was set read-only. Nothing was written. */
export function isReadOnly(error: unknown): boolean {
  return hasCode(error, [readOnlySqlTransaction])
}

const diskFull = '53100'

export function isDiskFull(error: unknown): boolean {
  return hasCode(error, [diskFull])
}

const insufficientPrivilege = '42501'

export function isPrivilegeMissing(error: unknown): boolean {
  return hasCode(error, [insufficientPrivilege])
}

const serverShutdowns = ['57P01', '57P02', '57P03']

/**
 * Reports whether the server ended the session because the server shuts down or has crashed. Only the server itself
 * sends this error.
 */
export function isServerShutdown(error: unknown): boolean {
  return hasCode(error, serverShutdowns)
}

const statementCancelled = '57014'

/**
 * Reports whether a statement was cancelled at the deadline of its request, or by the timeout of the server. A second
 * cancel request may still be on its way, so the connection must not be used again.
 */
export function isCancelled(error: unknown): boolean {
  return hasCode(error, [statementCancelled])
}

/** Reports whether the same statement may succeed later: the server is unavailable, or a timeout or contention ended it. */
export function isTransient(error: unknown): boolean {
  return isUnavailable(error) || isContention(error) || isCancelled(error)
}

/**
 * Error codes of an unavailable server. Class 08 is a connection failure, 57P a shutdown or restart, 53 insufficient
 * resources, 25006 a standby, and 25P03 or 25P04 a session that the server ended because its process was frozen. The
 * other codes are Node.js codes of an unreachable server, route or resolver.
 */
const unavailable = /^(08|57P|53|25006|25P0[34]|ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EHOST|ENET)/

/** Messages of the connection failures for which node-postgres sets no error code. */
const unavailableMessages = /connection terminated|timeout exceeded when trying to connect|not queryable/i

export function isUnavailable(error: unknown): boolean {
  if (error instanceof Error && error.cause !== undefined && isUnavailable(error.cause)) return true
  if (isPostgresFault(error)) return unavailable.test(error.code)
  return error instanceof Error && unavailableMessages.test(error.message)
}

/**
 * Reports whether an error of the server may mean that a distributed database has lost the connection to one of its
 * nodes. If a connection to a node ends during a statement, Citus reports an internal error. If it ends while rows are
 * copied to the node, Citus reports an I/O error.
 */
export function isNodeLost(error: unknown): boolean {
  return isPostgresFault(error) && /^(08|XX000$|58030$)/.test(codeOf(error))
}

/**
 * Reports whether a connection must not be used again after one of its statements has failed with this error. Most
 * errors leave the connection usable.
 */
export function isUnusableAfter(error: unknown): boolean {
  return isUnavailable(error) || hasStaleStatements(error) || isCancelled(error)
}
