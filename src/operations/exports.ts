import type { ExportedItem } from '../../registry/exports/exports.ts'
import { productStatuses } from '../../registry/products/product-states.ts'
import { listCustomers } from '../store/customers/customer-list.ts'
import { listChosenOrders, listExportedItems, listExportedOrders } from '../store/orders/exported-orders.ts'
import { listPayments } from '../store/orders/payments.ts'
import { listProducts } from '../store/products/product-list.ts'
import { listRefunds } from '../store/refunds/refunds.ts'
import { type Batch, implement } from './execute/implement.ts'
import { listShipmentSummaries } from './shipments.ts'

export const exportOrders = implement('exportOrders', async ({ db, caller, createdFrom, filters: { id }, page }) => {
  const range = { merchantId: caller.merchantId, createdFrom }
  return batchOf(
    id === undefined
      ? await listExportedOrders(db, range, page)
      : await listChosenOrders(db, { ...range, ids: id }, page),
  )
})

export const exportOrderItems = implement('exportOrderItems', async ({ db, caller, createdFrom, page }) => {
  const records: readonly ExportedItem[] = await listExportedItems(
    db,
    { merchantId: caller.merchantId, createdFrom },
    page,
  )
  const last = records.at(-1)
  return { records, last: last && { createdAt: last.orderCreatedAt, id: last.orderId } }
})

export const exportPayments = implement('exportPayments', async ({ db, caller, createdFrom, page }) => {
  return batchOf(await listPayments(db, caller.merchantId, { createdFrom }, page))
})

export const exportRefunds = implement('exportRefunds', async ({ db, caller, createdFrom, page }) => {
  return batchOf(await listRefunds(db, caller.merchantId, { createdFrom }, page))
})

export const exportShipments = implement('exportShipments', async ({ db, caller, createdFrom, page }) => {
  return batchOf(await listShipmentSummaries(db, caller.merchantId, { createdFrom }, page))
})

export const exportCustomers = implement('exportCustomers', async ({ db, caller, createdFrom, page }) => {
  return batchOf(await listCustomers(db, caller.merchantId, { createdFrom }, page))
})

export const exportProducts = implement('exportProducts', async ({ db, caller, createdFrom, page }) => {
  return batchOf(await listProducts(db, caller.merchantId, { createdFrom, status: productStatuses }, page))
})

function batchOf<Record extends NonNullable<Batch<object>['last']>>(records: readonly Record[]): Batch<Record> {
  return { records, last: records.at(-1) }
}
