import { revokeToken } from '../../access/revoke-token.ts'
import { html, nothing } from '../../markup/markup.ts'
import { code, heading } from '../../markup/parts.ts'
import { noFields } from '../kit/fields.ts'
import { form } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { action, page } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { noToken, requireToken, tokenIdOf } from './find.ts'
import { lastUse } from './state.ts'

const path = '/tokens/{id}/revoke'
const permission = 'tokens:write'

export const revokeTokenPage = page({ path, permission, show: (visit, { id }) => confirmation(visit, id) })

export const revokeTokenAction = action({
  path,
  permission,
  done: 'The token is revoked. Requests with it are rejected within five seconds.',
  question: () => ({
    text: 'Every request with the token is rejected. A revoked token cannot be restored.',
    submit: 'Revoke token',
  }),
  fields: noFields,
  form: (visit, { id }) => confirmation(visit, id),
  run: async ({ context, actor, tenant }, { id }) => {
    const outcome = await revokeToken(context, actor, tenant, tokenIdOf(id))
    if (outcome.is === 'unknown') throw noToken()
    return { is: 'done', to: `/tokens/${id}` }
  },
})

async function confirmation(visit: Visit, id: string) {
  const token = await requireToken(visit, id)
  const { name, prefix, lastFour } = token
  const main = html`${heading(`Revoke ${name}?`)}
<p>Every request with the token ${code(`${prefix}…${lastFour}`)} is rejected from then on. A revoked token cannot be restored.</p>
<p>Last used: ${lastUse(token, visit.nowMs)}</p>
${form(visit, `/tokens/${id}/revoke`, nothing, { submit: 'Revoke token', isDangerous: true, isConfirmation: true })}
<p>${link(`/tokens/${id}`, 'Keep the token')}</p>`
  return { title: `Revoke ${name}`, main }
}
