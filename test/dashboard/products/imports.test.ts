import { beforeEach, describe, expect, test } from 'vitest'
import { importHours } from '../../../registry/values/limits.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { summaryOf } from '../../../src/commerce/imports/summary.ts'
import { listMerchantsImporting, oldImportDeletion } from '../../../src/store/products/product-imports.ts'
import { useApi } from '../../support/api.ts'
import { fileOf, shopifyDress, shopifyFile } from '../../support/commerce/import-files.ts'
import { productsPath } from '../../support/commerce/product.ts'
import { type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { select } from '../../support/database-contents.ts'
import { openShop, type Shop } from '../../support/shop.ts'
import { importActions, path } from './import-actions.ts'

const api = useApi()

let shop: Shop
let member: SignedInMember
beforeEach(async () => {
  shop = await openShop(api().context)
  member = await signedIn(api(), shop.merchantId, 'operations')
})

const { formFields, upload, uploaded, work, imports } = importActions(api, () => ({ shop, member }))

const start = (address: string, by = member) => by.submit(address, `${address}/start`)

async function titles(): Promise<readonly string[]> {
  const { body } = await api().send('GET', `${productsPath}?limit=100`, { token: shop.token })
  return body.data.map(({ title }: { title: string }) => title).toSorted()
}

const audits = () =>
  select(
    api(),
    `select action, actor_type, actor_id, session_id is not null as has_session, host(source_ip) as ip
      from audit_log where merchant_id = $1 and action like 'product%' order by action`,
    [shop.merchantId],
  )

/** A file with more products than one batch. */
const manyProducts = () =>
  fileOf(
    ['title', 'slug', 'variants'],
    Array.from({ length: 150 }, (_, index) => ({
      title: `Cap ${index}`,
      slug: `cap-${index}`,
      variants: JSON.stringify([{ sku: `CAP-${index}`, priceKobo: 100 }]),
    })),
  )

describe('a product import in the dashboard', () => {
  test('an uploaded file is checked, shown with its ignored columns, and imported after a confirmation; the audit rows name the member', async () => {
    const address = await uploaded()
    expect((await member.get(address)).text).toContain('The file is being checked.')
    await work()
    const checked = (await member.get(address)).text
    for (const text of ['1 would be created', 'Ignored columns: SEO Title', 'Ankara maxi dress', 'products.csv'])
      expect(checked).toContain(text)
    expect(await titles()).toEqual([])
    const started = await start(address)
    expect([started.status, started.location]).toEqual([303, `${address}?done=imports.id.start`])
    await work()
    const done = (await member.get(`${address}?done=imports.id.start`)).text
    for (const text of ['1 created, 0 exist already', 'The import was started.']) expect(done).toContain(text)
    expect(done).toContain('href="/dashboard/products?q=Ankara+maxi+dress"')
    expect((await member.get('/dashboard/products?q=Ankara+maxi+dress')).text).toContain('Ankara maxi dress')
    expect(await titles()).toEqual(['Ankara maxi dress'])
    const actor = { actor_type: 'member', actor_id: member.memberId, has_session: true, ip: '127.0.0.1' }
    expect(await audits()).toEqual([
      { action: 'product.create', ...actor },
      { action: 'product_import.create', ...actor },
      { action: 'product_import.start', ...actor },
    ])
    expect(await imports()).toMatchObject([{ status: 'done', bytes: 0, is_leased: false }])
    expect((await member.get('/dashboard/stock')).text).toContain(`href="${path}"`)
    expect((await member.get(path)).text).toContain(`href="${address}"`)
  })

  test('the page of an import lists problems by line and column, and shows the contents of cells as text without markup', async () => {
    const [first] = shopifyDress
    const broken = {
      ...first,
      Handle: 'x',
      Title: '<script>alert(1)</script>',
      'Variant SKU': 'X',
      'Variant Price': '<b>',
    }
    const address = await uploaded({
      name: '<i>.csv',
      bytes: shopifyFile([
        ...shopifyDress,
        broken,
        { ...broken, Handle: 'y', 'Variant SKU': 'Y', 'Variant Price': '5' },
      ]),
    })
    await work()
    const { text } = await member.get(address)
    expect(text).toMatch(/<td data-title="Column">Variant Price<\/td>/)
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(text).toContain('&lt;i&gt;.csv')
    expect(text).not.toMatch(/<script>alert|<i>|<b>/)
    expect(text).toContain('Products with problems are left out.')
  })

  test('the check of a file in an unknown format fails, and the page of the import has no import button', async () => {
    const address = await uploaded({ bytes: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]) })
    await work()
    const { text } = await member.get(address)
    expect(text).toContain('class="badge bad"')
    expect(text).not.toContain(`${address}/start`)
    const fields = await formFields()
    const { status, text: refused } = await member.post(`${address}/start`, fields)
    expect(status).toBe(422)
    expect(refused).toContain('could not be read')
  })

  test('when the worker of an import stops, the import continues with the remaining products, and reports the products of both runs as created', async () => {
    const address = await uploaded({ bytes: manyProducts() })
    await work()
    const checked = (await member.get(address)).text
    expect(checked).toContain('Products: the first 20')
    await start(address)
    await work(AbortSignal.abort())
    expect(await titles()).toHaveLength(100)
    expect(await imports()).toMatchObject([{ status: 'importing', is_leased: false }])
    expect((await member.get(address)).text).toContain('So far: Products: 100 created')
    await work()
    expect(await imports()).toMatchObject([
      { status: 'done', report: { report: { created: 150, existing: 0, failed: 0 } } },
    ])
  })

  test('an import report has thousands separators in its numbers, and its verbs are singular or plural as the numbers require', () => {
    const counts = { lines: 8001, created: 8000, existing: 1, failed: 1, problemCount: 1, noteCount: 2 }
    const lists = { ignored: [], problems: [], notes: [], products: [], existingProducts: [] }
    const report = { format: 'Shopify', encoding: 'UTF-8', delimiter: ',', ...counts, ...lists }
    expect(summaryOf(report, true)).toMatchObject({
      file: 'Columns of Shopify, in UTF-8, separated by commas. Lines: 8,001.',
      products: 'Products: 8,000 would be created, 1 exists already, 1 has problems.',
      more: '1 more problem is not listed.',
      moreNotes: '2 more notes are not listed.',
    })
  })

  test('an import whose worker was killed is due again once its lease has expired, and another worker then continues the import', async () => {
    const address = await uploaded()
    const isDue = async (aheadMs: number) => {
      const now = toTimestamp(api().clock.nowMs() + aheadMs)
      return (await listMerchantsImporting(api().database, { now })).includes(shop.merchantId)
    }
    expect(await isDue(0)).toBe(true)
    const leaseUntil = (aheadMs: number) =>
      select(api(), 'update product_imports set attempt = 1, leased_until = $2 where merchant_id = $1', [
        shop.merchantId,
        toTimestamp(api().clock.nowMs() + aheadMs),
      ])
    await leaseUntil(5 * 60_000)
    await work()
    expect(await imports()).toMatchObject([{ status: 'checking', is_leased: true }])
    expect([await isDue(0), await isDue(6 * 60_000)]).toEqual([false, true])
    await leaseUntil(-1000)
    await work()
    expect((await member.get(address)).text).toContain('1 would be created')
  })

  test('a merchant can run only one import at a time, and can import a checked file only once', async () => {
    const address = await uploaded()
    const second = await upload()
    expect(second.status).toBe(422)
    expect(second.text).toContain('Another import is running.')
    await work()
    await start(address)
    await work()
    expect((await member.post(`${address}/start`, await formFields())).status).toBe(422)
    const other = await uploaded()
    await work()
    const existing = (await member.get(other)).text
    expect(existing).toContain('0 would be created, 1 exists already')
    expect(existing).toMatch(/Existing products[\s\S]*prd_/)
    expect(await titles()).toHaveLength(1)
  })

  test('if several import files are uploaded at the same time, only one of them is stored', async () => {
    const replies = await Promise.all(Array.from({ length: 4 }, () => upload()))
    const [stored, ...refused] = replies.map(({ status }) => status).toSorted()
    expect(stored).toBe(303)
    for (const status of refused) expect([422, 503]).toContain(status)
    for (const { status, text } of replies) {
      if (status === 303) continue
      expect(text).toMatch(/Another (?:file is being uploaded|import is running)/)
      expect(text).toContain(`action="${path}"`)
    }
    expect(await imports()).toHaveLength(1)
  })

  test('an import and its file are deleted a day after the last progress', async () => {
    await uploaded()
    await work()
    const hourMs = 60 * 60 * 1000
    const purge = (hours: number) =>
      oldImportDeletion.run(api().database, {
        before: toTimestamp(api().clock.nowMs() + hours * hourMs - importHours * hourMs),
      })
    await purge(importHours - 1)
    expect(await imports()).toHaveLength(1)
    await purge(importHours + 1)
    expect(await imports()).toEqual([])
  })
})
