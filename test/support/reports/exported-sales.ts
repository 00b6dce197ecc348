import { expect } from 'vitest'
import type { ExportedItem } from '../../../registry/exports/exports.ts'
import type { Order } from '../../../registry/orders/order.ts'
import type { Refund } from '../../../registry/refunds/refund.ts'
import { type SalesGrouping, type SalesRow, type SalesTotals, salesGroupings } from '../../../registry/reports/sales.ts'
import type { ReplyBody, TestApi } from '../api.ts'
import type { Shop } from '../shop.ts'

/** Adds up the sales of a shop from its exports, as the guide about sales reports describes. */

interface Exports {
  readonly orders: readonly Order[]
  readonly items: readonly ExportedItem[]
  readonly refunds: readonly Refund[]
}

async function exportsOf(api: TestApi, { token }: Shop): Promise<Exports> {
  const read = async (resource: string) => {
    const { status, text, body } = await api.send('GET', `/api/v1/exports/${resource}`, { token })
    expect(status, text).toBe(200)
    return body.data
  }
  return { orders: await read('orders'), items: await read('order-items'), refunds: await read('refunds') }
}

const lagosDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Lagos', dateStyle: 'short' })

/** Sales figures of one order or refund, with its day and its group. */
interface Sale extends SalesTotals {
  readonly day: string
  readonly group: string | null
}

const nothing: SalesTotals = {
  orderCount: 0,
  unitCount: 0,
  grossKobo: 0,
  discountsKobo: 0,
  shippingKobo: 0,
  taxKobo: 0,
  refundsKobo: 0,
  netKobo: 0,
}

function sumOf(sales: readonly SalesTotals[]): SalesTotals {
  const sum = { ...nothing }
  for (const sale of sales) {
    sum.orderCount += sale.orderCount
    sum.unitCount += sale.unitCount
    sum.grossKobo += sale.grossKobo
    sum.discountsKobo += sale.discountsKobo
    sum.shippingKobo += sale.shippingKobo
    sum.taxKobo += sale.taxKobo
    sum.refundsKobo += sale.refundsKobo
    sum.netKobo += sale.netKobo
  }
  return sum
}

const unitsOf = (items: readonly Pick<Order['items'][number], 'quantity' | 'cancelledQuantity'>[]) =>
  items.reduce((sum, { quantity, cancelledQuantity }) => sum + quantity - cancelledQuantity, 0)

const isValid = ({ status }: Refund) => status !== 'failed' && status !== 'cancelled'

/** Returns the amount of each refund of an order, without the part that returns an overpayment. */
function refundedSales({ paidKobo, totalKobo }: Order, refunds: readonly Refund[]): Map<string, number> {
  let overpaidKobo = Math.max(0, paidKobo - totalKobo)
  const inOrder = refunds.toSorted((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? -1 : 1))
  return new Map(
    inOrder.map(({ id, amountKobo, items }) => {
      const returnedKobo = items.length > 0 ? 0 : Math.min(amountKobo, overpaidKobo)
      overpaidKobo -= returnedKobo
      return [id, amountKobo - returnedKobo]
    }),
  )
}

const groupOf = {
  day: ({ createdAt }: Order | Refund) => lagosDay.format(Date.parse(createdAt)),
  source: (_: Order | Refund, order: Order) => order.source,
  state: (_: Order | Refund, order: Order) => order.shippingAddress?.state ?? null,
}

function salesOf({ orders, refunds }: Exports, groupBy: 'day' | 'source' | 'state'): Sale[] {
  return orders
    .filter(({ status }) => status !== 'cancelled')
    .flatMap((order) => {
      const ofOrder = refunds.filter((refund) => refund.orderId === order.id && isValid(refund))
      const amounts = refundedSales(order, ofOrder)
      const sold: Sale = {
        day: groupOf.day(order),
        group: groupOf[groupBy](order, order),
        orderCount: 1,
        unitCount: unitsOf(order.items),
        grossKobo: order.subtotalKobo,
        discountsKobo: order.discountKobo,
        shippingKobo: order.shippingKobo,
        taxKobo: order.taxKobo,
        refundsKobo: 0,
        netKobo: order.totalKobo,
      }
      const refunded = ofOrder.map((refund): Sale => {
        const refundsKobo = amounts.get(refund.id) ?? Number.NaN
        const [day, group] = [groupOf.day(refund), groupOf[groupBy](refund, order)]
        return { ...nothing, day, group, refundsKobo, netKobo: -refundsKobo }
      })
      return [sold, ...refunded]
    })
}

/** Returns the sales of products. An order counts once for each product. */
function productSalesOf({ items, refunds }: Exports): Sale[] {
  const ofOrders = items.filter(({ orderStatus }) => orderStatus !== 'cancelled')
  const counted = new Set<string>()
  const sold = ofOrders.map((item): Sale => {
    const isFirst = !counted.has(`${item.orderId} ${item.productId}`)
    counted.add(`${item.orderId} ${item.productId}`)
    return {
      day: lagosDay.format(Date.parse(item.orderCreatedAt)),
      group: item.productId,
      orderCount: isFirst ? 1 : 0,
      unitCount: unitsOf([item]),
      grossKobo: item.subtotalKobo,
      discountsKobo: item.discountKobo,
      shippingKobo: 0,
      taxKobo: item.taxKobo,
      refundsKobo: 0,
      netKobo: item.totalKobo,
    }
  })
  const refunded = refunds.filter(isValid).flatMap((refund) =>
    refund.items.flatMap(({ itemId, amountKobo }): Sale[] => {
      const item = ofOrders.find(({ id }) => id === itemId)
      if (item === undefined) return []
      const [day, group] = [groupOf.day(refund), item.productId]
      return [{ ...nothing, day, group, refundsKobo: amountKobo, netKobo: -amountKobo }]
    }),
  )
  return [...sold, ...refunded]
}

export interface ExpectedReport {
  readonly rows: ReadonlyMap<string | null, SalesTotals>
  readonly totals: SalesTotals
}

/**
 * Computes the reports of a shop from its exports, for the days from `from` to `to`. Returns a function for the report
 * of each grouping.
 */
export async function expectedReports(
  api: TestApi,
  shop: Shop,
  [from, to]: readonly [string, string],
): Promise<(groupBy: SalesGrouping) => ExpectedReport> {
  // An export has only records from before the time of its request.
  api.clock.advance(1)
  const exported = await exportsOf(api, shop)
  return (groupBy) => {
    const within = ({ day }: Sale) => day >= from && day <= to
    const all = (groupBy === 'product' ? productSalesOf(exported) : salesOf(exported, groupBy)).filter(within)
    const groups = new Set(all.map(({ group }) => group))
    const rows = [...groups].map((group) => [group, sumOf(all.filter((sale) => sale.group === group))] as const)
    return {
      rows: new Map(rows.filter(([, figures]) => figures.orderCount !== 0 || figures.refundsKobo !== 0)),
      totals: sumOf(salesOf(exported, 'day').filter(within)),
    }
  }
}

/** Reads a report with at most `limit` products. */
export async function readSales(
  api: TestApi,
  shop: Shop,
  groupBy: SalesGrouping,
  { range: [from, to], limit = 100 }: { readonly range: readonly [string, string]; readonly limit?: number },
): Promise<ReplyBody> {
  const path = `/api/v1/reports/sales?groupBy=${groupBy}&from=${from}&to=${to}&limit=${limit}`
  const { status, text, body } = await api.send('GET', path, { token: shop.token })
  expect(status, text).toBe(200)
  return body
}

/**
 * Expects that the sales reports of all groupings equal the sums of the exports, and that the report by product lists
 * the products with the highest gross sales first.
 */
export async function expectReports(api: TestApi, shop: Shop, range: readonly [string, string]): Promise<void> {
  const expected = await expectedReports(api, shop, range)
  for (const groupBy of salesGroupings) {
    const { data, totals } = await readSales(api, shop, groupBy, { range })
    const { rows, totals: expectedTotals } = expected(groupBy)
    expect(new Map(data.map(entryOf).filter(hasSales)), `sales by ${groupBy}`).toEqual(rows)
    expect(totals, `totals of the sales by ${groupBy}`).toEqual(expectedTotals)
  }
  const products = [...expected('product').rows].toSorted(([idA, a], [idB, b]) =>
    a.grossKobo === b.grossKobo ? String(idA).localeCompare(String(idB), 'en') : b.grossKobo - a.grossKobo,
  )
  for (const limit of [1, 2]) {
    const { data } = await readSales(api, shop, 'product', { range, limit })
    expect(data.map(entryOf), `the first ${limit} products`).toEqual(products.slice(0, limit))
  }
}

const entryOf = ({ group, title: _, ...figures }: SalesRow) => [group, figures] as const

const hasSales = ([, { orderCount, refundsKobo }]: ReturnType<typeof entryOf>) => orderCount > 0 || refundsKobo > 0
