import { z } from 'zod'
import { listNotifications } from '../store/webhooks/notifications.ts'
import { command } from './command.ts'
import { connected } from './connect.ts'
import { limitOption, merchantOptions, rowsShown } from './option.ts'
import { table } from './output.ts'
import { tenantOf } from './tenant.ts'

export const notificationList = command({
  name: 'notification list',
  summary: 'List the notifications to a merchant, such as a disabled endpoint, newest first.',
  options: z.strictObject({ ...merchantOptions, limit: limitOption }),
  run: (values) =>
    connected(async ({ database }) => {
      const { merchantId } = await tenantOf(database, values)
      const rows = await listNotifications(database, { merchantId, limit: values.limit ?? rowsShown })
      return {
        json: rows,
        text: table(
          rows.map((row) => ({ ...row })),
          ['createdAt', 'kind', 'endpointId', 'data'],
        ),
      }
    }),
})
