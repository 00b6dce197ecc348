import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import pTimeout from 'p-timeout'
import { z } from 'zod'
import { type Clock, toMs } from '../../base/clock.ts'
import type { Caller } from './call.ts'
import type { CarrierAccount, Outcome } from './carrier.ts'
import { type ClassifiedResponse, markOf, opened, outcomeOf } from './classify-response.ts'
import { lagosMoment } from './moments.ts'

/** Fez is spoken to with a token that a login gives and that ends. One login serves all calls of an account until then. */

interface Session {
  readonly headers: Readonly<Record<string, string>>
  readonly endsAtMs: number
}

/** An account each of a few thousand merchants; who is pushed out logs in again. */
const sessionsMax = 5_000

/** A token must outlast the call that carries it, and the two clocks’ difference. */
const marginMs = 60_000

/** For a token whose end cannot be read. One that ended earlier costs a login more. */
const assumedLifeMs = 10 * 60_000

/** As long as the most patient caller waits. It is nobody’s in particular, so nobody’s haste ends it for the others. */
const longestLoginMs = 8_000

/** What may stand in a header; anything else would be no token. */
const Header = z.string().regex(/^[\x21-\x7e]+$/)

const Login = z.object({
  authDetails: z.object({ authToken: Header, expireToken: z.string().nullish().catch(null) }),
  // One known client sends the secret key only, so each is worth sending alone.
  orgDetails: z.looseObject({ 'secret-key': Header }).nullish().catch(null),
})

export interface FezRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: object
  readonly isQuestion?: boolean
}

/** A login that failed stands in place of the call that was not made. */
export type FezResponse = ClassifiedResponse | LoginFailed

type LoginFailed = Extract<Outcome<never>, { readonly is: 'refused' | 'unavailable' }>

type Entry = { readonly is: 'open'; readonly session: Session } | LoginFailed

/** A login as it ended for all; `gave_up` where Fez was silent for as long as it may be. */
type Ended = Entry | { readonly is: 'gave_up' }

export type FezCaller = (account: CarrierAccount, ask: FezRequest, signal: AbortSignal) => Promise<FezResponse>

export function openFezCaller(call: Caller, clock: Clock, loginMs = longestLoginMs): FezCaller {
  const sessions = new LRUCache<string, Session>({ max: sessionsMax })
  const underWay = new Map<string, Promise<Ended>>()

  const login = async ({ credentials }: CarrierAccount, key: string): Promise<Ended> => {
    const body = { user_id: credentials.userId ?? '', password: credentials.password ?? '' }
    const headers = {}
    const deadline = AbortSignal.timeout(loginMs)
    const entry = entryOf(
      await call({ method: 'POST', path: '/user/authenticate', headers, body, isQuestion: true }, deadline),
    )
    if (entry.is !== 'open') return deadline.aborted ? { is: 'gave_up' } : entry
    const ends = lagosMoment(entry.expires)
    const endsAtMs = ends === undefined ? clock.nowMs() + assumedLifeMs : toMs(ends) - marginMs
    const session = { headers: entry.headers, endsAtMs }
    sessions.set(key, session)
    return { is: 'open', session }
  }

  const start = (account: CarrierAccount, key: string): Promise<Ended> => {
    const started = login(account, key).finally(() => underWay.delete(key))
    underWay.set(key, started)
    return started
  }

  /**
   * Two logins at once might end each other’s tokens, so those who need one share it, each for as long as it has patience.
   * Whoever joined one that hung for most of its time has the time for another.
   */
  const enter = async (account: CarrierAccount, key: string, signal: AbortSignal): Promise<Entry> => {
    const kept = sessions.get(key)
    if (kept !== undefined && clock.nowMs() < kept.endsAtMs) return { is: 'open', session: kept }
    const joined = underWay.get(key)
    const ended = await within(joined ?? start(account, key), signal)
    if (ended.is !== 'gave_up') return ended
    if (joined === undefined || signal.aborted) return silent
    const again = await within(underWay.get(key) ?? start(account, key), signal)
    return again.is === 'gave_up' ? silent : again
  }

  return async (account, ask, signal) => {
    const key = keyOf(account)
    const first = await enter(account, key, signal)
    if (first.is !== 'open') return first
    const judged = await call({ ...ask, headers: first.session.headers }, signal)
    // The token ended early. The request was turned away at the door, so it may be sent once more.
    if (judged.is !== 'declined' || judged.status !== 401) return judged
    if (sessions.get(key) === first.session) sessions.delete(key)
    const second = await enter(account, key, signal)
    return second.is === 'open' ? call({ ...ask, headers: second.session.headers }, signal) : second
  }
}

/** Gives up waiting when the caller does; the login goes on for whoever needs it next. */
async function within(ending: Promise<Ended>, signal: AbortSignal): Promise<Ended> {
  try {
    return await pTimeout(ending, { milliseconds: Number.POSITIVE_INFINITY, signal })
  } catch (error) {
    if (!signal.aborted) throw error
    return { is: 'gave_up' }
  }
}

/** Passwords are no keys of a map. */
function keyOf({ credentials: { userId = '', password = '' } }: CarrierAccount): string {
  return createHash('sha256')
    .update(JSON.stringify([userId, password]))
    .digest('hex')
}

interface Opening {
  readonly is: 'open'
  readonly headers: Readonly<Record<string, string>>
  readonly expires: string | null | undefined
}

/** A login begins nothing: whatever became of it, the request behind it was not sent. */
function entryOf(judged: ClassifiedResponse): Opening | LoginFailed {
  const heard = opened(judged)
  switch (heard.is) {
    case 'answered': {
      const read = Login.safeParse(heard.body).data
      if (read === undefined) return notNow('The answer to the login cannot be read.')
      const { authDetails, orgDetails } = read
      const secret = orgDetails ? { 'secret-key': orgDetails['secret-key'] } : {}
      const headers = { authorization: `Bearer ${authDetails.authToken}`, ...secret }
      return { is: 'open', headers, expires: authDetails.expireToken }
    }
    case 'declined': {
      const outcome = outcomeOf(heard, [])
      if (outcome.is === 'unknown') return { ...notNow(heard.message), ...markOf(outcome) }
      // Whatever a login is declined for, it is the account’s credentials that do not do.
      return { is: 'refused', code: 'account_blocked', message: heard.message }
    }
    case 'unavailable':
      return heard
    case 'unknown':
      return { ...notNow(heard.message), ...markOf(heard) }
  }
}

const silent = notNow('The carrier did not answer the login in time.')

function notNow(message: string): LoginFailed {
  return { is: 'unavailable', message, retryAfterSeconds: undefined }
}
