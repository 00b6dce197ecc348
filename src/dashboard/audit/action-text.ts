import { html, type Markup } from '../../markup/markup.ts'
import { code } from '../../markup/parts.ts'

/** The verbs of audited actions whose object is the record itself. */
const verbs: ReadonlySet<string> = new Set([
  ...[
    'create',
    'update',
    'delete',
    'cancel',
    'archive',
    'record',
    'close',
    'expire',
    'dispatch',
    'schedule',
    'receive',
  ],
  ...['invite', 'remove', 'recover', 'revoke', 'rotate', 'enable', 'disable', 'test', 'check', 'replay', 'adjust'],
  ...['connect', 'disconnect', 'suspend', 'resume', 'resolve', 'anonymise', 'approve', 'reject', 'start', 'void'],
])

/** Returns an action of the audit log in words, such as `Invite a member` for `member.invite`. */
export function actionText(action: string): string {
  const [type = '', act = ''] = action.replaceAll('_', ' ').split('.')
  const record = type === 'merchant' ? 'shop' : type
  if (verbs.has(act)) return `${capital(act)} ${/^[aeiou](?!ser)/.test(record) ? 'an' : 'a'} ${record}`
  return act === '' ? capital(record) : `${capital(record)}: ${act}`
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** Shows an action in words, with the code by which the audit log is filtered. */
export function actionWithCode(action: string): Markup {
  return html`${actionText(action)} <small>${code(action)}</small>`
}
