import { z } from 'zod'
import { type AppliedMigration, migrateAndGrant } from '../../store/server/migrate.ts'
import { listBlockingMigrations, migrationFolder } from '../../store/server/migration-files.ts'
import { findSchemaState } from '../../store/server/schema-state.ts'
import { requireUsable } from '../../store/server/usable.ts'
import { command } from '../kit/command.ts'
import { withServer } from '../kit/connect.ts'
import { CommandFailure } from '../kit/failure.ts'
import { flag } from '../kit/option.ts'
import { write } from '../kit/output.ts'

export const migrate = command({
  name: 'migrate',
  summary: 'Migrate the database schema to this release. The service may run during the migration.',
  options: z.strictObject({ check: flag('Only list the pending migrations, and fail if there are any.') }),
  run: ({ check }, { wantsJson }) =>
    withServer(async (server) => {
      await requireUsable(server.ownerConnectionString)
      if (check === true) return checked(server.ownerConnectionString)
      const applied: AppliedMigration[] = []
      // Each line is printed at once, so that after a failed migration the lines of the earlier migrations are visible.
      const onApplied = (migration: AppliedMigration) => {
        applied.push(migration)
        if (!wantsJson) write(`Applied ${migration.name} in ${migration.durationMs} ms.`)
      }
      await migrateAndGrant(server, { onApplied })
      return { json: { applied: applied.map(({ name }) => name), migrations: applied }, text: upToDate }
    }),
})

const upToDate = 'The schema is up to date.'

async function checked(connectionString: string) {
  const state = await findSchemaState(connectionString)
  switch (state.is) {
    case 'current':
      return { json: { applied: [], migrations: [] }, text: upToDate }
    case 'too_old':
      throw new CommandFailure(
        `Pending migrations: ${state.pending.join(', ')}. Run migrate without --check.${await pauseOf(state.pending)}`,
      )
    case 'too_new':
      throw new CommandFailure(
        `The schema is newer than this release: it has migration ${state.migration}. Use a release that has this migration.`,
      )
    case 'half_distributed':
      throw new CommandFailure('The distribution of the database has not finished. Run distribute --apply.')
  }
}

/** Returns a sentence about the pending migrations that make requests wait. Empty if no pending migration does so. */
async function pauseOf(pending: readonly string[]): Promise<string> {
  const blocking = await listBlockingMigrations(migrationFolder, pending)
  if (blocking.length === 0) return ''
  return ` Writes to webhook_deliveries wait about two seconds per million rows while these migrations build an index: ${blocking.join(', ')}.`
}
