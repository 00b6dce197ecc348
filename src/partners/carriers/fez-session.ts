import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import pTimeout from 'p-timeout'
import { z } from 'zod'
import { type Clock, toMs } from '../../base/clock.ts'
import type { Caller } from './call.ts'
import type { CarrierAccount, Outcome } from './carrier.ts'
import { type ClassifiedResponse, checkEnvelope, neutralMarkOf, outcomeOf } from './classify-response.ts'
import { lagosMoment } from './moments.ts'

/**
 * A login at Fez. Each request carries the token of a login. All requests of an account share one login until its token
 * expires.
 */

interface Session {
  readonly headers: Readonly<Record<string, string>>
  readonly endsAtMs: number
}

/**
 * Maximum number of stored Fez logins: one account each for a few thousand merchants. An account whose login was
 * evicted logs in again.
 */
const sessionsMax = 5_000

/**
 * Remaining lifetime that a token must have: the duration of a request plus the difference between the clocks of Fez
 * and this service.
 */
const marginMs = 60_000

/** Assumed lifetime of a token whose expiry cannot be parsed. A token that expires earlier costs one more login. */
const assumedLifeMs = 10 * 60_000

/**
 * Time limit of a login, equal to the longest deadline of a caller. Callers share the login, so no single caller's
 * deadline cancels it.
 */
const longestLoginMs = 8_000

/**
 * Matches a text of characters that an HTTP header may contain. A text with any other character is not a valid token.
 */
const Header = z.string().regex(/^[\x21-\x7e]+$/)

const Login = z.object({
  authDetails: z.object({ authToken: Header, expireToken: z.string().nullish().catch(null) }),
  // The secret key is optional. One known client sends its requests with the secret key and without the token. This
  // adapter therefore sends both if the login response contains both.
  orgDetails: z.looseObject({ 'secret-key': Header }).nullish().catch(null),
})

export interface FezRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: object
  readonly isIdempotent?: boolean
}

/** The response to a request, or the failure of the login that the request needed. */
export type FezResponse = ClassifiedResponse | LoginFailed

type LoginFailed = Extract<Outcome<never>, { readonly is: 'refused' | 'unavailable' }>

type LoginResult = { readonly is: 'open'; readonly session: Session } | LoginFailed

/**
 * The result of a login, which all concurrent callers share. It is `gave_up` if Fez did not respond within the time
 * limit.
 */
type SharedLoginResult = LoginResult | { readonly is: 'gave_up' }

export type FezCaller = (account: CarrierAccount, ask: FezRequest, signal: AbortSignal) => Promise<FezResponse>

export function openFezCaller(call: Caller, clock: Clock, loginMs = longestLoginMs): FezCaller {
  const sessions = new LRUCache<string, Session>({ max: sessionsMax })
  const underWay = new Map<string, Promise<SharedLoginResult>>()

  const login = async ({ credentials }: CarrierAccount, key: string): Promise<SharedLoginResult> => {
    const body = { user_id: credentials.userId ?? '', password: credentials.password ?? '' }
    const headers = {}
    const deadline = AbortSignal.timeout(loginMs)
    const entry = loginResultOf(
      await call({ method: 'POST', path: '/user/authenticate', headers, body, isIdempotent: true }, deadline),
    )
    if (entry.is !== 'open') return deadline.aborted ? { is: 'gave_up' } : entry
    const ends = lagosMoment(entry.expires)
    const endsAtMs = ends === undefined ? clock.nowMs() + assumedLifeMs : toMs(ends) - marginMs
    const session = { headers: entry.headers, endsAtMs }
    sessions.set(key, session)
    return { is: 'open', session }
  }

  const start = (account: CarrierAccount, key: string): Promise<SharedLoginResult> => {
    const started = login(account, key).finally(() => underWay.delete(key))
    underWay.set(key, started)
    return started
  }

  /**
   * Returns the session of an account. Concurrent logins could invalidate each other's tokens, so callers share one
   * login, and each waits for it until its own deadline. If a login that a caller has joined times out, the caller
   * starts another one.
   */
  const sessionFor = async (account: CarrierAccount, key: string, signal: AbortSignal): Promise<LoginResult> => {
    const cached = sessions.get(key)
    if (cached !== undefined && clock.nowMs() < cached.endsAtMs) return { is: 'open', session: cached }
    const joined = underWay.get(key)
    const ended = await withDeadline(joined ?? start(account, key), signal)
    if (ended.is !== 'gave_up') return ended
    if (joined === undefined || signal.aborted) return timedOut
    const again = await withDeadline(underWay.get(key) ?? start(account, key), signal)
    return again.is === 'gave_up' ? timedOut : again
  }

  return async (account, ask, signal) => {
    const key = keyOf(account)
    const first = await sessionFor(account, key, signal)
    if (first.is !== 'open') return first
    const response = await call({ ...ask, headers: first.session.headers }, signal)
    // The login token expired early. Fez rejected the request without processing it, so the request can be sent again.
    if (response.is !== 'declined' || response.status !== 401) return response
    if (sessions.get(key) === first.session) sessions.delete(key)
    const second = await sessionFor(account, key, signal)
    return second.is === 'open' ? call({ ...ask, headers: second.session.headers }, signal) : second
  }
}

/**
 * Waits for the login of other callers, but only until this caller's deadline. The login continues for later callers.
 */
async function withDeadline(ending: Promise<SharedLoginResult>, signal: AbortSignal): Promise<SharedLoginResult> {
  try {
    return await pTimeout(ending, { milliseconds: Number.POSITIVE_INFINITY, signal })
  } catch (error) {
    if (!signal.aborted) throw error
    return { is: 'gave_up' }
  }
}

/** Returns the map key of a Fez account: a hash of the credentials, so that the map contains no passwords. */
function keyOf({ credentials: { userId = '', password = '' } }: CarrierAccount): string {
  return createHash('sha256')
    .update(JSON.stringify([userId, password]))
    .digest('hex')
}

interface LoginData {
  readonly is: 'open'
  readonly headers: Readonly<Record<string, string>>
  readonly expires: string | null | undefined
}

/**
 * Converts Fez's response to a login request to the headers of the new session, or to the reason why the login failed.
 * Without a login, the request that needs the session is not sent.
 */
function loginResultOf(response: ClassifiedResponse): LoginData | LoginFailed {
  const checked = checkEnvelope(response)
  switch (checked.is) {
    case 'answered': {
      const read = Login.safeParse(checked.body).data
      if (read === undefined) return unavailable('The response to the login cannot be parsed.')
      const { authDetails, orgDetails } = read
      const secret = orgDetails ? { 'secret-key': orgDetails['secret-key'] } : {}
      const headers = { authorization: `Bearer ${authDetails.authToken}`, ...secret }
      return { is: 'open', headers, expires: authDetails.expireToken }
    }
    case 'declined': {
      const outcome = outcomeOf(checked, [])
      if (outcome.is === 'unknown') return { ...unavailable(checked.message), ...neutralMarkOf(outcome) }
      // Fez's login endpoint has no other reason for a rejection than invalid credentials.
      return { is: 'refused', code: 'account_blocked', message: checked.message }
    }
    case 'unavailable':
      return checked
    case 'unknown':
      return { ...unavailable(checked.message), ...neutralMarkOf(checked) }
  }
}

const timedOut = unavailable('The carrier did not respond to the login in time.')

function unavailable(message: string): LoginFailed {
  return { is: 'unavailable', message, retryAfterSeconds: undefined }
}
