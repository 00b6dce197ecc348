import { z } from 'zod'
import { type Clock, toMs } from '../../base/clock.ts'
import { lastDigits } from './address-text.ts'
import type { CarrierAccount, FoundOrder, Outcome, SoughtOrder } from './carrier.ts'
import { unfitting } from './classify-response.ts'
import { lagosDay } from './moments.ts'
import type { PlaceValidator } from './shipbubble-addresses.ts'
import { readShipbubble, type ShipbubbleCaller } from './shipbubble-calls.ts'
import { Label, labelMadeAt, orderOfLabel } from './shipbubble-labels.ts'
import { endsOf, peopleDigest, tokenIn } from './shipbubble-rates.ts'

/**
 * Shipbubble keeps no reference of ours, so an order whose answer was lost is recognised by whom it goes to, where and
 * for how much. `absent` means that the whole list was read and every order in it is certainly another one.
 */
export type OrderSearch = (
  account: CarrierAccount,
  sought: SoughtOrder,
  signal: AbortSignal,
) => Promise<Outcome<FoundOrder>>

/** The most a list of ids may name; a page of as many is assumed to be allowed, and a shorter one does no harm. */
const perPage = 100

/** Two thousand orders in two days. Beyond it nothing can be concluded. */
const pagesMax = 20

const dayMs = 24 * 3_600_000

/** Its clock need not agree with ours. */
const skewMs = 2 * 60_000

const Page = z.object({ results: z.array(z.unknown()) })

export function openOrderSearch(call: ShipbubbleCaller, places: PlaceValidator, clock: Clock): OrderSearch {
  return async (account, sought, signal) => {
    const match = await openMatch(places, account, sought, signal)
    const since = toMs(sought.askedAt)
    // Whether the days are Lagos’s, and the last one is included, is not documented: a day more on each side shows it all.
    const days = { start_date: lagosDay(since - dayMs), end_date: lagosDay(clock.nowMs() + dayMs) }
    const seen = new Set<string>()
    const found: Label[] = []
    let isDoubtful = false
    const conclude = (isWhole: boolean) => concluded(found, { since, isDoubtful: isDoubtful || !isWhole })
    for (let page = 1; page <= pagesMax; page++) {
      const query = new URLSearchParams({ Page: String(page), PerPage: String(perPage), ...days })
      const ask = { method: 'GET', path: `/shipping/labels?${query}`, isBackground: true } as const
      const outcome = readShipbubble(await call(account, ask, signal), (data) => Page.safeParse(data).data)
      if (outcome.is !== 'ok') return outcome
      const { results } = outcome.value
      // A short page need not be the last one: how many a page may hold is nowhere promised.
      if (results.length === 0) return conclude(true)
      const labels = results.map((each) => Label.safeParse(each).data)
      const fresh = labels.filter((label) => label === undefined || !seen.has(label.order_id))
      // A list that turns in circles has not been read to its end.
      if (fresh.length === 0) return found.length > 0 ? conclude(false) : inconclusive('its list does not end')
      for (const label of fresh) {
        const verdict = label === undefined ? 'doubtful' : match(label)
        if (label !== undefined) seen.add(label.order_id)
        if (label !== undefined && verdict === 'same') found.push(label)
        isDoubtful ||= verdict === 'doubtful'
      }
    }
    return found.length > 0 ? conclude(false) : inconclusive('its list is too long to be read')
  }
}

/** The list was read, and what is sought cannot be told in it: no fault of its servers. */
function inconclusive(what: string): Outcome<never> {
  return { ...unfitting(what), isNeutral: true }
}

/** Moments are told in whole seconds. */
const roundedMs = 1_000

/**
 * Of several the first: whoever asked twice had it begun by the first. What was made before it was asked for, by a clock
 * that may be wrong, stands behind, and one that was called off behind that.
 */
function concluded(
  found: readonly Label[],
  { since, isDoubtful }: { readonly since: number; readonly isDoubtful: boolean },
): Outcome<FoundOrder> {
  const orders = found.map((label) => {
    const order = orderOfLabel(label)
    const madeAt = labelMadeAt(label)
    const isEarly = madeAt !== undefined && toMs(madeAt) + roundedMs <= since
    return { order, madeAt: madeAt ?? '', rank: order.status === 'cancelled' ? 2 : isEarly ? 1 : 0 }
  })
  const [first] = orders.toSorted((one, other) => one.rank - other.rank || one.madeAt.localeCompare(other.madeAt))
  if (first !== undefined) return { is: 'ok', value: { is: 'found', order: first.order } }
  return isDoubtful
    ? inconclusive('an order in its list cannot be told from the one sought')
    : { is: 'ok', value: { is: 'absent' } }
}

type Verdict = 'same' | 'other' | 'doubtful'

/**
 * Only another recipient’s number, an earlier moment, or another asking that has it makes an order certainly another one.
 * What goes to the same person now, but elsewhere or for another fee, may be the one sought, told in a way nobody documented.
 */
async function openMatch(
  places: PlaceValidator,
  account: CarrierAccount,
  { request, askedAt, taken, rivalAskedAt }: SoughtOrder,
  signal: AbortSignal,
): Promise<(label: Label) => Verdict> {
  const ends = endsOf(account, request)
  // Its code is stored since the label was asked for. A search pays for no other.
  const place = ends === undefined ? undefined : await places.find(account, ends.receiver)
  const formatted = place === undefined ? '' : await places.formattedOf(account, place, signal)
  const phone = lastDigits(ends?.receiver.phone ?? '')
  const addresses = [formatted, ends?.receiver.address ?? ''].filter((address) => address !== '')
  const earliest = toMs(askedAt) - skewMs
  const { priceKobo, token } = request.offer
  // A rate that was asked for once more may have become cheaper.
  const mayBeCheaper = ends !== undefined && tokenIn(token)?.people !== peopleDigest(ends)
  const rivalMs = rivalAskedAt === undefined ? Number.POSITIVE_INFINITY : toMs(rivalAskedAt) - skewMs
  return (label) => {
    if (taken?.has(label.order_id) === true) return 'other'
    const madeAt = labelMadeAt(label)
    if (madeAt !== undefined && toMs(madeAt) < earliest) return 'other'
    const toPhone = label.ship_to?.phone ?? ''
    if (toPhone !== '' && lastDigits(toPhone) !== phone) return 'other'
    // Both askings wait for an order: the later one cannot have an earlier order, so it chooses first.
    if (rivalAskedAt !== undefined && (madeAt === undefined || toMs(madeAt) >= rivalMs)) return 'doubtful'
    const toAddress = label.ship_to?.address ?? ''
    const isThere = toAddress !== '' && addresses.some((address) => isAlike(toAddress, address))
    // Lists are documented without a fee, so one that is missing leaves no doubt.
    const feeKobo = label.payment?.shipping_fee ?? priceKobo
    const isPrice = feeKobo === priceKobo || (mayBeCheaper && feeKobo < priceKobo)
    return toPhone !== '' && isThere && isPrice ? 'same' : 'doubtful'
  }
}

/** Most of one’s words are in the other: it may have been written anew by a map. */
const alikeShare = 0.5

function isAlike(one: string, other: string): boolean {
  const [shorter = [], longer = []] = [wordsOf(one), wordsOf(other)].toSorted((a, b) => a.length - b.length)
  const shared = shorter.filter((word) => longer.includes(word))
  return shared.length >= shorter.length * alikeShare
}

/** In every address, so that they tell nothing. */
const commonWords = ['nigeria', 'lagos', 'abuja', 'street', 'st', 'road', 'rd', 'way', 'close', 'crescent']

function wordsOf(address: string): readonly string[] {
  const words = address.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return [...new Set(words)].filter((word) => !commonWords.includes(word))
}
