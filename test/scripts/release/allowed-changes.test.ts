import { describe, expect, test } from 'vitest'
import {
  type Case,
  changesAfter,
  changesAfterAll,
  containing,
  deprecate,
  type Loose,
  neverNull,
  schema,
} from '../../support/contract/contract-changes.ts'

describe('allowed changes of the contract', async () => {
  const cases: Record<string, Case> = {
    'another operation': {
      change: (d) => {
        d.paths['/things'] = structuredClone(d.paths['/changelog'])
        d.paths['/things'].get.operationId = 'listThings'
      },
      expected: { kind: 'added', ...containing('/things') },
    },
    'another field of a response': {
      change: (d) => {
        schema(d, 'Customer').properties.nickname = { type: 'string' }
        schema(d, 'Customer').required.push('nickname')
      },
      expected: { kind: 'added', ...containing('nickname') },
    },
    'another optional field of a request': {
      change: (d) => {
        schema(d, 'CustomerInput').properties.salutation = { type: 'string' }
      },
      expected: { kind: 'added', subject: 'createCustomer', ...containing('salutation') },
    },
    'another value of a response': {
      change: (d) => schema(d, 'CustomerStatus').enum.push('resting'),
      expected: { kind: 'changed', ...containing('resting') },
    },
    'another error code': {
      change: (d) => {
        const answer = d.paths['/orders'].post.responses['404'].content['application/json'].schema
        // The error is added before the existing errors of the response, which stay the same.
        answer.anyOf.unshift({ $ref: '#/components/schemas/DiscountNotFoundError' })
      },
      expected: { kind: 'changed', subject: 'createOrder', what: 'POST /orders can return discount_not_found.' },
    },
    'a write that becomes idempotent': {
      change: (d) => {
        d.paths['/orders'].post['x-idempotency'] = 'honoured'
      },
      expected: { kind: 'idempotency', subject: 'createOrder' },
    },
    'an operation that is deprecated': {
      change: (d) => {
        deprecate(d.paths['/orders'].get, { since: '2027-11-01' })
      },
      expected: { kind: 'deprecated', subject: 'listOrders', what: 'GET /orders is deprecated.' },
    },
    'a sunset added to a deprecation': {
      change: (d) => deprecate(d.paths['/refunds'].get, { since: '2026-01-01', sunset: '2028-01-01' }),
      expected: {
        kind: 'deprecated',
        subject: 'listRefunds',
        what: 'GET /refunds may be removed on or after 2028-01-01.',
      },
    },
    'an operation removed on the day of its sunset': {
      change: (d) => delete d.paths['/orders/{id}'].get,
      expected: { kind: 'removed', isBreaking: true, subject: 'getOrder' },
    },
    'a removed beta event': {
      change: (d) => delete d.webhooks['shipment.status_changed'],
      expected: { kind: 'removed', isBreaking: true, subject: 'shipment.status_changed' },
    },
    'a beta operation that needs another scope': {
      change: (d) => {
        d.paths['/logistics/shipments/{id}'].get['x-required-scope'] = 'orders:write'
      },
      expected: { isBreaking: true, subject: 'getShipment', ...containing('requires the scope orders:write') },
    },
    'a beta operation that becomes stable and requires more': {
      change: (d) => {
        const { post } = d.paths['/logistics/predictive-schedule']
        post['x-stability'] = 'stable'
        post.parameters.push({ name: 'zone', in: 'query', required: true, schema: { type: 'string' } })
      },
      expected: { kind: 'stable', subject: 'createPredictiveSchedule' },
    },
    'another value used in requests and responses': {
      change: (d) => schema(d, 'PaymentMethod').enum.push('cowries'),
      expected: { kind: 'changed', isBreaking: false, ...containing('cowries') },
    },
    'a field of a response that is never null any more': {
      change: (d) => neverNull(schema(d, 'Customer'), 'note'),
      expected: { kind: 'changed', isBreaking: false, what: 'Customer, note: is no longer null.' },
    },
    'a new documented default': {
      change: (d) => {
        d.paths['/events'].get.parameters.find(({ name }: Loose) => name === 'event').schema.default = 'order.created'
      },
      expected: {
        isBreaking: false,
        subject: 'listEvents',
        ...containing('uses the default "order.created" for `query.event`'),
      },
    },
    'a header of an event that is always sent now': {
      change: (d) => {
        const header = { name: 'webhook-attempt', in: 'header', required: true, schema: { type: 'string' } }
        d.webhooks['order.created'].post.parameters.push(header)
      },
      expected: { kind: 'added', isBreaking: false, subject: 'order.created' },
    },
    'another event emitted by an operation': {
      change: (d) => d.paths['/discounts'].post['x-emits'].push('order.created'),
      expected: { isBreaking: false, subject: 'createDiscount', what: 'POST /discounts emits order.created.' },
    },
    'another transition of a record': {
      change: (d) => d.paths['/products/{id}'].get['x-state-machine'].transitions.active.push('draft'),
      expected: {
        isBreaking: false,
        subject: 'getProduct',
        ...containing('allows the `status` transition from active to draft'),
      },
    },
    'another default of a beta operation': {
      change: (d) => {
        schema(d, 'ScheduleInput').properties.dryRun.default = true
      },
      expected: { isBreaking: true, subject: 'createPredictiveSchedule', ...containing('`body.dryRun`') },
    },
    'an error that is no longer returned, and its headers': {
      change: (d) => delete d.paths['/discounts/{id}'].get.responses['404'],
      expected: {
        kind: 'changed',
        subject: 'getDiscount',
        what: 'GET /discounts/{id} no longer returns discount_not_found.',
      },
    },
  }
  const { changes, refused } = await changesAfterAll(cases, (d) => {
    deprecate(d.paths['/refunds'].get, { since: '2026-01-01' })
    deprecate(d.paths['/orders/{id}'].get, { since: '2026-12-01', sunset: '2027-12-01' })
    d.paths['/logistics/shipments/{id}'].get['x-stability'] = 'beta'
  })

  test('the release check does not report allowed changes of the contract as breaking changes', () => {
    expect(refused).toEqual([])
  })

  test.for(Object.entries(cases))('the release check lists %s as an allowed change', ([, { expected }]) => {
    expect(changes).toContainEqual(expect.objectContaining(expected))
  })
})

test('new descriptions of several parameters of one operation are not listed as changes of the contract', async () => {
  const verdict = await changesAfter((d) => {
    for (const parameter of d.paths['/products'].get.parameters) {
      const description = `Filter: ${parameter.name}.`
      Object.assign(parameter, { description, schema: { ...parameter.schema, description } })
    }
  })
  expect(verdict).toEqual({ changes: [], refused: [] })
})

test('the release check finds no changes in an unchanged OpenAPI document', async () => {
  expect(await changesAfter(() => undefined)).toEqual({ changes: [], refused: [] })
})
