import { getDescription } from './description.ts'
import type { AllImplemented } from './implement.ts'
import { adjustInventory, listMovements } from './inventory.ts'
import { createOrder, getOrder, listOrders } from './orders.ts'
import { recordPayment } from './payments.ts'
import { createProduct, deleteProduct, getProduct, listProducts, updateProduct } from './products.ts'
import { createRefund, getRefund, listRefunds } from './refunds.ts'
import { createVariant, deleteVariant, updateVariant } from './variants.ts'

/** Every operation of the contract with its handler; one too few or too many does not compile. */
export const implementations = {
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
} satisfies AllImplemented
