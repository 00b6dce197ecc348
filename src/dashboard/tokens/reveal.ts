import type { Timestamp, TokenId } from '../../../registry/values/vocabulary.ts'
import { html, nothing } from '../../markup/markup.ts'
import { heading, time } from '../../markup/parts.ts'
import type { Content } from '../kit/content.ts'
import { command, mainLink } from '../kit/parts.ts'
import { sampleRequest } from '../kit/sample-request.ts'
import type { Visit } from '../kit/visit.ts'

/**
 * No other page can show a new token, because the database stores only its hash. `oldExpiresAt` is when the replaced
 * token expires.
 */
export function revealed(
  { origin }: Visit,
  { id, token }: { readonly id: TokenId; readonly token: string },
  oldExpiresAt?: Timestamp,
): Content {
  const old = oldExpiresAt === undefined ? nothing : html`<p>The old token is valid until ${time(oldExpiresAt)}.</p>`
  const main = html`${heading('Store the token now')}
<div class="secret"><p>The token is not shown again.</p><p><code data-copy>${token}</code></p></div>
${old}<p>Try it:</p>
${command(sampleRequest(origin, 'listOrders', { query: '?limit=3', token }))}
<p>${mainLink(`/tokens/${id}`, 'I have stored the token')}</p>`
  return { title: 'New API token', main }
}
