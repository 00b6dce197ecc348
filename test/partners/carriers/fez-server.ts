import { createHmac } from 'node:crypto'
import type { RawCallback } from '../../../src/partners/carriers/carrier.ts'
import {
  type Answered,
  type ContractRequest,
  type ContractServer,
  lagosText,
  openContractServer,
} from './contract-server.ts'

/** A fake server that implements Fez Delivery's public API and can simulate faults. */

export interface FezOrder {
  readonly orderNo: string
  readonly uniqueId: string
  /** All statuses that the Fez order has had, the latest one last. */
  readonly history: { readonly orderStatus: string; readonly at: string }[]
  isDeleted: boolean
}

type FezOperation = 'login' | 'cost' | 'estimate' | 'create' | 'track' | 'search' | 'cancel'

export interface FezServer extends ContractServer<FezOperation> {
  readonly userId: string
  readonly password: string
  readonly secretKey: string
  readonly orders: FezOrder[]
  day: {
    isWalletEmpty: boolean
    isSuspended: boolean
    isOutOfArea: boolean
    /** The expiry time in a new login token, as text. Undefined means one hour after the login. */
    expireToken: string | undefined
    /** The HTTP status for a duplicate order: 200, as in some of Fez's responses, or 400. */
    duplicateStatus: number
    /** The text of the delivery estimate that the server returns for a route between two states. */
    eta: string
  }
  /** Invalidates all login tokens that the server has issued so far. */
  endTokens(): void
  move(orderStatus: string, at?: string): void
  callback(status: string): RawCallback
  signedCallback(status: string, timestamp: string): RawCallback
}

const states = /^(Lagos|FCT|Kano|Oyo|Rivers)$/

export async function openFezServer(nowMs: () => number = Date.now): Promise<FezServer> {
  const userId = 'G-4568-3493'
  const password = 'a password of Fez'
  const secretKey = 'fez-secret-key'
  const orders: FezOrder[] = []
  const tokens = new Set<string>()
  let logins = 0
  const day: FezServer['day'] = {
    isWalletEmpty: false,
    isSuspended: false,
    isOutOfArea: false,
    expireToken: undefined,
    duplicateStatus: 400,
    eta: '1 day(s)',
  }

  const login = ({ body }: ContractRequest): Answered => {
    if (body.user_id !== userId || body.password !== password) return wrong(400, 'Invalid login details')
    if (day.isSuspended) return wrong(403, 'Account suspended, contact support')
    const authToken = `token-${++logins}`
    tokens.add(authToken)
    const expireToken = day.expireToken ?? lagosText(nowMs() + 3_600_000)
    const orgDetails = { 'secret-key': secretKey, 'Org Full Name': 'Adire Lagos' }
    return [200, { status: 'Success', authDetails: { authToken, expireToken }, userDetails: {}, orgDetails }]
  }

  const cost = ({ body }: ContractRequest): Answered => {
    if (day.isOutOfArea) return wrong(400, 'We do not deliver to this state yet')
    if (!states.test(body.state) || !states.test(body.pickUpState)) return wrong(422, 'The selected state is invalid')
    const totalCost = body.state === body.pickUpState ? 2_687.5 : '4,350.75'
    return [200, { status: 'Success', description: 'Cost fetched', totalCost }]
  }

  const estimate = ({ body }: ContractRequest): Answered => {
    const eta = body.pick_up_state === body.drop_off_state ? 'Same day' : day.eta
    return [200, { status: 'Success', description: 'Delivery time estimate fetched', data: { eta } }]
  }

  const search = ({ path }: ContractRequest): Answered => {
    const found = orders.filter(({ uniqueId }) => path.endsWith(`/${uniqueId}`))
    if (found.length === 0) return wrong(404, 'Order not found')
    const data = found.map(({ orderNo, uniqueId }) => ({
      orderNo,
      waybillNumber: uniqueId,
      orderStatus: 'Pending Pick-Up',
    }))
    return [200, { status: 'Success', description: 'Orders fetched', orders: { data } }]
  }

  const remove = ({ body }: ContractRequest): Answered => {
    const order = orders.find(({ orderNo, isDeleted }) => orderNo === body.orderNo && !isDeleted)
    if (order === undefined) return wrong(404, 'Order not found')
    if (order.history.at(-1)?.orderStatus !== 'Pending Pick-Up') return wrong(400, 'Order can not be deleted')
    order.isDeleted = true
    return [200, { status: 'Success', description: 'Order Deleted Successfully' }]
  }

  const create = ({ body }: ContractRequest): Answered => {
    const [asked] = body
    if (day.isWalletEmpty) return wrong(400, 'Insufficient funds, kindly fund your wallet')
    if (!/^0\d{10}$/.test(asked.recipientPhone)) return wrong(422, 'recipientPhone is not valid')
    const earlier = orders.find(({ uniqueId }) => uniqueId === asked.uniqueID)
    if (earlier !== undefined) {
      const duplicateUniqueIds = { [earlier.uniqueId]: earlier.orderNo }
      return [day.duplicateStatus, { status: 'Error', description: 'Duplicate order(s) found', duplicateUniqueIds }]
    }
    const order: FezOrder = {
      orderNo: `JHAZ2701231${orders.length}`,
      uniqueId: asked.uniqueID,
      history: [],
      isDeleted: false,
    }
    order.history.push({ orderStatus: 'Pending Pick-Up', at: '2026-11-21 08:00:00' })
    orders.push(order)
    const orderNos = { [order.uniqueId]: order.orderNo }
    return [200, { status: 'Success', description: 'Order Successfully Created', orderNos }]
  }

  const track = ({ path }: ContractRequest): Answered => {
    const order = orders.find(({ orderNo, isDeleted }) => path.endsWith(`/${orderNo}`) && !isDeleted)
    if (order === undefined) return wrong(404, 'Order not found')
    const history = order.history.map(({ orderStatus, at }) => ({
      orderStatus,
      statusCreationDate: at,
      statusDescription: orderStatus,
    }))
    const orderStatus = order.history.at(-1)?.orderStatus
    return [200, { status: 'Success', order: { orderNo: order.orderNo, orderStatus }, history }]
  }

  const server = await openContractServer<FezOperation>({
    operationOf: ({ line }) => {
      if (line === 'POST /v1/user/authenticate') return 'login'
      if (line === 'POST /v1/order/cost') return 'cost'
      if (line === 'POST /v1/delivery-time-estimate') return 'estimate'
      if (line === 'POST /v1/order') return 'create'
      if (line === 'DELETE /v1/order') return 'cancel'
      if (line.startsWith('GET /v1/orders/search/')) return 'search'
      return line.startsWith('GET /v1/order/track/') ? 'track' : undefined
    },
    work: (operation, request) => {
      if (operation === 'login') return login(request)
      const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
      if (!tokens.has(token) || request.headers['secret-key'] !== secretKey) return wrong(401, 'Unauthorized')
      if (operation === 'cost') return cost(request)
      if (operation === 'estimate') return estimate(request)
      if (operation === 'search') return search(request)
      if (operation === 'cancel') return remove(request)
      return operation === 'create' ? create(request) : track(request)
    },
  })

  const latest = () => {
    const order = orders.at(-1)
    if (order === undefined) throw new Error('Fez has no order.')
    return order
  }
  return {
    ...server,
    url: `${server.url}/v1`,
    userId,
    password,
    secretKey,
    orders,
    day,
    endTokens: () => tokens.clear(),
    move: (orderStatus, at = '2026-11-21 09:15:00') => latest().history.push({ orderStatus, at }),
    callback: (status) => callbackOf({ orderNumber: latest().orderNo, status }),
    signedCallback: (status, timestamp) => {
      const orderNumber = latest().orderNo
      const signature = createHmac('sha256', secretKey).update(`${orderNumber}${status}${timestamp}`).digest('hex')
      return callbackOf({ orderNumber, status }, { 'x-fez-signature': signature, 'x-fez-timestamp': timestamp })
    },
  }
}

function callbackOf(fields: object, headers: RawCallback['headers'] = {}): RawCallback {
  return { body: Buffer.from(JSON.stringify(fields)), headers }
}

function wrong(status: number, description: string): Answered {
  return [status, { status: 'Error', description }]
}
