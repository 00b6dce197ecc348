import { z } from 'zod'
import { signatureHeader } from '../../../registry/kit/event.ts'
import { bodyMaxBytes } from '../../../registry/values/limits.ts'
import { EventId } from '../../../registry/values/vocabulary.ts'
import { verifySignature } from '../../access/verify-signature.ts'
import { mebibytes } from '../../base/mebibytes.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { line } from '../kit/fields.ts'
import { form, textArea, textField } from '../kit/form.ts'
import { backLink, pick } from '../kit/parts.ts'
import { action, page } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { endpointIdOf, nameOf, noEndpoint, requireEndpoint } from './find.ts'
import { refuseUnreadable } from './unreadable.ts'
import { verdictSection } from './verdict.ts'

const path = '/webhooks/{id}/verify'
const permission = 'webhooks:read'

export const verifySignaturePage = page({
  path,
  permission,
  show: (visit, { id }) => formPage(visit, id, newDraft({ eventId: pick(visit.query, ['event']).event })),
})

/**
 * Maximum length of a signature header that the form accepts. Even the longest header is shorter: during a rotation of
 * the secret, a header contains two signatures.
 */
const headerMaxLength = 500

/** Maximum size of a pasted body in bytes, equal to the maximum size of a request body. Every event is smaller. */
const pastedMaxBytes = bodyMaxBytes

/**
 * Maximum size of the submitted form in bytes. The form encoding writes a line feed of the pasted body as six bytes,
 * %0D%0A, and no other byte into more than six. The other 16 KiB are for the other fields.
 */
const formMaxBytes = 6 * pastedMaxBytes + 16 * 1024

const fields = z.strictObject({
  signature: line(headerMaxLength),
  body: z
    .string({ error: 'Paste the body that the receiver read.' })
    .refine((text) => Buffer.byteLength(text) <= pastedMaxBytes, {
      error: `Paste at most ${mebibytes(pastedMaxBytes)}. No event is larger.`,
    }),
  eventId: line(headerMaxLength)
    .pipe(z.custom<EventId>((text) => EventId.safeParse(text).success, { error: 'An event id starts with evt_.' }))
    .optional(),
})

/** Verifies a signature that a receiver rejected, and shows the reason. It changes nothing. */
export const verifySignatureAction = action({
  path,
  permission,
  done: 'The signature was verified.',
  question: null,
  formMaxBytes,
  fields,
  form: (visit, { id }, draft) => formPage(visit, id, draft),
  run: async (visit, { id }, { signature, body, eventId }) => {
    const { context, vault, tenant } = visit
    const delivery = { merchantId: tenant.merchantId, endpointId: endpointIdOf(id), header: signature, body, eventId }
    const verifying = verifySignature({ ...context, vault }, delivery)
    const verdict = await verifying.catch((error) => refuseUnreadable(visit, error))
    switch (verdict.is) {
      case 'endpoint_unknown':
        throw noEndpoint()
      case 'malformed':
        return { is: 'refused', field: 'signature', message: verdict.reason }
      case 'valid':
      case 'mismatch': {
        const result = await verdictSection(visit, verdict)
        return { is: 'previewed', content: await formPage(visit, id, newDraft({ signature, body, eventId }), result) }
      }
    }
  },
})

async function formPage(visit: Visit, id: string, draft: Draft, result: Markup = nothing): Promise<Content> {
  const endpoint = await requireEndpoint(visit, id)
  const title = 'Verify a signature'
  const inputs = html`${textField(draft, { name: 'signature', label: signatureHeader, hint: 'The value of this header of the request.', isRequired: true })}
${textArea(draft, { name: 'body', label: 'Body', hint: 'The body of the request as the receiver read it, before any parser. Browsers send each line break of a form as CR LF; this page converts it to LF.' })}
${textField(draft, { name: 'eventId', label: 'Event id', hint: 'Optional. The value of the header Webhook-Id, if the body does not contain the event id.' })}`
  const main = html`${backLink(`/webhooks/${id}`, nameOf(endpoint))}${heading(title)}
<p>Finds out why a receiver rejects the signature of a delivery. The page compares the header and the body that the receiver read with the signing secrets of the endpoint and with the body that the service sent. It changes nothing and shows no secret.</p>
${result}${form(visit, `/webhooks/${id}/verify`, inputs, { submit: 'Verify signature' })}`
  return { title, main }
}
