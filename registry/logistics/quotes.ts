import { z } from 'zod'
import { write } from '../kit/endpoint.ts'
import { kobo, named, OrderId, ReturnId } from '../values/vocabulary.ts'
import { Parcels, parcelInputExample } from './parcel.ts'
import { PlaceInput } from './place.ts'
import { ProofInput } from './proof.ts'
import { CarrierName, Quote, VehicleName } from './quote.ts'
import { dropoffInputExample, pickupInputExample, quoteExample } from './quote-example.ts'
import { ShipmentItems } from './shipment-item.ts'
import { serviceLevels } from './shipment-states.ts'
import { refuseBadWindows, Window } from './window.ts'

const carrierChoice = z
  .array(CarrierName)
  .min(1)
  .max(20)
  .optional()
  .meta({
    description: 'Carriers from which offers are requested. When left out, all carriers.',
    examples: [['simulator-swift']],
  })

/** Request fields that quotes, schedules, and dispatches without a quote have in common. */
export const parcelsFields = {
  pickup: PlaceInput.optional(),
  dropoff: PlaceInput.optional(),
  parcels: Parcels.optional().meta({
    description:
      'Parcels of the shipment. When left out, one parcel for each of `items`, or for each item of the return.',
  }),
  orderId: OrderId.optional().meta({ description: 'Identifier of the order to ship.' }),
  returnId: ReturnId.optional().meta({
    description:
      'Identifier of an approved return whose units the shipment brings back. Send it instead of `orderId`. ' +
      'If `pickup` is left out, it is the delivery address of the order; if `dropoff` is left out, it is ' +
      'the default pickup address of the merchant.',
  }),
  items: ShipmentItems.optional().meta({
    description:
      'Order items in this shipment. When left out, all units that are in no active or delivered shipment. An empty list ' +
      'with `parcels` ships parcels without items, which requires `allowAdditional` if the order has another active or ' +
      'delivered shipment.',
  }),
  serviceLevels: z
    .array(z.enum(serviceLevels))
    .min(1)
    .max(serviceLevels.length)
    .optional()
    .meta({ description: 'Allowed service levels. When left out, all service levels.', examples: [['on_demand']] }),
  vehicle: VehicleName.optional(),
  carriers: carrierChoice,
}

export const codAmount = kobo('Cash that the rider must collect from the recipient at the delivery.', {
  min: 1,
  example: 3250000,
})

interface ShipmentContents {
  readonly orderId?: unknown
  readonly returnId?: unknown
  readonly dropoff?: unknown
  readonly parcels?: unknown
  readonly items?: readonly unknown[] | undefined
}

/**
 * Requires the fields that describe the contents of a shipment. A request without `orderId` and `returnId` must contain
 * `dropoff` and `parcels`. A request with `items` must contain `orderId` or `returnId`. A request with empty `items`
 * must contain `parcels`.
 */
export function requireShipmentContents(
  { orderId, returnId, dropoff, parcels, items }: ShipmentContents,
  context: z.core.$RefinementCtx,
): void {
  const required = (name: string, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message, params: { problem: 'required' } })
  for (const [name, value] of Object.entries({ dropoff, parcels })) {
    if ((value ?? orderId ?? returnId) === undefined) required(name, 'Is required without `orderId` or `returnId`.')
  }
  if (items !== undefined && (orderId ?? returnId) === undefined) required('orderId', 'Is required with `items`.')
  if (items?.length === 0 && parcels === undefined) required('parcels', 'Is required if `items` is empty.')
}

/**
 * Rejects the fields `orderId`, `items` and `codAmountKobo` in a request for a return. A return shipment brings back
 * all units of the return, and its rider collects no cash.
 */
export function refuseOrderOfReturn(
  { returnId, ...request }: { readonly returnId?: unknown } & Readonly<Record<string, unknown>>,
  context: z.core.$RefinementCtx,
): void {
  if (returnId === undefined) return
  for (const name of ['orderId', 'items', 'codAmountKobo']) {
    if (request[name] === undefined) continue
    const message = 'Must not be sent with `returnId`.'
    context.addIssue({ code: 'custom', path: [name], message, params: { problem: 'invalid_value', isExcluded: true } })
  }
}

/** Errors that quotes, dispatches and schedules share. */
export const routeRefusals = [
  'order_not_found',
  'order_not_dispatchable',
  'return_not_found',
  'return_not_dispatchable',
  'nothing_to_ship',
  'item_not_found',
  'order_items_unavailable',
  'order_not_shippable',
  'pickup_missing',
  'outside_coverage',
  'address_imprecise',
] as const

const QuoteInput = named(
  'QuoteInput',
  z
    .strictObject({
      ...parcelsFields,
      pickupWindow: Window.optional(),
      dropoffWindow: Window.optional(),
      declaredValueKobo: kobo(
        'Declared total value of the parcels. The value does not limit the choice of carriers, because no carrier states a liability limit.',
      ).optional(),
      proof: ProofInput.optional(),
      codAmountKobo: codAmount.optional().meta({
        description:
          'Cash that the rider must collect from the recipient at the delivery, in kobo. Only carriers that collect this ' +
          'amount make offers. For an order, at most its amount due minus the cash of its other shipments in progress. ' +
          'When left out, no cash is collected.',
      }),
    })
    .superRefine(requireShipmentContents)
    .superRefine(refuseOrderOfReturn)
    .superRefine(refuseBadWindows),
)

export type QuoteInput = z.output<typeof QuoteInput>

export const createQuote = write({
  id: 'createQuote',
  path: '/logistics/quote',
  tag: 'Logistics',
  summary: 'Create a quote',
  description:
    'Requests offers from all carriers at once. A call to a carrier takes at most four seconds, and the whole request at most six. A carrier that does ' +
    'not respond is listed in `carriers`, and the quote is `partial`. If no carrier makes an offer, `offers` is empty ' +
    'and `carriers` has the reasons. Dispatch with the quote’s id before `expiresAt`; a quote can be used once. If ' +
    'the `pickupWindow` is in the future, the dispatch creates a `scheduled` shipment, whose carrier is requested so ' +
    'that the rider arrives when the window starts. With only a `dropoffWindow`, the rider is requested so that the ' +
    'delivery is in the middle of that window. The quote warns of offers that arrive too late for a window; a dispatch uses such an ' +
    'offer only if you choose it. Without `pickup`, the default pickup address of the merchant is used. With `returnId`, the ' +
    'parcels go from the customer to this address. An unused quote loses its ' +
    'personal data a week after it expires.',
  access: 'logistics:quote',
  body: {
    schema: QuoteInput,
    example: { pickup: pickupInputExample, dropoff: dropoffInputExample, parcels: [parcelInputExample] },
  },
  reply: { status: 200, body: Quote, meaning: 'The quote.', example: quoteExample },
  refusals: [...routeRefusals, 'time_in_past', 'cod_exceeds_due', 'customer_anonymised'],
  callsPartners: true,
  emits: [],
  audits: { action: 'quote.create', resourceType: 'quote' },
})
