import { customerAddressesMax } from '../../registry/values/limits.ts'
import {
  createAddress as createAddressVerb,
  deleteAddress as deleteAddressVerb,
  updateAddress as updateAddressVerb,
} from '../commerce/customers/addresses.ts'
import { implement } from './execute/implement.ts'
import { validationRefusal } from './execute/validate.ts'

export const createAddress = implement('createAddress', async ({ work, params, body, refuse }) => {
  const outcome = await createAddressVerb(work, params.id, body)
  switch (outcome.is) {
    case 'done':
      return outcome.reply
    case 'customer_unknown':
      return refuse('customer_not_found', `No customer has the id ${params.id}.`)
    case 'customer_anonymised':
      return refuse('customer_anonymised', `Customer ${params.id} is anonymised.`)
    case 'too_many': {
      const limit = customerAddressesMax
      return refuse('address_limit_reached', `The customer already has ${limit} addresses, which is the maximum.`, {
        limit,
      })
    }
  }
})

export const updateAddress = implement('updateAddress', async ({ work, params, body, refuse }) => {
  const outcome = await updateAddressVerb(work, params, body)
  switch (outcome.is) {
    case 'done':
      return outcome.reply
    case 'customer_unknown':
      return refuse('customer_not_found', `No customer has the id ${params.id}.`)
    case 'address_unknown':
      return refuse('address_not_found', `The customer has no address ${params.addressId}.`)
    case 'contradictory': {
      const { message, example } = outcome
      const fix = `Send a value such as ${JSON.stringify(example)}, or send \`city\` and \`state\` together.`
      throw validationRefusal([{ path: 'body.state', code: 'invalid_value', message, fix }])
    }
  }
})

export const deleteAddress = implement('deleteAddress', async ({ work, params, refuse }) => {
  const outcome = await deleteAddressVerb(work, params)
  switch (outcome.is) {
    case 'done':
      return outcome.reply
    case 'customer_unknown':
      return refuse('customer_not_found', `No customer has the id ${params.id}.`)
    case 'address_unknown':
      return refuse('address_not_found', `The customer has no address ${params.addressId}.`)
  }
})
