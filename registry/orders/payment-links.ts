import { z } from 'zod'
import { read, write } from '../kit/endpoint.ts'
import { sampleIds, withExampleId } from '../kit/sample-ids.ts'
import { paymentLinkMinutes } from '../values/limits.ts'
import { paymentProviderNames } from '../values/payment-providers.ts'
import { impersonalText } from '../values/privacy.ts'
import { Currency, httpsUrl, kobo, named, nullable, OrderId, PaymentLinkId, timestamp } from '../values/vocabulary.ts'
import { paymentLinkStatuses, paymentLinkTransitions, paymentLinkVoidReasons } from './payment-link-states.ts'

export const PaymentLink = named(
  'PaymentLink',
  z
    .object({
      id: PaymentLinkId,
      orderId: OrderId,
      provider: impersonalText().meta({ description: 'Payment provider of the page.', examples: ['paystack'] }),
      reference: impersonalText().meta({
        description: 'Reference of the payment at the provider. The recorded payment has the same reference.',
        examples: ['pln-01jd3f8q6hf5n8v1zr4c7e2m9k'],
      }),
      url: nullable(impersonalText()).meta({
        description: 'URL of the page on which the buyer pays. Null while the link is `pending`.',
        examples: ['https://checkout.paystack.com/0peioxfhpn'],
      }),
      amountKobo: kobo('Amount that the buyer pays: the amount that was due when the link was created.'),
      currency: Currency,
      status: named(
        'PaymentLinkStatus',
        z.enum(paymentLinkStatuses).meta({ description: 'Status of the payment link. More values may be added.' }),
      ),
      voidReason: nullable(z.enum(paymentLinkVoidReasons)).meta({
        description: 'Why the link is void. Null for a link with another status. More values may be added.',
      }),
      expiresAt: timestamp('When the link expires.'),
      createdAt: timestamp('When the link was created.'),
    })
    .meta({ description: 'Payment link: a page of the payment provider on which the buyer pays an order.' }),
)

export type PaymentLink = z.output<typeof PaymentLink>

const example = {
  id: sampleIds.paymentLink,
  orderId: sampleIds.order,
  provider: 'paystack',
  reference: 'pln-01jd3f8q6hf5n8v1zr4c7e2m9k',
  url: 'https://checkout.paystack.com/0peioxfhpn',
  amountKobo: 3250000,
  currency: 'NGN',
  status: 'open',
  voidReason: null,
  expiresAt: '2026-11-22T08:30:00.000Z',
  createdAt: '2026-11-21T08:30:00.000Z',
} as const satisfies z.input<typeof PaymentLink>

const PaymentLinkInput = named(
  'PaymentLinkInput',
  z.strictObject({
    provider: z
      .enum(paymentProviderNames)
      .optional()
      .meta({
        description:
          'Payment provider. Required only for a new link, if the merchant has connected several. When left out, the open link of ' +
          'any connected provider is returned.',
        examples: ['paystack'],
      }),
    expiresInMinutes: z
      .int()
      .min(paymentLinkMinutes.min)
      .max(paymentLinkMinutes.max)
      .default(paymentLinkMinutes.default)
      .meta({
        description:
          `Minutes until a new link expires; ${paymentLinkMinutes.default} when left out. The link never expires later than ` +
          'its order.',
        examples: [60],
      }),
    callbackUrl: httpsUrl(
      'URL to which the provider sends the buyer after the payment. When left out, the provider uses the URL in its settings.',
      'https://shop.example.com/thanks',
    ).optional(),
  }),
)

export type PaymentLinkInput = z.output<typeof PaymentLinkInput>

const path = '/orders/{id}/payment-link'
const params = z.strictObject({ id: withExampleId(OrderId, sampleIds.order) })

export const createPaymentLink = write({
  id: 'createPaymentLink',
  path,
  tag: 'Payments',
  summary: 'Create a payment link',
  description:
    'Creates a page at the payment provider on which the buyer pays the amount due of the order. An order has one link: while it is ' +
    'open, further requests return it with 200, even with another `expiresInMinutes` or `callbackUrl`. A request for another provider, ' +
    'or after the link is void, expired or paid, replaces the link. A link is void when the order is paid, cancelled or returned, when ' +
    'its amount due changes, or when the merchant stores another key of the provider. The provider may still accept a payment on the page of a void link; the service records such a payment like any other. In test ' +
    'mode the [simulated payment provider](../../guides/payments.md) responds.',
  access: 'orders:write',
  params,
  body: { schema: PaymentLinkInput, example: { expiresInMinutes: 60 } },
  reply: {
    status: 201,
    body: PaymentLink,
    meaning: 'The payment link.',
    example,
    further: [
      { status: 200, meaning: 'The open payment link of the order, which an earlier request created.' },
      {
        status: 202,
        meaning: 'The `pending` payment link that a concurrent request is creating. Repeat the request to get its URL.',
      },
    ],
    location: '/orders/{orderId}/payment-link',
  },
  refusals: [
    'order_not_found',
    'order_not_payable',
    'customer_anonymised',
    'payment_link_rejected',
    'payment_link_outdated',
    'payment_provider_required',
    'payment_provider_not_connected',
    'payment_provider_unavailable',
  ],
  callsPartners: true,
  emits: [],
  audits: { action: 'payment_link.create', resourceType: 'payment_link' },
})

export const getPaymentLink = read({
  id: 'getPaymentLink',
  path,
  tag: 'Payments',
  summary: 'Get a payment link',
  description: 'Returns the payment link of an order, whether it is open or not. Replaced links are not returned.',
  access: 'orders:read',
  params,
  refusals: ['order_not_found', 'payment_link_not_found'],
  stateMachine: { field: 'status', transitions: paymentLinkTransitions },
  reply: { body: PaymentLink, meaning: 'The payment link.', example },
})
