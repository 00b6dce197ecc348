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

describe('breaking changes for clients of the last release', async () => {
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

  test.for(Object.entries(cases))('the release check finds a breaking change: %s', ([, { expected }]) => {
    expect(changes).toContainEqual(expect.objectContaining({ ...expected, isBreaking: true }))
    expect(refused).toContainEqual(expect.objectContaining(expected))
  })

  test('the release check refuses only breaking changes, and the number of refused changes exceeds the number of test cases by at most nine', () => {
    expect(refused.filter(({ isBreaking }) => !isBreaking)).toEqual([])
    // Some test cases change several things at once: a renamed parameter, for example, also has another type and other
    // limits.
    expect(refused.length).toBeLessThan(Object.keys(cases).length + 10)
  })
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

test('the release check finds a breaking change of a schema that a beta and a stable operation share, regardless of the order of the operations', async () => {
  const share = (d: Loose) => {
    const input = d.paths['/logistics/predictive-schedule'].post.requestBody.content['application/json']
    input.schema = { $ref: '#/components/schemas/CustomerInput' }
    // Redocly reports a changed schema at the operation that uses it first.
    d.paths = { '/logistics/predictive-schedule': d.paths['/logistics/predictive-schedule'], ...d.paths }
  }
  const { refused } = await changesAfter((d) => {
    schema(d, 'CustomerInput').properties.name.maxLength = 3
  }, share)
  expect(refused).toEqual([expect.objectContaining({ subject: 'createCustomer' })])
})
