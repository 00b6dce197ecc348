import type { EndpointId } from '../../registry/index.ts'
import { createAddress, deleteAddress, updateAddress } from './addresses.ts'
import { adjustInventories, updatePrices } from './batches.ts'
import { getBuyerLinks } from './buyer-links.ts'
import { getChangelog } from './changelog.ts'
import {
  anonymiseCustomer,
  createCustomer,
  deleteCustomer,
  getCustomer,
  listCustomers,
  updateCustomer,
} from './customers.ts'
import { getOpenApiDocument } from './description.ts'
import {
  archiveDiscount,
  createDiscount,
  getDiscount,
  listDiscountRedemptions,
  listDiscounts,
  updateDiscount,
} from './discounts.ts'
import { getEvent, listEvents } from './events.ts'
import type { AllImplemented } from './execute/implement.ts'
import type { Operation } from './execute/operation.ts'
import { operationsOf } from './execute/operations-of.ts'
import {
  exportCustomers,
  exportOrderItems,
  exportOrders,
  exportPayments,
  exportProducts,
  exportRefunds,
  exportShipments,
} from './exports.ts'
import { adjustInventory, listInventoryMovements } from './inventory.ts'
import { createOrderComment, listOrderComments } from './order-comments.ts'
import { previewOrder } from './order-preview.ts'
import { createOrder, getOrder, listOrders, updateOrder } from './orders.ts'
import { createPaymentLink, getPaymentLink } from './payment-links.ts'
import { getPayment, listPayments, recordPayment, voidPayment } from './payments.ts'
import { createProduct, deleteProduct, getProduct, listProducts, updateProduct } from './products.ts'
import { createQuote } from './quotes.ts'
import { cancelRefund, createRefund, getRefund, listRefunds, setRefundBankDetails } from './refunds.ts'
import { getRemittances, recordRemittance, voidRemittance } from './remittances.ts'
import { getSalesReport } from './reports.ts'
import { createReturn, getReturn, listReturns, receiveReturn, transitionReturn } from './returns.ts'
import { createPredictiveSchedule } from './schedule.ts'
import { cancelShipment, dispatchShipment, getShipment, listShipments, trackShipment } from './shipments.ts'
import { getSurge } from './surge.ts'
import { advanceTestClock, getTestClock } from './test-clock.ts'
import { cancelOrder, transitionOrder } from './transitions.ts'
import { runTrigger } from './triggers.ts'
import { createVariant, deleteVariant, updateVariant } from './variants.ts'
import { listZones } from './zones.ts'

/** A missing or extra handler is a compile error. */
export const implementations = {
  listOrders,
  createOrder,
  previewOrder,
  getOrder,
  updateOrder,
  transitionOrder,
  cancelOrder,
  createOrderComment,
  listOrderComments,
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
} satisfies AllImplemented

export function allOperations(): readonly Operation[] {
  return operationsOf(implementations)
}

/** The table of all operations is built on the first call of the returned function. */
export function openOperations(): (id: EndpointId) => Operation {
  let opened: ReadonlyMap<string, Operation> | undefined
  return (id) => {
    opened ??= new Map(allOperations().map((operation) => [operation.endpoint.id, operation]))
    const found = opened.get(id)
    if (found === undefined) throw new Error(`There is no operation ${id}.`)
    return found
  }
}
