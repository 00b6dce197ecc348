import { errors } from '../../../registry/errors/index.ts'
import { apiRoot, type Endpoint, hasLocation } from '../../../registry/kit/endpoint.ts'
import type { EventKind } from '../../../registry/kit/event.ts'
import { toTimestamp } from '../../base/clock.ts'
import { isContention, isTransient } from '../../store/core/faults.ts'
import {
  KeyConflict,
  type KeyedRequest,
  type KeyedResponse,
  requireUnused,
  StoredResponseFound,
  storeErrorResponse,
} from '../../store/core/idempotency.ts'
import { type Context, mutate, VersionConflict } from '../../store/core/mutation.ts'
import { OutcomeUnknown } from '../../store/core/transaction.ts'
import type { OperationContext, Reply, ValidCall } from './call.ts'
import { actorOf } from './caller.ts'
import { keyedRequestOf, keyRefusalOf, nameOf } from './idempotency.ts'
import type { Operation } from './operation.ts'
import { Refusal, refusalBody, refuse } from './refusal.ts'
import { inQueue } from './write-queues.ts'

/**
 * Runs a write in one transaction. If the call has an idempotency key that the operation supports, the transaction also
 * stores the response.
 */
export async function write(context: OperationContext, operation: Operation, call: ValidCall): Promise<Reply> {
  if (operation.endpoint.callsPartners === true) return writeWithPartners(context, operation, call)
  // A dry run checks the idempotency key too, but does not store a response for it.
  const checked = keyedRequestOf(operation.endpoint, call)
  const keyed = call.isDryRun ? undefined : checked
  try {
    const reply = await inQueue(context.writeQueues, { call, keyed }, () =>
      writeOnce(context, operation, { call, keyed }).catch((error: unknown) =>
        recover(context, { call, keyed }, error),
      ),
    )
    if (keyed !== undefined) context.usedKeys.set(nameOf(keyed.scope), true)
    return reply
  } catch (error) {
    throw error instanceof Refusal && keyed !== undefined ? error.with({ idempotencyKey: keyed.scope.key }) : error
  }
}

interface Keyed {
  readonly call: ValidCall
  readonly keyed: KeyedRequest | undefined
}

interface Written {
  readonly record: WrittenRecord
  readonly text: string
  readonly location: string | null
}

async function writeOnce(
  { context, usedKeys }: OperationContext,
  { endpoint, handle, serialize }: Operation,
  { call, keyed }: Keyed,
): Promise<Reply> {
  const { caller, params, body } = call
  if (endpoint.audits === undefined) throw new Error(`The write ${endpoint.id} must declare what it audits.`)
  const status = endpoint.reply.status ?? 200
  if (keyed !== undefined && usedKeys.has(nameOf(keyed.scope)))
    await requireUnused(context.database, keyed, toTimestamp(context.clock.nowMs()))
  const written = await mutate<Written, EventKind>(
    context,
    {
      tenant: caller,
      actor: actorOf(call),
      action: endpoint.audits.action,
      resourceType: endpoint.audits.resourceType,
      resourceId: ({ record }) => record.id,
      emits: endpoint.emits ?? [],
      isDryRun: call.isDryRun,
      expectedVersion: call.expectedVersion,
      keyed: keyed && { request: keyed, responseOf: ({ text, location }) => ({ status, body: text, location }) },
    },
    async (work) => {
      const record = asRecord(await handle({ params, body, caller, work, refuse }))
      return { record, text: serialize(record), location: locationOf(endpoint, record) }
    },
  )
  return { is: 'record', status, ...written, idempotencyKey: keyed?.scope.key }
}

/**
 * Runs a write that calls carriers or payment providers. It uses several transactions, each of which writes its own
 * audit entries.
 */
async function writeWithPartners(context: OperationContext, operation: Operation, call: ValidCall): Promise<Reply> {
  const { endpoint } = operation
  const { caller, params, body, rawBody, isDryRun, expectedVersion, run } = call
  const { logistics, payments, checkout, writeQueues } = context
  if (logistics === undefined)
    throw new Refusal('service_unavailable', 'This server is not configured to call carriers.')
  const partnerCall = {
    ...{ context: logistics, payments, checkout, tenant: caller, actor: actorOf(call) },
    ...{ isDryRun, expectedVersion, rawBody, run },
    inWriteQueue: <Result>(change: () => Promise<Result>) => inQueue(writeQueues, { call, keyed: undefined }, change),
  }
  try {
    const { status, reply } = asAnswered(await operation.handle({ params, body, caller, call: partnerCall, refuse }))
    const location = hasLocation(endpoint, status) ? locationOf(endpoint, reply) : null
    const text = operation.serialize(reply)
    return { is: 'record', status, record: reply, text, location, idempotencyKey: undefined }
  } catch (error) {
    return recover(context, { call, keyed: undefined }, error)
  }
}

/**
 * Checks at run time the result of a handler that calls carriers or payment providers, because the result reaches this
 * function as `unknown`.
 */
function asAnswered(answered: unknown): { readonly status: number; readonly reply: WrittenRecord } {
  const { status, reply }: { status?: unknown; reply?: unknown } = Object(answered)
  if (typeof status !== 'number') throw new Error('An operation with external calls must return an HTTP status.')
  return { status, reply: asRecord(reply) }
}

interface WrittenRecord {
  readonly [field: string]: unknown
  readonly id: string
}

/**
 * Checks at run time that the result of a handler has an id. The types of the operation require the id, but the result
 * reaches this function as `unknown`.
 */
function asRecord(reply: unknown): WrittenRecord {
  const record: { [field: string]: unknown } = Object(reply)
  if (typeof record.id !== 'string') throw new Error('A write must return the written record.')
  return { ...record, id: record.id }
}

function locationOf(endpoint: Endpoint, reply: WrittenRecord): string | null {
  const template = endpoint.reply.location
  if (template === undefined) return null
  return `${apiRoot}${template.replace(/\{(\w+)\}/g, (_, field: string) => String(reply[field]))}`
}

/**
 * Returns the stored response if the write failed because it repeats an earlier request. For any other failure, throws
 * the error, as a Refusal if possible.
 */
async function recover({ context, log }: OperationContext, { call, keyed }: Keyed, failure: unknown): Promise<Reply> {
  if (failure instanceof OutcomeUnknown) {
    log.error({ err: failure, requestId: call.requestId }, 'The outcome of a commit is unknown.')
    throw unknownOutcome(keyed)
  }
  const error = keyed !== undefined && isTransient(failure) ? await keyErrorOf(context, keyed, failure) : failure
  if (error instanceof StoredResponseFound) return replayed(error, keyed)
  if (error instanceof VersionConflict) throw versionRefusal(error)
  const keyRefusal = keyRefusalOf(error)
  if (keyRefusal !== undefined) throw keyRefusal
  if (isContention(error))
    throw new Refusal('concurrent_update', 'The request waited too long for a lock that concurrent requests hold.')
  if (keyed === undefined || !(error instanceof Refusal)) throw error
  const now = toTimestamp(context.clock.nowMs())
  try {
    await storeErrorResponse(context.database, keyed, storedRefusal(error, call), now)
  } catch (stored) {
    if (stored instanceof StoredResponseFound) return replayed(stored, keyed)
    throw keyRefusalOf(stored) ?? stored
  }
  throw error
}

/**
 * Checks the idempotency key of a write that failed before the key was checked, for example because of a lock timeout.
 * If an earlier request used the key, returns the error about the key. Otherwise, or if the key cannot be read, returns
 * the failure itself.
 */
async function keyErrorOf({ database, clock }: Context, keyed: KeyedRequest, failure: unknown): Promise<unknown> {
  try {
    await requireUnused(database, keyed, toTimestamp(clock.nowMs()))
    return failure
  } catch (error) {
    return error instanceof StoredResponseFound || error instanceof KeyConflict ? error : failure
  }
}

function versionRefusal({ currentVersion }: VersionConflict): Refusal {
  return new Refusal('version_conflict', `The record has changed to version ${currentVersion}.`, {
    details: { currentVersion },
  })
}

/** A request with an idempotency key is safe to retry. */
function unknownOutcome(keyed: KeyedRequest | undefined): Refusal {
  const more = { isOutcomeUnknown: true }
  if (keyed !== undefined) {
    const message = 'The change may be stored. Send the request again with the same Idempotency-Key.'
    return new Refusal('service_unavailable', message, more)
  }
  return new Refusal('outcome_unknown', 'The change may or may not be stored. Check the record before you retry.', more)
}

/**
 * Returns the response to store for an idempotency key. Only refusals that depend on the stored state are stored: after
 * any other refusal, the same request may succeed later.
 */
function storedRefusal(refusal: Refusal, call: ValidCall): KeyedResponse | undefined {
  if (refusal.status !== 409 || errors[refusal.code].type === 'idempotency_error') return undefined
  return { status: refusal.status, body: refusalBody(refusal, call.requestId, call.origin()), location: null }
}

function replayed({ stored }: StoredResponseFound, keyed: KeyedRequest | undefined): Reply {
  return { is: 'replayed', stored, idempotencyKey: keyed?.scope.key }
}
