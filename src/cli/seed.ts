import { z } from 'zod'
import { seedOrders } from '../demo/seed-orders.ts'
import { command } from './kit/command.ts'
import { connected } from './kit/connect.ts'
import { CommandFailure, UsageError } from './kit/failure.ts'
import { operator } from './kit/operator.ts'
import { flag, merchantOptions, numberOption, textOption } from './kit/option.ts'
import { endProgress, showProgress } from './kit/output.ts'
import { tenantOf } from './kit/tenant.ts'

/** Maximum number of demo orders: two years of orders of a large shop. More could fill a laptop's disk. */
const ordersMax = 2_000_000

export const seed = command({
  name: 'seed',
  summary: 'Create demo orders of the last half year for a merchant, and demo products if it has none.',
  options: z.strictObject({
    ...merchantOptions,
    orders: numberOption('The number of demo orders to create.', { min: 1, max: ordersMax }),
    seed: textOption(
      'A seed for the random generator: the same seed creates the same orders for a new merchant.',
    ).optional(),
    'yes-live': flag('Allow demo orders for a live merchant in production, where its other orders are real.'),
    'emit-events': flag('Also send order.created for each order to the merchant’s webhook endpoints.'),
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
            text: `Created ${orders} orders, ${products} products and ${events} events.`,
          }
        }
        case 'nothing_to_sell':
          throw new CommandFailure('The merchant has products, but none that is active with tracked inventory.')
      }
    }),
})
