import type { Endpoint } from '../../registry/endpoint.ts'
import { cacheControl } from '../../registry/headers.ts'
import { toTimestamp } from '../clock.ts'
import { etagHeader } from './etag.ts'
import type { Operation } from './operation.ts'
import { refuse } from './refusal.ts'
import type { Answer, Service, ValidRequest } from './request.ts'

export async function answerRead(service: Service, operation: Operation, request: ValidRequest): Promise<Answer> {
  const { params, query, body, caller } = request
  const { database, clock } = service.context
  const now = toTimestamp(clock.nowMs())
  const reply = await operation.handle({ params, query, body, caller, now, db: database, refuse })
  const headers = { ...etagHeader(operation.endpoint, reply), ...cacheHeader(operation.endpoint) }
  return { status: 200, body: operation.serialize(reply), headers }
}

function cacheHeader({ cacheSeconds }: Endpoint): Record<string, string> {
  return cacheSeconds === undefined ? {} : { 'Cache-Control': cacheControl(cacheSeconds) }
}
