import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import type { Role } from '../../registry/values/roles.ts'
import type { MemberId, MerchantId } from '../../registry/values/vocabulary.ts'
import { acceptInvitationAsNewUser } from '../../src/access/members/accept-invitation.ts'
import { inviteMember } from '../../src/access/members/invite-member.ts'
import { type TestApi, vault } from './api.ts'
import { operator } from './shop.ts'

/** A simulated browser without JavaScript: it stores cookies, opens pages and submits their forms. */
export interface Browser {
  get(path: string): Promise<PageReply>
  /** Opens a page, then submits the form on it that has the given action, with the given values of its fields. */
  submit(page: string, action: string, fields?: Fields): Promise<PageReply>
  /**
   * Sends fields in a POST request without opening a page, as another site or a program would, and confirms the
   * question before an action that cannot be undone.
   */
  post(action: string, fields: Fields, headers?: Headers): Promise<PageReply>
  /**
   * Sends fields in a POST request. If the action cannot be undone, returns the confirmation page without confirming
   * the action.
   */
  ask(action: string, fields: Fields, headers?: Headers): Promise<PageReply>
  /** Sends bytes in a POST request, such as a form with a file. */
  send(action: string, body: Buffer, headers: Headers): Promise<PageReply>
  readonly cookies: Map<string, string>
}

/** Headers that replace the browser's usual headers. An undefined header is not sent. */
type Headers = Readonly<Record<string, string | undefined>>

export type Fields = Readonly<Record<string, string | readonly string[]>>

export interface PageReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly location: string | undefined
}

export function openBrowser({ url }: Pick<TestApi, 'url'>): Browser {
  const origin = new URL(url).origin
  const cookies = new Map<string, string>()
  const send = async (method: 'GET' | 'POST', path: string, sent: Sent = {}): Promise<PageReply> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await exchange(origin, method, path, {
      ...sent,
      headers: { ...(cookie === '' ? {} : { cookie }), ...sent.headers },
    })
    for (const set of reply.headers['set-cookie'] ?? []) {
      const [pair = ''] = set.split(';')
      const [name = '', value = ''] = pair.split('=')
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return reply
  }
  const post: Browser['post'] = (action, fields, headers = {}) => {
    const entries = Object.entries(fields).flatMap(([name, value]) =>
      (typeof value === 'string' ? [value] : value).map((each): [string, string] => [name, each]),
    )
    return send('POST', action, {
      body: String(new URLSearchParams(entries)),
      headers: {
        origin,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
    })
  }
  const confirmed = async (action: string, fields: Fields, headers: Headers = {}): Promise<PageReply> => {
    const reply = await post(action, fields, headers)
    return reply.text.includes('data-question') ? post(action, formOf(reply.text, action), headers) : reply
  }
  return {
    cookies,
    get: (path) => send('GET', path),
    post: confirmed,
    ask: post,
    send: (action, body, headers) =>
      send('POST', action, { body, headers: { origin, 'sec-fetch-site': 'same-origin', ...headers } }),
    submit: async (page, action, fields = {}) => {
      const opened = await send('GET', page)
      return confirmed(action, { ...formOf(opened.text, action), ...fields })
    },
  }
}

interface Sent {
  readonly body?: string | Buffer
  readonly headers?: Headers
}

function exchange(origin: string, method: string, path: string, { body, headers = {} }: Sent): Promise<PageReply> {
  return new Promise((resolve, reject) => {
    const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))
    const sending = httpRequest(new URL(path, origin), { method, headers: sent }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        const { statusCode = 0, headers: received } = incoming
        resolve({
          status: statusCode,
          headers: received,
          text: Buffer.concat(chunks).toString(),
          location: received.location,
        })
      })
      incoming.on('error', reject)
    })
    sending.on('error', reject)
    sending.end(body)
  })
}

/** Returns the hidden fields of the form with this action on the current page. Throws if the page has no such form. */
export function formOf(page: string, action: string): Record<string, string> {
  const form = page
    .split('<form ')
    .find((part) => part.includes(`action="${action}"`) && part.includes('method="post"'))
  if (form === undefined) throw new Error(`The page has no form ${action}.`)
  const [content = ''] = form.split('</form>')
  const hidden = content.matchAll(/<input type="hidden" name="([\w-]+)"(?: value="([^"]*)")?>/g)
  return Object.fromEntries([...hidden].map(([, name = '', value = '']) => [name, unescaped(value)]))
}

export function unescaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

export interface SignedInMember extends Browser {
  readonly memberId: MemberId
  readonly email: string
  readonly password: string
}

let memberCount = 0

/** Creates a member with a role. Returns a browser in which the member is signed in to the dashboard, in live mode. */
export async function signedIn(
  api: TestApi,
  merchantId: MerchantId,
  role: Role,
  name = 'Ada Obi',
): Promise<SignedInMember> {
  memberCount += 1
  const email = `member-${memberCount}@example.com`
  const password = 'a sentence of words'
  const context = { ...api.context, vault }
  const invited = await inviteMember(context, operator, { merchantId, email, name, role })
  if (invited.is !== 'invited') throw new Error(`No invitation: ${invited.is}.`)
  const source = { ip: '127.0.0.1', requestId: null, userAgent: null }
  const accepted = await acceptInvitationAsNewUser(context, { token: invited.token, name, password, source })
  if (accepted.is !== 'accepted') throw new Error(`No member: ${accepted.is}.`)
  const browser = openBrowser(api)
  browser.cookies.set('commerce-session', accepted.sessionToken)
  return { ...browser, memberId: accepted.memberId, email, password }
}
