import { html, type Markup } from '../../markup/markup.ts'
import { code } from '../../markup/parts.ts'

/**
 * Words that can follow the dot of an action without being a verb for the record before the dot: `member.role` does not
 * mean “role a member”. Any other single word after the dot is treated as a verb, as in `member.invite`, so most new
 * actions need no entry.
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
