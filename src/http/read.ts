import { toTimestamp } from '../clock.ts'
import { etagHeader } from './etag.ts'
import type { Operation } from './operation.ts'
import { refuse } from './refusal.ts'
import type { Answer, Service, ValidRequest } from './request.ts'

export async function answerRead(service: Service, operation: Operation, request: ValidRequest): Promise<Answer> {
  const { params, body, caller } = request
  const { database, clock } = service.context
  const now = toTimestamp(clock.nowMs())
  const reply = await operation.handle({ params, body, caller, now, db: database, refuse })
  return { status: 200, body: operation.serialize(reply), headers: etagHeader(operation.endpoint, reply) }
}
