import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../src/store/server/migrate.ts'
import { migrationFolder } from '../../src/store/server/migration-files.ts'
import { useApi } from '../support/api.ts'
import { asOwner } from '../support/database.ts'
import { select } from '../support/database-contents.ts'
import { untilWaiting, whileLocked } from '../support/database-locks.ts'
import { openShop, placeOrder, type Shop } from '../support/shop.ts'

/** Tests that the upgrade to the first release with receipts issues receipts for orders that are already paid. */

const started = useApi()

/** The migrations of the receipts, in the order in which they run. */
const steps = [
  '0246_receipts',
  '0247_receipts_of_paid_orders.concurrent',
  '0253_receipts_of_payments',
  '0254_receipts_of_the_upgrade.concurrent',
] as const

type Step = (typeof steps)[number]

/** Removes the effects and the records of the migrations in `steps`. */
async function withoutReceipts(): Promise<void> {
  await asOwner(
    started(),
    `drop trigger paid_orders_have_receipts on orders;
    drop trigger orders_get_receipts_with_their_payment on orders;
    drop function issue_receipt_of_row;
    drop function issue_receipt;
    drop table receipts;
    drop table receipt_counters`,
  )
  await asOwner(started(), 'delete from kysely_migration where name = any($1)', [steps])
}

/** Runs one of the migrations, as the command \`migrate\` runs it. */
async function run(step: Step): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await copyFile(new URL(`${step}.sql`, migrationFolder), join(folder, `${step}.sql`))
  await migrate(started().ownerConnectionString, { folder: pathToFileURL(`${folder}/`) })
}

/** Takes the lock of an open transaction that has changed an order. A migration that waits for this lock cannot run. */
const orderWriter = { text: 'lock table orders in row exclusive mode' }

const placeUnpaid = (shop: Shop) => placeOrder(started(), shop, { isPaid: false })

/** Pays orders on a day of November, before or after the migrations that add receipts. */
const pay = (day: number, ...ids: readonly (string | undefined)[]) =>
  asOwner(started(), 'update orders set paid_at = $2 where id = any($1)', [ids, new Date(Date.UTC(2026, 10, day))])

test('the upgrade numbers the receipts by payment time, first those of orders paid before the upgrade and then all others, and does not wait for locked orders', async () => {
  const shops = [await openShop(started().context), await openShop(started().context)]
  const orders = await Promise.all(shops.flatMap((shop) => [1, 2, 3, 4].map(() => placeUnpaid(shop))))
  const numbers = async () => {
    const rows = await select(started(), 'select order_id, number from receipts')
    return orders.map(({ id }) => rows.find((row) => row.order_id === id)?.number)
  }
  await withoutReceipts()
  await pay(3, orders[0]?.id)
  await pay(1, orders[1]?.id)
  await pay(2, orders[4]?.id)
  await run('0246_receipts')
  await asOwner(started(), 'grant select on receipts, receipt_counters to public')
  await whileLocked(started(), orderWriter, () => run('0247_receipts_of_paid_orders.concurrent'))
  expect(await numbers()).toEqual([2, 1, undefined, undefined, 1, undefined, undefined, undefined])
  await pay(5, orders[2]?.id)
  await pay(4, orders[3]?.id)
  await run('0253_receipts_of_payments')
  await pay(1, orders[6]?.id)
  await whileLocked(started(), orderWriter, () => run('0254_receipts_of_the_upgrade.concurrent'))
  expect(await numbers()).toEqual([2, 1, 4, 3, 1, undefined, 2, undefined])
  await pay(6, orders[5]?.id)
  expect(await numbers()).toEqual([2, 1, 4, 3, 1, 3, 2, undefined])
})

test.for([
  '0247_receipts_of_paid_orders.concurrent',
  '0254_receipts_of_the_upgrade.concurrent',
] as const)('the migration %s commits after each 200 receipts', async (step) => {
  // The clock advances before each shop is created, so that the migration reads the orders of the second shop last.
  started().clock.advance(1)
  const first = await openShop(started().context)
  started().clock.advance(1)
  const second = await openShop(started().context)
  const orders: Awaited<ReturnType<typeof placeUnpaid>>[] = []
  // The number of concurrent requests of a merchant is limited, so the orders are placed three at a time.
  for (let batch = 0; batch < 201; batch += 3)
    orders.push(...(await Promise.all(Array.from({ length: 3 }, () => placeUnpaid(first)))))
  const last = await placeUnpaid(second)
  await withoutReceipts()
  await pay(1, last.id, ...orders.map(({ id }) => id))
  await run('0246_receipts')
  await asOwner(started(), 'grant select on receipts, receipt_counters to public')
  const issued = async ({ merchantId }: Shop) =>
    (await select(started(), 'select number from receipts where merchant_id = $1', [merchantId])).length
  // The test has locked the counter of the second merchant. The migration therefore waits after it has issued receipts
  // of the first merchant.
  const counter = { text: 'insert into receipt_counters values ($1, 0)', values: [second.merchantId] }
  await whileLocked(started(), counter, async (holder) => {
    const running = run(step)
    await untilWaiting(started(), 1)
    const [{ count }] = await select(started(), 'select count(*)::integer as count from receipts')
    expect([count > 0, count % 200, await issued(second)]).toEqual([true, 0, 0])
    await holder.query('commit')
    await running
  })
  expect([await issued(first), await issued(second)]).toEqual([201, 1])
  for (const other of steps.slice(1)) if (other !== step) await run(other)
})
