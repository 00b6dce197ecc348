import { html, type Markup, nothing } from '../../markup/markup.ts'
import { code, facts, heading, section } from '../../markup/parts.ts'
import { getMerchantSettings, type MerchantSettings } from '../../store/access/merchants.ts'
import { findCarrierAccounts } from '../../store/logistics/carriers/carrier-accounts.ts'
import { listProviderKeys } from '../../store/payments/provider-keys.ts'
import type { Content } from '../kit/content.ts'
import type { Draft } from '../kit/draft.ts'
import { bpsPerPercent } from '../kit/fields.ts'
import { page } from '../kit/route.ts'
import { may, type Visit } from '../kit/visit.ts'
import { connectionSection } from './connections.ts'
import { generalDraft, generalForm, vatNote } from './general-form.ts'
import { settingPaths } from './paths.ts'
import { pickupDraft, pickupForm } from './pickup-form.ts'

export const settingsPage = page({
  path: settingPaths.page,
  permission: 'settings:read',
  show: (visit) => settingsContent(visit, {}),
})

/**
 * The forms that a member submitted and the service rejected. The page shows them again with the entered values and the
 * problems.
 */
interface Drafts {
  readonly general?: Draft
  readonly pickup?: Draft
}

export async function settingsContent(visit: Visit, drafts: Drafts): Promise<Content> {
  const { context, tenant, member } = visit
  const [settings, accounts, keys] = await Promise.all([
    getMerchantSettings(context.database, tenant.merchantId),
    findCarrierAccounts(context.database, tenant.merchantId),
    listProviderKeys(context.database, { merchantId: tenant.merchantId }),
  ])
  const main = html`${heading('Settings')}
${facts([
  ['Shop', member.selected.name],
  ['Id', code(tenant.merchantId)],
  ['Mode', tenant.mode],
])}
${tenant.mode === 'test' ? html`<p class="hint">Test mode has settings that are separate from those of live mode.</p>` : nothing}
${may(visit, 'settings:write') ? forms(visit, settings, drafts) : readOnly(settings)}
${section('Carriers and payments', connectionSection(visit, { accounts, keys }))}`
  return { title: 'Settings', main }
}

function forms(visit: Visit, { defaultPickup, ...general }: MerchantSettings, drafts: Drafts): Markup {
  // Without a pickup address, no order can be dispatched. If the address is missing, its form therefore comes first and
  // is the main form of the page.
  const isMissing = defaultPickup === null
  const [generalShown, pickupShown] = [
    drafts.general ?? generalDraft(general),
    drafts.pickup ?? pickupDraft(defaultPickup),
  ]
  const settings = section('Orders and tax', generalForm(visit, generalShown, isMissing))
  const pickup = section('Default pickup address', pickupForm(visit, pickupShown, !isMissing))
  return isMissing ? html`${pickup}${settings}` : html`${settings}${pickup}`
}

function readOnly(settings: MerchantSettings): Markup {
  const { lowStockThreshold, pendingOrderTtlMinutes, defaultPickup } = settings
  const yesOrNo = (value: boolean) => (value ? 'yes' : 'no')
  const unused = vatNote(settings.isTaxRegistered)
  const note = unused === '' ? nothing : html` <small>${unused}</small>`
  const rows = facts([
    ['Default state', settings.defaultState],
    ['Charges VAT', yesOrNo(settings.isTaxRegistered)],
    ['VAT rate', html`${String(settings.taxRateBps / bpsPerPercent)} %${note}`],
    ['Prices include VAT', html`${yesOrNo(settings.isTaxInclusive)}${note}`],
    ['Low-stock threshold', lowStockThreshold === null ? 'never' : String(lowStockThreshold)],
    ['Lifetime of unpaid orders', pendingOrderTtlMinutes === null ? 'never' : `${pendingOrderTtlMinutes} minutes`],
    ['Confirms payment on delivery', yesOrNo(settings.autoConfirmsPayOnDelivery)],
    ['Default pickup address', defaultPickup === null ? 'none' : defaultPickup.line1],
  ])
  return html`${section('Orders and tax', rows)}<p class="hint">Only an owner can change the settings.</p>`
}
