import { describe, expect, test } from 'vitest'
import { type Case, deprecate, judge, judgeAll, type Loose, schema } from '../support/contract/judged-contract.ts'

/** A member that may be null, without that. */
const neverNull = ({ properties }: Loose, name: string) => {
  properties[name] = properties[name].anyOf.find(({ type }: Loose) => type !== 'null')
}

const told = (what: string) => ({ what: expect.stringContaining(what) })

describe('what breaks those who rely on the last release', async () => {
  const cases: Record<string, Case> = {
    'an operation that is gone': {
      change: (d) => delete d.paths['/orders'].post,
      told: { kind: 'removed', subject: 'createOrder' },
    },
    'a filter that is gone': {
      change: (d) => {
        const { get } = d.paths['/products']
        get.parameters = get.parameters.filter(({ name }: Loose) => name !== 'q')
      },
      told: { subject: 'listProducts', ...told('`q` query parameter') },
    },
    'a field of an answer that is gone': {
      change: (d) => delete schema(d, 'Customer').properties.note,
      told: told('`note`'),
    },
    'a field of an answer that may be missing': {
      change: (d) => {
        schema(d, 'Refund').required = schema(d, 'Refund').required.filter((name: string) => name !== 'orderId')
      },
      told: told('`orderId`'),
    },
    'a field of an answer that may be null': {
      change: (d) => {
        schema(d, 'Product').properties.title = { type: ['string', 'null'] }
      },
      told: told('`title`'),
    },
    'a field that a request must have': {
      change: (d) => {
        schema(d, 'CustomerInput').properties.salutation = { type: 'string' }
        schema(d, 'CustomerInput').required.push('salutation')
      },
      told: { subject: 'createCustomer', ...told('`salutation`') },
    },
    'a limit of a request that is tighter': {
      change: (d) => {
        schema(d, 'CustomerInput').properties.name.maxLength = 3
      },
      told: { subject: 'createCustomer', ...told('`maxLength` of `name`') },
    },
    'an event that is gone': {
      change: (d) => delete d.webhooks['order.created'],
      told: { subject: 'order.created' },
    },
    'another scope': {
      change: (d) => {
        d.paths['/orders'].get['x-required-scope'] = 'orders:write'
      },
      told: { subject: 'listOrders', ...told('needs the scope orders:write') },
    },
    'a stable operation that is beta again': {
      change: (d) => {
        d.paths['/payments'].get['x-stability'] = 'beta'
      },
      told: { kind: 'beta', subject: 'listPayments' },
    },
    'a key that is no longer honoured': {
      change: (d) => {
        d.paths['/refunds'].post['x-idempotency'] = 'ignored'
      },
      told: { kind: 'idempotency', subject: 'createRefund' },
    },
    'a detail of an error that is gone': {
      change: (d) => {
        const { details } = schema(d, 'InsufficientStockError').properties.error.properties
        delete details.properties.items.items.properties.available
      },
      told: told('InsufficientStockError.error.details.items[].available'),
    },
    'an error that does not name its request': {
      change: (d) => delete schema(d, 'ProductNotFoundError').properties.error.properties.requestId,
      told: told('`requestId`'),
    },
    'an error that is answered with another status': {
      change: (d) => {
        const { responses } = d.paths['/customers'].post
        const { anyOf } = responses['409'].content['application/json'].schema
        const isMoved = ({ $ref }: Loose) => $ref.endsWith('/CustomerExistsError')
        responses['400'].content['application/json'].schema.anyOf.unshift(...anyOf.filter(isMoved))
        responses['409'].content['application/json'].schema.anyOf = anyOf.filter((each: Loose) => !isMoved(each))
      },
      told: {
        subject: 'createCustomer',
        what: 'POST /customers answers customer_exists with 400 instead of 409.',
      },
    },
    'a header of an error that is gone': {
      change: (d) => delete d.paths['/discounts'].post.responses['503'].headers['Retry-After'],
      told: { subject: 'createDiscount', ...told('`Retry-After`') },
    },
    'an operation that goes before its sunset': {
      change: (d) => delete d.paths['/orders/{id}'].get,
      told: { kind: 'removed', subject: 'getOrder' },
    },
    'a sunset that comes sooner': {
      change: (d) => deprecate(d.paths['/customers'].get, { since: '2027-01-01', sunset: '2028-01-01' }),
      told: { kind: 'deprecated', subject: 'listCustomers', ...told('from 2028-01-01 on, which was 2028-06-01') },
    },
    'a null that a request may no longer say': {
      change: (d) => neverNull(schema(d, 'CustomerPatch'), 'note'),
      told: { subject: 'updateCustomer', ...told('`note`') },
    },
    'another default of a query': {
      change: (d) => {
        d.paths['/events'].get.parameters.find(({ name }: Loose) => name === 'limit').schema.default = 50
      },
      told: { subject: 'listEvents', what: 'GET /events takes 50 where `query.limit` is left out, which was 25.' },
    },
    'another default of a body': {
      change: (d) => {
        schema(d, 'DispatchInput').properties.undeliverableAction.default = 'hold'
      },
      told: { subject: 'dispatchShipment', ...told('takes "hold" where `body.undeliverableAction` is left out') },
    },
    'a default that is gone': {
      change: (d) => delete schema(d, 'Failover').properties.maxAttempts.default,
      told: { subject: 'dispatchShipment', ...told('no longer says what it takes where `body.failover.maxAttempts`') },
    },
    'a header that an event no longer carries': {
      change: (d) => {
        const { post } = d.webhooks['order.refunded']
        post.parameters = post.parameters.filter(({ name }: Loose) => name !== 'Service-Signature')
      },
      told: { subject: 'order.refunded', ...told('no longer carries the header Service-Signature') },
    },
    'a header that an event may come without': {
      change: (d) => {
        d.webhooks['order.status_changed'].post.parameters.find(({ name }: Loose) => name === 'webhook-id').required =
          false
      },
      told: { subject: 'order.status_changed', ...told('may come without the header webhook-id') },
    },
    'a header that an answer may come without': {
      change: (d) => {
        d.paths['/discounts/{id}'].get.responses['200'].headers['Request-Id'].required = false
      },
      told: { subject: 'getDiscount', ...told('may answer 200 without the header Request-Id') },
    },
    'an event that an operation no longer emits': {
      change: (d) => delete d.paths['/orders/{id}/cancel'].post['x-emits'],
      told: { subject: 'cancelOrder', ...told('no longer emits order.status_changed') },
    },
    'a move that a record can no longer make': {
      change: (d) => d.paths['/products/{id}'].get['x-state-machine'].transitions.active.pop(),
      told: { subject: 'getProduct', ...told('no longer lets `status` move from active to archived') },
    },
    'another tag': {
      change: (d) => {
        d.paths['/discounts'].get.tags = ['Vouchers']
      },
      told: { subject: 'listDiscounts', ...told('no longer stands under Discounts') },
    },
  }
  const { changes, refused } = await judgeAll(cases, (d) => {
    deprecate(d.paths['/orders/{id}'].get, { since: '2026-12-02', sunset: '2027-12-02' })
    deprecate(d.paths['/customers'].get, { since: '2027-01-01', sunset: '2028-06-01' })
  })

  test.for(Object.entries(cases))('%s', ([, { told: expected }]) => {
    expect(changes).toContainEqual(expect.objectContaining({ ...expected, isBreaking: true }))
    expect(refused).toContainEqual(expect.objectContaining(expected))
  })

  test('and nothing that is not among them is refused', () => {
    expect(refused.filter(({ isBreaking }) => !isBreaking)).toEqual([])
    // Some cases produce several lines: a renamed parameter also changes its type and both of its bounds.
    expect(refused.length).toBeLessThan(Object.keys(cases).length + 10)
  })
})

describe('what a release may bring', async () => {
  const cases: Record<string, Case> = {
    'another operation': {
      change: (d) => {
        d.paths['/things'] = structuredClone(d.paths['/changelog'])
        d.paths['/things'].get.operationId = 'listThings'
      },
      told: { kind: 'added', ...told('/things') },
    },
    'another field of an answer': {
      change: (d) => {
        schema(d, 'Customer').properties.nickname = { type: 'string' }
        schema(d, 'Customer').required.push('nickname')
      },
      told: { kind: 'added', ...told('nickname') },
    },
    'another optional field of a request': {
      change: (d) => {
        schema(d, 'CustomerInput').properties.salutation = { type: 'string' }
      },
      told: { kind: 'added', subject: 'createCustomer', ...told('salutation') },
    },
    'another value of an answer': {
      change: (d) => schema(d, 'CustomerStatus').enum.push('resting'),
      told: { kind: 'changed', ...told('resting') },
    },
    'another error code': {
      change: (d) => {
        const answer = d.paths['/orders'].post.responses['404'].content['application/json'].schema
        // Before the others, which are the same errors as before all the same.
        answer.anyOf.unshift({ $ref: '#/components/schemas/DiscountNotFoundError' })
      },
      told: { kind: 'changed', subject: 'createOrder', what: 'POST /orders can answer discount_not_found.' },
    },
    'a write that becomes idempotent': {
      change: (d) => {
        d.paths['/orders'].post['x-idempotency'] = 'honoured'
      },
      told: { kind: 'idempotency', subject: 'createOrder' },
    },
    'an operation that is deprecated': {
      change: (d) => {
        deprecate(d.paths['/orders'].get, { since: '2027-11-01' })
      },
      told: { kind: 'deprecated', subject: 'listOrders', what: 'GET /orders is deprecated.' },
    },
    'a sunset that becomes known': {
      change: (d) => deprecate(d.paths['/refunds'].get, { since: '2026-01-01', sunset: '2028-01-01' }),
      told: { kind: 'deprecated', subject: 'listRefunds', what: 'GET /refunds may be gone from 2028-01-01 on.' },
    },
    'an operation that goes on the day of its sunset': {
      change: (d) => delete d.paths['/orders/{id}'].get,
      told: { kind: 'removed', isBreaking: true, subject: 'getOrder' },
    },
    'a beta event that is gone': {
      change: (d) => delete d.webhooks['shipment.status_changed'],
      told: { kind: 'removed', isBreaking: true, subject: 'shipment.status_changed' },
    },
    'a beta operation that needs another scope': {
      change: (d) => {
        d.paths['/logistics/shipments/{id}'].get['x-required-scope'] = 'orders:write'
      },
      told: { isBreaking: true, subject: 'getShipment', ...told('needs the scope orders:write') },
    },
    'a beta operation that becomes stable, and asks for more': {
      change: (d) => {
        const { post } = d.paths['/logistics/predictive-schedule']
        post['x-stability'] = 'stable'
        post.parameters.push({ name: 'zone', in: 'query', required: true, schema: { type: 'string' } })
      },
      told: { kind: 'stable', subject: 'createPredictiveSchedule' },
    },
    'another value of what requests and answers have': {
      change: (d) => schema(d, 'PaymentMethod').enum.push('cowries'),
      told: { kind: 'changed', isBreaking: false, ...told('cowries') },
    },
    'a member of an answer that is never null any more': {
      change: (d) => neverNull(schema(d, 'Customer'), 'note'),
      told: { kind: 'changed', isBreaking: false, what: 'Customer, note: is never null any more.' },
    },
    'a default that was not said': {
      change: (d) => {
        d.paths['/events'].get.parameters.find(({ name }: Loose) => name === 'event').schema.default = 'order.created'
      },
      told: {
        isBreaking: false,
        subject: 'listEvents',
        ...told('takes "order.created" where `query.event` is left out'),
      },
    },
    'a header that an event always carries now': {
      change: (d) => {
        const header = { name: 'webhook-attempt', in: 'header', required: true, schema: { type: 'string' } }
        d.webhooks['order.created'].post.parameters.push(header)
      },
      told: { kind: 'added', isBreaking: false, subject: 'order.created' },
    },
    'another event that an operation emits': {
      change: (d) => d.paths['/discounts'].post['x-emits'].push('order.created'),
      told: { isBreaking: false, subject: 'createDiscount', what: 'POST /discounts emits order.created.' },
    },
    'another move that a record can make': {
      change: (d) => d.paths['/products/{id}'].get['x-state-machine'].transitions.active.push('draft'),
      told: { isBreaking: false, subject: 'getProduct', ...told('lets `status` move from active to draft') },
    },
    'another default of a beta operation': {
      change: (d) => {
        schema(d, 'ScheduleInput').properties.dryRun.default = true
      },
      told: { isBreaking: true, subject: 'createPredictiveSchedule', ...told('`body.dryRun`') },
    },
    'an error that is no longer answered, and the headers that came with it': {
      change: (d) => delete d.paths['/discounts/{id}'].get.responses['404'],
      told: {
        kind: 'changed',
        subject: 'getDiscount',
        what: 'GET /discounts/{id} no longer answers discount_not_found.',
      },
    },
  }
  const { changes, refused } = await judgeAll(cases, (d) => {
    deprecate(d.paths['/refunds'].get, { since: '2026-01-01' })
    deprecate(d.paths['/orders/{id}'].get, { since: '2026-12-01', sunset: '2027-12-01' })
    d.paths['/logistics/shipments/{id}'].get['x-stability'] = 'beta'
  })

  test('none of them is refused', () => {
    expect(refused).toEqual([])
  })

  test.for(Object.entries(cases))('%s, which is told', ([, { told: expected }]) => {
    expect(changes).toContainEqual(expect.objectContaining(expected))
  })
})

test('nothing at all is no change', async () => {
  expect(await judge(() => undefined)).toEqual({ changes: [], refused: [] })
})

test.for([
  ['since a day when nobody was told of it', { since: '2027-10-31', sunset: '2028-10-31' }, {}],
  [
    'until a day that has passed when it is named',
    { since: '2026-01-01', sunset: '2027-12-01' },
    { since: '2026-01-01' },
  ],
] as const)('an operation is not deprecated %s', async ([, mark, known]) => {
  const { refused } = await judge(
    (d) => deprecate(d.paths['/orders'].get, mark),
    (d) => ('since' in known ? deprecate(d.paths['/orders'].get, known) : undefined),
  )
  expect(refused).toEqual([expect.objectContaining({ kind: 'deprecated', subject: 'listOrders' })])
})

test('a schema that a beta operation shares with a stable one must not break, wherever it is met first', async () => {
  const share = (d: Loose) => {
    const input = d.paths['/logistics/predictive-schedule'].post.requestBody.content['application/json']
    input.schema = { $ref: '#/components/schemas/CustomerInput' }
    // The tool tells of a schema where it meets it first.
    d.paths = { '/logistics/predictive-schedule': d.paths['/logistics/predictive-schedule'], ...d.paths }
  }
  const { refused } = await judge((d) => {
    schema(d, 'CustomerInput').properties.name.maxLength = 3
  }, share)
  expect(refused).toEqual([expect.objectContaining({ subject: 'createCustomer' })])
})
