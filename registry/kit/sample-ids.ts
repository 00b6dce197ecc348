import type { z } from 'zod'

/**
 * Ids of the records in the examples. The demo data contains each record in the state that the example needs, so the
 * example requests of the reference can be pasted and run unchanged. An operation that changes its record permanently
 * uses a record that no other example uses. The other examples therefore still work afterwards.
 */
export const sampleIds = {
  order: 'ord_01jd3f8q6hf5n8v1zr4c7e2m9k',
  orderToShip: 'ord_01jd3f8q6hf5n8v1zr4c7e2m9m',
  orderToCancel: 'ord_01jd3f8q6hf5n8v1zr4c7e2m9n',
  orderToPay: 'ord_01jd3f8q6hf5n8v1zr4c7e2m9p',
  orderToRefund: 'ord_01jd3f8q6hf5n8v1zr4c7e2m9q',
  product: 'prd_01jd3f8q6hf5n8v1zr4c7e2m9k',
  productToArchive: 'prd_01jd3f8q6hf5n8v1zr4c7e2m9m',
  productToDelete: 'prd_01jd3f8q6hf5n8v1zr4c7e2m9n',
  variant: 'var_01jd3f8q6hf5n8v1zr4c7e2m9k',
  variantToDelete: 'var_01jd3f8q6hf5n8v1zr4c7e2m9m',
  customer: 'cus_01jd3f8q6hf5n8v1zr4c7e2m9k',
  customerToDelete: 'cus_01jd3f8q6hf5n8v1zr4c7e2m9m',
  customerToAnonymise: 'cus_01jd3f8q6hf5n8v1zr4c7e2m9n',
  address: 'adr_01jd3f8q6hf5n8v1zr4c7e2m9k',
  addressToDelete: 'adr_01jd3f8q6hf5n8v1zr4c7e2m9m',
  paymentLink: 'pln_01jd3f8q6hf5n8v1zr4c7e2m9k',
  paymentToVoid: 'pay_01jd3f8q6hf5n8v1zr4c7e2m9k',
  refund: 'rfd_01jd3f8q6hf5n8v1zr4c7e2m9k',
  refundToDirect: 'rfd_01jd3f8q6hf5n8v1zr4c7e2m9m',
  refundToCancel: 'rfd_01jd3f8q6hf5n8v1zr4c7e2m9n',
  remittanceToVoid: 'rmt_01jd3f8q6hf5n8v1zr4c7e2m9k',
  orderToReturn: 'ord_01jd3f8q6hf5n8v1zr4c7e2m9r',
  itemToReturn: 'itm_01jd3f8q6hf5n8v1zr4c7e2m9r',
  return: 'ret_01jd3f8q6hf5n8v1zr4c7e2m9k',
  returnToApprove: 'ret_01jd3f8q6hf5n8v1zr4c7e2m9m',
  returnToReceive: 'ret_01jd3f8q6hf5n8v1zr4c7e2m9n',
  itemToReceive: 'itm_01jd3f8q6hf5n8v1zr4c7e2m9n',
  discount: 'dsc_01jd3f8q6hf5n8v1zr4c7e2m9k',
  discountToPause: 'dsc_01jd3f8q6hf5n8v1zr4c7e2m9m',
  discountToArchive: 'dsc_01jd3f8q6hf5n8v1zr4c7e2m9n',
  shipment: 'shp_01jd3f8q6hf5n8v1zr4c7e2m9k',
} as const

export function withExampleId<Schema extends z.ZodType>(schema: Schema, id: string): Schema {
  return schema.meta({ examples: [id] })
}
