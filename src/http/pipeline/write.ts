import type { IncomingMessage } from 'node:http'
import { errors } from '../../../registry/errors/index.ts'
import { apiRoot, type Endpoint, hasLocation } from '../../../registry/kit/endpoint.ts'
import type { EventKind } from '../../../registry/kit/event.ts'
import { toTimestamp } from '../../base/clock.ts'
import { isContention } from '../../store/core/faults.ts'
import { storeErrorResponse, storeResponse } from '../../store/core/idempotency.ts'
import { mutate, VersionConflict } from '../../store/core/mutation.ts'
import { OutcomeUnknown } from '../../store/core/transaction.ts'
import { actorOf } from './caller.ts'
import { isDryRun } from './dry-run.ts'
import { etagHeader, expectedVersionOf } from './etag.ts'
import {
  AlreadyAnswered,
  guardKey,
  type KeyedRequest,
  keyedRequestOf,
  newAnswer,
  replayOrConflict,
  reportConcurrentTwin,
} from './idempotency.ts'
import type { Operation } from './operation.ts'
import { Refusal, refusalBody, refuse } from './refusal.ts'
import type { Answer, Service, ValidRequest } from './request.ts'
import { inQueue } from './write-queues.ts'

/** Runs a write in its one transaction. With an honoured key, the answer is kept by that same transaction. */
export async function answerWrite(service: Service, operation: Operation, request: ValidRequest): Promise<Answer> {
  if (operation.endpoint.callsPartners === true) return answerPartnerWrite(service, operation, request)
  const dryRun = isDryRun(request.message)
  const judged = keyedRequestOf(operation.endpoint, request)
  const keyed = dryRun ? undefined : judged
  const headers = { ...repeatedHeadersOf(request.message), ...honouredHeaders(keyed) }
  try {
    const written = await inQueue(service.turns, { request, keyed }, () =>
      runWrite(service, operation, request, keyed, dryRun).catch((error: unknown) =>
        answerFailure(service, keyed, error),
      ),
    )
    return { ...written, headers: { ...written.headers, ...headers } }
  } catch (error) {
    throw error instanceof Refusal ? error.with(headers) : error
  }
}

/** What every answer of a write repeats of the request, refusals too: that it was a dry run, and what became of its key. */
export function repeatedHeadersOf(message: IncomingMessage): Record<string, string> {
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
  if (endpoint.audits === undefined) throw new Error(`${endpoint.id} writes and so must say what it audits.`)
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
      guard: keyed && ((trx, now) => guardKey(trx, keyed, now)),
      conclude: keyed && ((trx, result, now) => storeResponse(trx, newAnswer(keyed, { status, ...result }, now))),
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

/** With several transactions the verb writes its own audit rows; what it is told of the request is the same. */
async function answerPartnerWrite(service: Service, operation: Operation, request: ValidRequest): Promise<Answer> {
  const { endpoint } = operation
  const { caller, params, body, rawBody, message, requestId } = request
  if (service.logistics === undefined) throw new Refusal('service_unavailable', 'No partner can be asked here.')
  const dryRun = isDryRun(message)
  const actor = actorOf(caller, requestId, message)
  const expectedVersion = expectedVersionOf(endpoint, message)
  const { logistics: context, payments } = service
  const call = {
    ...{ context, payments, tenant: caller, actor, isDryRun: dryRun, expectedVersion, rawBody },
    inTurn: <Result>(run: () => Promise<Result>) => inQueue(service.turns, { request, keyed: undefined }, run),
  }
  try {
    const { status, reply } = asAnswered(await operation.handle({ params, body, caller, call, refuse }))
    const location = hasLocation(endpoint, status) ? locationOf(endpoint, reply) : null
    const serialized = operation.serialize(reply)
    const headers = { ...locationHeader(location), ...etagHeader(endpoint, reply, serialized) }
    return { status, body: serialized, headers: { ...headers, ...repeatedHeadersOf(message) } }
  } catch (error) {
    return answerFailure(service, undefined, error)
  }
}

/** As below, for the erased handler of an operation that asks partners. */
function asAnswered(answered: unknown): { readonly status: number; readonly reply: WrittenRecord } {
  const { status, reply }: { status?: unknown; reply?: unknown } = Object(answered)
  if (typeof status !== 'number') throw new Error('Who asks partners must say with which status to answer.')
  return { status, reply: asRecord(reply) }
}

interface WrittenRecord {
  readonly [field: string]: unknown
  readonly id: string
}

/** The types of the registry promise it (a write's reply has an id); this is for the erased handler. */
function asRecord(reply: unknown): WrittenRecord {
  const record: { [field: string]: unknown } = Object(reply)
  if (typeof record.id !== 'string') throw new Error('A write must answer with the record it wrote.')
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

async function answerFailure(service: Service, keyed: KeyedRequest | undefined, error: unknown): Promise<Answer> {
  if (error instanceof AlreadyAnswered) return replay(error)
  if (error instanceof OutcomeUnknown) throw unknownOutcome(keyed, error)
  if (error instanceof VersionConflict) throw versionRefusal(error)
  if (isContention(error)) throw new Refusal('concurrent_update', 'Other requests kept the record busy for too long.')
  // Only what depends on state is kept: after any other refusal the same request may be worth sending again.
  if (keyed === undefined || !(error instanceof Refusal) || !isKept(error)) throw error
  const body = refusalBody(error, keyed.request.requestId, service.originOf(keyed.request.message))
  const now = toTimestamp(service.context.clock.nowMs())
  const answer = newAnswer(keyed, { status: error.status, body, location: null }, now)
  const kept = await storeErrorResponse(service.context.database, answer).catch(reportConcurrentTwin)
  if (kept === undefined) throw error
  const found = replayOrConflict(keyed, kept)
  if (found instanceof AlreadyAnswered) return replay(found)
  throw found
}

function versionRefusal({ currentVersion }: VersionConflict): Refusal {
  return new Refusal('version_conflict', `The record is at version ${currentVersion}.`, { details: { currentVersion } })
}

/** With a key the same request finds out by itself, so it may simply be sent again. */
function unknownOutcome(keyed: KeyedRequest | undefined, cause: OutcomeUnknown): Error {
  if (keyed !== undefined) return cause
  return new Refusal('outcome_unknown', 'The change may or may not have been made; look before you send it again.')
}

function isKept(refusal: Refusal): boolean {
  return refusal.status === 409 && errors[refusal.code].type !== 'idempotency_error'
}

function replay({ kept }: AlreadyAnswered): Answer {
  return {
    status: kept.status,
    body: kept.body,
    headers: {
      ...locationHeader(kept.location),
      ...(kept.status >= 400 ? { 'Service-Should-Retry': 'false' } : {}),
      'Idempotent-Replayed': 'true',
      'Original-Request-Id': kept.requestId,
    },
  }
}
