import { html, type Markup, nothing } from '../../markup/markup.ts'
import { withWholeNumbers } from '../../markup/parts.ts'
import type { NotificationMessage } from '../../notifications/messages.ts'
import { listNotifiedRecords } from '../../store/notifications/notified-records.ts'
import type { Visit } from '../kit/visit.ts'

/** The names of the records that notifications report, by the path of the record's page. */
export type RecordNames = ReadonlyMap<string, string>

/** Reads the names of the records to which the notifications link. */
export async function namesOf(
  { context, tenant }: Visit,
  messages: readonly NotificationMessage[],
): Promise<RecordNames> {
  const paths = messages.map(({ link }) => link.path)
  const ids = new Map(paths.flatMap((each) => (recordPath.test(each) ? [[each, each.split('/').at(-1) ?? '']] : [])))
  const { merchantId } = tenant
  const names = await listNotifiedRecords(context.database, { merchantId, ids: [...ids.values()] })
  return new Map([...ids].flatMap(([each, id]) => (names.has(id) ? [[each, names.get(id) ?? '']] : [])))
}

/** The path of the page of a record, such as `/orders/ord_…`. */
const recordPath = /^\/[a-z]+\/[a-z]+_[0-9a-z]{26}$/

export function messageText({ title, text, link }: NotificationMessage, names: RecordNames): Markup {
  const name = names.get(link.path)
  return html`<strong>${title}${name === undefined ? nothing : html`: ${withWholeNumbers(name)}`}</strong><small>${text}</small>`
}
