import { z } from 'zod'
import { distribute as distributeDatabase } from '../../store/distribution/distribute.ts'
import type { Step } from '../../store/distribution/plan.ts'
import { findSchemaState, requireCurrent } from '../../store/server/schema-state.ts'
import { requireUsable } from '../../store/server/usable.ts'
import { command } from '../kit/command.ts'
import { withServer } from '../kit/connect.ts'
import { CommandFailure } from '../kit/failure.ts'
import { flag } from '../kit/option.ts'
import { write } from '../kit/output.ts'

export const distribute = command({
  name: 'distribute',
  summary:
    'Distribute the tables over the nodes of a Citus cluster. Experimental. Without --apply, the command only shows what it would do. The service must be stopped.',
  options: z.strictObject({
    apply: flag(
      'Distribute the tables. Use this only for tests. After an interrupted run, the service does not start until this command is run again.',
    ),
  }),
  run: ({ apply }, { wantsJson }) =>
    withServer(async ({ connectionString, ownerConnectionString }) => {
      await requireUsable(ownerConnectionString)
      const state = await findSchemaState(ownerConnectionString)
      // An interrupted distribution started on a fully migrated schema. A run that resumes the distribution therefore
      // needs no migration.
      if (state.is !== 'half_distributed') requireCurrent(state)
      const outcome = await distributeDatabase(ownerConnectionString, {
        isApplied: apply === true,
        hasServiceRole: connectionString !== ownerConnectionString,
        onDone: (step, rows) => {
          if (!wantsJson) write(`${doneText(step)} ${rows}.`)
        },
      })
      if (outcome.is === 'refused') throw new CommandFailure(outcome.problems.join('\n'))
      const { steps } = outcome
      const text =
        steps.length === 0 || outcome.is === 'done'
          ? 'The tables of the database are distributed over the nodes.'
          : planText(steps)
      return { json: { applied: outcome.is === 'done', steps }, text }
    }),
})

function doneText(step: Step): string {
  switch (step.is) {
    case 'drop_foreign_keys':
      return 'Foreign keys dropped:'
    case 'create_reference_table':
      return `Copied ${step.table} to every node. Rows:`
    case 'distribute_table':
      return `Distributed ${step.table}. Rows:`
    case 'add_foreign_keys':
      return 'Foreign keys added:'
  }
}

function planText(steps: readonly Step[]): string {
  const tables = (is: Step['is']) => steps.flatMap((step) => (step.is === is && 'table' in step ? [step.table] : []))
  const lines = [
    ['Copies to every node', tables('create_reference_table')],
    ['Distributes by merchant_id', tables('distribute_table')],
  ] as const
  return [
    ...(steps.some((step) => step.is === 'drop_foreign_keys') ? ['Drops the foreign keys of these tables.'] : []),
    ...lines.flatMap(([verb, names]) => (names.length === 0 ? [] : [`${verb}: ${names.join(', ')}.`])),
    'Adds the foreign keys again.',
    'Run the command with --apply to perform these steps.',
  ].join('\n')
}
