import { html, type Markup } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import type { Content } from './content.ts'
import { hiddenField } from './form.ts'
import type { OpenSession } from './member-visit.ts'
import { root } from './root.ts'
import type { Visit } from './visit.ts'

/**
 * After the switch, the browser shows the list to which the current page belongs or, if `address` is `record`, the
 * current page itself.
 */
export function modeSwitch(visit: Visit, address: 'next' | 'record' = 'next'): Markup {
  const { selected } = visit.member
  const other = selected.mode === 'live' ? selected.testMerchantId : selected.liveMerchantId
  const hidden = html`${hiddenField('csrf', visit.hiddenFields().csrf)}${hiddenField(address, visit.url)}${hiddenField('merchant', other)}`
  return html`<form method="post" action="${root}/select-merchant" class="inline">${hidden}<button>${selected.mode === 'live' ? 'Switch to test mode' : 'Switch to live mode'}</button></form>`
}

export function inOtherMode({ session, cookie }: OpenSession): OpenSession {
  const { selected } = session
  const other =
    selected.mode === 'live'
      ? { merchantId: selected.testMerchantId, mode: 'test' as const }
      : { merchantId: selected.liveMerchantId, mode: 'live' as const }
  return { session: { ...session, selected: { ...selected, ...other } }, cookie }
}

/** Returns the page that is shown when a URL leads to a record of the other mode (live or test) of the merchant. */
export function otherModePage(visit: Visit): Content {
  const other = visit.member.selected.mode === 'live' ? 'test' : 'live'
  const title = `This record belongs to ${other} mode`
  const main = html`${heading(title)}<p>The dashboard is in ${visit.member.selected.mode} mode, which does not have the record. Switch the mode to see it.</p>${modeSwitch(visit, 'record')}`
  return { title, main }
}
