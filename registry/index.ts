import { createAddress, deleteAddress, updateAddress } from './customers/addresses.ts'
import {
  anonymiseCustomer,
  createCustomer,
  deleteCustomer,
  getCustomer,
  listCustomers,
  updateCustomer,
} from './customers/customers.ts'
import {
  archiveDiscount,
  createDiscount,
  getDiscount,
  listDiscountRedemptions,
  listDiscounts,
  updateDiscount,
} from './discounts/discounts.ts'
import {
  exportCustomers,
  exportOrderItems,
  exportOrders,
  exportPayments,
  exportProducts,
  exportRefunds,
  exportShipments,
} from './exports/exports.ts'
import { createQuote } from './logistics/quotes.ts'
import { getRemittances, recordRemittance, voidRemittance } from './logistics/remittances.ts'
import { createPredictiveSchedule } from './logistics/schedules.ts'
import { listShipments } from './logistics/shipment-list.ts'
import { cancelShipment, dispatchShipment, getShipment } from './logistics/shipments.ts'
import { getSurge } from './logistics/surge.ts'
import { trackShipment } from './logistics/tracking.ts'
import { listZones } from './logistics/zones.ts'
import { getBuyerLinks } from './orders/buyer-links.ts'
import { createOrderComment, listOrderComments } from './orders/comments.ts'
import { previewOrder } from './orders/order-preview.ts'
import { createOrder, getOrder, listOrders, updateOrder } from './orders/orders.ts'
import { createPaymentLink, getPaymentLink } from './orders/payment-links.ts'
import { getPayment, listPayments, recordPayment, voidPayment } from './orders/payments.ts'
import { cancelOrder, transitionOrder } from './orders/transitions.ts'
import { adjustInventories, updatePrices } from './products/batches.ts'
import { adjustInventory, listInventoryMovements } from './products/inventory.ts'
import { createProduct, deleteProduct, getProduct, listProducts, updateProduct } from './products/products.ts'
import { createVariant, deleteVariant, updateVariant } from './products/variants.ts'
import { cancelRefund, createRefund, getRefund, listRefunds, setRefundBankDetails } from './refunds/refunds.ts'
import { getSalesReport } from './reports/sales.ts'
import { createReturn, getReturn, listReturns, receiveReturn, transitionReturn } from './returns/returns.ts'
import { getChangelog } from './service/changelog.ts'
import { getOpenApiDocument } from './service/description.ts'
import { advanceTestClock, getTestClock } from './service/test-clock.ts'
import { runTrigger } from './service/triggers.ts'
import { getEvent, listEvents } from './webhooks/events.ts'

/** The router, the OpenAPI document and the reference are derived from this table. */
export const endpoints = {
  listOrders,
  createOrder,
  previewOrder,
  getOrder,
  updateOrder,
  createOrderComment,
  listOrderComments,
  transitionOrder,
  cancelOrder,
  recordPayment,
  voidPayment,
  listPayments,
  createPaymentLink,
  getPaymentLink,
  getBuyerLinks,
  getPayment,
  listProducts,
  createProduct,
  getProduct,
  updateProduct,
  deleteProduct,
  createVariant,
  updateVariant,
  deleteVariant,
  updatePrices,
  adjustInventory,
  adjustInventories,
  listInventoryMovements,
  listCustomers,
  createCustomer,
  getCustomer,
  updateCustomer,
  deleteCustomer,
  anonymiseCustomer,
  createAddress,
  updateAddress,
  deleteAddress,
  listRefunds,
  createRefund,
  getRefund,
  setRefundBankDetails,
  cancelRefund,
  createReturn,
  listReturns,
  getReturn,
  transitionReturn,
  receiveReturn,
  listDiscounts,
  createDiscount,
  getDiscount,
  updateDiscount,
  archiveDiscount,
  listDiscountRedemptions,
  getSalesReport,
  exportOrders,
  exportOrderItems,
  exportPayments,
  exportRefunds,
  exportShipments,
  exportCustomers,
  exportProducts,
  createQuote,
  createPredictiveSchedule,
  dispatchShipment,
  listShipments,
  getShipment,
  cancelShipment,
  trackShipment,
  getRemittances,
  recordRemittance,
  voidRemittance,
  getSurge,
  listEvents,
  getEvent,
  listZones,
  getTestClock,
  advanceTestClock,
  runTrigger,
  getOpenApiDocument,
  getChangelog,
} as const

export type Endpoints = typeof endpoints
export type EndpointId = keyof Endpoints

export { events } from './webhooks/webhooks.ts'
