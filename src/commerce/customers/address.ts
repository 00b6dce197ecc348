import type { Address, AddressInput } from '../../../registry/values/address.ts'
import { stateOfPoint } from '../../../registry/values/gazetteer/state-centres.ts'
import { cityOfState, stateOfNames } from '../../../registry/values/gazetteer/state-of-names.ts'
import type { State } from '../../../registry/values/states.ts'

/**
 * Fills omitted fields of an address with defaults (spec 1). The state is that of the address's city or area, if the
 * gazetteer (the list of known places) contains one of them. Otherwise, the state is determined from the coordinates.
 * If there are none, it is the merchant's state. An omitted city is the default city of the state.
 */
export function fillAddress(input: AddressInput, defaultState: State): Address {
  const state = input.state ?? stateOfNames(input) ?? stateOfCoordinates(input, defaultState)
  return {
    recipientName: input.recipientName ?? null,
    phone: input.phone ?? null,
    line1: input.line1,
    line2: input.line2 ?? null,
    landmark: input.landmark ?? null,
    area: input.area ?? null,
    city: input.city ?? cityOfState(state),
    state,
    country: 'NG',
    postalCode: input.postalCode ?? null,
    instructions: input.instructions ?? null,
    latitude: input.latitude ?? null,
    longitude: input.longitude ?? null,
  }
}

function stateOfCoordinates({ latitude, longitude }: AddressInput, defaultState: State): State {
  const isGiven = typeof latitude === 'number' && typeof longitude === 'number'
  return isGiven ? stateOfPoint({ lat: latitude, lng: longitude }, defaultState) : defaultState
}
