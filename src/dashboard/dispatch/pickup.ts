import { html, type Markup } from '../../markup/markup.ts'
import { empty } from '../../markup/parts.ts'
import { getMerchantSettings } from '../../store/access/merchants.ts'
import { mainLink } from '../kit/parts.ts'
import { may, type Visit } from '../kit/visit.ts'
import { settingPaths } from '../settings/paths.ts'

/** The pickup address of the shop, without which no offers are requested. */

export const pickupMissing = 'The shop has no pickup address, so no rider can collect or return a parcel.'

/** The label of the link to the form of the pickup address. */
export const addPickup = 'Add the pickup address'

/** Reports whether the merchant has a default pickup address, at which riders collect parcels. */
export async function hasPickup({ context, tenant }: Visit): Promise<boolean> {
  return (await getMerchantSettings(context.database, tenant.merchantId)).defaultPickup !== null
}

/** Shows that the pickup address is missing. Members who may change the settings also get a link to add the address. */
export function noPickup(visit: Visit): Markup {
  const next = may(visit, 'settings:write')
    ? html`<p>${mainLink(settingPaths.page, addPickup)}</p>`
    : html`<p>Ask an owner of the shop to add it in the settings.</p>`
  return empty(pickupMissing, next)
}
