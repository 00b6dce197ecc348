import { z } from 'zod'
import { customerName, note, tags } from '../orders/order.ts'
import { addressExample } from '../orders/order-example.ts'
import {
  AddressId,
  addressFields,
  CustomerId,
  Email,
  Metadata,
  named,
  nullable,
  Phone,
  text,
  timestamp,
} from '../values/vocabulary.ts'

export const customerReference = text('The integrator’s own name for the customer; unique per merchant.', {
  isPersonal: true,
  max: 100,
  example: 'crm-5512',
})

/** The ways a customer can be written to with offers, each of which they may allow or not. */
export const marketingChannels = ['email', 'sms', 'whatsapp'] as const

export const customerStatuses = ['active', 'anonymised'] as const
export type CustomerStatus = (typeof customerStatuses)[number]

export const CustomerAddress = named(
  'CustomerAddress',
  z
    .object({
      id: AddressId,
      isDefault: z.boolean().meta({ description: 'Whether it is the customer’s default address.', examples: [true] }),
      ...addressFields,
    })
    .meta({ description: 'A place where the customer wants things sent.' }),
)

export type CustomerAddress = z.output<typeof CustomerAddress>

const MarketingConsent = named(
  'MarketingConsent',
  z
    .object({
      granted: z.boolean().meta({ description: 'Whether offers may be sent this way.', examples: [true] }),
      at: nullable(timestamp('When that was last said.')).meta({
        description: 'When that was last said; null if never.',
      }),
    })
    .meta({ description: 'What the customer said about offers.' }),
)

const Marketing = z
  .object({ email: MarketingConsent, sms: MarketingConsent, whatsapp: MarketingConsent })
  .meta({ description: 'Which offers the customer wants.' })

export type Marketing = z.output<typeof Marketing>

export const customerVersion = z
  .int()
  .min(1)
  .meta({ description: 'Counts the changes of the customer, those of the addresses included.', examples: [3] })

export const Customer = named(
  'Customer',
  z
    .object({
      id: CustomerId,
      name: customerName,
      email: Email,
      phone: nullable(Phone).meta({ description: 'Phone number of the customer.' }),
      addresses: z.array(CustomerAddress).meta({ description: 'Where the customer wants things sent, oldest first.' }),
      defaultAddressId: nullable(AddressId).meta({ description: 'The default address; null when there is none.' }),
      tags,
      note: nullable(note).meta({ description: 'A note among staff.' }),
      marketing: Marketing,
      ordersCount: z
        .int()
        .min(0)
        .meta({ description: 'Orders of the customer, cancelled ones left out.', examples: [4] }),
      // Many orders may add up to more than one can hold.
      totalSpentKobo: z
        .int()
        .min(0)
        .meta({
          description:
            'What was received for the customer’s orders less what was refunded, in kobo. Money of a cancelled order ' +
            'counts until it is refunded.',
          examples: [12500000],
        }),
      lastOrderAt: nullable(timestamp('When the customer last ordered.')).meta({
        description: 'When the newest order was created, cancelled ones left out; null when there is none.',
      }),
      externalReference: nullable(customerReference).meta({
        description: 'The integrator’s own name for the customer.',
      }),
      status: named(
        'CustomerStatus',
        z.enum(customerStatuses).meta({ description: 'Whether the customer is known. More values may be added.' }),
      ),
      metadata: Metadata,
      version: customerVersion,
      createdAt: timestamp('When the customer was first known.'),
      updatedAt: timestamp('When the customer last changed.'),
    })
    .meta({ description: 'A person who buys from the merchant.' }),
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
