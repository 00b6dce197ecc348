import type { Answered, Request } from './faults.ts'

/** The pages of the fake Paystack server on which buyers pay. */

export interface PaystackCheckout {
  readonly reference: string
  readonly amount: number
  readonly email: string
  readonly metadata: string
  readonly url: string
}

const refused = (code: string, message: string): Answered => [400, { status: false, message, code }]

/** Paystack requires an e-mail address, and accepts a reference only once. */
export function initialize(checkouts: PaystackCheckout[], { body }: Request): Answered {
  const { reference, amount, email, metadata } = body
  if (!/^\S+@\S+$/.test(email ?? '')) return refused('invalid_params', 'Invalid Email Address Passed')
  if (!Number.isInteger(amount) || amount <= 0) return refused('invalid_params', 'Invalid Amount Sent')
  if (!/^[0-9A-Za-z.=-]+$/.test(reference)) return refused('invalid_params', 'Invalid transaction reference')
  if (checkouts.some((checkout) => checkout.reference === reference)) {
    return refused('duplicate_reference', 'Duplicate Transaction Reference')
  }
  const access_code = `page${checkouts.length + 1}`
  const authorization_url = `https://checkout.paystack.com/${access_code}`
  checkouts.push({ reference, amount, email, metadata, url: authorization_url })
  return [
    200,
    { status: true, message: 'Authorization URL created', data: { authorization_url, access_code, reference } },
  ]
}
