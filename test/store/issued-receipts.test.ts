import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrationFolder } from '../../src/store/core/migration-files.ts'
import { useApi } from '../support/api.ts'
import { openShop, placeOrder } from '../support/shop.ts'

/** The receipts that the upgrade to the first release with receipts issues for the orders that are already paid. */

const started = useApi()

/** Removes everything that the two migrations have created. */
const withoutReceipts = `
  drop trigger paid_orders_have_receipts on orders;
  drop trigger orders_get_receipts_with_their_payment on orders;
  drop function issue_receipt_of_row;
  drop function issue_receipt;
  drop table receipts;
  drop table receipt_counters`

const textOf = (name: string) => readFile(new URL(`${name}.sql`, migrationFolder), 'utf8')

test('the upgrade numbers paid orders in the order of payment, and then orders that were paid during the upgrade', async () => {
  const api = started()
  const shops = [await openShop(api.context), await openShop(api.context)]
  const orders = await Promise.all(
    shops.flatMap((shop) => [1, 2, 3, 4].map(() => placeOrder(api, shop, { isPaid: false }))),
  )
  const client = new pg.Client({ connectionString: api.superuserConnectionString })
  await client.connect()
  onTestFinished(() => client.end())
  const pay = (index: number, day: number) =>
    client.query('update orders set paid_at = $2 where id = $1', [orders[index]?.id, `2026-11-0${day}T08:00:00Z`])
  const numbers = async () => {
    const { rows } = await client.query('select order_id, number from receipts')
    return orders.map(({ id }) => rows.find((row) => row.order_id === id)?.number)
  }
  await client.query('begin')
  await client.query(withoutReceipts)
  await pay(0, 3)
  await pay(1, 1)
  await pay(4, 2)
  await client.query(await textOf('0246_receipts'))
  expect(await numbers()).toEqual([2, 1, undefined, undefined, 1, undefined, undefined, undefined])
  await pay(2, 5)
  await pay(3, 4)
  await pay(6, 1)
  await client.query(await textOf('0247_receipts_of_payments'))
  expect(await numbers()).toEqual([2, 1, 4, 3, 1, undefined, 2, undefined])
  await pay(5, 6)
  await client.query('set constraints all immediate')
  expect(await numbers()).toEqual([2, 1, 4, 3, 1, 3, 2, undefined])
  await client.query('rollback')
})
