import { z } from 'zod'
import { list, read, write } from '../kit/endpoint.ts'
import { sampleIds, withExampleId } from '../kit/sample-ids.ts'
import { customerName, note, tags } from '../orders/order.ts'
import { AddressInput } from '../values/address.ts'
import { customerAddressesMax } from '../values/limits.ts'
import { anySpelling, PhoneInput } from '../values/phone.ts'
import { AddressId, CustomerId, Email, instant, Metadata, named, nullable, text } from '../values/vocabulary.ts'
import { Customer, customerExample, customerReference } from './customer.ts'

export const listCustomers = list({
  id: 'listCustomers',
  path: '/customers',
  tag: 'Customers',
  summary: 'List customers',
  description:
    'Returns customers, newest first. A customer must match all filters, and `q` searches names, e-mail addresses and phone numbers.',
  access: 'customers:read',
  filters: z.strictObject({
    q: text(`Search text: part of the name, e-mail address or phone number. ${anySpelling}`, {
      isPersonal: true,
      min: 2,
      max: 100,
      example: 'adaeze',
    }).optional(),
    email: Email.optional().meta({
      description: 'Returns only the customer with this e-mail address, regardless of case.',
    }),
    phone: PhoneInput.optional().meta({
      description: 'Returns only customers with this phone number. Several customers may share one.',
    }),
    tag: text('Returns only customers with this tag.', { isPersonal: true, max: 40, example: 'wholesale' }).optional(),
    createdFrom: instant('Returns only customers created at or after this time.').optional(),
    createdTo: instant('Returns only customers created before this time.').optional(),
  }),
  refusals: ['invalid_time_range'],
  item: Customer,
  pageName: 'CustomerPage',
  example: customerExample,
})

export const getCustomer = read({
  id: 'getCustomer',
  path: '/customers/{id}',
  tag: 'Customers',
  summary: 'Get a customer',
  description:
    'Returns a customer with addresses, marketing consents and order totals. To detect concurrent ' +
    'changes, send the `ETag` of the response as `If-Match` when you change the customer.',
  access: 'customers:read',
  params: z.strictObject({ id: CustomerId }),
  refusals: ['customer_not_found'],
  reply: { body: Customer, meaning: 'The customer.', example: customerExample },
})

const ConsentInput = named(
  'MarketingConsentInput',
  z
    .strictObject({
      granted: z
        .boolean()
        .meta({ description: 'Whether the customer consents to marketing in this channel.', examples: [true] }),
      at: instant('When the customer gave or withdrew the consent. When left out, the time of the request.').optional(),
    })
    .meta({ description: 'Marketing consent for one channel.' }),
)

const MarketingInput = named(
  'MarketingInput',
  z
    .strictObject({
      email: ConsentInput.optional(),
      sms: ConsentInput.optional(),
      whatsapp: ConsentInput.optional(),
    })
    .meta({
      description:
        'Marketing consents by channel. Channels that are left out keep their values. A new customer has no consents.',
    }),
)

export type MarketingInput = z.output<typeof MarketingInput>

const CustomerInput = named(
  'CustomerInput',
  z.strictObject({
    name: customerName,
    email: Email,
    phone: PhoneInput.optional(),
    addresses: z
      .array(AddressInput)
      .max(customerAddressesMax)
      .optional()
      .meta({ description: 'Addresses of the customer. The first address becomes the default address.' }),
    tags: tags.optional(),
    note: note.optional(),
    marketing: MarketingInput.optional(),
    externalReference: customerReference.optional(),
    metadata: Metadata.optional(),
  }),
)

export type CustomerInput = z.output<typeof CustomerInput>

export const createCustomer = write({
  id: 'createCustomer',
  path: '/customers',
  tag: 'Customers',
  summary: 'Create a customer',
  description:
    'Creates a customer. The e-mail address must be unique per merchant, regardless of case: a request with the e-mail address of an existing customer is rejected, and the ' +
    'error contains the id of that customer. Several customers may share a phone number.',
  access: 'customers:write',
  body: {
    schema: CustomerInput,
    example: {
      // The customer of this example is not in the demo data, because a request with the e-mail address of an existing
      // customer is rejected.
      name: 'Ngozi Eze',
      email: 'ngozi.eze@example.com',
      phone: '+2348059876543',
      addresses: [{ line1: '12 Admiralty Way', area: 'Lekki Phase 1', city: 'Lekki' }],
      marketing: { email: { granted: true } },
    },
  },
  reply: {
    status: 201,
    body: Customer,
    meaning: 'The customer.',
    example: {
      ...customerExample,
      name: 'Ngozi Eze',
      email: 'ngozi.eze@example.com',
      phone: '+2348059876543',
      ordersCount: 0,
      totalSpentKobo: 0,
      lastOrderAt: null,
      externalReference: null,
      tags: [],
      version: 1,
    },
    location: '/customers/{id}',
  },
  refusals: ['customer_exists', 'external_reference_in_use'],
  emits: [],
  audits: { action: 'customer.create', resourceType: 'customer' },
})

const CustomerPatch = named(
  'CustomerPatch',
  z
    .strictObject({
      name: customerName.optional(),
      email: Email.optional(),
      phone: nullable(PhoneInput)
        .optional()
        .meta({ description: 'Phone number of the customer. Null removes the stored number.' }),
      defaultAddressId: AddressId.optional().meta({
        description: 'Identifier of the address that becomes the customer’s default address.',
      }),
      tags: tags.optional(),
      note: nullable(note)
        .optional()
        .meta({ description: 'Internal note about the customer. Null removes the stored note.' }),
      marketing: MarketingInput.optional(),
      externalReference: nullable(customerReference)
        .optional()
        .meta({ description: 'Your own reference for the customer. Null removes the stored reference.' }),
      metadata: Metadata.optional(),
    })
    .meta({
      description:
        'Changes of a customer. Fields that are left out keep their values; lists and metadata are replaced as a whole.',
    }),
)

export type CustomerPatch = z.output<typeof CustomerPatch>

export const updateCustomer = write({
  id: 'updateCustomer',
  method: 'PATCH',
  path: '/customers/{id}',
  tag: 'Customers',
  summary: 'Update a customer',
  description:
    'Changes a customer. Existing orders keep the name, e-mail address and phone number with which they were created.',
  access: 'customers:write',
  params: z.strictObject({ id: CustomerId }),
  body: { schema: CustomerPatch, example: { phone: '+2348031234567', note: null, tags: ['wholesale'] } },
  reply: { status: 200, body: Customer, meaning: 'The customer.', example: customerExample },
  refusals: [
    'customer_not_found',
    'address_not_found',
    'customer_anonymised',
    'customer_exists',
    'external_reference_in_use',
  ],
  emits: ['customer.updated'],
  ifMatch: 'honoured',
  audits: { action: 'customer.update', resourceType: 'customer' },
})

const DeletedCustomer = named(
  'DeletedCustomer',
  z
    .object({
      id: CustomerId,
      deleted: z.literal(true).meta({ description: 'Always true.', examples: [true] }),
    })
    .meta({ description: 'Deleted customer.' }),
)

export const deleteCustomer = write({
  id: 'deleteCustomer',
  method: 'DELETE',
  path: '/customers/{id}',
  tag: 'Customers',
  summary: 'Delete a customer',
  description:
    'Deletes a customer: lists and `GET /customers/{id}` no longer return the customer. Another customer can then use the e-mail address and the reference. Orders do not ' +
    'change. To erase personal data, anonymise the customer, which also works after deletion.',
  access: 'customers:write',
  params: z.strictObject({ id: withExampleId(CustomerId, sampleIds.customerToDelete) }),
  reply: {
    status: 200,
    body: DeletedCustomer,
    meaning: 'The customer that was deleted.',
    example: { id: sampleIds.customerToDelete, deleted: true },
  },
  refusals: ['customer_not_found'],
  emits: ['customer.updated'],
  ifMatch: 'honoured',
  audits: { action: 'customer.delete', resourceType: 'customer' },
})

export const anonymiseCustomer = write({
  id: 'anonymiseCustomer',
  path: '/customers/{id}/anonymise',
  tag: 'Customers',
  summary: 'Anonymise a customer',
  description:
    'Erases personal data permanently. Name, e-mail address, phone number, addresses, notes, tags, consents and ' +
    'metadata are removed from the customer, from all their orders, refunds, quotes and shipments, and from the events and responses that the service stores: an event that is delivered or replayed ' +
    'later contains placeholders instead. Amounts, items, city and state ' +
    'remain. The request is rejected while an order is pending, on hold, processing or shipped, or while a refund or ' +
    'a shipment is in progress. A deleted customer can be anonymised too. Repeating the request changes nothing.',
  access: 'customers:write',
  params: z.strictObject({ id: withExampleId(CustomerId, sampleIds.customerToAnonymise) }),
  reply: {
    status: 200,
    body: Customer,
    meaning: 'The anonymised customer.',
    example: {
      ...customerExample,
      id: sampleIds.customerToAnonymise,
      name: 'Deleted customer',
      email: 'anon-7k2m9qx4s0d1f8g6h3j5@anonymised.invalid',
      phone: null,
      addresses: [],
      defaultAddressId: null,
      tags: [],
      marketing: {
        email: { granted: false, at: null },
        sms: { granted: false, at: null },
        whatsapp: { granted: false, at: null },
      },
      externalReference: null,
      status: 'anonymised',
      version: 4,
    },
  },
  refusals: ['customer_not_found', 'customer_has_open_orders'],
  emits: ['customer.updated'],
  ifMatch: 'honoured',
  audits: { action: 'customer.anonymise', resourceType: 'customer' },
})
