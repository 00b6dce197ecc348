import { z } from 'zod'
import { webhookSecretGraceHours } from '../../../registry/values/limits.ts'
import { rotateSigningSecret } from '../../access/rotate-signing-secret.ts'
import { revealSigningSecret } from '../../access/show-signing-secret.ts'
import { hasUnreadableHeaders } from '../../access/unreadable-headers.ts'
import { checkBox, noFields } from '../kit/fields.ts'
import { action } from '../kit/route.ts'
import { endpointIdOf, noEndpoint } from './find.ts'
import { revealedSecret } from './reveal.ts'
import { endpointContent } from './show.ts'
import { refuseUnreadable } from './unreadable.ts'

const permission = 'webhooks:secret'

export const showSecretAction = action({
  path: '/webhooks/{id}/secret',
  permission,
  done: 'The signing secret was shown.',
  question: null,
  needsRecentSignIn: true,
  fields: noFields,
  form: (visit, { id }) => endpointContent(visit, id),
  run: async (visit, { id }) => {
    const { context, actor, tenant, vault } = visit
    const endpointId = endpointIdOf(id)
    const revealing = revealSigningSecret({ ...context, vault }, actor, tenant, endpointId)
    const outcome = await revealing.catch((error) => refuseUnreadable(visit, error))
    if (outcome.is === 'endpoint_unknown') throw noEndpoint()
    const { secret } = outcome
    return { is: 'revealed', content: revealedSecret({ title: 'Signing secret', id: endpointId, secret }) }
  },
})

export const rotateSecretAction = action({
  path: '/webhooks/{id}/rotate',
  permission,
  done: 'The signing secret is rotated.',
  question: () => ({
    text: 'The previous secret expires after the time that you chose, and cannot be restored.',
    submit: 'Rotate secret',
  }),
  needsRecentSignIn: true,
  fields: z.strictObject({ graceHours: z.enum(['0', '1', '24', '168']), endsPrevious: checkBox }),
  form: (visit, { id }, draft) => endpointContent(visit, id, { rotation: draft }),
  run: async (visit, { id }, { graceHours, endsPrevious }) => {
    const { context, actor, tenant, vault } = visit
    const endpointId = endpointIdOf(id)
    const request = { endpointId, graceHours: Number(graceHours), endsPrevious }
    const outcome = await rotateSigningSecret({ ...context, vault }, actor, tenant, request)
    switch (outcome.is) {
      case 'rotated': {
        const title = 'The signing secret is rotated'
        const key = { merchantId: tenant.merchantId, endpointId }
        const needsHeaders = await hasUnreadableHeaders({ ...context, vault }, key)
        return { is: 'revealed', content: revealedSecret({ title, id: endpointId, ...outcome, needsHeaders }) }
      }
      case 'rotation_under_way':
        return {
          is: 'refused',
          message:
            'The signing secret of an earlier rotation is still valid, and receivers may still use it. Tick the box below to expire this secret now.',
        }
      case 'grace_refused':
        return { is: 'refused', message: `Use at most ${webhookSecretGraceHours.max} hours.` }
      case 'endpoint_unknown':
        throw noEndpoint()
    }
  },
})
