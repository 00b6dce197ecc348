import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { accessErrors } from '../../registry/errors/access.ts'
import { conflictErrors } from '../../registry/errors/conflict.ts'
import { idempotencyErrors } from '../../registry/errors/idempotency.ts'
import { errorCodes, transportCodes } from '../../registry/errors/index.ts'
import { missingErrors } from '../../registry/errors/missing.ts'
import { paymentErrors } from '../../registry/errors/payment.ts'
import { requestErrors } from '../../registry/errors/request.ts'
import { serviceErrors } from '../../registry/errors/service.ts'
import { shipmentErrors } from '../../registry/errors/shipment.ts'
import { stateErrors } from '../../registry/errors/state.ts'
import { testModeErrors } from '../../registry/errors/test-mode.ts'
import { endpoints, events } from '../../registry/index.ts'
import type { Endpoint } from '../../registry/kit/endpoint.ts'
import { errorBodies } from '../../registry/kit/error-body.ts'
import { type EventKind, eventKinds, signatureHeader } from '../../registry/kit/event.ts'
import { refusalsOf } from '../../registry/kit/refusals.ts'
import { type Part, partsOf } from '../../registry/openapi/guard-parts.ts'
import { reachable } from '../../registry/openapi/guard-schemas.ts'
import { OrderSummary } from '../../registry/orders/order.ts'
import * as limits from '../../registry/values/limits.ts'
import { scopes } from '../../registry/values/scopes.ts'
import { document } from './document-walk.ts'

/** Rules of the API contract that its TypeScript types cannot express. */

const all: readonly Endpoint[] = Object.values(endpoints)
const lists = all.filter(({ kind }) => kind === 'list')
const writes = all.filter(({ kind }) => kind === 'write')
const parts = partsOf({ endpoints: all, events: Object.values(events) }, document)

describe('declarations of operations', () => {
  test('each operation is registered under its own id, which is a verb and a noun', () => {
    for (const [id, endpoint] of Object.entries(endpoints)) {
      expect(endpoint.id).toBe(id)
      expect(id).toMatch(/^[a-z]+([A-Z][a-z]+)+$/)
      if (endpoint.kind === 'list') expect(id).toMatch(/^list[A-Z]/)
    }
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  })

  test('operations have a unique method and path', () => {
    expect(new Set(all.map(({ method, path }) => `${method} ${path}`)).size).toBe(all.length)
  })

  test('operations have a title of two to five words, and are described in sentences', () => {
    for (const { id, summary, description, reply } of all) {
      expect(summary, id).toMatch(/^[A-Z][\w-]*( [\w-]+){1,5}$/)
      for (const sentence of [description, reply.meaning]) expect(sentence, id).toMatch(/^[A-Z].*\.$/s)
    }
  })

  test('operations have described tags, and every described tag is used', () => {
    const described = (document.tags ?? []).filter(({ description }) => Boolean(description)).map(({ name }) => name)
    expect(new Set(described)).toEqual(new Set([...all.map(({ tag }) => tag), 'Webhooks']))
    expect(document.tags?.length).toBe(described.length)
  })

  test.each(writes)('the operation $id returns the id of the record to which its audit entry refers', ({
    reply,
    audits,
  }) => {
    expect(fieldsOf(reply.body)).toContain('id')
    expect(audits?.action).toMatch(/^[a-z_]+\.[a-z_]+$/)
    expect(audits?.resourceType).toMatch(/^[a-z_]+$/)
    for (const [, field] of (reply.location ?? '').matchAll(/\{(\w+)\}/g)) expect(fieldsOf(reply.body)).toContain(field)
  })

  test.each(writes)('the operation $id returns a Location header if and only if it returns 201', ({ reply }) => {
    expect(reply.location !== undefined).toBe(reply.status === 201)
  })

  test.each(lists)('the operation $id lists records with an id and a creation time', ({ item, reply }) => {
    expect(fieldsOf(item)).toEqual(expect.arrayContaining(['id', 'createdAt']))
    expect(fieldsOf(reply.body)).toEqual(['data', 'pagination'])
  })

  test.each(
    all,
  )('the operation $id declares each error code only once, and lists no error code that its other fields already imply', (endpoint) => {
    const derived = refusalsOf({ ...endpoint, refusals: [] })
    expect(endpoint.refusals?.filter((code) => derived.includes(code)) ?? []).toEqual([])
    expect(new Set(endpoint.refusals).size).toBe(endpoint.refusals?.length ?? 0)
  })
})

describe('unused declarations', () => {
  test('every error code can be returned by an operation', () => {
    const answered = new Set([...all.flatMap(refusalsOf), ...transportCodes])
    expect([...errorCodes].toSorted()).toEqual([...answered].toSorted())
  })

  test('every scope is required by an operation', () => {
    expect(Object.keys(scopes).toSorted()).toEqual(
      [...new Set(all.map(({ access }) => access))].filter(isNeeded).toSorted(),
    )
  })

  test('every event kind has a payload, and an operation or a payment provider that causes the event', () => {
    expect(Object.keys(events)).toEqual([...eventKinds])
    const byProvider: EventKind[] = ['payment.unmatched', 'refund.failed']
    const emitted = new Set([...all.flatMap(({ emits }) => emits ?? []), ...byProvider])
    expect([...emitted].toSorted()).toEqual([...eventKinds].toSorted())
  })
})

describe('declarations of error codes', () => {
  test('each error code is declared only once, because a second declaration would silently replace the first', () => {
    const families = [
      accessErrors,
      conflictErrors,
      idempotencyErrors,
      missingErrors,
      requestErrors,
      serviceErrors,
      shipmentErrors,
      stateErrors,
      testModeErrors,
      paymentErrors,
    ]
    expect(families.flatMap((family) => Object.keys(family)).toSorted()).toEqual([...errorCodes].toSorted())
  })
})

describe('schemas of the contract', () => {
  test('schemas of the contract describe every field', () => {
    const undescribed = parts.flatMap((part) =>
      objectsIn(part).flatMap((object) =>
        Object.entries(object.shape).flatMap(([name, field]) => (isDescribed(field) ? [] : [`${part.place}: ${name}`])),
      ),
    )
    expect(undescribed).toEqual([])
  })

  test('schemas are closed in requests, so that unknown fields are rejected', () => {
    const requests = parts.filter(({ isReply, place }) => !isReply && place.endsWith(' body'))
    expect(requests.length).toBe(all.filter(({ body }) => body !== undefined).length)
    expect(requests.flatMap((part) => objectsIn(part).filter((object) => !isClosed(object))).map(fieldsOf)).toEqual([])
    for (const { query, params } of all) {
      for (const object of [query, params]) expect(object === undefined || isClosed(object)).toBe(true)
    }
  })

  test('schemas of replies and events allow additional fields, so that a later release can add fields', () => {
    const replies = parts.filter(({ isReply }) => isReply)
    const errorReplies = [...errorBodies].map(([place, schema]) => ({ place, schema }))
    const closed = [...replies, ...errorReplies].flatMap((part) => objectsIn(part).filter(isClosed).map(fieldsOf))
    expect(closed).toEqual([])
  })

  test('schemas of the contract accept their examples', () => {
    const examples = parts.flatMap((part) => [...reachable(part.schema)].flatMap(examplesOf))
    expect(examples.length).toBeGreaterThan(100)
    for (const { schema, example } of examples)
      expect(z.safeParse(schema, example).error, String(example)).toBeUndefined()
  })

  test('the schemas of request bodies, replies, list items and events have valid examples', () => {
    for (const { body, reply, item, example, kind, id } of all) {
      if (body !== undefined) expect(body.schema.safeParse(body.example).error, id).toBeUndefined()
      if (kind === 'list') expect(item?.safeParse(example).error, id).toBeUndefined()
      else expect(reply.body.safeParse(reply.example).error, id).toBeUndefined()
    }
    for (const { data, example, kind } of Object.values(events)) {
      expect(z.safeParse(data, example).error, kind).toBeUndefined()
    }
  })

  test('every parameter except `cursor` has an example', () => {
    const shown = parts.filter(({ place }) => place.includes(' parameter ')).filter(({ schema }) => !hasExample(schema))
    // A cursor has no example, because it is valid only for the list that returned it.
    expect(shown.map(({ place }) => place).filter((place) => !place.endsWith(' cursor'))).toEqual([])
  })
})

describe('the specification and the registry', () => {
  test('as in section 2 of the specification, the list of orders returns exactly seven fields of an order', () => {
    expect(fieldsOf(OrderSummary).toSorted()).toEqual(
      ['id', 'number', 'status', 'totalKobo', 'currency', 'createdAt', 'customer'].toSorted(),
    )
    expect(fieldsOf(OrderSummary.shape.customer)).toEqual(['name', 'email'])
  })

  test('the registry has the retry delays of section 3 of the specification, and the number of failures that disables an endpoint', () => {
    expect(limits.webhookRetryDelaysMinutes).toEqual([1, 5, 30, 120, 720, 1440])
    expect(limits.webhookFailuresBeforeDisabling).toBe(6)
  })

  test('the registry has the four event types and the signature header’s name of section 6 of the specification', () => {
    const stable = eventKinds.filter((kind) => !('stability' in events[kind]))
    expect(stable).toEqual(['order.created', 'order.status_changed', 'order.refunded', 'inventory.low_stock'])
    expect(eventKinds.filter((kind) => !stable.includes(kind))).toEqual([
      'shipment.status_changed',
      'payment.recorded',
      'payment.voided',
      'payment.unmatched',
      'refund.updated',
      'refund.failed',
      'shipment.exception_raised',
      'return.status_changed',
      'order.edited',
      'inventory.back_in_stock',
      'product.updated',
      'customer.updated',
    ])
    expect(signatureHeader).toBe('Service-Signature')
  })

  test('the registry has every limit of section 8 of the specification', () => {
    expect(limits.pageSize).toEqual({ default: 25, max: 100 })
    expect(limits.cursorLifetimeHours).toBe(24)
    expect(limits.idempotencyWindowHours).toBe(24)
    expect(limits.idempotencyKeyMaxLength).toBe(255)
    expect(limits.webhookAcknowledgementSeconds).toBe(10)
    expect(limits.webhookToleranceSeconds).toBe(5 * 60)
  })

  test('as in section 4.5 of the specification, only the operation POST /refunds honours an Idempotency-Key', () => {
    expect(all.filter(({ idempotency }) => idempotency === 'honoured').map(({ id }) => id)).toEqual(['createRefund'])
  })
})

function isNeeded(access: string): boolean {
  return access !== 'public'
}

/** Returns the fields of a schema. For a union, returns the fields that all of its options have. */
function fieldsOf(schema: unknown): string[] {
  if (schema instanceof z.ZodUnion) {
    const [first = [], ...others] = schema.options.map(fieldsOf)
    return first.filter((field) => others.every((fields) => fields.includes(field)))
  }
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

function objectsIn({ schema }: Pick<Part, 'schema'>): z.ZodObject[] {
  return [...reachable(schema)].filter((found) => found instanceof z.ZodObject)
}

function isClosed(object: z.ZodObject): boolean {
  return object.def.catchall instanceof z.ZodNever
}

/** Reports whether a field, or the schema it wraps, has a description. */
function isDescribed(field: z.core.$ZodType): boolean {
  if (z.globalRegistry.get(field)?.description !== undefined) return true
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault) return isDescribed(field.unwrap())
  return field instanceof z.ZodUnion && field.options.some(isDescribed)
}

/** Returns the examples of a schema. Examples of a Zod pipe are validated against its output schema. */
function examplesOf(schema: z.core.$ZodType): { schema: z.core.$ZodType; example: unknown }[] {
  const examples = z.globalRegistry.get(schema)?.examples
  const read = schema instanceof z.ZodPipe ? schema.out : schema
  return Array.isArray(examples) ? examples.map((example: unknown) => ({ schema: read, example })) : []
}

function hasExample(schema: z.core.$ZodType): boolean {
  return [...reachable(schema)].some((found) => examplesOf(found).length > 0)
}
