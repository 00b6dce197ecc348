import { z } from 'zod'
import { seedOrders } from '../demo/seed-orders.ts'
import { command } from './command.ts'
import { connected } from './connect.ts'
import { CommandFailure, UsageError } from './failure.ts'
import { operator } from './operator.ts'
import { flag, merchantOptions, numberOption, textOption } from './option.ts'
import { endProgress, showProgress } from './output.ts'
import { tenantOf } from './tenant.ts'

/** Two years of a large shop; more would fill a laptop's disk before anybody meant it. */
const ordersMax = 2_000_000

export const seed = command({
  name: 'seed',
  summary: 'Fill a merchant with demo orders of the last half year, and with a catalogue if it has none.',
  options: z.strictObject({
    ...merchantOptions,
    orders: numberOption('How many orders.', { min: 1, max: ordersMax }),
    seed: textOption('Makes the same orders again for a merchant that is as new.').optional(),
    'yes-live': flag('Also in production, where the orders of a live merchant are real ones.'),
    'emit-events': flag('Also send order.created for each of them to the merchant’s webhook endpoints.'),
  }),
  run: (values) =>
    connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      if (context.isProduction && tenant.mode === 'live' && values['yes-live'] !== true) {
        throw new UsageError(
          `Merchant ${tenant.merchantId} is live, and this is production. Use --mode test, or --yes-live to mix demo orders with real ones.`,
        )
      }
      const outcome = await seedOrders(context, operator, tenant, {
        orders: values.orders,
        ...(values.seed === undefined ? {} : { seed: values.seed }),
        emitEvents: values['emit-events'] ?? false,
        onProgress: (done) => showProgress(`${done} of ${values.orders} orders`),
      })
      endProgress()
      switch (outcome.is) {
        case 'seeded': {
          const { orders, products, events } = outcome
          return {
            json: { ...tenant, orders, products, events },
            text: `${orders} orders, ${products} products and ${events} events were made.`,
          }
        }
        case 'nothing_to_sell':
          throw new CommandFailure('The merchant has products, but none that is active and whose stock is counted.')
      }
    }),
})
