import type { Address, AddressInput, State } from '../../../registry/values/address.ts'

/** Fills omitted address fields with defaults (spec 1): the merchant's state, and the city of that state. */
export function fillAddress(input: AddressInput, defaultState: State): Address {
  const state = input.state ?? defaultState
  return {
    recipientName: input.recipientName ?? null,
    phone: input.phone ?? null,
    line1: input.line1,
    line2: input.line2 ?? null,
    landmark: input.landmark ?? null,
    area: input.area ?? null,
    city: input.city ?? (state === 'FCT' ? 'Abuja' : state),
    state,
    country: 'NG',
    postalCode: input.postalCode ?? null,
    instructions: input.instructions ?? null,
    latitude: input.latitude ?? null,
    longitude: input.longitude ?? null,
  }
}
