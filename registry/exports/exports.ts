import { z } from 'zod'
import { Customer, customerExample } from '../customers/customer.ts'
import { exporting } from '../kit/endpoint.ts'
import { queryIds } from '../kit/query.ts'
import { listShipments } from '../logistics/shipment-list.ts'
import { Order, OrderItem } from '../orders/order.ts'
import { orderExample } from '../orders/order-example.ts'
import { listPayments } from '../orders/payments.ts'
import { Product } from '../products/product.ts'
import { productExample } from '../products/product-example.ts'
import { Refund, refundExample } from '../refunds/refund.ts'
import { exportBatchSize } from '../values/limits.ts'
import { named, OrderId } from '../values/vocabulary.ts'

/** The records of an export are those that the API returns, so a new field of a record is exported too. */

export const exportOrders = exporting({
  id: 'exportOrders',
  path: '/exports/orders',
  tag: 'Exports',
  summary: 'Export orders',
  description:
    'Returns the orders that were created in a time range, or the orders with the given ids, as `GET /orders/{id}` returns them.',
  access: 'orders:read',
  filters: z.strictObject({
    id: queryIds(OrderId, {
      max: exportBatchSize,
      description: 'Returns only the orders with these ids. Ids that belong to no order of the merchant are ignored.',
    }).optional(),
  }),
  item: Order,
  exportName: 'OrderExport',
  example: orderExample,
})

export const ExportedItem = named(
  'ExportedOrderItem',
  z
    .object({
      orderId: Order.shape.id,
      orderNumber: Order.shape.number,
      orderStatus: Order.shape.status,
      orderCreatedAt: Order.shape.createdAt,
      ...OrderItem.shape,
    })
    .meta({ description: 'Item of an order, with the main fields of the order.' }),
)

export type ExportedItem = z.output<typeof ExportedItem>

const [itemExample] = orderExample.items

export const exportOrderItems = exporting({
  id: 'exportOrderItems',
  path: '/exports/order-items',
  tag: 'Exports',
  summary: 'Export order items',
  description: 'Returns the items of the orders that were created in a time range.',
  access: 'orders:read',
  item: ExportedItem,
  exportName: 'OrderItemExport',
  example: {
    orderId: orderExample.id,
    orderNumber: orderExample.number,
    orderStatus: orderExample.status,
    orderCreatedAt: orderExample.createdAt,
    ...itemExample,
  },
})

export const exportPayments = exporting({
  id: 'exportPayments',
  path: '/exports/payments',
  tag: 'Exports',
  summary: 'Export payments',
  description: 'Returns the payments that were recorded in a time range, as `GET /payments` returns them.',
  access: 'orders:read',
  item: listPayments.item,
  exportName: 'PaymentExport',
  example: listPayments.example,
})

export const exportRefunds = exporting({
  id: 'exportRefunds',
  path: '/exports/refunds',
  tag: 'Exports',
  summary: 'Export refunds',
  description: 'Returns the refunds that were created in a time range, as `GET /refunds` returns them.',
  access: 'refunds:read',
  item: Refund,
  exportName: 'RefundExport',
  example: refundExample,
})

export const exportShipments = exporting({
  id: 'exportShipments',
  path: '/exports/shipments',
  tag: 'Exports',
  summary: 'Export shipments',
  description: 'Returns the shipments that were created in a time range, as `GET /logistics/shipments` returns them.',
  access: 'logistics:read',
  item: listShipments.item,
  exportName: 'ShipmentExport',
  example: listShipments.example,
})

export const exportCustomers = exporting({
  id: 'exportCustomers',
  path: '/exports/customers',
  tag: 'Exports',
  summary: 'Export customers',
  description:
    'Returns the customers that were created in a time range, as `GET /customers` returns them. The personal data of ' +
    'anonymised customers is redacted.',
  access: 'customers:read',
  item: Customer,
  exportName: 'CustomerExport',
  example: customerExample,
})

export const exportProducts = exporting({
  id: 'exportProducts',
  path: '/exports/products',
  tag: 'Exports',
  summary: 'Export products',
  description:
    'Returns the products that were created in a time range, as `GET /products` returns them. Archived products are ' +
    'included.',
  access: 'products:read',
  item: Product,
  exportName: 'ProductExport',
  isImported: true,
  example: productExample,
})
