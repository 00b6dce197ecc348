import { z } from 'zod'
import { read } from '../kit/endpoint.ts'
import { classified, impersonalText } from '../values/privacy.ts'
import { named, nullable } from '../values/vocabulary.ts'

/** Design, commerce 11: what kinds of news a reader of the changelog looks for. */
export const changeKinds = ['added', 'changed', 'removed', 'deprecated', 'beta', 'stable', 'idempotency'] as const

const change = named(
  'ContractChange',
  z.object({
    kind: z.enum(changeKinds).meta({ description: 'What happened to it. May grow.' }),
    isBreaking: z.boolean().meta({ description: 'Only what was beta, or was deprecated until its sunset, may break.' }),
    subject: nullable(impersonalText()).meta({ description: 'The `operationId`, or the kind of event.' }),
    what: impersonalText().meta({ description: 'The change in words.' }),
  }),
)

const release = named(
  'Release',
  z.object({
    version: impersonalText().meta({ description: 'As in `info.version` of the document of that release.' }),
    releasedOn: classified(z.iso.date(), false).meta({ description: 'The day it was released.' }),
    summary: impersonalText().meta({ description: 'What it brings, in a sentence or two.' }),
    changes: z.array(change).meta({ description: 'The changes of the contract, derived from the two documents.' }),
  }),
)

export const changelog = z.object({ data: z.array(release).meta({ description: 'The latest first.' }) })

export type Changelog = z.infer<typeof changelog>
export type ContractChange = Changelog['data'][number]['changes'][number]

/** Spec 9: what changes is announced through a changelog. Its readers are programs too, and need no token. */
export const getChangelog = read({
  id: 'getChangelog',
  path: '/changelog',
  tag: 'Description',
  summary: 'Get the changelog',
  description:
    'Returns the changes of this API, release by release. The list is derived from the released documents: additions, ' +
    'changes, deprecations, stability and idempotency. Changes of wording are left out. Check for `deprecated`: a ' +
    'deprecated part works for at least twelve more months.',
  access: 'public',
  reply: {
    body: named('Changelog', changelog),
    meaning: 'The releases.',
    example: {
      data: [
        {
          version: '1.1.0',
          releasedOn: '2026-12-01',
          summary: 'Payments can be sent again safely.',
          changes: [
            {
              kind: 'idempotency',
              isBreaking: false,
              subject: 'recordPayment',
              what: 'POST /orders/{id}/payments honours Idempotency-Key.',
            },
          ],
        },
      ],
    },
  },
})
