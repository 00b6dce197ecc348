import { anonymiseCustomer as anonymiseCustomerVerb } from '../commerce/customers/anonymise-customer.ts'
import { blockingText } from '../commerce/customers/blocking-orders.ts'
import { createCustomer as createCustomerVerb } from '../commerce/customers/create-customer.ts'
import { deleteCustomer as deleteCustomerVerb } from '../commerce/customers/delete-customer.ts'
import { updateCustomer as updateCustomerVerb } from '../commerce/customers/update-customer.ts'
import { listCustomers as listCustomerRows } from '../store/customers/customer-list.ts'
import { findCustomer } from '../store/customers/customer-records.ts'
import { implement } from './execute/implement.ts'
import { timeRangeOf } from './execute/time-range.ts'

export const listCustomers = implement('listCustomers', async ({ db, caller, filters, page }) => {
  return listCustomerRows(db, caller.merchantId, { ...filters, ...timeRangeOf(filters) }, page)
})

export const getCustomer = implement('getCustomer', async ({ db, caller, params, refuse }) => {
  const customer = await findCustomer(db, caller.merchantId, params.id)
  return customer ?? refuse('customer_not_found', `No customer has the id ${params.id}.`)
})

export const createCustomer = implement('createCustomer', async ({ work, body, refuse }) => {
  const outcome = await createCustomerVerb(work, body)
  switch (outcome.is) {
    case 'created':
      return outcome.customer
    case 'exists': {
      const { existingId } = outcome
      return refuse('customer_exists', `Customer ${existingId} already has this e-mail address.`, { existingId })
    }
    case 'reference_in_use': {
      const { existingId } = outcome
      return refuse('external_reference_in_use', `Customer ${existingId} already has this reference.`, { existingId })
    }
  }
})

export const updateCustomer = implement('updateCustomer', async ({ work, params, body, refuse }) => {
  const outcome = await updateCustomerVerb(work, params.id, body)
  switch (outcome.is) {
    case 'updated':
      return outcome.customer
    case 'customer_unknown':
      return refuse('customer_not_found', `No customer has the id ${params.id}.`)
    case 'customer_anonymised':
      return refuse('customer_anonymised', `Customer ${params.id} is anonymised.`)
    case 'address_unknown':
      return refuse('address_not_found', `The customer has no address ${outcome.addressId}.`)
    case 'exists': {
      const { existingId } = outcome
      return refuse('customer_exists', `Customer ${existingId} already has this e-mail address.`, { existingId })
    }
    case 'reference_in_use': {
      const { existingId } = outcome
      return refuse('external_reference_in_use', `Customer ${existingId} already has this reference.`, { existingId })
    }
  }
})

export const deleteCustomer = implement('deleteCustomer', async ({ work, params, refuse }) => {
  const outcome = await deleteCustomerVerb(work, params.id)
  switch (outcome.is) {
    case 'deleted':
      return { id: params.id, deleted: true }
    case 'customer_unknown':
      return refuse('customer_not_found', `No customer has the id ${params.id}.`)
  }
})

export const anonymiseCustomer = implement('anonymiseCustomer', async ({ work, params, refuse }) => {
  const outcome = await anonymiseCustomerVerb(work, params.id)
  switch (outcome.is) {
    case 'anonymised':
      return outcome.customer
    case 'customer_unknown':
      return refuse('customer_not_found', `No customer has the id ${params.id}.`)
    case 'has_open_orders': {
      const { orderIds, count } = outcome
      return refuse('customer_has_open_orders', blockingText(count), { orderIds: [...orderIds], count })
    }
  }
})
