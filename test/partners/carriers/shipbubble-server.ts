import { createHmac } from 'node:crypto'
import type { RawCallback } from '../../../src/partners/carriers/carrier.ts'
import {
  type Answered,
  type ContractRequest,
  type ContractServer,
  lagosText,
  openContractServer,
} from './contract-server.ts'

/** A fake server of Shipbubble's public contract, which can simulate faults. */

export interface ShipbubbleOrder {
  readonly orderId: string
  readonly courierId: string
  readonly feeNaira: number
  readonly madeAtMs: number
  /** The recipient of the order. The list of orders omits the fields that are undefined. */
  to: { phone: string | undefined; address: string | undefined; name: string }
  status: string
}

type ShipbubbleOperation = 'validate' | 'address' | 'categories' | 'rates' | 'create' | 'list' | 'read' | 'cancel'

export interface ShipbubbleServer extends ContractServer<ShipbubbleOperation> {
  readonly apiKey: string
  readonly orders: ShipbubbleOrder[]
  day: {
    isWalletEmpty: boolean
    isUnverified: boolean
    isTokenExpired: boolean
    isOutOfArea: boolean
    isCourierDown: boolean
    /** The maximum page size of the list, even if the request asks for more. */
    pageMax: number
    priceNaira: number
    /** The amount by which a shipping label costs more than its offered rate. */
    surchargeNaira: number
    /** Whether the list of orders returns its first page for every page number. */
    repeatsFirstPage: boolean
  }
  /** Invalidates all address codes that the server has issued so far, or only the given number of the earliest ones. */
  invalidateAddresses(count?: number): void
  callback(event: string, fields: object, hash?: 'sha512' | 'sha256'): RawCallback
}

interface Address {
  readonly name: string
  readonly phone: string
  readonly formatted: string
}

export async function openShipbubbleServer(nowMs: () => number = Date.now): Promise<ShipbubbleServer> {
  const apiKey = 'sb_prod_0123456789'
  const orders: ShipbubbleOrder[] = []
  const addresses: (Address | undefined)[] = []
  const rates = new Map<string, { readonly to: Address; readonly prices: Readonly<Record<string, number>> }>()
  const day: ShipbubbleServer['day'] = {
    isWalletEmpty: false,
    isUnverified: false,
    isTokenExpired: false,
    isOutOfArea: false,
    isCourierDown: false,
    pageMax: 100,
    priceNaira: 2_150.75,
    surchargeNaira: 0,
    repeatsFirstPage: false,
  }

  const validate = ({ body }: ContractRequest): Answered => {
    if (!/^\p{L}+( \p{L}+)+$/u.test(body.name)) return failed(422, 'Validation failed', ['name must be two words'])
    if (!/^\+234\d{10}$/.test(body.phone)) return failed(422, 'Validation failed', ['phone is not valid'])
    // Rewrites an address, as Shipbubble's geocoder does.
    const formatted = `${body.address.split(', ')[0].toUpperCase()}, Eti-Osa 106104, Lagos`
    const address = { name: body.name, phone: body.phone, formatted }
    addresses.push(address)
    const data = { address_code: 90_000 + addresses.length, formatted_address: formatted, phone: body.phone }
    return [200, { status: 'success', message: 'Validated', data }]
  }

  const address = ({ path }: ContractRequest): Answered => {
    const code = Number(path.split('/').at(-1))
    const known = addresses[code - 90_001]
    if (known === undefined) return failed(404, 'Address code not found')
    return [200, { status: 'success', data: { address_code: code, formatted_address: known.formatted } }]
  }

  const fetchRates = ({ body }: ContractRequest): Answered => {
    const from = addresses[body.sender_address_code - 90_001]
    const to = addresses[body.reciever_address_code - 90_001]
    if (from === undefined || to === undefined) return failed(404, 'Address code not found')
    if (!/^\d{4}-\d{2}-\d{2}$/.test(body.pickup_date)) return failed(422, 'Validation failed', ['pickup_date'])
    if (day.isOutOfArea) return failed(400, 'No courier covers this route')
    const token = `token-${rates.size + 1}`
    rates.set(token, { to, prices: { kwik: day.priceNaira, gigl: 3_900.5 } })
    const couriers = [
      courier('kwik', day.priceNaira, `${body.pickup_date} 17:30:00`),
      { courier_id: 'broken', total: 'no number' },
      { ...courier('gigl', 3_900.5, undefined), currency: '₦' },
      { ...courier('station', 100, undefined), service_type: 'dropoff' },
      { ...courier('dhl', 40, undefined), currency: 'USD' },
    ]
    return [200, { status: 'success', message: 'Rates', data: { request_token: token, couriers } }]
  }

  const create = ({ body }: ContractRequest): Answered => {
    const rate = rates.get(body.request_token)
    const feeNaira = rate?.prices[body.courier_id]
    if (day.isUnverified) return failed(400, 'Complete your KYC to continue')
    if (day.isCourierDown) return failed(503, 'The courier service is unavailable')
    if (rate === undefined || feeNaira === undefined || day.isTokenExpired)
      return failed(400, 'Request token has expired')
    if (day.isWalletEmpty) return failed(400, 'Insufficient wallet balance')
    const order: ShipbubbleOrder = {
      orderId: `SB-${1_000 + orders.length}`,
      courierId: body.courier_id,
      feeNaira: feeNaira + day.surchargeNaira,
      madeAtMs: nowMs(),
      to: { phone: rate.to.phone.replace('+234', '0'), address: rate.to.formatted, name: rate.to.name },
      status: 'pending',
    }
    orders.push(order)
    return [200, { status: 'success', message: 'Created', data: recordOf(order) }]
  }

  const list = ({ query }: ContractRequest): Answered => {
    const page = day.repeatsFirstPage ? 1 : Number(query.get('Page'))
    const perPage = Math.min(day.pageMax, Number(query.get('PerPage')))
    const [first = '', last = ''] = [query.get('start_date'), query.get('end_date')].map((text) => text ?? '')
    const all = orders.filter(({ madeAtMs }) => {
      const madeOn = lagosText(madeAtMs).slice(0, 10)
      return first <= madeOn && madeOn <= last
    })
    const results = all.toReversed().slice((page - 1) * perPage, page * perPage)
    return [200, { status: 'success', data: { results: results.map(recordOf), pagination: { current: page } } }]
  }

  const cancel = (order: ShipbubbleOrder): Answered => {
    if (order.status !== 'pending' && order.status !== 'confirmed') return failed(400, 'Shipment can not be cancelled')
    order.status = 'cancelled'
    return [200, { status: 'success', message: 'Shipment cancelled' }]
  }

  const server = await openContractServer<ShipbubbleOperation>({
    operationOf: ({ line }) => {
      if (line === 'POST /v1/shipping/address/validate') return 'validate'
      if (line.startsWith('GET /v1/shipping/address/')) return 'address'
      if (line === 'GET /v1/shipping/labels/categories') return 'categories'
      if (line === 'POST /v1/shipping/fetch_rates') return 'rates'
      if (line === 'POST /v1/shipping/labels') return 'create'
      if (line === 'GET /v1/shipping/labels') return 'list'
      if (line.startsWith('GET /v1/shipping/labels/list/')) return 'read'
      return line.startsWith('POST /v1/shipping/labels/cancel/') ? 'cancel' : undefined
    },
    work: (operation, request) => {
      if (request.headers.authorization !== `Bearer ${apiKey}`) return failed(401, 'Unauthorized')
      const order = orders.find(({ orderId }) => request.path.endsWith(`/${orderId}`))
      switch (operation) {
        case 'validate':
          return validate(request)
        case 'address':
          return address(request)
        case 'categories':
          return [200, { status: 'success', data: categories }]
        case 'rates':
          return fetchRates(request)
        case 'create':
          return create(request)
        case 'list':
          return list(request)
        case 'read':
          return [200, { status: 'success', data: { results: order === undefined ? [] : [recordOf(order)] } }]
        case 'cancel':
          return order === undefined ? failed(404, 'Order not found') : cancel(order)
      }
    },
  })
  return {
    ...server,
    url: `${server.url}/v1`,
    apiKey,
    orders,
    day,
    invalidateAddresses: (count = addresses.length) => addresses.fill(undefined, 0, count),
    callback: (event, fields, hash = 'sha512') => {
      const body = Buffer.from(JSON.stringify({ event, ...fields }))
      return { body, headers: { 'x-ship-signature': createHmac(hash, apiKey).update(body).digest('hex') } }
    },
  }
}

const categories = [
  { category_id: 2_178_251, category: 'Hot food' },
  { category_id: 74_794_423, category: 'Fashion wears' },
]

function courier(code: string, total: number, deliveredAt: string | undefined): object {
  const vat = Math.round((total * 100 * 75) / 1_075) / 100
  const times = { delivery_eta: 'Within a day', delivery_eta_time: deliveredAt ?? null }
  const names = { courier_id: code, courier_name: code.toUpperCase(), service_code: `${code}_delivery` }
  return { ...names, service_type: 'pickup', total, vat, currency: 'NGN', ...times, rate_card_amount: total + 100 }
}

function recordOf(order: ShipbubbleOrder): object {
  const { orderId, status, feeNaira, madeAtMs, to, courierId } = order
  return {
    order_id: orderId,
    status,
    courier: { name: courierId, tracking_code: 'T1', rider_info: status === 'pending' ? null : { name: 'Bola' } },
    payment: { shipping_fee: feeNaira, type: 'wallet', status: 'completed', currency: 'NGN' },
    ship_to: to,
    tracking_url: `https://shipbubble.example/${orderId}`,
    date: lagosText(madeAtMs),
    package_status: [{ status: 'Pending', datetime: lagosText(madeAtMs) }],
    events: [],
  }
}

function failed(status: number, message: string, errors: readonly string[] = []): Answered {
  return [status, { status: 'failed', message, errors }]
}
