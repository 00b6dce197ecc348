import { z } from 'zod'
import { customerName, note, tags } from '../orders/order.ts'
import { addressExample } from '../orders/order-example.ts'
import { addressFields } from '../values/address.ts'
import { Phone } from '../values/phone.ts'
import { AddressId, CustomerId, Email, Metadata, named, nullable, text, timestamp } from '../values/vocabulary.ts'

export const customerReference = text('Your own reference for the customer. Unique per merchant.', {
  isPersonal: true,
  max: 100,
  example: 'crm-5512',
})

/** Each channel has its own consent. */
export const marketingChannels = ['email', 'sms', 'whatsapp'] as const

export const customerStatuses = ['active', 'anonymised'] as const
export type CustomerStatus = (typeof customerStatuses)[number]

export const CustomerAddress = named(
  'CustomerAddress',
  z
    .object({
      id: AddressId,
      isDefault: z
        .boolean()
        .meta({ description: 'Whether this is the default address of the customer.', examples: [true] }),
      ...addressFields,
    })
    .meta({ description: 'Address of a customer.' }),
)

export type CustomerAddress = z.output<typeof CustomerAddress>

const MarketingConsent = named(
  'MarketingConsent',
  z
    .object({
      granted: z
        .boolean()
        .meta({ description: 'Whether the customer consents to marketing in this channel.', examples: [true] }),
      at: nullable(timestamp('When the marketing consent last changed.')).meta({
        description: 'When the customer last gave or withdrew consent. Null if the customer has done neither.',
      }),
    })
    .meta({ description: 'Marketing consent for one channel.' }),
)

const Marketing = z
  .object({ email: MarketingConsent, sms: MarketingConsent, whatsapp: MarketingConsent })
  .meta({ description: 'Marketing consents by channel.' })

export type Marketing = z.output<typeof Marketing>

export const customerVersion = z
  .int()
  .min(1)
  .meta({
    description: 'Version of the customer, incremented with each change of the customer or an address.',
    examples: [3],
  })

export const Customer = named(
  'Customer',
  z
    .object({
      id: CustomerId,
      name: customerName,
      email: Email,
      phone: nullable(Phone).meta({ description: 'Phone number of the customer. Null if none is stored.' }),
      addresses: z.array(CustomerAddress).meta({ description: 'Addresses of the customer, oldest first.' }),
      defaultAddressId: nullable(AddressId).meta({
        description: 'Identifier of the default address. Null if the customer has no address.',
      }),
      tags,
      note: nullable(note).meta({ description: 'Internal note about the customer. Null if there is none.' }),
      marketing: Marketing,
      ordersCount: z
        .int()
        .min(0)
        .meta({ description: 'Number of orders of the customer, excluding cancelled orders.', examples: [4] }),
      // Not kobo(), because the total of many orders may exceed the maximum of kobo().
      totalSpentKobo: z
        .int()
        .min(0)
        .meta({
          description:
            'Sum of the payments of the customer minus the refunds, in kobo. Payments of cancelled orders are included until they ' +
            'are refunded.',
          examples: [12500000],
        }),
      lastOrderAt: nullable(timestamp('When the customer last ordered.')).meta({
        description:
          'When the customer’s newest order was created, excluding cancelled orders. Null if there is no such order.',
      }),
      externalReference: nullable(customerReference).meta({
        description: 'Your own reference for the customer. Null if the customer has none.',
      }),
      status: named(
        'CustomerStatus',
        z
          .enum(customerStatuses)
          .meta({ description: 'Status of the customer: `active` or `anonymised`. More values may be added.' }),
      ),
      metadata: Metadata,
      version: customerVersion,
      createdAt: timestamp('When the customer was created.'),
      updatedAt: timestamp('When the customer last changed.'),
    })
    .meta({ description: 'Customer of the merchant.' }),
)

export type Customer = z.output<typeof Customer>

export const customerExample = {
  id: 'cus_01jd3f8q6hf5n8v1zr4c7e2m9k',
  name: 'Adaeze Okafor',
  email: 'adaeze.okafor@example.com',
  phone: '+2348031234567',
  addresses: [{ id: 'adr_01jd3f8q6hf5n8v1zr4c7e2m9k', isDefault: true, ...addressExample }],
  defaultAddressId: 'adr_01jd3f8q6hf5n8v1zr4c7e2m9k',
  tags: ['wholesale'],
  note: null,
  marketing: {
    email: { granted: true, at: '2026-11-21T08:30:00.000Z' },
    sms: { granted: false, at: null },
    whatsapp: { granted: false, at: null },
  },
  ordersCount: 4,
  totalSpentKobo: 12500000,
  lastOrderAt: '2026-11-20T15:04:05.000Z',
  externalReference: 'crm-5512',
  status: 'active',
  metadata: {},
  version: 3,
  createdAt: '2026-08-02T10:00:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
} as const satisfies z.input<typeof Customer>
