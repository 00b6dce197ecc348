import { z } from 'zod'
import type { SafeFetch } from '../../outbound/safe-fetch.ts'
import { type Caller, openCaller } from './call.ts'
import type { CarrierAccount, Outcome } from './carrier.ts'
import { type ClassifiedResponse, type Declined, opened, outcomeOf, unfitting } from './classify-response.ts'
import type { CallPace } from './shared.ts'
import { shipbubbleTexts } from './shipbubble-texts.ts'

export interface ShipbubbleRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
  readonly isQuestion?: boolean
  /** It goes on to the one courier that the label is of. */
  readonly isOfCourier?: boolean
  /** A poll or a search, which no merchant waits for. */
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
  /** Operations that waited for their turn: the carrier had less than the time that an answer may take. */
  const shortened = new WeakSet<AbortSignal>()
  return async (account, { isOfCourier = false, isBackground = false, ...ask }, signal) => {
    const paced = await pace.admit(account, isBackground ? 'background' : 'interactive', signal)
    if (paced.is === 'limited') {
      const message = 'Shipbubble’s limit of calls a minute is reached.'
      return { is: 'unavailable', message, retryAfterSeconds: paced.retryAfterSeconds, isNeutral: true }
    }
    if (paced.hasWaited) shortened.add(signal)
    const headers = { authorization: `Bearer ${account.credentials.apiKey ?? ''}` }
    const heard = opened(await call({ ...ask, headers }, signal))
    if (heard.is === 'unknown' && signal.aborted && shortened.has(signal)) return { ...heard, isNeutral: true }
    if (heard.is === 'declined') return { ...heard, isOfCourier }
    return heard.is === 'answered' ? { is: 'answered', data: WithData.parse(heard.body).data } : heard
  }
}

export function readShipbubble<Value>(
  heard: ShipbubbleResponse,
  parse: (data: unknown) => Value | undefined,
): Outcome<Value> {
  switch (heard.is) {
    case 'answered': {
      const value = parse(heard.data)
      return value === undefined ? unfitting('its data lacks what is documented') : { is: 'ok', value }
    }
    case 'declined':
      return declinedByShipbubble(heard)
    case 'unavailable':
    case 'unknown':
      return heard
  }
}

function declinedByShipbubble(declined: Extract<ShipbubbleResponse, { is: 'declined' }>): Outcome<never> {
  // Documented: a courier behind it does not answer, and nothing was booked. A gateway’s 503 has no such body. Where no
  // courier was asked for, as for rates and lists, it is Shipbubble that has nothing to say.
  if (declined.status === 503) {
    const { message, isOfCourier } = declined
    const whose = isOfCourier ? { isOfSubCarrier: true as const } : {}
    return { is: 'unavailable', message, retryAfterSeconds: undefined, ...whose }
  }
  const outcome = outcomeOf(declined, shipbubbleTexts)
  // Documented: a 400 is about the account, its papers or its wallet; what is wrong in a request has a 422.
  const isOfAccount = declined.status === 400 && outcome.is === 'invalid'
  return isOfAccount ? { is: 'refused', code: 'refused', message: declined.message } : outcome
}
