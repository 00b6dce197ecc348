import { z } from 'zod'
import { read } from '../kit/endpoint.ts'
import { classified, impersonalText } from '../values/privacy.ts'
import { named, nullable } from '../values/vocabulary.ts'

export const changeKinds = ['added', 'changed', 'removed', 'deprecated', 'beta', 'stable', 'idempotency'] as const

const change = named(
  'ContractChange',
  z.object({
    kind: z.enum(changeKinds).meta({ description: 'Kind of the change of the API. More values may be added.' }),
    isBreaking: z.boolean().meta({
      description:
        'Whether the change is breaking. Only beta features, and deprecated features after their sunset, may have breaking changes.',
    }),
    subject: nullable(impersonalText()).meta({
      description: 'The `operationId` of the operation, or the event kind, that changed. Null for other changes.',
    }),
    what: impersonalText().meta({ description: 'Description of the change.' }),
  }),
)

const release = named(
  'Release',
  z.object({
    version: impersonalText().meta({
      description: 'Version of the release, as in `info.version` of its OpenAPI document.',
    }),
    releasedOn: classified(z.iso.date(), false).meta({ description: 'Day of the release.' }),
    summary: impersonalText().meta({ description: 'Summary of the release.' }),
    changes: z.array(change).meta({ description: 'Changes since the previous release.' }),
  }),
)

export const changelog = z.object({ data: z.array(release).meta({ description: 'Releases, newest first.' }) })

export type Changelog = z.infer<typeof changelog>
export type ContractChange = Changelog['data'][number]['changes'][number]

/** Changelog of the API (spec 9). It is public, so that programs can read it without a token. */
export const getChangelog = read({
  id: 'getChangelog',
  path: '/changelog',
  tag: 'Description',
  summary: 'Get the changelog',
  description:
    'Returns the changes of this API, release by release. The list is derived from the released OpenAPI documents: additions, ' +
    'changes, deprecations, stability and idempotency. Changes of wording are left out. Check the list for `deprecated`: a ' +
    'deprecated feature works for at least twelve more months.',
  access: 'public',
  reply: {
    body: named('Changelog', changelog),
    meaning: 'The releases.',
    example: {
      data: [
        {
          version: '1.1.0',
          releasedOn: '2026-12-01',
          summary: 'Recording a payment supports idempotency keys.',
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
