import { html, type Markup } from '../../markup/markup.ts'
import { code } from '../../markup/parts.ts'

/**
 * The words after the dot in audited actions that are not verbs with the record as their object, such as `role` in
 * `member.role`. Any other single word after the dot is treated as such a verb, so most new actions need no entry.
 */
const withoutObject: ReadonlySet<string> = new Set(
  'accept catalogue comment follow orders recheck role samples transition unmatched'.split(' '),
)

/** Returns an action of the audit log in words, such as `Invite a member` for `member.invite`. */
export function actionText(action: string): string {
  const [type = '', act = ''] = action.replaceAll('_', ' ').split('.')
  const record = type === 'merchant' ? 'shop' : type
  const isVerb = act !== '' && !act.includes(' ') && !withoutObject.has(act)
  if (isVerb) return `${capital(act)} ${/^[aeiou](?!ser)/.test(record) ? 'an' : 'a'} ${record}`
  return act === '' ? capital(record) : `${capital(record)}: ${act}`
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** Shows an action in words, with the code by which the audit log is filtered. */
export function actionWithCode(action: string): Markup {
  return html`${actionText(action)} <small>${code(action)}</small>`
}
