import { z } from 'zod'
import { carrierCallbackPath, connectCarrier } from '../access/connect-carrier.ts'
import { disconnectCarrier } from '../access/disconnect-carrier.ts'
import { connectableCarriers, credentialFieldsOf } from '../partners/carriers/credentials.ts'
import { findCarrierAccounts } from '../store/logistics/carriers/carrier-accounts.ts'
import { command } from './command.ts'
import { connected } from './connect.ts'
import { CommandFailure, notFound, UsageError } from './failure.ts'
import { readNamedLines } from './named-lines.ts'
import { operator } from './operator.ts'
import { merchantOptions, option } from './option.ts'
import { table } from './output.ts'
import { tenantOf } from './tenant.ts'

const carrierOptions = {
  ...merchantOptions,
  carrier: option(z.enum(connectableCarriers), {
    value: connectableCarriers.join('|'),
    meaning: 'The carrier.',
    must: `must be one of ${connectableCarriers.join(', ')}`,
  }),
}

const needsNoCarrier = 'The test side of a merchant has its parcels carried by the simulator; it needs no carrier.'

export const carrierConnect = command({
  name: 'carrier connect',
  summary: 'Connect a merchant’s account with a carrier. Its credentials are read from standard input, as name=value.',
  options: z.strictObject(carrierOptions),
  run: async (values) => {
    const { carrier } = values
    const fields = credentialFieldsOf(carrier)
    // Not options: what stands on a command line can be read by every program of the machine, and in its history.
    const credentials = await readNamedLines(fields)
    return connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const outcome = await connectCarrier(context, operator, tenant, { carrier, credentials })
      switch (outcome.is) {
        case 'connected': {
          const { hint, callbackPath } = outcome
          return {
            json: { carrier, hint, callbackPath, ...tenant },
            text: `${carrier} is connected, with the account that ends in ${hint}. Let it call back at ${callbackPath}`,
          }
        }
        case 'wrong_credentials': {
          const wanted = fields.map(({ name, isRequired }) => (isRequired ? `${name}=…` : `[${name}=…]`)).join(', ')
          throw new UsageError(
            `Standard input must hold a line for each of ${wanted}. What does not fit: ${outcome.fields.join(', ')}.`,
          )
        }
        case 'sandbox_account':
          throw new CommandFailure(
            'With NODE_ENV=production a merchant takes a live account only: nobody comes for the parcels of a sandbox.',
          )
        case 'test_mode':
          throw new CommandFailure(needsNoCarrier)
      }
    })
  },
})

export const carrierList = command({
  name: 'carrier list',
  summary: 'List the carriers a merchant has an account with.',
  options: z.strictObject(merchantOptions),
  run: (values) =>
    connected(async ({ database }) => {
      const { merchantId } = await tenantOf(database, values)
      const rows = (await findCarrierAccounts(database, merchantId)).map(
        ({ carrier, hint, callbackKey, createdAt, updatedAt }) => {
          const callbackPath = carrierCallbackPath({ merchantId, carrier, callbackKey })
          return { carrier, hint, callbackPath, createdAt, updatedAt }
        },
      )
      return { json: rows, text: table(rows, ['carrier', 'hint', 'updatedAt', 'callbackPath']) }
    }),
})

export const carrierDisconnect = command({
  name: 'carrier disconnect',
  summary: 'Forget a merchant’s account with a carrier. What is under way can then be followed no more.',
  options: z.strictObject(carrierOptions),
  run: (values) =>
    connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const { carrier } = values
      const outcome = await disconnectCarrier(context, operator, tenant, carrier)
      switch (outcome.is) {
        case 'disconnected':
          return {
            json: { carrier, disconnected: true, ...tenant },
            text: `The account that ends in ${outcome.hint} is forgotten.`,
          }
        case 'not_connected':
          throw notFound(`account with ${carrier}`)
        case 'test_mode':
          throw new CommandFailure(needsNoCarrier)
      }
    }),
})
