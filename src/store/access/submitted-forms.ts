import { sql } from 'kysely'
import type { SessionId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { running, runningAny } from '../core/calls.ts'
import { build } from '../core/statement.ts'

export interface FormKey {
  readonly sessionId: SessionId
  readonly formId: string
}

/** Returns false when the form was submitted before. */
export const insertSubmittedForm = runningAny<FormKey & { now: Timestamp }>()(
  'claim_form',
  (p) => sql<{ formId: string }>`
    insert into submitted_forms (session_id, form_id, submitted_at)
    values (${p.sessionId}, ${p.formId}, ${p.now}::timestamptz)
    on conflict do nothing
    returning form_id`,
)

export const deleteSubmittedForm = running<FormKey>()('release_form', (p) =>
  build.deleteFrom('submitted_forms').where('sessionId', '=', p.sessionId).where('formId', '=', p.formId),
)
