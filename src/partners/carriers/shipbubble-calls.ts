import { z } from 'zod'
import type { SafeFetch } from '../../outbound/safe-fetch.ts'
import { type Caller, openCaller } from './call.ts'
import type { CarrierAccount, Outcome } from './carrier.ts'
import { type ClassifiedResponse, checkEnvelope, type Declined, outcomeOf, undocumented } from './classify-response.ts'
import type { CallPace } from './shared.ts'
import { shipbubbleTexts } from './shipbubble-texts.ts'

export interface ShipbubbleRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
  readonly isIdempotent?: boolean
  /** Whether Shipbubble forwards the request to the courier company that delivers the parcel. */
  readonly isOfCourier?: boolean
  /**
   * Whether the request is a poll or a search in the background. No merchant waits for the response of a background
   * request.
   */
  readonly isBackground?: boolean
}

export type ShipbubbleResponse =
  | Exclude<ClassifiedResponse, { readonly is: 'answered' | 'declined' }>
  | (Declined & Pick<ShipbubbleRequest, 'isOfCourier'>)
  | { readonly is: 'answered'; readonly data: unknown }

export type ShipbubbleCaller = (
  account: CarrierAccount,
  ask: ShipbubbleRequest,
  signal: AbortSignal,
) => Promise<ShipbubbleResponse>

const WithData = z.looseObject({ data: z.unknown().optional() })

export function openShipbubbleCaller(send: SafeFetch['fetch'], root: string, pace: CallPace): ShipbubbleCaller {
  const call: Caller = openCaller(send, root)
  /**
   * Abort signals of requests that waited for the rate limit. Shipbubble had less than the full time to respond, so a
   * timeout is not its failure.
   */
  const shortened = new WeakSet<AbortSignal>()
  return async (account, { isOfCourier = false, isBackground = false, ...ask }, signal) => {
    const paced = await pace.admit(account, isBackground ? 'background' : 'interactive', signal)
    if (paced.is === 'limited') {
      const message = 'Shipbubble’s rate limit per minute is reached.'
      return { is: 'unavailable', message, retryAfterSeconds: paced.retryAfterSeconds, isNeutral: true }
    }
    if (paced.hasWaited) shortened.add(signal)
    const headers = { authorization: `Bearer ${account.credentials.apiKey ?? ''}` }
    const response = checkEnvelope(await call({ ...ask, headers }, signal))
    if (response.is === 'unknown' && signal.aborted && shortened.has(signal)) return { ...response, isNeutral: true }
    if (response.is === 'declined') return { ...response, isOfCourier }
    return response.is === 'answered' ? { is: 'answered', data: WithData.parse(response.body).data } : response
  }
}

export function readShipbubble<Value>(
  response: ShipbubbleResponse,
  parse: (data: unknown) => Value | undefined,
): Outcome<Value> {
  switch (response.is) {
    case 'answered': {
      const value = parse(response.data)
      return value === undefined ? undocumented('documented fields of `data` are missing') : { is: 'ok', value }
    }
    case 'declined':
      return declinedByShipbubble(response)
    case 'unavailable':
    case 'unknown':
      return response
  }
}

function declinedByShipbubble(declined: Extract<ShipbubbleResponse, { is: 'declined' }>): Outcome<never> {
  // Shipbubble documents that a 503 with the body checked here means that the courier company did not respond and that
  // nothing was booked. A gateway's 503 has no such body. For requests without a courier company, such as rates and
  // lists, Shipbubble itself is unavailable.
  if (declined.status === 503) {
    const { message, isOfCourier } = declined
    const scope = isOfCourier ? { isOfSubCarrier: true as const } : {}
    return { is: 'unavailable', message, retryAfterSeconds: undefined, ...scope }
  }
  const outcome = outcomeOf(declined, shipbubbleTexts)
  // Shipbubble documents that a 400 concerns the merchant's Shipbubble account, its verification or its wallet; an
  // invalid request gets a 422.
  const isOfAccount = declined.status === 400 && outcome.is === 'invalid'
  return isOfAccount ? { is: 'refused', code: 'refused', message: declined.message } : outcome
}
