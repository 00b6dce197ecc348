import type { CarrierAccount } from './carrier.ts'

/** State that an adapter shares with the other processes of the service, in the database. */
export interface SharedState {
  /** Address codes, which are charged, by a digest of the address. */
  readonly addresses: AddressBook
  readonly pace: CallPace
}

export interface AddressBook {
  find(account: CarrierAccount, addressDigest: string): Promise<number | undefined>
  put(account: CarrierAccount, addressDigest: string, code: number): Promise<void>
  /** Deletes only this code: another process may have stored a new one. */
  delete(account: CarrierAccount, addressDigest: string, code: number): Promise<void>
}

export type PaceOutcome =
  | { readonly is: 'admitted'; readonly hasWaited: boolean }
  | { readonly is: 'limited'; readonly retryAfterSeconds: number }

/** `interactive`: quotes, bookings and cancellations, which a merchant waits for. `background`: polls and searches. */
export type CallPriority = 'interactive' | 'background'

export interface CallPace {
  /**
   * Waits for the next second if the limit per second is reached; rejects if the limit per minute is reached.
   * Background calls may use half of each limit.
   */
  admit(account: CarrierAccount, priority: CallPriority, signal: AbortSignal): Promise<PaceOutcome>
}

/** For processes without shared state, such as an adapter's tests. */
export const nothingShared: SharedState = {
  addresses: { find: async () => undefined, put: async () => undefined, delete: async () => undefined },
  pace: { admit: async () => ({ is: 'admitted', hasWaited: false }) },
}
