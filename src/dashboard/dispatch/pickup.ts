import { html, type Markup } from '../../markup/markup.ts'
import { empty } from '../../markup/parts.ts'
import { getMerchantSettings } from '../../store/access/merchants.ts'
import { mainLink } from '../kit/parts.ts'
import { may, type Visit } from '../kit/visit.ts'
import { settingPaths } from '../settings/paths.ts'

export const pickupMissing = 'The shop has no pickup address, so no rider can collect or return a parcel.'

export const addPickup = 'Add the pickup address'

export async function hasPickup({ context, tenant }: Visit): Promise<boolean> {
  return (await getMerchantSettings(context.database, tenant.merchantId)).defaultPickup !== null
}

export function noPickup(visit: Visit): Markup {
  const next = may(visit, 'settings:write')
    ? html`<p>${mainLink(settingPaths.page, addPickup)}</p>`
    : html`<p>Ask an owner of the shop to add it in the settings.</p>`
  return empty(pickupMissing, next)
}
