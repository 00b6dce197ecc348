import type { CarrierAccount } from './carrier.ts'

/** What an adapter shares with the other processes of the service, by way of the database. */
export interface SharedState {
  /** Codes that cost money, by a digest of the address. */
  readonly addresses: AddressBook
  readonly pace: CallPace
}

export interface AddressBook {
  find(account: CarrierAccount, addressDigest: string): Promise<number | undefined>
  put(account: CarrierAccount, addressDigest: string, code: number): Promise<void>
  /** Only this code: another process may have stored a new one. */
  delete(account: CarrierAccount, addressDigest: string, code: number): Promise<void>
}

export type PaceOutcome =
  | { readonly is: 'admitted'; readonly hasWaited: boolean }
  | { readonly is: 'limited'; readonly retryAfterSeconds: number }

/** `interactive` is what a merchant waits for: quotes, bookings and cancellations. `background` is polls and searches. */
export type CallPriority = 'interactive' | 'background'

export interface CallPace {
  /** Waits for a free second; a full minute is not waited for. Background calls leave half of each limit to the others. */
  admit(account: CarrierAccount, priority: CallPriority, signal: AbortSignal): Promise<PaceOutcome>
}

/** For a process that shares nothing, such as a test of an adapter. */
export const nothingShared: SharedState = {
  addresses: { find: async () => undefined, put: async () => undefined, delete: async () => undefined },
  pace: { admit: async () => ({ is: 'admitted', hasWaited: false }) },
}
