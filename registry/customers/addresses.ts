import { z } from 'zod'
import { write } from '../kit/endpoint.ts'
import { sampleIds, withExampleId } from '../kit/sample-ids.ts'
import { addressExample } from '../orders/order-example.ts'
import { addressFields, addressInputFields, requireBothCoordinates } from '../values/address.ts'
import { requireAgreement } from '../values/gazetteer/state-of-names.ts'
import { customerAddressesMax } from '../values/limits.ts'
import { AddressId, CustomerId, named, nullable } from '../values/vocabulary.ts'
import { CustomerAddress, customerVersion } from './customer.ts'

const ofCustomer = {
  customerId: CustomerId,
  version: customerVersion.meta({
    description:
      'Version of the customer after this change. To detect concurrent changes, send this version as `If-Match` with the next change.',
  }),
}

const SavedAddress = named(
  'SavedAddress',
  z.object({ ...CustomerAddress.shape, ...ofCustomer }).meta({
    description:
      'Address of a customer, with the current version of the customer. `If-Match` is compared with this version.',
  }),
)

export type SavedAddress = z.output<typeof SavedAddress>

const savedExample = {
  id: 'adr_01jd3f8q6hf5n8v1zr4c7e2m9k',
  isDefault: true,
  ...addressExample,
  customerId: 'cus_01jd3f8q6hf5n8v1zr4c7e2m9k',
  version: 2,
} as const satisfies z.input<typeof SavedAddress>

const isDefault = z
  .literal(true)
  .optional()
  .meta({ description: 'Whether this address becomes the default address of the customer.', examples: [true] })

const CustomerAddressInput = named(
  'CustomerAddressInput',
  z
    .strictObject({ ...addressInputFields, isDefault })
    .superRefine(requireAgreement)
    .superRefine(requireBothCoordinates)
    .meta({ description: 'Address of a customer.' }),
)

export type CustomerAddressInput = z.output<typeof CustomerAddressInput>

export const createAddress = write({
  id: 'createAddress',
  path: '/customers/{id}/addresses',
  tag: 'Customers',
  summary: 'Create an address',
  description:
    'Adds an address to a customer. The first address becomes the default. A customer has at most ' +
    `${customerAddressesMax} addresses.`,
  access: 'customers:write',
  params: z.strictObject({ id: CustomerId }),
  body: {
    schema: CustomerAddressInput,
    example: { line1: '12 Admiralty Way', area: 'Lekki Phase 1', city: 'Lekki', latitude: 6.4474, longitude: 3.4723 },
  },
  reply: {
    status: 201,
    body: SavedAddress,
    meaning: 'The address.',
    example: savedExample,
    location: '/customers/{customerId}',
  },
  refusals: ['customer_not_found', 'customer_anonymised', 'address_limit_reached'],
  emits: ['customer.updated'],
  ifMatch: 'honoured',
  audits: { action: 'address.create', resourceType: 'address' },
})

const CustomerAddressPatch = named(
  'CustomerAddressPatch',
  z
    .strictObject({
      recipientName: addressFields.recipientName.optional(),
      phone: addressInputFields.phone,
      line1: addressFields.line1.optional(),
      line2: addressFields.line2.optional(),
      landmark: addressFields.landmark.optional(),
      area: addressFields.area.optional(),
      city: addressFields.city.optional(),
      state: addressFields.state.optional(),
      postalCode: addressFields.postalCode.optional(),
      instructions: addressFields.instructions.optional(),
      latitude: addressFields.latitude.optional(),
      longitude: addressFields.longitude.optional(),
      isDefault,
    })
    .superRefine(requireBothCoordinates)
    .superRefine(requireAgreement)
    .meta({ description: 'Changes of an address. Fields that are left out keep their values; null clears a field.' }),
)

export type CustomerAddressPatch = z.output<typeof CustomerAddressPatch>

const addressParams = z.strictObject({ id: CustomerId, addressId: AddressId })

export const updateAddress = write({
  id: 'updateAddress',
  method: 'PATCH',
  path: '/customers/{id}/addresses/{addressId}',
  tag: 'Customers',
  summary: 'Update an address',
  description:
    'Changes an address of a customer. If a new `city` is sent without `state`, the state is derived from the city, provided that it is a recognised city or area. ' +
    'Existing orders keep the addresses with which they were created.',
  access: 'customers:write',
  params: addressParams,
  body: { schema: CustomerAddressPatch, example: { landmark: 'Opposite Ebeano Supermarket', isDefault: true } },
  reply: { status: 200, body: SavedAddress, meaning: 'The address.', example: savedExample },
  refusals: ['customer_not_found', 'address_not_found'],
  emits: ['customer.updated'],
  ifMatch: 'honoured',
  audits: { action: 'address.update', resourceType: 'address' },
})

const DeletedAddress = named(
  'DeletedAddress',
  z
    .object({
      id: AddressId,
      deleted: z.literal(true).meta({ description: 'Always true.', examples: [true] }),
      defaultAddressId: nullable(AddressId).meta({
        description:
          'Identifier of the customer’s default address after the change. Null if the customer has no address.',
      }),
      ...ofCustomer,
    })
    .meta({ description: 'Deleted address.' }),
)

export type DeletedAddress = z.output<typeof DeletedAddress>

export const deleteAddress = write({
  id: 'deleteAddress',
  method: 'DELETE',
  path: '/customers/{id}/addresses/{addressId}',
  tag: 'Customers',
  summary: 'Delete an address',
  description:
    'Deletes an address of a customer. If the deleted address was the default, the oldest remaining address becomes the default.',
  access: 'customers:write',
  params: z.strictObject({ id: CustomerId, addressId: withExampleId(AddressId, sampleIds.addressToDelete) }),
  reply: {
    status: 200,
    body: DeletedAddress,
    meaning: 'The address that was deleted.',
    example: {
      id: sampleIds.addressToDelete,
      deleted: true,
      defaultAddressId: null,
      customerId: 'cus_01jd3f8q6hf5n8v1zr4c7e2m9k',
      version: 3,
    },
  },
  refusals: ['customer_not_found', 'address_not_found'],
  emits: ['customer.updated'],
  ifMatch: 'honoured',
  audits: { action: 'address.delete', resourceType: 'address' },
})
