import type { EndpointId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { heading, time } from '../../markup/parts.ts'
import type { Content } from '../kit/content.ts'
import { mainLink } from '../kit/parts.ts'
import { headersAdvice } from './unreadable.ts'

interface Revealed {
  readonly title: string
  readonly id: EndpointId
  readonly secret: string
  /**
   * When the previous signing secret expires. Null if only the shown secret is valid. If undefined, the page does not
   * mention a previous secret.
   */
  readonly previousExpiresAt?: Timestamp | null
  /** Whether no delivery is sent until the member gives the values of the custom headers again. */
  readonly needsHeaders?: boolean
}

export function revealedSecret({ title, id, secret, previousExpiresAt, needsHeaders }: Revealed): Content {
  const main = html`${heading(title)}
<div class="secret"><p>Use the signing secret to verify that an event came from this service. Keep it as safe as a password.</p>
<p><code data-copy>${secret}</code></p></div>
${previous(previousExpiresAt)}${needsHeaders === true ? html`<p>No delivery is sent yet. ${headersAdvice}</p>` : nothing}<p>${mainLink(`/webhooks/${id}`, 'Open the endpoint')}</p>`
  return { title, main }
}

function previous(at: Timestamp | null | undefined): Markup {
  if (at === undefined) return nothing
  if (at === null) return html`<p>No older secret is valid.</p>`
  return html`<p>The old secret is valid until ${time(at)}. Until then, each delivery is signed with both secrets.</p>`
}
