import { z } from 'zod'
import { rotateToken } from '../../access/rotate-token.ts'
import { action } from '../kit/route.ts'
import { noToken, requireToken, tokenIdOf } from './find.ts'
import { notHeld } from './not-held.ts'
import { revealed } from './reveal.ts'
import { tokenContent } from './show.ts'

const hourMs = 60 * 60 * 1000

export const rotateTokenAction = action({
  path: '/tokens/{id}/rotate',
  permission: 'tokens:write',
  done: 'The token is rotated.',
  question: () => ({
    text: 'The previous token expires after the time that you chose, and cannot be restored.',
    submit: 'Rotate token',
  }),
  needsRecentSignIn: true,
  fields: z.strictObject({ hours: z.enum(['0', '1', '24', '168']) }),
  form: async (visit, { id }, draft) => tokenContent(visit, await requireToken(visit, id), draft),
  run: async (visit, { id }, { hours }) => {
    const { context, actor, tenant } = visit
    const rotation = { id: tokenIdOf(id), overlapMs: Number(hours) * hourMs }
    const outcome = await rotateToken(context, actor, tenant, rotation)
    switch (outcome.is) {
      case 'rotated':
        return { is: 'revealed', content: revealed(visit, outcome, outcome.oldExpiresAt) }
      case 'ended':
        return { is: 'refused', message: 'The token is revoked or expired. Create a new token.' }
      case 'scopes_not_held':
        return { is: 'refused', message: notHeld(visit, outcome) }
      case 'unknown':
        throw noToken()
    }
  },
})
