import { z } from 'zod'
import { isNotificationKind, notificationKindNames, notificationKinds } from '../../../registry/values/notifications.ts'
import { html } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import { titleOf } from '../../notifications/messages.ts'
import { preferencesOf, setPreferences } from '../../notifications/set-preferences.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { chosenIds } from '../kit/fields.ts'
import { checkBoxes, form } from '../kit/form.ts'
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

/** Returns the owner of the notification settings: a member of the live merchant, also in test mode. */
function ownerOf({ member: { selected } }: Visit) {
  return { merchantId: selected.liveMerchantId, memberId: selected.memberId }
}

function formPage(visit: Visit, draft: Draft) {
  const { email, selected } = visit.member
  const choices = notificationKindNames.map((kind) => [kind, titleOf(kind), notificationKinds[kind].meaning] as const)
  const main = html`${heading('Notifications by e-mail', link('/notifications', 'All notifications'))}
<p>The e-mails go to ${email}. They are about live mode of ${selected.name}; test mode sends no e-mails. The settings apply to you only.</p>
${form(visit, path, checkBoxes(draft, { name: 'kinds', label: 'Send me an e-mail about', choices }), { submit: 'Save' })}`
  return { title: 'Notifications by e-mail', main }
}
