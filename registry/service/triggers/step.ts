import type { ErrorCode } from '../../errors/index.ts'
import type { EventKind } from '../../kit/event.ts'
import { type TestPaymentBehaviourName, testPaymentReference } from '../test-payments.ts'

/**
 * Steps of the triggers of test mode: requests of the API and acts of the simulated buyer. A step is plain data, so that
 * the service runs it, the guide shows it, and a program can send the same requests.
 *
 * In a text, `{order.id}` stands for the field `id` of the result that the step `order` returned, and `{run}` for a code
 * that is new in each run.
 */

export const triggerOperations = [
  'adjustInventory',
  'cancelOrder',
  'cancelShipment',
  'createCustomer',
  'createOrder',
  'createPaymentLink',
  'createProduct',
  'createRefund',
  'createReturn',
  'dispatchShipment',
  'receiveReturn',
  'recordPayment',
  'transitionOrder',
  'transitionReturn',
  'updateCustomer',
  'updateOrder',
  'updateProduct',
  'voidPayment',
] as const

export type TriggerOperation = (typeof triggerOperations)[number]

export interface RequestStep {
  readonly operation: TriggerOperation
  /** Name under which later steps of the trigger find the result of this step. */
  readonly as?: string
  readonly params?: Readonly<Record<string, string>>
  readonly body?: object
  /** The error code that the response must have, if the trigger sends the request in order to cause an error. */
  readonly fails?: ErrorCode
}

/**
 * A step in which the buyer pays on the checkout page of a payment link. Its fields are the fields of the form on that
 * page.
 */
export interface CheckoutStep {
  /** Name of the earlier step that created the payment link. The buyer pays on the page of this link. */
  readonly paysOn: string
  readonly amountKobo?: number
  readonly payments?: 1 | 2
  readonly callbackDelayMinutes?: 0 | 60
  readonly behaviour?: TestPaymentBehaviourName
}

export type TriggerStep = RequestStep | CheckoutStep

export interface Scenario {
  readonly steps: readonly TriggerStep[]
  /** The kinds of the events that every run of the scenario emits, in the order in which each kind first occurs. */
  readonly events: readonly EventKind[]
  /**
   * Seconds of simulated time until the last effect of a triggered scenario. 0 for a scenario whose effects all happen
   * within seconds.
   */
  readonly seconds: number
}

/** Price in kobo of the product that a trigger of test mode creates. */
export const priceKobo = 1_500_000

const buyer = { name: 'Adaeze Okafor', email: 'adaeze.okafor@example.com', phone: '+2348029876543' }

export const product = (inventory: object = { onHand: 10 }): RequestStep => ({
  operation: 'createProduct',
  as: 'product',
  body: {
    title: 'Trigger {run}',
    status: 'active',
    // The product has no VAT, so that the total of an order equals the price of the product.
    taxExempt: true,
    variants: [{ sku: 'TRIGGER-{run}', priceKobo, weightGrams: 800, inventory }],
  },
})

/**
 * Returns the step that creates an order for the product of an earlier step. `more` contains further fields of the
 * order.
 */
export const order = (more: { phone?: string; quantity?: number } & Readonly<Record<string, unknown>> = {}) => {
  const { phone = buyer.phone, quantity = 1, ...fields } = more
  return {
    operation: 'createOrder',
    as: 'order',
    body: {
      customer: buyer,
      items: [{ variantId: '{product.variants.0.id}', quantity }],
      paymentMethod: 'card',
      shippingAddress: { phone, line1: '12 Admiralty Way', area: 'Lekki Phase 1', city: 'Lekki', state: 'Lagos' },
      ...fields,
    },
  } as const satisfies RequestStep
}

const params = { id: '{order.id}' }

/**
 * Records a payment that the simulated provider confirms. The reference of the payment selects the behaviour of the
 * provider.
 */
export const paid = (behaviour: TestPaymentBehaviourName = 'success', amountKobo = priceKobo): RequestStep => ({
  operation: 'recordPayment',
  as: 'payment',
  params,
  body: {
    ...{ amountKobo, method: 'card', provider: 'paystack' },
    reference: testPaymentReference({ amountKobo, behaviour }, '{run}'),
  },
})

export const paidByHand = (amountKobo = priceKobo): RequestStep => ({
  operation: 'recordPayment',
  as: 'payment',
  params,
  body: { amountKobo, method: 'bank_transfer', reference: 'trigger-{run}' },
})

export const link: RequestStep = { operation: 'createPaymentLink', as: 'link', params, body: {} }

export const pays = (fields: Omit<CheckoutStep, 'paysOn'> = {}): CheckoutStep => ({ paysOn: 'link', ...fields })

export const refund = (body: object = { amountKobo: priceKobo }): RequestStep => ({
  operation: 'createRefund',
  as: 'refund',
  body: { orderId: '{order.id}', reason: 'customer_request', ...body },
})

export const cancelled: RequestStep = { operation: 'cancelOrder', params, body: { reason: 'customer' } }

export const transitioned = (to: string): RequestStep => ({ operation: 'transitionOrder', params, body: { to } })

const shop = { name: 'Ankara House', phone: '+2348031234567', line1: '7 Adeola Odeku Street', area: 'Victoria Island' }

/** Dispatches the order with simulated carriers, which are requested in the given sequence. */
export const dispatched = (
  carriers: readonly string[] = ['simulator-swift'],
  more: { failover?: object; pickup?: object } & Readonly<Record<string, unknown>> = {},
): RequestStep => ({
  operation: 'dispatchShipment',
  as: 'shipment',
  body: {
    ...{ reference: 'trigger-{run}', orderId: '{order.id}' },
    ...more,
    pickup: { ...shop, ...more.pickup },
    failover: { strategy: 'preferred', carriers, maxPriceKobo: 10_000_000, ...more.failover },
  },
})

export const returned: readonly RequestStep[] = [
  {
    operation: 'createReturn',
    as: 'return',
    params,
    body: { items: [{ itemId: '{order.items.0.id}', quantity: 1 }], reason: 'wrong_size' },
  },
  { operation: 'transitionReturn', params: { id: '{return.id}' }, body: { to: 'approved' } },
]

export const returnDispatched: RequestStep = {
  operation: 'dispatchShipment',
  as: 'shipment',
  body: { reference: 'trigger-{run}', returnId: '{return.id}', dropoff: shop, carriers: ['simulator-swift'] },
}

export const received: RequestStep = {
  operation: 'receiveReturn',
  params: { id: '{return.id}' },
  body: { items: [{ itemId: '{order.items.0.id}', restockQuantity: 1 }] },
}
