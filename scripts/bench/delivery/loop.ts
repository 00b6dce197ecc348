import { Agent, request } from 'undici'
import { userAgent } from '../../../src/outbound/user-agent.ts'
import { signatureHeaders } from '../../../src/webhooks/sign.ts'
import { answerParent } from './child.ts'

/**
 * What the worker is measured against: a loop that signs and posts, and has no database, no leases, no guard of
 * addresses and no history.
 */
export interface LoopQuestion {
  readonly url: string
  readonly secret: string
  readonly body: string
  readonly posts: number
}

/** More gained nothing with any receiver on one core. */
const inFlight = 64
const agent = new Agent({ connections: inFlight, pipelining: 1 })

async function post({ url, secret, body }: LoopQuestion): Promise<void> {
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

answerParent<LoopQuestion>(async (question) => {
  let begun = 0
  const lane = async () => {
    while (begun < question.posts) {
      begun += 1
      await post(question)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
  return {}
})
