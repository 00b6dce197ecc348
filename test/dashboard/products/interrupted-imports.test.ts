import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { importAttemptsMax } from '../../../registry/values/limits.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { newImportId } from '../../../src/base/records.ts'
import { runImport } from '../../../src/commerce/imports/run-import.ts'
import { systemActor } from '../../../src/store/core/audit.ts'
import { QueueRefused } from '../../../src/store/core/keyed-queue.ts'
import { OutcomeUnknown } from '../../../src/store/core/transaction.ts'
import { useApi } from '../../support/api.ts'
import { fileOf } from '../../support/commerce/import-files.ts'
import { signedIn } from '../../support/dashboard.ts'
import { asOwner } from '../../support/database.ts'
import { select } from '../../support/database-contents.ts'
import { openShop, type Shop } from '../../support/shop.ts'

/** Product imports that an error interrupts, or that make no progress. */

const api = useApi()
const minuteMs = 60_000
const uploadedAt = () => api().clock.nowMs() - 60 * minuteMs

let shop: Shop
let id: string
beforeEach(async () => {
  shop = await openShop(api().context)
  id = newImportId(api().clock.nowMs())
})

/** A file with two batches of products. The last product has the title `Last`. */
const file = () =>
  fileOf(
    ['title', 'slug', 'variants'],
    Array.from({ length: 150 }, (_, index) => ({
      title: index === 149 ? 'Last' : `Cap ${index}`,
      slug: `cap-${index}`,
      variants: JSON.stringify([{ sku: `CAP-${index}`, priceKobo: 100 }]),
    })),
  )

const insert = (status: 'checking' | 'importing', attempt = 0) =>
  select(
    api(),
    `insert into product_imports (merchant_id, id, file_name, file, actor, status, attempt, created_at, updated_at)
      values ($1, $2, 'caps.csv', $3, $4, $5, $6, $7, $7)`,
    [shop.merchantId, id, file(), JSON.stringify(systemActor('test')), status, attempt, toTimestamp(uploadedAt())],
  )

const found = async () => {
  const [row] = await select(
    api(),
    `select status, length(file) > 0 as has_file, leased_until, report -> 'report' as report, updated_at,
        attempt - progress_attempt as attempts
      from product_imports where merchant_id = $1`,
    [shop.merchantId],
  )
  return row
}

const clockAhead = (aheadMs: number) => ({ nowMs: () => api().clock.nowMs() + aheadMs })

const work = (aheadMs = 0) => runImport({ ...api().context, clock: clockAhead(aheadMs) }, shop.merchantId)

/** Makes the database reject the product `Last` of this shop with an error until the test has ended. */
async function rejectLast(code: string): Promise<() => Promise<void>> {
  const allow = () => asOwner(api(), 'drop function if exists reject_last cascade')
  onTestFinished(allow)
  await asOwner(
    api(),
    `create function reject_last() returns trigger language plpgsql as $$
    begin
      raise exception 'The product is rejected' using errcode = '${code}';
    end $$;
    create trigger reject_last before insert on products for each row
    when (new.merchant_id = '${shop.merchantId}' and new.title = 'Last') execute function reject_last()`,
  )
  return allow
}

const page = async () =>
  (await (await signedIn(api(), shop.merchantId, 'operations')).get(`/dashboard/imports/${id}`)).text

test.for([
  ['a lock timeout', '55P03'],
  ['a cancelled statement', '57014'],
  ['a deadlock', '40P01'],
] as const)('after %s has interrupted an import, the import continues after a minute, and its report counts the products from before and after the interruption', async ([
  ,
  code,
]) => {
  await insert('importing')
  const allow = await rejectLast(code)
  await expect(work()).rejects.toThrow('The product is rejected')
  expect(await found()).toMatchObject({ status: 'importing', has_file: true, report: { created: 149 } })
  await allow()
  await work()
  expect(await found()).toMatchObject({ status: 'importing', report: { created: 149 } })
  await work(2 * minuteMs)
  expect(await found()).toMatchObject({ status: 'done', report: { created: 150, existing: 0 } })
})

test.for([
  ['a full queue', new QueueRefused('Full')],
  ['an unknown outcome', new OutcomeUnknown('Unknown', { cause: Object.assign(new Error('x'), { code: '57014' }) })],
] as const)('an import that is interrupted by %s stays in the status importing and retains its file, so that a later attempt can continue the import', async ([
  ,
  error,
]) => {
  await insert('importing')
  let readings = 0
  const nowMs = () => {
    readings += 1
    // The clock is read first for the lease and then at the start of the file. The third reading is in the first
    // transaction.
    if (readings === 3) throw error
    return api().clock.nowMs()
  }
  await expect(runImport({ ...api().context, clock: { nowMs } }, shop.merchantId)).rejects.toThrow(error.message)
  expect(await found()).toMatchObject({ status: 'importing', has_file: true })
})

test('an import that ends because of an error of the service shows the number of products it has created', async () => {
  await insert('importing')
  await rejectLast('P0001')
  await expect(work()).rejects.toThrow('The product is rejected')
  expect(await found()).toMatchObject({ status: 'failed', has_file: false, report: { created: 149 } })
  const text = await page()
  expect(text).toContain('The import ended because of an error of this service.')
  expect(text).toContain('149 created')
})

test('an interrupted attempt of an import postpones the deletion of the import only if the attempt has created a product', async () => {
  await insert('importing')
  await rejectLast('55P03')
  await expect(work()).rejects.toThrow('The product is rejected')
  const first = await found()
  expect(first).toMatchObject({ report: { created: 149 }, attempts: 0, updated_at: toTimestamp(api().clock.nowMs()) })
  await expect(work(2 * minuteMs)).rejects.toThrow('The product is rejected')
  const { report, attempts, updated_at } = await found()
  expect({ created: report.created, attempts, updated_at }).toEqual({
    created: 149,
    attempts: 1,
    updated_at: first.updated_at,
  })
})

test('an error before the first batch of an import changes neither the stored report nor the deletion time of the import', async () => {
  await insert('importing')
  await select(
    api(),
    `update product_imports set report = '{"is": "stopped", "report": {"created": 7}}' where merchant_id = $1`,
    [shop.merchantId],
  )
  let readings = 0
  const nowMs = () => {
    readings += 1
    if (readings === 2) throw new QueueRefused('Full')
    return api().clock.nowMs()
  }
  await expect(runImport({ ...api().context, clock: { nowMs } }, shop.merchantId)).rejects.toThrow('Full')
  expect(await found()).toMatchObject({
    status: 'importing',
    report: { created: 7 },
    updated_at: toTimestamp(uploadedAt()),
  })
})

test.for([
  'checking',
  'importing',
] as const)('after the maximum number of attempts without progress, an import with the status %s ends without reading its file', async (status) => {
  await insert(status, importAttemptsMax)
  await work()
  expect(await found()).toMatchObject({ status: 'failed', has_file: false, report: null })
  expect(await page()).toContain('The import ended because of an error of this service.')
})

test('the number of attempts of an import is reset to zero when a member starts the checked import, and when the import creates products', async () => {
  await insert('checking', importAttemptsMax - 1)
  await work()
  expect(await found()).toMatchObject({ status: 'checked', attempts: importAttemptsMax })
  const member = await signedIn(api(), shop.merchantId, 'operations')
  const address = `/dashboard/imports/${id}`
  await member.submit(address, `${address}/start`)
  expect(await found()).toMatchObject({ status: 'importing', attempts: 0 })
  await work()
  expect(await found()).toMatchObject({ status: 'done', attempts: 0 })
})
