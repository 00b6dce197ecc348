import { sql } from 'kysely'
import type { SessionId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Database } from '../core/database.ts'
import { build, writing } from '../core/statement.ts'

export interface FormKey {
  readonly sessionId: SessionId
  readonly formId: string
}

const insert = writing<FormKey & { now: Timestamp }>()(
  'claim_form',
  (p) => sql<{ formId: string }>`
    insert into submitted_forms (session_id, form_id, submitted_at)
    values (${p.sessionId}, ${p.formId}, ${p.now}::timestamptz)
    on conflict do nothing
    returning form_id`,
)

/** Records the submission of a form. Returns false when the form was submitted before. */
export async function insertSubmittedForm(database: Database, form: FormKey & { now: Timestamp }): Promise<boolean> {
  return (await database.run(insert, form)).length > 0
}

const remove = writing<FormKey>()('release_form', (p) =>
  build.deleteFrom('submitted_forms').where('sessionId', '=', p.sessionId).where('formId', '=', p.formId),
)

export async function deleteSubmittedForm(database: Database, form: FormKey): Promise<void> {
  await database.run(remove, form)
}
