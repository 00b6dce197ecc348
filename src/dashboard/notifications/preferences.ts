import { z } from 'zod'
import {
  isNotificationKind,
  type NotificationKind,
  notificationKindNames,
  notificationKinds,
} from '../../../registry/values/notifications.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import { titleOf } from '../../notifications/messages.ts'
import { preferencesOf, setPreferences } from '../../notifications/set-preferences.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { chosenIds } from '../kit/fields.ts'
import { form, problemList } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { action, page } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'

const path = '/notifications/preferences'
const permission = 'notifications:read'

export const preferencesPage = page({
  path,
  permission,
  show: async (visit) => {
    const preferences = await preferencesOf(visit.context.database, ownerOf(visit))
    const kinds = preferences.filter(({ isByEmail }) => isByEmail).map(({ kind }) => kind)
    return formPage(visit, newDraft({ kinds }))
  },
})

export const setPreferencesAction = action({
  path,
  permission,
  done: 'Your e-mail settings are saved.',
  question: null,
  fields: z.strictObject({
    // It is valid to choose no kind: the member then gets no e-mails.
    kinds: chosenIds.transform((kinds) => kinds.filter(isNotificationKind)),
  }),
  form: async (visit, _params, draft) => formPage(visit, draft),
  run: async (visit, _params, { kinds }) => {
    await setPreferences(visit.context, visit.actor, { ...ownerOf(visit), emailed: kinds })
    return { is: 'done', to: path }
  },
})

/** The notification settings of a member belong to the live merchant, even while the member works in test mode. */
function ownerOf({ member: { selected } }: Visit) {
  return { merchantId: selected.liveMerchantId, memberId: selected.memberId }
}

function formPage(visit: Visit, draft: Draft) {
  const { email, selected } = visit.member
  const main = html`${heading('Notifications by e-mail', link('/notifications', 'All notifications'))}
<p>The e-mails go to ${email}. They are about live mode of ${selected.name}; test mode sends no e-mails. The settings apply to you only.</p>
${form(visit, path, kindBoxes(draft), { submit: 'Save' })}`
  return { title: 'Notifications by e-mail', main }
}

/**
 * The groups in which the form lists the kinds of notifications. A kind belongs to the group whose `records` contain
 * the first part of its name, such as `order`.
 */
const groups = [
  { title: 'Orders and payments', records: ['order', 'payment'] },
  { title: 'Refunds and returns', records: ['refund', 'return'] },
  { title: 'Shipments', records: ['shipment'] },
  { title: 'Webhooks', records: ['webhook_endpoint'] },
  { title: 'Audit log', records: ['audit_log'] },
] as const

function kindBoxes(draft: Draft): Markup {
  const chosen = draft.values.kinds ?? []
  const box = (kind: NotificationKind) =>
    html`<label class="box"><input type="checkbox" name="kinds" value="${kind}"${chosen.includes(kind) ? html` checked` : nothing}><span>${titleOf(kind)}<small>${notificationKinds[kind].meaning}</small></span></label>`
  const group = ({ title, records }: (typeof groups)[number]) => {
    const kinds = notificationKindNames.filter((kind) => records.some((record) => kind.startsWith(`${record}.`)))
    return html`<fieldset class="field group"><legend>${title}</legend>${kinds.map(box)}</fieldset>`
  }
  return html`<fieldset class="field" id="f-kinds" tabindex="-1"><legend>Send me an e-mail about</legend>${problemList(draft, 'kinds')}${groups.map(group)}</fieldset>`
}
