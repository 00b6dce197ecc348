import { getDescription } from './description.ts'
import { adjustInventory, listMovements } from './inventory.ts'
import { createOrder, getOrder, listOrders } from './orders.ts'
import { recordPayment } from './payments.ts'
import { createProduct, deleteProduct, getProduct, listProducts, updateProduct } from './products.ts'
import { createRefund, getRefund, listRefunds } from './refunds.ts'
import { createVariant, deleteVariant, updateVariant } from './variants.ts'

/** The whole contract, operation by operation. What is not in here does not exist. */
export const endpoints = {
  listOrders,
  createOrder,
  getOrder,
  recordPayment,
  listProducts,
  createProduct,
  getProduct,
  updateProduct,
  deleteProduct,
  createVariant,
  updateVariant,
  deleteVariant,
  adjustInventory,
  listMovements,
  listRefunds,
  createRefund,
  getRefund,
  getDescription,
} as const

export type Endpoints = typeof endpoints
export type EndpointId = keyof Endpoints

export { events } from './webhooks.ts'
