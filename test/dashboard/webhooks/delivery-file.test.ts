import { beforeEach, describe, expect, test } from 'vitest'
import { exportsMax } from '../../../registry/values/limits.ts'
import { useApi } from '../../support/api.ts'
import { type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { auditRows } from '../../support/database-contents.ts'
import { openReceiver, status } from '../../webhooks/receiver.ts'
import { openWebhookShop, type WebhookShop } from './webhook-shop.ts'

const api = useApi()
let shop: WebhookShop
let owner: SignedInMember

beforeEach(async () => {
  shop = await openWebhookShop(api())
  owner = await signedIn(api(), shop.merchantId, 'owner')
})

/** Sends one event to a webhook receiver that responds with status 500. */
async function failed() {
  const receiver = await openReceiver(status(500))
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  await shop.deliver(endpoint)
  const [delivery] = await shop.deliveries()
  if (delivery === undefined) throw new Error('There is no delivery.')
  return { endpoint, delivery }
}

describe('the file of webhook deliveries', () => {
  const file = '/dashboard/deliveries/download'
  const linesOf = (text: string) => text.replace('\uFEFF', '').split('\r\n').slice(0, -1)
  const idsIn = (text: string) =>
    linesOf(text)
      .slice(1)
      .map((line) => line.slice(0, line.indexOf(',')))

  test('the file of webhook deliveries has a row for each delivery, with its endpoint, last response and timestamps in Lagos time, and escapes a text that looks like a formula', async () => {
    const receiver = await openReceiver(status(503))
    const endpoint = await shop.addEndpoint(receiver.url, '=HYPERLINK("https://evil.example"),<b>')
    await shop.emit()
    await shop.deliver(endpoint)
    const viewer = await signedIn(api(), shop.merchantId, 'viewer')
    const { headers, text } = await viewer.get(file)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toBe('attachment; filename="deliveries-2026-11-21.csv"')
    const [delivery] = await shop.deliveries()
    const [names, row = '', ...more] = linesOf(text)
    expect(more).toEqual([])
    expect(names).toBe(
      'id,eventId,kind,trigger,replayOf,endpointId,endpoint,status,attemptCount,lastHttpStatus,lastErrorCode,lastDurationMs,' +
        'createdAt (Lagos),lastAttemptAt (Lagos),nextAttemptAt (Lagos),completedAt (Lagos)',
    )
    expect(
      row.startsWith(`${delivery?.id},${delivery?.eventId},inventory.low_stock,automatic,,${endpoint.endpointId},`),
    ).toBe(true)
    expect(row).toContain(
      `,"'=HYPERLINK(""https://evil.example""),<b>",failed,1,503,,${delivery?.lastDurationMs},2026-11-21 `,
    )
    expect(row.endsWith(',')).toBe(true)
  })

  test('the file of webhook deliveries has the filters of the list that links to it, and contains only the deliveries that match', async () => {
    const { endpoint, delivery } = await failed()
    await openWebhookShop(api()).then(async (other) => {
      await other.addEndpoint('http://127.0.0.1:9/hook')
      await other.emit()
    })
    const query = `status=failed&kind=inventory.low_stock&endpoint=${endpoint.endpointId}&since=2026-01-01T00%3A00`
    const list = await owner.get(`/dashboard/deliveries?${query}&cursor=dlv_7zzzzzzzzzzzzzzzzzzzzzzzzz`)
    expect(list.text).toContain(`href="${file}?${query.replaceAll('&', '&amp;')}">Download CSV</a>`)
    expect(idsIn((await owner.get(`${file}?${query}`)).text)).toEqual([delivery.id])
    for (const other of ['status=succeeded', 'until=2026-01-01T00:00', 'event=evt_01jd3f8q6hf5n8v1zr4c7e2m9k'])
      expect(idsIn((await owner.get(`${file}?${other}`)).text), other).toEqual([])
    expect((await owner.get('/dashboard/deliveries?status=succeeded')).text).not.toContain('Download CSV')
  })

  test('the file of webhook deliveries contains each delivery once, newest first, even if several SQL statements read the deliveries', async () => {
    for (let count = 0; count < 16; count++) await shop.addEndpoint(`http://127.0.0.1:9/hook-${count}`)
    for (let count = 0; count < 64; count++) await shop.emit()
    for (const query of ['', '?status=pending']) {
      const ids = idsIn((await owner.get(file + query)).text)
      expect(ids).toHaveLength(1024)
      expect(ids).toEqual([...new Set(ids)].toSorted().reverse())
    }
  })

  test('a request for the file of webhook deliveries returns 400 if a filter in the request is malformed', async () => {
    const { status: code, text } = await owner.get(`${file}?event=now`)
    expect([code, text.includes('An event id starts with evt_.')]).toEqual([400, true])
  })

  test('the audit log records the start of a download of webhook deliveries with its filters, and the end of the download with the number of rows', async () => {
    const { endpoint } = await failed()
    const before = (await auditRows(api(), shop.merchantId)).length
    const { headers } = await owner.get(`${file}?status=failed&endpoint=${endpoint.endpointId}`)
    const rows = (await auditRows(api(), shop.merchantId)).slice(before)
    const shared = {
      ...{ action: 'export.create', resource_type: 'export', resource_id: headers['request-id'] },
      actor_id: owner.memberId,
    }
    const name = { file: [null, 'webhook deliveries'] }
    // Entries of the same millisecond have no order.
    expect(rows.toSorted((a) => ('records' in a.changes ? 1 : -1))).toMatchObject([
      {
        ...shared,
        changes: {
          ...name,
          status: [null, 'started'],
          filters: [null, { status: 'failed', endpointId: endpoint.endpointId }],
        },
      },
      { ...shared, changes: { ...name, status: ['started', 'complete'], records: [null, 1] } },
    ])
  })

  test('a HEAD request for the file of webhook deliveries returns the file’s headers, writes no audit entry and occupies no export slot afterwards', async () => {
    const { delivery } = await failed()
    const headers = { Cookie: [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
    const before = await auditRows(api(), shop.merchantId)
    for (let attempt = 0; attempt <= exportsMax; attempt++) {
      const head = await fetch(api().url + file, { method: 'HEAD', headers })
      expect([head.status, await head.text()]).toEqual([200, ''])
      expect(head.headers.get('content-disposition')).toBe('attachment; filename="deliveries-2026-11-21.csv"')
    }
    expect(await auditRows(api(), shop.merchantId)).toEqual(before)
    for (let attempt = 0; attempt <= exportsMax; attempt++)
      expect(idsIn((await owner.get(file)).text)).toEqual([delivery.id])
  })
})
