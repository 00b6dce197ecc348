import { Agent, request } from 'undici'
import { userAgent } from '../../../src/outbound/user-agent.ts'
import { signatureHeaders } from '../../../src/webhooks/sign.ts'
import { serveParent } from './child.ts'

/**
 * The work of a loop with which the webhook worker is compared. The loop signs and posts events, without a database,
 * leases, address policy or delivery history.
 */
export interface LoopRequest {
  readonly url: string
  readonly secret: string
  readonly body: string
  readonly posts: number
}

/**
 * Number of concurrent requests of the loop. A higher number did not increase the rate with a receiver that uses one
 * core.
 */
const inFlight = 64
const agent = new Agent({ connections: inFlight, pipelining: 1 })

async function post({ url, secret, body }: LoopRequest): Promise<void> {
  const seconds = Math.floor(Date.now() / 1000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': userAgent,
    ...signatureHeaders({ secrets: [secret], eventId: 'evt_of_the_loop', seconds, body }),
  }
  const answer = await request(url, { dispatcher: agent, method: 'POST', headers, body })
  if (answer.statusCode !== 200) throw new Error(`The receiver answered ${answer.statusCode}.`)
  await answer.body.dump()
}

serveParent<LoopRequest>(async (loopRequest) => {
  let started = 0
  const client = async () => {
    while (started < loopRequest.posts) {
      started += 1
      await post(loopRequest)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, client))
  return {}
})
