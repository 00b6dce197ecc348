import type { CarrierAccount } from './carrier.ts'

/** State that the adapters of a carrier share. It is in the database, so that all processes of the service share it. */
export interface SharedState {
  /** Address codes by a digest of the address. Carriers charge for the creation of these codes. */
  readonly addresses: AddressBook
  readonly pace: CallPace
}

export interface AddressBook {
  find(account: CarrierAccount, addressDigest: string): Promise<number | undefined>
  put(account: CarrierAccount, addressDigest: string, code: number): Promise<void>
  /** Deletes an address code only if it is still the stored one: another process may have stored a new code. */
  delete(account: CarrierAccount, addressDigest: string, code: number): Promise<void>
}

export type PaceOutcome =
  | { readonly is: 'admitted'; readonly hasWaited: boolean }
  | { readonly is: 'limited'; readonly retryAfterSeconds: number }

/**
 * Priority of a request. `interactive`: quotes, bookings and cancellations, for which a merchant waits. `background`:
 * polls and searches.
 */
export type CallPriority = 'interactive' | 'background'

export interface CallPace {
  /**
   * Applies the carrier's rate limits to a request. If the limit per second is reached, the request waits for the next
   * second. If the limit per minute is reached, the request is rejected. Background calls may use half of each limit.
   */
  admit(account: CarrierAccount, priority: CallPriority, signal: AbortSignal): Promise<PaceOutcome>
}

/** A SharedState that stores nothing, for processes that share no state, such as the tests of an adapter. */
export const nothingShared: SharedState = {
  addresses: { find: async () => undefined, put: async () => undefined, delete: async () => undefined },
  pace: { admit: async () => ({ is: 'admitted', hasWaited: false }) },
}
