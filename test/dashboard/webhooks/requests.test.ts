import { beforeEach, describe, expect, test } from 'vitest'
import { recordBodies } from '../../../src/access/record-bodies.ts'
import { newId } from '../../../src/base/ids.ts'
import { insertRequests, type LoggedRequest } from '../../../src/store/requests/request-log.ts'
import { useApi } from '../../support/api.ts'
import { formOf, type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { openShop, operator, type Shop } from '../../support/shop.ts'

const api = useApi()
let shop: Shop
let viewer: SignedInMember

beforeEach(async () => {
  shop = await openShop(api().context)
  viewer = await signedIn(api(), shop.merchantId, 'viewer')
})

/** Stores a request in the request log, as the API does after its response. */
async function log(values: Partial<LoggedRequest> = {}): Promise<LoggedRequest> {
  const request = {
    merchantId: shop.merchantId,
    id: newId('req', api().clock.nowMs()),
    ...{ operation: 'createRefund', status: 201, errorCode: null, durationMs: 12 },
    ...{ tokenId: shop.tokenId, sourceIp: '203.0.113.7', problems: null },
    ...values,
  }
  await insertRequests(api().database, [request])
  return request
}

test('an API request appears in the list of requests, and its page shows its token and its result', async () => {
  const { id } = await log({ status: 409, errorCode: 'idempotency_conflict' })
  const list = await viewer.get('/dashboard/requests')
  expect(list.text).toContain(`/dashboard/requests/${id}`)
  expect(list.text).toContain('idempotency_conflict')
  expect(list.text).toContain(`<small><code>${id}</code></small></td>`)
  expect(list.text).toMatch(/<td data-title="Token" class="labelled">.*<small>from <code class="address">203.0.113.7</)
  const page = await viewer.get(`/dashboard/requests/${id}`)
  expect(page.status).toBe(200)
  for (const part of ['createRefund', '409', '12 ms', '203.0.113.7', `<span title="${shop.tokenId}">test</span>`])
    expect(page.text).toContain(part)
  expect(page.text).toContain('The request changed nothing.')
})

test('the page of a rejected request states the rejection and the next step, and links to the error reference and to the list of requests', async () => {
  const { id } = await log({ operation: 'createRefund', status: 409, errorCode: 'idempotency_conflict' })
  const { text } = await viewer.get(`/dashboard/requests/${id}`)
  expect(text).toContain('<h1>The request to create a refund was rejected ')
  expect(text).toContain('<code>idempotency_conflict</code></h1>')
  expect(text).toContain(
    '<a class="main" href="/docs/errors/idempotency_conflict">Read how to fix idempotency_conflict</a>',
  )
  expect(text).toContain('<strong>Next step:</strong>')
  expect(text).toContain('<a href="/dashboard/requests">All requests</a>')
  const reference = await viewer.get('/docs/errors/idempotency_conflict')
  expect(reference.status).toBe(200)
})

test('the page title of a request names the outcome, and the page has no link to the error reference if the error code is unknown', async () => {
  const titled = async (values: Partial<LoggedRequest>) => {
    const { id } = await log(values)
    const { text } = await viewer.get(`/dashboard/requests/${id}`)
    expect(text).not.toContain('/docs/errors/')
    return /<h1>([^<]*[^< ]) ?</.exec(text)?.[1]
  }
  expect(await titled({})).toBe('The request to create a refund succeeded')
  expect(await titled({ operation: 'sendMoney', status: 404, errorCode: 'code_of_an_earlier_release' })).toBe(
    'The request sendMoney was rejected',
  )
  expect(await titled({ status: 500, errorCode: null })).toBe('The request to create a refund failed')
})

test('the page of a rejected request shows its method, its path and the fields with invalid values', async () => {
  const problems = [
    { path: 'body.items[0].quantity', code: 'too_small' },
    { path: `body.${'👗'.slice(0, 1)}\0\\ud800<b>`, code: 'unknown_field' },
  ]
  const { id } = await log({ operation: 'createCustomer', status: 400, errorCode: 'validation_failed', problems })
  const { text } = await viewer.get(`/dashboard/requests/${id}`)
  for (const part of ['POST /api/v1/customers', 'body.items[0].quantity', 'body.��\\ud800&lt;b&gt;'])
    expect(text).toContain(`<code>${part}</code>`)
  expect(text).toContain('too small')
  expect(text).toContain('The list <code>errors</code> of the response.')
  expect(text).toContain('<a href="/dashboard/requests?status=400">All requests with status 400</a>')
  const valid = await log()
  expect((await viewer.get(`/dashboard/requests/${valid.id}`)).text).not.toContain('Invalid values')
})

describe('the recording of bodies of rejected requests', () => {
  const list = '/dashboard/requests'
  const recording = `${list}/recording`

  beforeEach(() => log())

  /** Returns the actions of the audit rows that the recording of bodies wrote, with their actor. */
  async function audited() {
    const { rows } = await api().database.pool.query<{ action: string; actor: string }>(
      `select action, actor_id as actor from audit_log where merchant_id = $1 and action like '%bodies' order by action`,
      [shop.merchantId],
    )
    return rows
  }

  test('an owner starts the recording of bodies for one day, sees when it will end, and ends it early', async () => {
    const owner = await signedIn(api(), shop.merchantId, 'owner')
    expect((await viewer.get(list)).text).not.toContain('Bodies of rejected requests')
    expect((await owner.submit(list, recording)).location).toBe(`${list}?done=requests.recording`)
    const on = 'The redacted bodies of rejected requests are recorded until <time'
    expect((await viewer.get(list)).text).toContain(on)
    expect((await owner.submit(list, recording)).status).toBe(303)
    expect((await viewer.get(list)).text).not.toContain(on)
    const actor = owner.memberId
    expect(await audited()).toEqual([
      { action: 'merchant.record_bodies', actor },
      { action: 'merchant.stop_recording_bodies', actor },
    ])
  })

  test('a form that is submitted twice starts the recording of bodies once', async () => {
    const owner = await signedIn(api(), shop.merchantId, 'owner')
    const form = formOf((await owner.get(list)).text, recording)
    const other = formOf((await owner.get(list)).text, recording)
    const replies = [await owner.post(recording, form), await owner.post(recording, form)]
    expect(replies.map(({ status }) => status)).not.toContain(422)
    const refused = await owner.post(recording, other)
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('The recording of bodies is already on.')
    expect(await audited()).toHaveLength(1)
  })

  test('the form for the recording of bodies is refused if its field `records` is missing or has an unknown value', async () => {
    const owner = await signedIn(api(), shop.merchantId, 'owner')
    const { records: _, ...form } = formOf((await owner.get(list)).text, recording)
    for (const fields of [form, { ...form, records: 'é'.repeat(600) }]) {
      const refused = await owner.post(recording, fields)
      expect([refused.status, refused.text.includes('Choose whether bodies are recorded.')]).toEqual([422, true])
    }
    expect(await audited()).toEqual([])
  })

  test.for([
    'viewer',
    'operations',
    'developer',
  ] as const)('a member with the role %s sees no button for the recording of bodies and cannot start the recording', async (role) => {
    const member = await signedIn(api(), shop.merchantId, role)
    const { text } = await member.get(list)
    expect(text).not.toContain(recording)
    const form = { ...formOf(text, '/dashboard/sign-out'), form: newId('frm', api().clock.nowMs()), records: 'on' }
    expect((await member.post(recording, form)).status).toBe(403)
    expect(await audited()).toEqual([])
  })

  test('the page of a rejected request shows the recorded body, and no body if none was recorded', async () => {
    await recordBodies(api().context, operator, shop.tenant, true)
    const { id } = await log({ status: 400, errorCode: 'validation_failed', body: '{"<b>":[1,"\\u0000\\ud83d"]}' })
    const { text } = await viewer.get(`${list}/${id}`)
    expect(text).toContain('<pre tabindex="0">{\n  &quot;&lt;b&gt;&quot;: [\n    1,')
    expect(text).toContain('Texts are replaced by their length')
    const none = await log({ status: 404, errorCode: 'order_not_found' })
    expect((await viewer.get(`${list}/${none.id}`)).text).not.toContain('Texts are replaced by their length')
  })
})

test('the page of an API request shows the changes that the request made', async () => {
  const body = { name: 'Ngozi', email: 'ngozi@example.com' }
  const created = await api().send('POST', '/api/v1/customers', { token: shop.token, body })
  await api().send('POST', '/api/v1/customers', { token: shop.token, body: { ...body, email: 'other@example.com' } })
  const { id } = await log({ id: created.headers.get('request-id') ?? '', operation: 'createCustomer' })
  const { text } = await viewer.get(`/dashboard/requests/${id}`)
  expect(text.match(/customer\.create/g)).toHaveLength(1)
  expect(text).toContain(`href="/dashboard/audit?resource=${created.body.id}"`)
})

test('the page of an API request links to the request’s token if the member may read tokens', async () => {
  const { id } = await log()
  const link = `href="/dashboard/tokens/${shop.tokenId}"`
  expect((await viewer.get(`/dashboard/requests/${id}`)).text).not.toContain(link)
  const developer = await signedIn(api(), shop.merchantId, 'developer')
  expect((await developer.get(`/dashboard/requests/${id}`)).text).toContain(link)
})

test('the list of API requests filters by id, operation, status, token and time', async () => {
  const { id } = await log({ status: 422 })
  const matching = [
    `id=${id}`,
    'operation=createRefund',
    'status=4xx',
    'status=422',
    `token=${shop.tokenId}`,
    'since=2026-11-01T00:00',
  ]
  for (const query of matching) {
    expect((await viewer.get(`/dashboard/requests?${query}`)).text, query).toContain(`/requests/${id}`)
  }
  const others = [
    `id=${newId('req', 0)}`,
    'operation=listOrders',
    'status=2xx',
    'token=tok_01jd3f8q6hf5n8v1zr4c7e2m9k',
    'until=2026-11-01T00:00',
  ]
  for (const query of others) {
    expect((await viewer.get(`/dashboard/requests?${query}`)).text, query).toContain(
      'No request matches these filters.',
    )
  }
})

test('the list of API requests shows the problem of a malformed filter at the filter’s field', async () => {
  const page = await viewer.get('/dashboard/requests?id=1&operation=%3Cb%3E&token=svc_live_x&since=now')
  expect(page.status).toBe(200)
  expect(page.text).toContain('A request id starts with req_')
  expect(page.text).toContain('Enter the id of an operation')
  expect(page.text).toContain('A token id starts with tok_.')
  expect(page.text).not.toContain('<b>')
})

test('the list of API requests has pages of 25 requests', async () => {
  for (let number = 0; number < 30; number++) {
    await log({ operation: `operation${String(number).padStart(2, '0')}` })
    api().clock.advance(1)
  }
  const first = await viewer.get('/dashboard/requests')
  expect([first.text.includes('operation29'), first.text.includes('operation04')]).toEqual([true, false])
  const [, next = ''] = /href="([^"]+)">Next page/.exec(first.text) ?? []
  const second = await viewer.get(next)
  expect([second.text.includes('operation05'), second.text.includes('operation04')]).toEqual([false, true])
})

test('the page of another merchant’s API request returns 404', async () => {
  const other = await openShop(api().context)
  const { id } = await log({ merchantId: other.merchantId })
  expect((await viewer.get(`/dashboard/requests/${id}`)).status).toBe(404)
  expect((await viewer.get('/dashboard/requests/%00')).status).toBe(404)
  expect((await viewer.get('/dashboard/requests')).text).toContain('There are no requests in the last 7 days.')
})

test('the page of an empty request log has no filter and no table, and leads an owner to a new API token and a viewer to the reference', async () => {
  const owner = await signedIn(api(), shop.merchantId, 'owner')
  const mainOf = (text: string) => [...text.matchAll(/class="main"[^>]*>([^<]*)/g)].map(([, label]) => label)
  const { text } = await owner.get('/dashboard/requests')
  expect(mainOf(text)).toEqual(['Create an API token'])
  expect(text).toContain('href="/dashboard/tokens/new"')
  expect(text).not.toMatch(/role="search" aria-label|Record bodies|Requests per day/)
  const seen = (await viewer.get('/dashboard/requests')).text
  expect(seen).toContain('<a class="main" href="/docs">Read how to call the API</a>')
  expect((await viewer.get('/docs')).status).toBe(200)
  await log()
  const filled = (await owner.get('/dashboard/requests')).text
  expect(mainOf(filled)).toEqual(['Filter'])
  expect(filled).not.toContain('>Clear</a>')
  expect(filled).toContain('Record bodies for one day')
  const none = (await owner.get('/dashboard/requests?status=5xx')).text
  expect(mainOf(none)).toEqual(['Show all requests'])
  expect(none).toContain('<a href="/dashboard/requests">Clear</a>')
})
