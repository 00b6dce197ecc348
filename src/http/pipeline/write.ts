import { errors } from '../../../registry/errors/index.ts'
import { apiRoot, type Endpoint, hasLocation } from '../../../registry/kit/endpoint.ts'
import type { EventKind } from '../../../registry/kit/event.ts'
import { toTimestamp } from '../../base/clock.ts'
import { isContention } from '../../store/core/faults.ts'
import { type KeyedRequest, StoredResponseFound, storeErrorResponse } from '../../store/core/idempotency.ts'
import { mutate, VersionConflict } from '../../store/core/mutation.ts'
import { OutcomeUnknown } from '../../store/core/transaction.ts'
import { actorOf } from './caller.ts'
import { isDryRun } from './dry-run.ts'
import { etagHeader, expectedVersionOf } from './etag.ts'
import { keyedRequestOf, keyRefusalOf } from './idempotency.ts'
import type { Operation } from './operation.ts'
import { Refusal, refusalBody, refuse } from './refusal.ts'
import type { Answer, Service, ValidRequest } from './request.ts'
import type { RequestHead } from './request-head.ts'
import { inQueue } from './write-queues.ts'

/**
 * Runs a write in one transaction. If the request has an Idempotency-Key that the operation supports, the transaction
 * also stores the response.
 */
export async function answerWrite(service: Service, operation: Operation, request: ValidRequest): Promise<Answer> {
  if (operation.endpoint.callsPartners === true) return answerPartnerWrite(service, operation, request)
  const dryRun = isDryRun(request.message)
  // A dry run checks the idempotency key too, but does not store a response for it.
  const checked = keyedRequestOf(operation.endpoint, request)
  const keyed = dryRun ? undefined : checked
  const headers = { ...repeatedHeadersOf(request.message), ...honouredHeaders(keyed) }
  try {
    const written = await inQueue(service.writeQueues, { request, keyed }, () =>
      runWrite(service, operation, request, keyed, dryRun).catch((error: unknown) =>
        answerFailure(service, { request, keyed }, error),
      ),
    )
    return { ...written, headers: { ...written.headers, ...headers } }
  } catch (error) {
    throw error instanceof Refusal ? error.with(headers) : error
  }
}

/**
 * Returns the headers that every response to a write has, including errors. They tell whether it was a dry run, and
 * whether its idempotency key was ignored.
 */
export function repeatedHeadersOf(message: RequestHead): Record<string, string> {
  return {
    ...(message.headers['idempotency-key'] === undefined ? {} : { 'Idempotency-Status': 'ignored' }),
    ...(isDryRun(message) ? { 'Service-Dry-Run': 'true' } : {}),
  }
}

function honouredHeaders(keyed: KeyedRequest | undefined): Record<string, string> {
  return keyed === undefined ? {} : { 'Idempotency-Status': 'honoured', 'Idempotency-Key': keyed.scope.key }
}

interface Written {
  readonly id: string
  readonly etag: Record<string, string>
  readonly body: string
  readonly location: string | null
}

async function runWrite(
  service: Service,
  operation: Operation,
  request: ValidRequest,
  keyed: KeyedRequest | undefined,
  dryRun: boolean,
): Promise<Answer> {
  const { endpoint } = operation
  const { caller, params, body } = request
  if (endpoint.audits === undefined) throw new Error(`The write ${endpoint.id} must declare what it audits.`)
  const status = endpoint.reply.status ?? 200
  const written = await mutate<Written, EventKind>(
    service.context,
    {
      tenant: caller,
      actor: actorOf(caller, request.requestId, request.message),
      action: endpoint.audits.action,
      resourceType: endpoint.audits.resourceType,
      resourceId: (result) => result.id,
      emits: endpoint.emits ?? [],
      isDryRun: dryRun,
      expectedVersion: expectedVersionOf(endpoint, request.message),
      keyed: keyed && { request: keyed, responseOf: ({ body, location }) => ({ status, body, location }) },
    },
    async (work) => {
      const reply = asRecord(await operation.handle({ params, body, caller, work, refuse }))
      const serialized = operation.serialize(reply)
      return {
        id: reply.id,
        etag: etagHeader(endpoint, reply, serialized),
        body: serialized,
        location: locationOf(endpoint, reply),
      }
    },
  )
  return { status, body: written.body, headers: { ...locationHeader(written.location), ...written.etag } }
}

/**
 * Runs a write that calls carriers or payment providers. It uses several transactions, each of which writes its own
 * audit entries.
 */
async function answerPartnerWrite(service: Service, operation: Operation, request: ValidRequest): Promise<Answer> {
  const { endpoint } = operation
  const { caller, params, body, rawBody, message, requestId } = request
  if (service.logistics === undefined)
    throw new Refusal('service_unavailable', 'This server is not configured to call carriers.')
  const dryRun = isDryRun(message)
  const actor = actorOf(caller, requestId, message)
  const expectedVersion = expectedVersionOf(endpoint, message)
  const { logistics: context, payments } = service
  const call = {
    ...{ context, payments, tenant: caller, actor, isDryRun: dryRun, expectedVersion, rawBody },
    inWriteQueue: <Result>(run: () => Promise<Result>) =>
      inQueue(service.writeQueues, { request, keyed: undefined }, run),
  }
  try {
    const { status, reply } = asAnswered(await operation.handle({ params, body, caller, call, refuse }))
    const location = hasLocation(endpoint, status) ? locationOf(endpoint, reply) : null
    const serialized = operation.serialize(reply)
    const headers = { ...locationHeader(location), ...etagHeader(endpoint, reply, serialized) }
    return { status, body: serialized, headers: { ...headers, ...repeatedHeadersOf(message) } }
  } catch (error) {
    return answerFailure(service, { request, keyed: undefined }, error)
  }
}

/**
 * Checks at run time the result of a handler that calls carriers or payment providers, because the handler's specific
 * type was removed.
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
 * Checks at run time that the result of a handler has an id, as the operation's types require, because the handler's
 * specific type was removed.
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

function locationHeader(location: string | null): Record<string, string> {
  return location === null ? {} : { Location: location }
}

interface Failed {
  readonly request: ValidRequest
  readonly keyed: KeyedRequest | undefined
}

async function answerFailure(service: Service, { request, keyed }: Failed, error: unknown): Promise<Answer> {
  if (error instanceof StoredResponseFound) return replay(error)
  if (error instanceof OutcomeUnknown) {
    service.log.error({ err: error, requestId: request.requestId }, 'The outcome of a commit is unknown.')
    throw unknownOutcome(keyed)
  }
  if (error instanceof VersionConflict) throw versionRefusal(error)
  const keyRefusal = keyRefusalOf(error)
  if (keyRefusal !== undefined) throw keyRefusal
  if (isContention(error))
    throw new Refusal('concurrent_update', 'The request waited too long for a lock that concurrent requests hold.')
  // Only refusals that depend on the stored state are stored for the idempotency key. After any other refusal, the same
  // request may succeed later.
  if (keyed === undefined || !(error instanceof Refusal) || !isStored(error)) throw error
  const body = refusalBody(error, request.requestId, service.originOf(request.message))
  const now = toTimestamp(service.context.clock.nowMs())
  try {
    await storeErrorResponse(service.context.database, keyed, { status: error.status, body, location: null }, now)
  } catch (failure) {
    if (failure instanceof StoredResponseFound) return replay(failure)
    throw keyRefusalOf(failure) ?? failure
  }
  throw error
}

function versionRefusal({ currentVersion }: VersionConflict): Refusal {
  return new Refusal('version_conflict', `The record has changed to version ${currentVersion}.`, {
    details: { currentVersion },
  })
}

/** Returns the refusal for a commit whose outcome is unknown. With an idempotency key, the request is safe to retry. */
function unknownOutcome(keyed: KeyedRequest | undefined): Refusal {
  const more = { isOutcomeUnknown: true }
  if (keyed !== undefined) {
    const message = 'The change may be stored. Send the request again with the same Idempotency-Key.'
    return new Refusal('service_unavailable', message, more)
  }
  return new Refusal('outcome_unknown', 'The change may or may not be stored. Check the record before you retry.', more)
}

function isStored(refusal: Refusal): boolean {
  return refusal.status === 409 && errors[refusal.code].type !== 'idempotency_error'
}

function replay({ stored }: StoredResponseFound): Answer {
  return {
    status: stored.status,
    body: stored.body,
    headers: {
      ...locationHeader(stored.location),
      ...(stored.status >= 400 ? { 'Service-Should-Retry': 'false' } : {}),
      'Idempotent-Replayed': 'true',
      'Original-Request-Id': stored.requestId,
    },
  }
}
