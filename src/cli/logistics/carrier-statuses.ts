import { z } from 'zod'
import { listUnknownStatuses } from '../../store/logistics/carriers/unknown-statuses.ts'
import { command } from '../kit/command.ts'
import { connected } from '../kit/connect.ts'
import { table } from '../kit/output.ts'

export const carrierUnknownStatuses = command({
  name: 'carrier unknown',
  summary: 'List raw carrier statuses that this service does not recognise, most recent first.',
  options: z.strictObject({}),
  run: () =>
    connected(async ({ database }) => {
      const rows = (await listUnknownStatuses(database, {})).map((row) => ({ ...row }))
      return { json: rows, text: table(rows, ['carrier', 'status', 'times', 'firstAt', 'lastAt']) }
    }),
})
