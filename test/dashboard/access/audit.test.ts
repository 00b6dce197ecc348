import { beforeEach, describe, expect, test } from 'vitest'
import { auditActions } from '../../../registry/values/audit-actions.ts'
import { createWebhookEndpoint } from '../../../src/access/create-webhook-endpoint.ts'
import { mutate } from '../../../src/store/core/mutation.ts'
import { useApi, vault } from '../../support/api.ts'
import { paid } from '../../support/commerce/refund.ts'
import { type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { select } from '../../support/database-contents.ts'
import { textOf } from '../../support/page-text.ts'
import { mintToken, openShop, operator, placeOrder, type Shop } from '../../support/shop.ts'

const api = useApi()
let shop: Shop
let viewer: SignedInMember

beforeEach(async () => {
  shop = await openShop(api().context)
  viewer = await signedIn(api(), shop.merchantId, 'viewer', 'Ada Obi')
})

const list = '/dashboard/audit'

const auditRows = async (merchantId: string) => {
  const { rows } = await api().database.pool.query<{ id: string; action: string }>(
    'select id, action from audit_log where merchant_id = $1 order by id desc',
    [merchantId],
  )
  return rows
}

const idsIn = (page: string) => [...new Set([...page.matchAll(/audit\/(aud_\w+)"/g)].map(([, id]) => id))]

describe('the audit log page', () => {
  test('the audit log page shows only the changes of its merchant, newest first', async () => {
    await openShop(api().context)
    const { text } = await viewer.get(list)
    expect(idsIn(text)).toEqual((await auditRows(shop.merchantId)).map(({ id }) => id))
  })

  test('the audit log page is filtered by actor, action, group of actions, record and time', async () => {
    const { id } = await mintToken(api().context, shop.tenant, { name: 'Till' })
    const created = (await auditRows(shop.merchantId)).filter(({ action }) => action === 'token.create')
    const idsOf = async (query: string) => idsIn((await viewer.get(`${list}?${query}`)).text)
    expect(created).toHaveLength(2)
    expect(await idsOf('action=token.create')).toEqual(created.map((row) => row.id))
    expect(await idsOf('action=token')).toEqual(created.map((row) => row.id))
    expect(await idsOf(`resource=${id}`)).toHaveLength(1)
    expect(await idsOf('actor=Ada+Obi')).toHaveLength(1)
    expect(await idsOf('actor=Bisi')).toEqual([])
    expect(await idsOf('since=2030-01-01T00:00')).toEqual([])
    expect(await idsOf('until=2030-01-01T00:00')).toEqual((await auditRows(shop.merchantId)).map((row) => row.id))
  })

  test('the audit log page also shows an order’s payments and refunds if the filter is the id or the number of the order', async () => {
    const { order, refund } = await paid(api(), shop, [[10_000, 1]])
    const { status, body } = await refund(4_000)
    expect(status).toBe(201)
    for (const record of [order.id, order.number, order.number.toLowerCase()]) {
      const { text } = await viewer.get(`${list}?resource=${record}`)
      for (const action of ['order.create', 'payment.record', 'refund.create']) expect(text).toContain(`>${action}<`)
    }
    const [newest] = idsIn((await viewer.get(`${list}?resource=${order.id}`)).text)
    expect((await viewer.get(`${list}/${newest}`)).text).toContain(`href="/dashboard/orders/${order.id}"`)
    const [token] = await select(api(), 'select name from api_tokens where id = $1', [shop.tokenId])
    expect((await viewer.get(`/dashboard/refunds/${body.id}`)).text).toContain(`${token.name} <small>token</small>`)
    expect((await viewer.get(`/dashboard/orders/${order.id}`)).text).toContain(`${token.name} <small>token</small>`)
  })

  test('the audit log page finds the changes of a customer by name, e-mail address and phone number, and those of a member by name', async () => {
    const body = { name: 'Bísí <b>Ade</b>', email: 'bisi.ade@example.com', phone: '+2348031234567' }
    const { token } = shop
    const created = await api().send('POST', '/api/v1/customers', { token, body })
    api().clock.advance(1)
    await api().send('PATCH', `/api/v1/customers/${created.body.id}`, { token, body: { name: 'Bisi Ade Bello' } })
    const other = await openShop(api().context)
    await api().send('POST', '/api/v1/customers', { token: other.token, body })
    for (const record of [created.body.id, 'bísí ade', 'BISI.ADE@example.com', '0803 123 4567']) {
      const { text } = await viewer.get(`${list}?${new URLSearchParams({ resource: record })}`)
      const actions = ['customer.create', 'customer.update']
      expect([record, ...actions.map((action) => text.includes(`>${action}<`))]).toEqual([record, true, true])
      expect(idsIn(text)).toHaveLength(2)
    }
    const { text } = await viewer.get(`${list}?resource=ade+bello`)
    expect(text).toContain(
      `<a href="/dashboard/customers/${created.body.id}"><span title="${created.body.id}">Bisi Ade Bello</span></a>`,
    )
    expect(idsIn((await viewer.get(`${list}?resource=ada+obi`)).text)).not.toEqual([])
    expect((await viewer.get(`${list}?resource=ad`)).text).toContain('No change matches these filters.')
  })

  test.each([
    'actor',
    'resource',
  ])('the filter %s finds the changes of a member by a part of the member’s name or e-mail address', async (filter) => {
    const member = await signedIn(api(), shop.merchantId, 'viewer', 'Chidínma Okonkwo')
    const found = async (text: string) => (await viewer.get(`${list}?${new URLSearchParams({ [filter]: text })}`)).text
    for (const text of ['chidin', 'OKONK', member.email.slice(0, -4)])
      expect(await found(text)).toContain('member.accept')
    expect(await found('ch')).toContain('No change matches these filters.')
    const other = await openShop(api().context)
    const stranger = await signedIn(api(), other.merchantId, 'owner')
    expect((await stranger.get(`${list}?${filter}=chidin`)).text).toContain('No change matches these filters.')
  })

  test('if more than 20 customers have the name in the filter, the audit log page and its export refuse the filter and list no changes', async () => {
    const { token } = shop
    for (let index = 0; index < 21; index++) {
      const body = { name: 'Ngozi Eze', email: `ngozi-${index}@example.com` }
      expect((await api().send('POST', '/api/v1/customers', { token, body })).status).toBe(201)
    }
    const page = await viewer.get(`${list}?resource=ngozi+eze`)
    expect([idsIn(page.text), page.text.includes('More than 20 customers match.')]).toEqual([[], true])
    const exported = await viewer.get(`${list}/export?resource=ngozi+eze`)
    expect([exported.status, exported.text.includes('More than 20 customers match.')]).toEqual([400, true])
    expect((await viewer.get(`${list}/export?resource=ngozi-20@example.com`)).status).toBe(200)
  })

  test('the page of an audit entry shows changed values that are objects as indented JSON', async () => {
    const mutation = {
      ...{
        tenant: shop.tenant,
        actor: operator,
        action: 'merchant.set_rate_limits' as const,
        resourceType: 'merchant',
      },
      resourceId: () => shop.merchantId,
    }
    await mutate(api().context, mutation, async ({ note }) => note({ limits: [null, { reads: 5 }] }))
    const { text } = await viewer.get(`${list}?action=merchant.set_rate_limits`)
    const entry = await viewer.get(`${list}/${idsIn(text)[0]}`)
    expect(entry.text).toContain('<pre tabindex="0">{\n  &quot;reads&quot;: 5\n}</pre>')
    expect(entry.text).toContain(`<code>${shop.merchantId}</code>`)
  })

  test.for([
    'since=today',
    'until=2026-13-01T00:00',
    `action=${'a'.repeat(201)}`,
  ])('the audit log page reports the invalid filter %s at its field, and the export rejects the filter', async (query) => {
    const { status, text } = await viewer.get(`${list}?${query}`)
    expect(status).toBe(200)
    expect(text).toContain('aria-invalid="true"')
    expect((await viewer.get(`${list}/export?${query}`)).status).toBe(400)
  })

  test('the pages of the audit log together show the whole log', async () => {
    for (let index = 0; index < 30; index++) await mintToken(api().context, shop.tenant, { name: `Till ${index}` })
    const first = (await viewer.get(list)).text
    const next = /href="([^"]+)">Next page/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const second = (await viewer.get(next)).text
    expect(second).not.toContain('Next page')
    expect([...idsIn(first), ...idsIn(second)]).toEqual((await auditRows(shop.merchantId)).map(({ id }) => id))
  })
})

describe('an entry of the audit log', () => {
  test('an audit log entry shows the actor, the session, the source address, and each changed value before and after the change', async () => {
    const owner = await signedIn(api(), shop.merchantId, 'owner', 'Bisi <b>')
    const page = `/dashboard/members/${viewer.memberId}`
    await owner.submit(page, `${page}/role`, { role: 'developer' })
    const changed = (await auditRows(shop.merchantId)).find(({ action }) => action === 'member.role')
    const { text } = await viewer.get(`${list}/${changed?.id}`)
    expect(text).toContain('<h1>Changed the role of a member </h1>')
    expect(text).toContain('<code>member.role</code>')
    expect(text).toContain('<a href="/dashboard/audit">Audit log</a>')
    expect(text).toContain('Bisi &lt;b&gt;')
    expect(text).toMatch(/<dt>Session<\/dt><dd><code>ses_\w+<\/code>/)
    // The page of an audit row does not link to the request log, because that log contains no requests from the
    // dashboard.
    expect(text).toMatch(/<code>req_\w+<\/code>/)
    expect(text).not.toContain('href="/dashboard/requests/')
    expect(text).toContain('127.0.0.1')
    expect(text).toMatch(/<code>role<\/code><\/td><td[^>]*>viewer<\/td><td[^>]*>developer</)
    expect(text).toContain(`href="${page}"`)
  })

  test('an audit log entry names its action in words, and shows a changed timestamp in Lagos time', async () => {
    const mutation = {
      ...{
        tenant: shop.tenant,
        actor: operator,
        action: 'webhook_endpoint.disable' as const,
        resourceType: 'webhook_endpoint',
      },
      resourceId: () => 'whe_01jd3f8q6hf5n8v1zr4c7e2m9k',
    }
    await mutate(api().context, mutation, async ({ note }) => note({ disabledAt: [null, '2026-11-20T22:30:00.000Z'] }))
    const { text } = await viewer.get(`${list}?action=webhook_endpoint.disable`)
    expect(text).toContain(
      '>Disabled a webhook endpoint <small class="wide-only"><code>webhook_endpoint.disable</code></small></a>',
    )
    const entry = await viewer.get(`${list}/${idsIn(text)[0]}`)
    expect(entry.text).toContain('<h1>Disabled a webhook endpoint </h1>')
    expect(entry.text).toMatch(/<time datetime="2026-11-20T22:30:00.000Z"[^>]*>20 Nov 2026, 23:30/)
  })

  test('an action that only an earlier release wrote appears in the audit log with its code, and the code appears only once', async () => {
    await api().database.pool.query(
      `insert into audit_log (merchant_id, id, occurred_at, actor_type, actor_label, action, resource_type, resource_id, changes)
       values ($1, 'aud_' || repeat('0', 26), now(), 'system', 'test', 'order.polish', 'order', 'ord_1', '{}')`,
      [shop.merchantId],
    )
    const { text } = await viewer.get(`${list}?action=order.polish`)
    expect(text.match(/>order\.polish</g)).toHaveLength(1)
    expect((await viewer.get(`${list}/aud_${'0'.repeat(26)}`)).text).toContain('<h1>order.polish </h1>')
  })

  test('each action of the audit log has a text of its own', () => {
    const texts = Object.values(auditActions)
    expect(new Set(texts).size).toBe(texts.length)
  })

  test('the audit log shows the names of changed shops and webhook endpoints and the order numbers of payments, and not their ids', async () => {
    const context = { ...api().context, vault, policy: { allowsLoopback: true } }
    const webhook = { url: 'https://shop.example.com/hooks', kinds: ['order.created'] } as const
    const created = await createWebhookEndpoint(context, operator, shop.tenant, webhook)
    if (created.is !== 'created') throw new Error(`No endpoint: ${created.is}.`)
    const order = await placeOrder(api(), shop)
    const change = {
      tenant: shop.tenant,
      actor: operator,
      action: 'merchant.update' as const,
      resourceType: 'merchant',
    }
    const mutation = { ...change, resourceId: () => shop.merchantId }
    await mutate(api().context, mutation, async ({ note }) => note({ name: ['Old', 'New'] }))
    const page = (await viewer.get(list)).text
    const text = textOf(page)
    expect(text).toContain('webhook endpoint https://shop.example.com/hooks')
    expect(text).toContain('shop Adire')
    expect(page).toMatch(
      new RegExp(
        `<a href="/dashboard/orders\\?number=${order.number}"><span title="pay_\\w+">Payment of ${order.number}<`,
      ),
    )
    expect(text).not.toMatch(/(whe|mer|pay|ord)_[0-9a-z]{26}/)
  })

  test('the audit log entry of a change that was made with a token links to the API request', async () => {
    const body = { name: 'Ngozi', email: 'ngozi@example.com' }
    const { headers } = await api().send('POST', '/api/v1/customers', { token: shop.token, body })
    const created = (await auditRows(shop.merchantId)).find(({ action }) => action === 'customer.create')
    const { text } = await viewer.get(`${list}/${created?.id}`)
    expect(text).toContain(`href="/dashboard/requests/${headers.get('request-id')}"`)
  })

  test('the page of another merchant’s audit log entry returns 404', async () => {
    const other = await openShop(api().context)
    const [row] = await auditRows(other.merchantId)
    expect((await viewer.get(`${list}/${row?.id}`)).status).toBe(404)
    expect((await viewer.get(`${list}/aud_01jd3f8q6hf5n8v1zr4c7e2m9k`)).status).toBe(404)
    expect((await viewer.get(`${list}/%00`)).status).toBe(404)
  })
})

describe('the export of the audit log', () => {
  test('the audit log export is a file with one JSON object for each audit row of the merchant', async () => {
    await openShop(api().context)
    const file = await viewer.get(`${list}/export`)
    expect(file.status).toBe(200)
    expect(file.headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': `attachment; filename="audit-${shop.merchantId}.ndjson"`,
      'cache-control': 'no-store',
    })
    const records = file.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(records.map(({ id, action }) => ({ id, action }))).toEqual(await auditRows(shop.merchantId))
  })

  test('the audit log export of a log with thousands of rows contains every row once', async () => {
    await api().database.pool.query(
      `insert into audit_log (merchant_id, id, occurred_at, actor_type, actor_label, action, resource_type, resource_id, changes)
       select $1, 'aud_' || lpad(n::text, 26, '0'), now(), 'system', 'test', 'order.create', 'order', 'ord_1', '{}'
       from generate_series(1, 2500) as n`,
      [shop.merchantId],
    )
    const lines = (await viewer.get(`${list}/export?action=order`)).text.trimEnd().split('\n')
    expect(new Set(lines.map((line) => JSON.parse(line).id)).size).toBe(2500)
  })

  test('the audit log export applies the filters of the list', async () => {
    const file = await viewer.get(`${list}/export?action=token.create`)
    expect(
      file.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).action),
    ).toEqual(['token.create'])
    expect((await viewer.get(`${list}/export?action=none`)).text).toBe('')
  })

  test('the audit log export requires a session', async () => {
    viewer.cookies.clear()
    expect((await viewer.get(`${list}/export`)).status).toBe(303)
  })
})
