import { z } from 'zod'
import { connectableCarriers } from '../../../registry/values/carriers.ts'
import { carrierCallbackPath, connectCarrier } from '../../access/connect-carrier.ts'
import { disconnectCarrier } from '../../access/disconnect-carrier.ts'
import { credentialFieldsOf } from '../../partners/carriers/credentials.ts'
import { findCarrierAccounts } from '../../store/logistics/carriers/carrier-accounts.ts'
import { command } from '../kit/command.ts'
import { connected } from '../kit/connect.ts'
import { CommandFailure, notFound, UsageError } from '../kit/failure.ts'
import { readNamedLines } from '../kit/named-lines.ts'
import { operator } from '../kit/operator.ts'
import { merchantOptions, option } from '../kit/option.ts'
import { table } from '../kit/output.ts'
import { tenantOf } from '../kit/tenant.ts'

const carrierOptions = {
  ...merchantOptions,
  carrier: option(z.enum(connectableCarriers), {
    value: connectableCarriers.join('|'),
    meaning: 'The carrier.',
    must: `must be one of ${connectableCarriers.join(', ')}`,
  }),
}

const needsNoCarrier = 'Test mode uses the simulated carriers; it needs no carrier account.'

export const carrierConnect = command({
  name: 'carrier connect',
  summary: 'Connect a merchant’s carrier account. Reads the credentials from standard input, as name=value lines.',
  options: z.strictObject(carrierOptions),
  run: async (values) => {
    const { carrier } = values
    const fields = credentialFieldsOf(carrier)
    // The credentials are read from standard input, because other programs and the shell history can read a command
    // line.
    const credentials = await readNamedLines(fields)
    return connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const outcome = await connectCarrier(context, operator, tenant, { carrier, credentials })
      switch (outcome.is) {
        case 'connected': {
          const { hint, callbackPath } = outcome
          return {
            json: { carrier, hint, callbackPath, ...tenant },
            text: `Connected the ${carrier} account that ends in ${hint}. Set its callback URL to this service’s origin followed by ${callbackPath}`,
          }
        }
        case 'wrong_credentials': {
          const wanted = fields.map(({ name, isRequired }) => (isRequired ? `${name}=…` : `[${name}=…]`)).join(', ')
          throw new UsageError(
            `Standard input must have one line for each of ${wanted}. Invalid or missing: ${outcome.fields.join(', ')}.`,
          )
        }
        case 'sandbox_account':
          throw new CommandFailure(
            'With NODE_ENV=production only live accounts are accepted: a sandbox account sends no rider.',
          )
        case 'test_mode':
          throw new CommandFailure(needsNoCarrier)
      }
    })
  },
})

export const carrierList = command({
  name: 'carrier list',
  summary: 'List a merchant’s carrier accounts.',
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
  summary: 'Delete a merchant’s carrier account. Its active shipments can then no longer be tracked.',
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
            text: `Deleted the ${carrier} account that ends in ${outcome.hint}.`,
          }
        case 'not_connected':
          throw notFound(`account with ${carrier}`)
        case 'test_mode':
          throw new CommandFailure(needsNoCarrier)
      }
    }),
})
