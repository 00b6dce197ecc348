import { z } from 'zod'
import { recordBodies } from '../../access/record-bodies.ts'
import { action } from '../kit/route.ts'
import { listContent, recordingPath } from './list.ts'

export const recordBodiesAction = action({
  path: recordingPath,
  permission: 'settings:write',
  done: 'The recording of bodies was changed. The change applies within five seconds.',
  question: null,
  fields: z.strictObject({
    records: z.enum(['on', 'off'], { error: 'Choose whether bodies are recorded. Open the page “Request log” again.' }),
  }),
  form: (visit) => listContent(visit),
  run: async ({ context, actor, tenant }, _params, { records }) => {
    const outcome = await recordBodies(context, actor, tenant, records === 'on')
    switch (outcome.is) {
      case 'changed':
        return { is: 'done', to: '/requests' }
      case 'unchanged':
        return { is: 'refused', message: `The recording of bodies is already ${records}.` }
    }
  },
})
