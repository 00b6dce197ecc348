import { endpoints } from '../../registry/index.ts'
import { orderMoveEvents } from '../../registry/kit/event.ts'
import { sampleIds } from '../../registry/kit/sample-ids.ts'
import type { ProductInput } from '../../registry/products/products.ts'
import { paymentLinkMinutes } from '../../registry/values/limits.ts'
import { paymentProviders } from '../../registry/values/payment-providers.ts'
import { type Kobo, type OrderId, OrderItemId, ReturnId, type ShipmentId } from '../../registry/values/vocabulary.ts'
import { toTimestamp } from '../base/clock.ts'
import { withIds } from '../base/ids.ts'
import { createAddress } from '../commerce/customers/addresses.ts'
import { createCustomer } from '../commerce/customers/create-customer.ts'
import { createDiscount } from '../commerce/discounts/create-discount.ts'
import { toKobo } from '../commerce/money.ts'
import { createOrder } from '../commerce/orders/create-order.ts'
import { finishPaymentLink, requestPaymentLink } from '../commerce/orders/payment-link.ts'
import { recordPayment, recordProviderPayment } from '../commerce/orders/record-payment.ts'
import { transitionOrder } from '../commerce/orders/transition-order.ts'
import { createProduct } from '../commerce/products/create-product.ts'
import { createRefund } from '../commerce/refunds/create-refund.ts'
import { updateRefund } from '../commerce/refunds/update-refund.ts'
import { createReturn } from '../commerce/returns/create-return.ts'
import { transitionReturn } from '../commerce/returns/transition-return.ts'
import type { LogisticsContext } from '../logistics/carriers/context.ts'
import { dispatchShipment } from '../logistics/dispatch/dispatch-shipment.ts'
import { recordRemittance } from '../logistics/remittances/record-remittance.ts'
import { applyTracking } from '../logistics/tracking/apply-tracking.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate, type Tenant, type Work } from '../store/core/mutation.ts'
import { scheduleRefundCheck } from '../store/refunds/refund-checks.ts'

/**
 * Creates the records whose ids the examples of the OpenAPI document contain, each in the state that its operation
 * needs. They are created from the bodies of the examples, by the functions that create the records of any merchant;
 * only their ids are fixed.
 */

const emits = [
  'order.created',
  ...orderMoveEvents,
  'order.refunded',
  'inventory.low_stock',
  'payment.recorded',
  'refund.updated',
  'refund.failed',
  'shipment.exception_raised',
  'return.status_changed',
  'customer.updated',
] as const

type DemoWork = Work<(typeof emits)[number]>

/**
 * Creates records with the given ids. Throws on any outcome except the expected one, because another outcome would be a
 * bug in the demo data.
 */
type Make = <Outcome extends { readonly is: string }, Is extends Outcome['is']>(
  is: Is,
  ids: readonly string[],
  verb: (work: DemoWork) => Promise<Outcome>,
) => Promise<Extract<Outcome, { readonly is: Is }>>

/** Demo refunds are never submitted to a provider, so the next poll of each is ten years away. */
const nextPollMs = 10 * 365 * 24 * 3_600_000

export async function seedSamples(context: LogisticsContext, actor: Actor, tenant: Tenant): Promise<void> {
  const make = makerOf(context, actor, tenant)
  await seedProducts(make)
  await seedCustomers(make)
  await seedDiscounts(make, context)
  await seedOrders(make)
  await seedRefunds(make)
  // The returns are seeded last, so that the newest orders in the lists still have units to return. The conformance run
  // searches the lists for orders with such units.
  await seedReturns(make)
  const seeder = { context, actor, tenant }
  await seedCash(seeder, make)
  // The demo shipment does not have the reference of the documented example, because the sample request that dispatches
  // a shipment needs that reference. Its carrier is `simulator-swift`, whose rider arrives within minutes.
  await seedShipment(seeder, sampleIds.shipment, { reference: 'demo-parcel', carriers: ['simulator-swift'] })
}

function makerOf(context: Context, actor: Actor, tenant: Tenant): Make {
  const mutation = {
    tenant,
    actor,
    action: 'seed.samples' as const,
    resourceType: 'merchant',
    resourceId: () => tenant.merchantId,
    emits,
  }
  return async (is, ids, verb) => {
    // mutate() may run the function of the mutation several times, so each run sets the fixed ids of the sample records
    // again.
    const outcome = await mutate(context, mutation, (work: DemoWork) => withIds(ids, () => verb(work)))
    if (!hasOutcome(outcome, is)) throw new Error(`Seeding ${ids.join(', ')}: expected ${is}, got ${outcome.is}.`)
    return outcome
  }
}

function hasOutcome<Outcome extends { readonly is: string }, Is extends Outcome['is']>(
  outcome: Outcome,
  is: Is,
): outcome is Extract<Outcome, { readonly is: Is }> {
  return outcome.is === is
}

/** Opening stock of each demo variant, enough for many test orders. */
const testStock = 500

async function seedProducts(make: Make): Promise<void> {
  const { schema } = endpoints.createProduct.body
  const product = (ids: readonly string[], input: object) => {
    const request: ProductInput = schema.parse(input)
    return make('created', ids, (work) => createProduct(work, request))
  }
  const inventory = { onHand: testStock }
  await product([sampleIds.product, sampleIds.variant, sampleIds.variantToDelete], {
    title: 'Ankara maxi dress',
    description: 'Floor-length dress in wax print, lined, with side pockets.',
    status: 'active',
    // No variant of the sample product has size L, because the sample request that adds a variant uses this size.
    options: [
      { name: 'size', values: ['S', 'M', 'L'] },
      { name: 'colour', values: ['Indigo'] },
    ],
    variants: [
      { sku: 'ANK-MAX-M-IND', optionValues: { size: 'M', colour: 'Indigo' }, priceKobo: 1_500_000, inventory },
      { sku: 'ANK-MAX-S-IND', optionValues: { size: 'S', colour: 'Indigo' }, priceKobo: 1_500_000, inventory },
    ],
    category: 'Dresses',
    tags: ['ankara', 'women'],
  })
  await product([sampleIds.productToArchive], {
    title: 'Harmattan cape',
    status: 'active',
    variants: [{ sku: 'HAR-CAP', priceKobo: 2_200_000, inventory: { onHand: 3 } }],
  })
  await product([sampleIds.productToDelete], { title: 'Lace bolero' })
}

async function seedCustomers(make: Make): Promise<void> {
  const { schema } = endpoints.createCustomer.body
  const customer = async (id: string, addressIds: readonly string[], name: string, phone: string) => {
    const email = `${name.toLowerCase().replace(' ', '.')}@example.com`
    const addresses = [{ line1: '12 Admiralty Way', area: 'Lekki Phase 1', city: 'Lekki' }]
    const request = schema.parse({ name, email, phone, addresses })
    return make('created', [id, ...addressIds], (work) => createCustomer(work, request))
  }
  const { customer: buyer } = await customer(sampleIds.customer, [sampleIds.address], 'Adaeze Okafor', '+2348031234567')
  const second = endpoints.createAddress.body.schema.parse({ line1: '7 Adeola Odeku Street', city: 'Victoria Island' })
  await make('done', [sampleIds.addressToDelete], (work) => createAddress(work, buyer.id, second))
  await customer(sampleIds.customerToDelete, [], 'Bisi Adewale', '+2348051112223')
  await customer(sampleIds.customerToAnonymise, [], 'Chidi Nwosu', '+2348061112223')
}

async function seedDiscounts(make: Make, { clock }: Context): Promise<void> {
  const { schema, example } = endpoints.createDiscount.body
  // The demo discount starts now and has no end, because the dates in the documented example will eventually be in the
  // past.
  const terms = {
    ...example,
    startsAt: toTimestamp(clock.nowMs()),
    endsAt: undefined,
    usageLimitPerCustomer: undefined,
  }
  const discount = (id: string, title: string, code: string) => {
    const request = schema.parse({ ...terms, title, code })
    return make('created', [id], (work) => createDiscount(work, request))
  }
  await discount(sampleIds.discount, 'Detty December', 'DETTY10')
  await discount(sampleIds.discountToPause, 'Back to school', 'SCHOOL10')
  await discount(sampleIds.discountToArchive, 'Easter', 'EASTER10')
}

const orderTotalKobo = toKobo(3_250_000) // Price of two dresses and the delivery fee, as in the examples of the OpenAPI document.

async function seedOrders(make: Make): Promise<void> {
  await seedPaymentLink(make, await seedOrder(make, sampleIds.order, { discountCodes: ['DETTY10'] }))
  await seedOrder(make, sampleIds.orderToCancel)
  await seedOrder(make, sampleIds.orderToPay)
  for (const id of [sampleIds.orderToShip, sampleIds.orderToRefund]) await payManually(make, await seedOrder(make, id))
  await payManually(make, await seedOrder(make, undefined), [sampleIds.paymentToVoid])
}

async function seedOrder(make: Make, id: string | undefined, more: object = {}): Promise<OrderId> {
  const { schema, example } = endpoints.createOrder.body
  // The demo order does not have the external reference of the example, because the sample request that creates an
  // order uses it.
  const request = schema.parse({ ...example, externalReference: undefined, ...more })
  const { order } = await make('created', id === undefined ? [] : [id], (work) => createOrder(work, request))
  return order.id
}

/** Seeds an open payment link without a request to the simulated payment provider. */
async function seedPaymentLink(make: Make, orderId: OrderId): Promise<void> {
  const { name: provider } = paymentProviders[0]
  const request = {
    providers: [provider],
    isTest: true,
    keyUpdatedAt: null,
    expiresInMinutes: paymentLinkMinutes.max,
  } as const
  const { link } = await make('requested', [sampleIds.paymentLink], (work) =>
    requestPaymentLink(work, orderId, request),
  )
  await make('opened', [], (work) => finishPaymentLink(work, { link, url: endpoints.getPaymentLink.reply.example.url }))
}

async function payManually(make: Make, id: OrderId, paymentIds: readonly string[] = []): Promise<void> {
  const request = { amountKobo: orderTotalKobo, method: 'bank_transfer', reference: `transfer-${id}` } as const
  await make('recorded', paymentIds, (work) => recordPayment(work, id, request))
}

/**
 * Seeds a succeeded manual refund and two refunds through a provider: one needs a bank account, and the other was not
 * submitted yet.
 */
async function seedRefunds(make: Make): Promise<void> {
  const { schema, example } = endpoints.createRefund.body
  const requestOf = (orderId: OrderId) => schema.parse({ ...example, orderId })
  const manualOrderId = await seedOrder(make, undefined)
  await payManually(make, manualOrderId)
  await make('refunded', [sampleIds.refund], (work) => createRefund(work, requestOf(manualOrderId)))
  for (const id of [sampleIds.refundToDirect, sampleIds.refundToCancel]) {
    const orderId = await seedOrder(make, undefined)
    const reference = `charge-${orderId}`
    const payment = {
      provider: paymentProviders[0].name,
      amountKobo: orderTotalKobo,
      method: 'card',
      reference,
      providerId: null,
    } as const
    await make('recorded', [], (work) => recordProviderPayment(work, orderId, payment))
    await make('refunded', [id], async (work) => {
      const outcome = await createRefund(work, requestOf(orderId))
      if (outcome.is !== 'refunded') return outcome
      const { merchantId } = work
      const nextCheckAt = toTimestamp(work.nowMs + nextPollMs)
      scheduleRefundCheck(work.trx, { merchantId, id: outcome.refund.id }, nextCheckAt)
      if (id === sampleIds.refundToDirect) {
        await updateRefund(work, { id: outcome.refund.id, orderId }, { status: 'needs_attention', nextCheckAt })
      }
      return outcome
    })
  }
}

/**
 * Seeds three delivered orders of two units each. The first has no return. The second has one requested return. The
 * third has two returns of one unit each, of which one is requested and one is approved.
 */
async function seedReturns(make: Make): Promise<void> {
  await seedDelivered(make, [sampleIds.orderToReturn, sampleIds.itemToReturn])
  const first = await seedDelivered(make, [])
  await seedReturn(make, { id: sampleIds.return, ...first })
  const second = await seedDelivered(make, [sampleIds.itemToReceive])
  await seedReturn(make, { id: sampleIds.returnToApprove, ...second })
  await seedReturn(make, { id: sampleIds.returnToReceive, ...second })
  const approved = ReturnId.parse(sampleIds.returnToReceive)
  await make('return', [], (work) => transitionReturn(work, approved, { to: 'approved' }))
}

interface DeliveredItem {
  readonly orderId: OrderId
  readonly itemId: OrderItemId
}

async function seedDelivered(make: Make, ids: readonly string[]): Promise<DeliveredItem> {
  const { schema, example } = endpoints.createOrder.body
  const request = schema.parse({ ...example, externalReference: undefined })
  const { order } = await make('created', ids, (work) => createOrder(work, request))
  await payManually(make, order.id)
  await make('order', [], (work) => transitionOrder(work, order.id, { to: 'delivered' }))
  return { orderId: order.id, itemId: OrderItemId.parse(order.items[0]?.id) }
}

async function seedReturn(make: Make, { id, orderId, itemId }: DeliveredItem & { readonly id: string }): Promise<void> {
  const request = { items: [{ itemId, quantity: 1 }], reason: 'wrong_size' } as const
  await make('created', [id], (work) => createReturn(work, orderId, { ...request, items: [...request.items] }))
}

interface Seeder {
  readonly context: LogisticsContext
  readonly actor: Actor
  readonly tenant: Tenant
}

/**
 * Seeds delivered parcels whose riders collected cash, and a remittance of a part of the cash. The collected cash is
 * enough for many test remittances.
 */
async function seedCash(seeder: Seeder, make: Make): Promise<void> {
  const { context, actor, tenant } = seeder
  const { carrier } = endpoints.recordRemittance.body.example
  // The amount to collect is below the maximum cash of the simulated carrier.
  const cash = { codAmountKobo: toKobo(orderTotalKobo * remittancesPerParcel), carriers: [carrier] }
  const unreported = { at: undefined, position: undefined, courier: undefined, dropoffAt: undefined, proof: [] }
  for (let number = 1; number <= paidParcels; number++) {
    const id = await seedShipment(seeder, undefined, { reference: `demo-cash-${number}`, ...cash })
    await applyTracking(context, tenant, {
      ...{ shipment: { merchantId: tenant.merchantId, id }, attemptNumber: 1, actor },
      ...{ tracking: { ...unreported, status: 'delivered', carrierStatus: 'delivered' }, source: 'poll' },
    })
  }
  const transfer = { carrier, amountKobo: orderTotalKobo, reference: 'demo-remittance' }
  await make('recorded', [sampleIds.remittanceToVoid], (work) => recordRemittance(work, transfer))
}

const paidParcels = 8
const remittancesPerParcel = 6

/**
 * Dispatches a parcel with the body of the documented example, in which the values of `more` replace or extend those of
 * the example.
 */
async function seedShipment(
  { context, tenant, actor }: Seeder,
  id: string | undefined,
  more: { readonly reference: string; readonly carriers: readonly string[]; readonly codAmountKobo?: Kobo },
): Promise<ShipmentId> {
  const { schema, example } = endpoints.dispatchShipment.body
  const request = schema.parse({ ...example, ...more })
  const call = { context, tenant, actor, isDryRun: false }
  const ids = id === undefined ? [] : [id]
  const outcome = await withIds(ids, () => dispatchShipment(call, request, noRequestHash))
  if (outcome.is !== 'shipment') throw new Error(`The demo shipment was not dispatched: ${outcome.is}.`)
  return outcome.shipment.id
}

/** Placeholder for the stored hash of a request. The request is never repeated, so the hash is never compared. */
const noRequestHash = '0'.repeat(64)
