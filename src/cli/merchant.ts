import { z } from 'zod'
import { createMerchant } from '../access/create-merchant.ts'
import { listMerchants } from '../store/merchants.ts'
import { command } from './command.ts'
import { connected, operator } from './connect.ts'
import { textOption } from './option.ts'
import { table } from './output.ts'

export const merchantCreate = command({
  name: 'merchant create',
  summary: 'Make a merchant and its sandbox twin.',
  options: z.strictObject({ name: textOption('What the business is called.') }),
  run: ({ name }) =>
    connected(async (context) => {
      const { id, testId } = await createMerchant(context, operator, name)
      return { json: { id, testId, name }, text: `Merchant ${id} was made; its sandbox twin is ${testId}.` }
    }),
})

export const merchantList = command({
  name: 'merchant list',
  summary: 'List the merchants and their sandbox twins, newest first.',
  options: z.strictObject({}),
  run: () =>
    connected(async ({ database }) => {
      const merchants = await listMerchants(database)
      const rows = merchants.map((merchant) => ({ ...merchant }))
      return { json: rows, text: table(rows, ['id', 'mode', 'name', 'createdAt']) }
    }),
})
