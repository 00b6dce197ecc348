import type { Address, AddressInput, State } from '../../../registry/values/vocabulary.ts'

/** Spec 1: addresses default to Lagos and FCT. The state is the merchant's own, and the city that of the state. */
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
