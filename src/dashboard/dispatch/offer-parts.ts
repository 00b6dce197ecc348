import { counted } from '../../base/counted.ts'
import { nairaText } from '../../base/naira.ts'
import { carrierNameOf } from '../../logistics/carriers/carrier-names.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, count, money } from '../../markup/parts.ts'
import type { Quote } from './offers.ts'

type Offer = Quote['offers'][number]

/** Number of offers of a quote that a phone shows at first. The member unfolds the other offers. */
const shownOffers = 2

/**
 * Shows the offers of a quote side by side, so that the member can choose one. The offer with the best value is
 * preselected.
 */
export function offerChoice({ offers, carriers }: Quote, name: string): Markup {
  const without = carriers.filter(({ status }) => status !== 'ok')
  const reasons = html`<ul>${without.map(({ carrier, status, message }) => html`<li>${carrierNameOf(carrier)}: ${message ?? status.replaceAll('_', ' ')}</li>`)}</ul>`
  if (offers.length === 0) return html`<p class="problem">No carrier made an offer.</p>${reasons}`
  const boxes = offers.map((offer, index) => offerBox(offer, name, index === 0))
  const [choices, further] = [boxes.slice(0, shownOffers), boxes.slice(shownOffers)]
  const folded =
    further.length === 0
      ? nothing
      : html`<details class="fold further"><summary>${counted(further.length, 'more offer')}</summary>${further}</details>`
  const more =
    without.length === 0 ? nothing : html`<details><summary>Carriers without an offer</summary>${reasons}</details>`
  return html`<fieldset class="offers"><legend>Offers</legend>${choices}${folded}</fieldset>${more}`
}

/** `prices` contains the price of each chosen offer, in kobo. */
export function offersTotalText(prices: readonly number[]): string {
  const sum = prices.reduce((total, kobo) => total + kobo, 0)
  return `The chosen offers of ${counted(prices.length, 'order')} cost ${nairaText(sum)} in total.`
}

/** The page script fills in the sum of the chosen offers, because the sum changes with each choice. */
export const liveTotal = html`<p role="status" data-total hidden></p>`

function offerBox(offer: Offer, name: string, isChosen: boolean): Markup {
  const { id, carrierName, service, priceKobo, priceLock, tags, reliability } = offer
  return html`<label class="offer"><input type="radio" name="${name}" value="${id}" data-kobo="${priceKobo}"${isChosen ? html` checked` : nothing}><span><strong>${money(priceKobo)}</strong> ${tags.map((tag) => badge(tag, 'quiet'))}<br>${carrierName}, ${service}
<small>${timesOf(offer)}${count(Math.round(reliability * 100))} % reliable${priceLock === 'none' ? ', price can change' : nothing}</small></span></label>`
}

function timesOf({ pickupEta, dropoffEta }: Offer): Markup {
  const pickup = pickupEta === null ? nothing : html`Pickup ${shortTime(pickupEta.p50)}, `
  return dropoffEta === null ? pickup : html`${pickup}delivery ${shortTime(dropoffEta.p50)}, `
}

const weekdayAndMinute = new Intl.DateTimeFormat('en-GB', {
  ...{ timeZone: 'Africa/Lagos', weekday: 'short', hour: '2-digit', minute: '2-digit' },
})

/** Shows an estimated time within the next days with its weekday, such as `Mon 14:30`. */
function shortTime(at: string): Markup {
  return html`<time datetime="${at}" title="${at}">${weekdayAndMinute.format(new Date(at))}</time>`
}
