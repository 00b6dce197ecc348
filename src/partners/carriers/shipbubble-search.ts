import { z } from 'zod'
import { type Clock, toMs } from '../../base/clock.ts'
import { lastDigits } from './address-text.ts'
import type { CarrierAccount, FoundOrder, Outcome, SoughtOrder } from './carrier.ts'
import { undocumented } from './classify-response.ts'
import { lagosDay } from './moments.ts'
import type { PlaceValidator } from './shipbubble-addresses.ts'
import { readShipbubble, type ShipbubbleCaller, type ShipbubbleRequest } from './shipbubble-calls.ts'
import { Label, labelMadeAt, orderOfLabel } from './shipbubble-labels.ts'
import { endsOf, peopleDigest, tokenIn } from './shipbubble-rates.ts'

/**
 * Searches for an order whose response was lost. Shipbubble stores no reference of ours, so the order is matched by
 * recipient, address and price. `absent` means that the whole list was read and no order in it can be the one searched
 * for.
 */
export type OrderSearch = (
  account: CarrierAccount,
  sought: SoughtOrder,
  signal: AbortSignal,
) => Promise<Outcome<FoundOrder>>

/**
 * Number of orders per page. Shipbubble documents this maximum for a list of ids only. If Shipbubble returns fewer
 * orders per page than requested, the search only needs more pages.
 */
const perPage = 100

/**
 * Maximum number of pages that one search for an order reads. At 100 orders per page, these are two thousand orders.
 * The search of a longer list is inconclusive.
 */
const pagesMax = 20

const dayMs = 24 * 3_600_000

/** Tolerated difference between Shipbubble's clock and ours, in milliseconds. */
const skewMs = 2 * 60_000

const Page = z.object({ results: z.array(z.unknown()) })

export function openOrderSearch(call: ShipbubbleCaller, places: PlaceValidator, clock: Clock): OrderSearch {
  return async (account, sought, signal) => {
    const match = await openMatch(places, account, sought, signal)
    const since = toMs(sought.requestedAt)
    // Shipbubble does not document the time zone of the dates that limit a list, nor whether the list includes the last
    // day. The request therefore adds one day before the searched period and one day after it.
    const days = { start_date: lagosDay(since - dayMs), end_date: lagosDay(clock.nowMs() + dayMs) }
    const seen = new Set<string>()
    const found: Label[] = []
    let hasUncertain = false
    const conclude = (isWhole: boolean) => searchResultOf(found, { since, hasUncertain: hasUncertain || !isWhole })
    for (let page = 1; page <= pagesMax; page++) {
      const query = new URLSearchParams({ Page: String(page), PerPage: String(perPage), ...days })
      const ask: ShipbubbleRequest = { method: 'GET', path: `/shipping/labels?${query}`, isBackground: true }
      const outcome = readShipbubble(await call(account, ask, signal), (data) => Page.safeParse(data).data)
      if (outcome.is !== 'ok') return outcome
      const { results } = outcome.value
      // A page with fewer orders than requested need not be the last one, because the page size is not guaranteed.
      if (results.length === 0) return conclude(true)
      const labels = results.map((each) => Label.safeParse(each).data)
      const fresh = labels.filter((label) => label === undefined || !seen.has(label.order_id))
      // A page with only orders of earlier pages shows that Shipbubble repeats pages. It is then unknown whether the
      // search has read the whole list.
      if (fresh.length === 0)
        return found.length > 0 ? conclude(false) : inconclusive('its list of orders does not end')
      for (const label of fresh) {
        const verdict = label === undefined ? 'doubtful' : match(label)
        if (label !== undefined) seen.add(label.order_id)
        if (label !== undefined && verdict === 'same') found.push(label)
        hasUncertain ||= verdict === 'doubtful'
      }
    }
    return found.length > 0 ? conclude(false) : inconclusive('its list of orders is too long')
  }
}

/** `isNeutral` is true, because Shipbubble's servers have not failed. */
function inconclusive(what: string): Outcome<never> {
  return { ...undocumented(what), isNeutral: true }
}

/** Precision of Shipbubble's timestamps: one second. */
const roundedMs = 1_000

/**
 * Selects one of several matching orders. Orders whose timestamp is earlier than the request rank lower. They are not
 * excluded, because the clocks of Shipbubble and of this service may differ. Cancelled orders rank last. In each rank,
 * the earliest order is selected, because the first of several repeated requests created the order.
 */
function searchResultOf(
  found: readonly Label[],
  { since, hasUncertain }: { readonly since: number; readonly hasUncertain: boolean },
): Outcome<FoundOrder> {
  const orders = found.map((label) => {
    const order = orderOfLabel(label)
    const madeAt = labelMadeAt(label)
    const isEarly = madeAt !== undefined && toMs(madeAt) + roundedMs <= since
    return { order, madeAt: madeAt ?? '', rank: order.status === 'cancelled' ? 2 : isEarly ? 1 : 0 }
  })
  const [first] = orders.toSorted((one, other) => one.rank - other.rank || one.madeAt.localeCompare(other.madeAt))
  if (first !== undefined) return { is: 'ok', value: { is: 'found', order: first.order } }
  return hasUncertain
    ? inconclusive('an order in its list may be the requested order')
    : { is: 'ok', value: { is: 'absent' } }
}

type Match = 'same' | 'other' | 'doubtful'

/**
 * Returns a function that compares an order in Shipbubble's list with the order that is searched for. A listed order is
 * certainly another one if it has another recipient's number, an earlier timestamp or another attempt's reference. A
 * different address or price proves nothing, because Shipbubble does not document how it formats addresses and prices.
 */
async function openMatch(
  places: PlaceValidator,
  account: CarrierAccount,
  { request, requestedAt, taken, rivalRequestedAt }: SoughtOrder,
  signal: AbortSignal,
): Promise<(label: Label) => Match> {
  const ends = endsOf(account, request)
  // The address code was stored when the label was booked. The search requests no new code, because Shipbubble charges
  // for each new code.
  const place = ends === undefined ? undefined : await places.find(account, ends.receiver)
  const formatted = place === undefined ? '' : await places.formattedOf(account, place, signal)
  const phone = lastDigits(ends?.receiver.phone ?? '')
  const addresses = [formatted, ends?.receiver.address ?? ''].filter((address) => address !== '')
  const earliest = toMs(requestedAt) - skewMs
  const { priceKobo, token } = request.offer
  // A second rate request was sent because the contacts had changed since the quote, so the booked rate may be cheaper
  // than the quoted one.
  const mayBeCheaper = ends !== undefined && tokenIn(token)?.people !== peopleDigest(ends)
  const rivalMs = rivalRequestedAt === undefined ? Number.POSITIVE_INFINITY : toMs(rivalRequestedAt) - skewMs
  return (label) => {
    if (taken?.has(label.order_id) === true) return 'other'
    const madeAt = labelMadeAt(label)
    if (madeAt !== undefined && toMs(madeAt) < earliest) return 'other'
    const toPhone = label.ship_to?.phone ?? ''
    if (toPhone !== '' && lastDigits(toPhone) !== phone) return 'other'
    // The carrier's list may also contain an order of a later dispatch attempt for the same recipient. An order that is
    // older than the request of the later attempt cannot belong to the later attempt. A newer order may belong to
    // either of the two attempts.
    if (rivalRequestedAt !== undefined && (madeAt === undefined || toMs(madeAt) >= rivalMs)) return 'doubtful'
    const toAddress = label.ship_to?.address ?? ''
    const isThere = toAddress !== '' && addresses.some((address) => isAlike(toAddress, address))
    // According to Shipbubble's documentation, an order in a list may lack the fee. A missing fee is treated as equal
    // to the price of the offer in the create request.
    const feeKobo = label.payment?.shipping_fee ?? priceKobo
    const isPrice = feeKobo === priceKobo || (mayBeCheaper && feeKobo < priceKobo)
    return toPhone !== '' && isThere && isPrice ? 'same' : 'doubtful'
  }
}

/**
 * Minimum share of the words of the shorter address that must occur in the longer one. A geocoder may have rewritten
 * the address, so not all words need to occur.
 */
const alikeShare = 0.5

function isAlike(one: string, other: string): boolean {
  const [shorter = [], longer = []] = [wordsOf(one), wordsOf(other)].toSorted((a, b) => a.length - b.length)
  const shared = shorter.filter((word) => longer.includes(word))
  return shared.length >= shorter.length * alikeShare
}

/** Words that occur in most addresses and therefore do not distinguish them. */
const commonWords = ['nigeria', 'lagos', 'abuja', 'street', 'st', 'road', 'rd', 'way', 'close', 'crescent']

function wordsOf(address: string): readonly string[] {
  const words = address.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return [...new Set(words)].filter((word) => !commonWords.includes(word))
}
