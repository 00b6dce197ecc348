import { z } from 'zod'
import { findPendingMigrations, migrateAndGrant } from '../store/core/migrate.ts'
import { command } from './command.ts'
import { withServer } from './connect.ts'
import { CommandFailure } from './failure.ts'
import { flag } from './option.ts'

export const migrate = command({
  name: 'migrate',
  summary: 'Migrate the database schema to this release. The service may keep running meanwhile.',
  options: z.strictObject({ check: flag('Only list the pending migrations, and fail if there are any.') }),
  run: ({ check }) =>
    withServer(async (server) => {
      const pending = await findPendingMigrations(server.ownerConnectionString)
      if (check === true && pending.length > 0) {
        throw new CommandFailure(`Pending: ${pending.join(', ')}. Run migrate without --check.`)
      }
      if (check !== true) await migrateAndGrant(server)
      const text = pending.length === 0 ? 'The schema is up to date.' : `Applied: ${pending.join(', ')}.`
      return { json: { applied: pending }, text }
    }),
})
