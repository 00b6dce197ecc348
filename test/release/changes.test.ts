import { describe, expect, test } from 'vitest'
import {
  type Case,
  changesAfter,
  changesAfterAll,
  deprecate,
  type Loose,
  schema,
} from '../support/contract/contract-changes.ts'

/** Removes null from the types of a property. */
const neverNull = ({ properties }: Loose, name: string) => {
  properties[name] = properties[name].anyOf.find(({ type }: Loose) => type !== 'null')
}

const containing = (what: string) => ({ what: expect.stringContaining(what) })

describe('changes that break clients of the last release', async () => {
  const cases: Record<string, Case> = {
    'a removed operation': {
      change: (d) => delete d.paths['/orders'].post,
      expected: { kind: 'removed', subject: 'createOrder' },
    },
    'a removed filter': {
      change: (d) => {
        const { get } = d.paths['/products']
        get.parameters = get.parameters.filter(({ name }: Loose) => name !== 'q')
      },
      expected: { subject: 'listProducts', ...containing('`q` query parameter') },
    },
    'a removed field of a response': {
      change: (d) => delete schema(d, 'Customer').properties.note,
      expected: containing('`note`'),
    },
    'a field of a response that becomes optional': {
      change: (d) => {
        schema(d, 'Refund').required = schema(d, 'Refund').required.filter((name: string) => name !== 'orderId')
      },
      expected: containing('`orderId`'),
    },
    'a field of a response that becomes nullable': {
      change: (d) => {
        schema(d, 'Product').properties.title = { type: ['string', 'null'] }
      },
      expected: containing('`title`'),
    },
    'a new required field of a request': {
      change: (d) => {
        schema(d, 'CustomerInput').properties.salutation = { type: 'string' }
        schema(d, 'CustomerInput').required.push('salutation')
      },
      expected: { subject: 'createCustomer', ...containing('`salutation`') },
    },
    'a tighter limit of a request': {
      change: (d) => {
        schema(d, 'CustomerInput').properties.name.maxLength = 3
      },
      expected: { subject: 'createCustomer', ...containing('`maxLength` of `name`') },
    },
    'a removed event': {
      change: (d) => delete d.webhooks['order.created'],
      expected: { subject: 'order.created' },
    },
    'another scope': {
      change: (d) => {
        d.paths['/orders'].get['x-required-scope'] = 'orders:write'
      },
      expected: { subject: 'listOrders', ...containing('requires the scope orders:write') },
    },
    'a stable operation that becomes beta': {
      change: (d) => {
        d.paths['/payments'].get['x-stability'] = 'beta'
      },
      expected: { kind: 'beta', subject: 'listPayments' },
    },
    'a key that is no longer honoured': {
      change: (d) => {
        d.paths['/refunds'].post['x-idempotency'] = 'ignored'
      },
      expected: { kind: 'idempotency', subject: 'createRefund' },
    },
    'a removed detail of an error': {
      change: (d) => {
        const { details } = schema(d, 'InsufficientStockError').properties.error.properties
        delete details.properties.items.items.properties.available
      },
      expected: containing('InsufficientStockError.error.details.items[].available'),
    },
    'an error without a request id': {
      change: (d) => delete schema(d, 'ProductNotFoundError').properties.error.properties.requestId,
      expected: containing('`requestId`'),
    },
    'an error with another status': {
      change: (d) => {
        const { responses } = d.paths['/customers'].post
        const { anyOf } = responses['409'].content['application/json'].schema
        const isMoved = ({ $ref }: Loose) => $ref.endsWith('/CustomerExistsError')
        responses['400'].content['application/json'].schema.anyOf.unshift(...anyOf.filter(isMoved))
        responses['409'].content['application/json'].schema.anyOf = anyOf.filter((each: Loose) => !isMoved(each))
      },
      expected: {
        subject: 'createCustomer',
        what: 'POST /customers returns customer_exists with 400 instead of 409.',
      },
    },
    'a removed header of an error': {
      change: (d) => delete d.paths['/discounts'].post.responses['503'].headers['Retry-After'],
      expected: { subject: 'createDiscount', ...containing('`Retry-After`') },
    },
    'an operation removed before its sunset': {
      change: (d) => delete d.paths['/orders/{id}'].get,
      expected: { kind: 'removed', subject: 'getOrder' },
    },
    'an earlier sunset': {
      change: (d) => deprecate(d.paths['/customers'].get, { since: '2027-01-01', sunset: '2028-01-01' }),
      expected: {
        kind: 'deprecated',
        subject: 'listCustomers',
        ...containing('on or after 2028-01-01, which was 2028-06-01'),
      },
    },
    'null no longer accepted in a request': {
      change: (d) => neverNull(schema(d, 'CustomerPatch'), 'note'),
      expected: { subject: 'updateCustomer', ...containing('`note`') },
    },
    'another default of a query parameter': {
      change: (d) => {
        d.paths['/events'].get.parameters.find(({ name }: Loose) => name === 'limit').schema.default = 50
      },
      expected: { subject: 'listEvents', what: 'GET /events uses the default 50 for `query.limit`, which was 25.' },
    },
    'another default of a body field': {
      change: (d) => {
        schema(d, 'DispatchInput').properties.undeliverableAction.default = 'hold'
      },
      expected: {
        subject: 'dispatchShipment',
        ...containing('uses the default "hold" for `body.undeliverableAction`'),
      },
    },
    'a removed default': {
      change: (d) => delete schema(d, 'Failover').properties.maxAttempts.default,
      expected: {
        subject: 'dispatchShipment',
        ...containing('declares no default for `body.failover.maxAttempts`'),
      },
    },
    'a removed header of an event': {
      change: (d) => {
        const { post } = d.webhooks['order.refunded']
        post.parameters = post.parameters.filter(({ name }: Loose) => name !== 'Service-Signature')
      },
      expected: { subject: 'order.refunded', ...containing('no longer has the header Service-Signature') },
    },
    'a header of an event that becomes optional': {
      change: (d) => {
        d.webhooks['order.status_changed'].post.parameters.find(({ name }: Loose) => name === 'webhook-id').required =
          false
      },
      expected: { subject: 'order.status_changed', ...containing('may lack the header webhook-id') },
    },
    'a header of a response that becomes optional': {
      change: (d) => {
        d.paths['/discounts/{id}'].get.responses['200'].headers['Request-Id'].required = false
      },
      expected: { subject: 'getDiscount', ...containing('may return 200 without the header Request-Id') },
    },
    'an event no longer emitted by an operation': {
      change: (d) => delete d.paths['/orders/{id}/cancel'].post['x-emits'],
      expected: { subject: 'cancelOrder', ...containing('no longer emits order.status_changed') },
    },
    'a removed transition of a state machine': {
      change: (d) => d.paths['/products/{id}'].get['x-state-machine'].transitions.active.pop(),
      expected: {
        subject: 'getProduct',
        ...containing('no longer allows the `status` transition from active to archived'),
      },
    },
    'another tag': {
      change: (d) => {
        d.paths['/discounts'].get.tags = ['Vouchers']
      },
      expected: { subject: 'listDiscounts', ...containing('no longer has the tag Discounts') },
    },
  }
  const { changes, refused } = await changesAfterAll(cases, (d) => {
    deprecate(d.paths['/orders/{id}'].get, { since: '2026-12-02', sunset: '2027-12-02' })
    deprecate(d.paths['/customers'].get, { since: '2027-01-01', sunset: '2028-06-01' })
  })

  test.for(Object.entries(cases))('%s', ([, { expected }]) => {
    expect(changes).toContainEqual(expect.objectContaining({ ...expected, isBreaking: true }))
    expect(refused).toContainEqual(expect.objectContaining(expected))
  })

  test('finds no further breaking change', () => {
    expect(refused.filter(({ isBreaking }) => !isBreaking)).toEqual([])
    // Some cases produce several lines: a renamed parameter also changes its type and both of its bounds.
    expect(refused.length).toBeLessThan(Object.keys(cases).length + 10)
  })
})

describe('allowed changes', async () => {
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
        // Inserted before the others; the errors are the same.
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

  test('none of them is breaking', () => {
    expect(refused).toEqual([])
  })

  test.for(Object.entries(cases))('%s, which is listed', ([, { expected }]) => {
    expect(changes).toContainEqual(expect.objectContaining(expected))
  })
})

test('new descriptions of several parameters of one operation are no changes', async () => {
  const verdict = await changesAfter((d) => {
    for (const parameter of d.paths['/products'].get.parameters) {
      const description = `Filter: ${parameter.name}.`
      Object.assign(parameter, { description, schema: { ...parameter.schema, description } })
    }
  })
  expect(verdict).toEqual({ changes: [], refused: [] })
})

test('an unchanged document has no changes', async () => {
  expect(await changesAfter(() => undefined)).toEqual({ changes: [], refused: [] })
})

test.for([
  ['since a day before its announcement', { since: '2027-10-31', sunset: '2028-10-31' }, {}],
  ['until a day that has passed', { since: '2026-01-01', sunset: '2027-12-01' }, { since: '2026-01-01' }],
] as const)('an operation cannot be deprecated %s', async ([, mark, known]) => {
  const { refused } = await changesAfter(
    (d) => deprecate(d.paths['/orders'].get, mark),
    (d) => ('since' in known ? deprecate(d.paths['/orders'].get, known) : undefined),
  )
  expect(refused).toEqual([expect.objectContaining({ kind: 'deprecated', subject: 'listOrders' })])
})

test('a schema shared by a beta and a stable operation must not break, in any order of the operations', async () => {
  const share = (d: Loose) => {
    const input = d.paths['/logistics/predictive-schedule'].post.requestBody.content['application/json']
    input.schema = { $ref: '#/components/schemas/CustomerInput' }
    // The tool reports a schema at its first use.
    d.paths = { '/logistics/predictive-schedule': d.paths['/logistics/predictive-schedule'], ...d.paths }
  }
  const { refused } = await changesAfter((d) => {
    schema(d, 'CustomerInput').properties.name.maxLength = 3
  }, share)
  expect(refused).toEqual([expect.objectContaining({ subject: 'createCustomer' })])
})
