import { createHmac } from 'node:crypto'
import type { RawCallback } from '../../../src/partners/carriers/carrier.ts'
import { type Answered, type ContractRequest, type ContractServer, openContractServer } from './contract-server.ts'

/** A fake server of Chowdeck Relay's public contract, which can simulate faults. */

export interface ChowdeckDelivery {
  readonly id: number
  readonly reference: string
  /** Status of the delivery, as the carrier names it in its records. */
  status: string
  driver: string | undefined
  priceKobo: number
  /** Time of the delivery's last update, in Lagos time. If null, the response lacks this field. */
  updatedAt: string | null
}

type ChowdeckOperation = 'fee' | 'create' | 'read' | 'cancel'

export interface ChowdeckServer extends ContractServer<ChowdeckOperation> {
  readonly apiKey: string
  readonly webhookSecret: string
  readonly deliveries: ChowdeckDelivery[]
  day: {
    isWalletEmpty: boolean
    isFeeExpired: boolean
    isBusy: boolean
    isTooFar: boolean
    /** The amount by which the price that the carrier charges exceeds the fee that it quoted. */
    surchargeKobo: number
    /** The part of the price that the carrier does not refund on a cancellation. */
    keptKobo: number
  }
  callback(category: string, payload: object): RawCallback
}

export async function openChowdeckServer(): Promise<ChowdeckServer> {
  const apiKey = 'chowdeck-key-0001'
  const webhookSecret = 'chowdeck-webhook-secret'
  const deliveries: ChowdeckDelivery[] = []
  const fees = new Map<number, number>()
  const day: ChowdeckServer['day'] = {
    isWalletEmpty: false,
    isFeeExpired: false,
    isBusy: false,
    isTooFar: false,
    surchargeKobo: 0,
    keptKobo: 0,
  }

  const fee = ({ body }: ContractRequest): Answered => {
    if (day.isTooFar) return failed(500, 'Delivery distance too large')
    const isPlaced = (end: string) =>
      body[`${end}_address`] !== undefined || body[`${end}_address_string`] !== undefined
    if (!isPlaced('source') || !isPlaced('destination')) return failed(422, 'source_address is required')
    const id = 12_001 + fees.size
    const parts = { delivery_amount: 180_000, service_amount: 15_000, safety_fee: 5_050 }
    fees.set(id, 200_050)
    return [200, { status: 'success', data: { id, total_amount: 200_050, ...parts } }]
  }

  const create = ({ body }: ContractRequest): Answered => {
    // In the carrier's contract, `fee_id` and `delivery_pin` are numbers, so the server rejects strings.
    if (typeof body.fee_id !== 'number') return failed(422, 'fee_id must be a number')
    if (!['undefined', 'number'].includes(typeof body.delivery_pin)) return failed(422, 'delivery_pin must be a number')
    const price = fees.get(body.fee_id)
    if (price === undefined || day.isFeeExpired) return failed(400, 'Fee has expired, request a new fee')
    if (day.isWalletEmpty) return failed(400, 'Insufficient wallet balance')
    if (day.isBusy) return failed(400, 'No rider available near the pickup address')
    for (const contact of [body.source_contact, body.destination_contact]) {
      if (!/^\+234\d{10}$/.test(contact?.phone)) return failed(422, 'phone is not valid')
    }
    const names = { id: 7_000 + deliveries.length, reference: body.reference, status: 'received' }
    const delivery = {
      ...names,
      driver: undefined,
      priceKobo: price + day.surchargeKobo,
      updatedAt: '2026-11-21 09:15:00',
    }
    deliveries.push(delivery)
    const paid = { delivery_price: delivery.priceKobo, made_payment: true }
    const tracking_url = `https://track.example/${delivery.reference}`
    return [200, { status: 'success', data: { ...names, ...paid, tracking_url } }]
  }

  const read = ({ priceKobo, driver, updatedAt, ...delivery }: ChowdeckDelivery): Answered => [
    200,
    {
      status: 'success',
      data: {
        ...delivery,
        delivery_price: priceKobo,
        driver: driver === undefined ? null : { name: driver },
        updated_at: updatedAt,
      },
    },
  ]

  const cancel = (delivery: ChowdeckDelivery): Answered => {
    if (isHandedOver(delivery)) return failed(400, 'Delivery can no longer be cancelled')
    delivery.status = 'cancelled'
    const { priceKobo, driver: _, updatedAt: __, ...names } = delivery
    const refund_amount = priceKobo - day.keptKobo
    return [200, { status: 'success', data: { ...names, refund_amount, currency: 'NGN' } }]
  }

  const server = await openContractServer<ChowdeckOperation>({
    operationOf: ({ line }) => {
      if (line === 'POST /relay/delivery/fee') return 'fee'
      if (line === 'POST /relay/delivery') return 'create'
      if (/^POST \/relay\/delivery\/[^/]+\/cancel$/.test(line)) return 'cancel'
      return /^GET \/relay\/delivery\/[^/]+$/.test(line) ? 'read' : undefined
    },
    work: (operation, request) => {
      if (request.headers.authorization !== `Bearer ${apiKey}`) return failed(401, 'Unauthenticated')
      if (operation === 'fee') return fee(request)
      if (operation === 'create') return create(request)
      const reference = decodeURIComponent(request.path.split('/')[3] ?? '')
      const delivery = deliveries.find((each) => each.reference === reference)
      if (delivery === undefined) return failed(404, 'Delivery not found')
      return operation === 'read' ? read(delivery) : cancel(delivery)
    },
  })
  return {
    ...server,
    url: `${server.url}/relay`,
    apiKey,
    webhookSecret,
    deliveries,
    day,
    callback: (category, payload) => {
      const body = Buffer.from(JSON.stringify({ category, description: category, payload }))
      const signature = createHmac('sha256', webhookSecret).update(body).digest('hex')
      return { body, headers: { 'x-chowdeck-signature': signature } }
    },
  }
}

function isHandedOver({ status }: ChowdeckDelivery): boolean {
  return ['picked', 'in_transit', 'arrived', 'success'].includes(status)
}

function failed(status: number, message: string): Answered {
  return [status, { status: 'failed', message }]
}
