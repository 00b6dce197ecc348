import { Agent, request } from 'undici'
import { signatureHeaders } from '../../src/webhooks/sign.ts'

/**
 * What the worker is measured against: a loop that signs and posts, and has no database, no leases, no guard of
 * addresses and no history.
 */
const [url = '', secret = '', body = ''] = process.argv.slice(2)
const inFlight = 64
const agent = new Agent({ connections: inFlight, pipelining: 1 })

async function post(): Promise<void> {
  const seconds = Math.floor(Date.now() / 1000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Bench/1',
    ...signatureHeaders({ secrets: [secret], eventId: 'evt_reference', seconds, body }),
  }
  const answer = await request(url, { dispatcher: agent, method: 'POST', headers, body })
  await answer.body.dump()
}

process.on('message', async ({ posts }: { posts: number }) => {
  let begun = 0
  const startedMs = performance.now()
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (begun < posts) {
        begun += 1
        await post()
      }
    }),
  )
  process.send?.({ elapsedMs: performance.now() - startedMs })
})
process.send?.({ port: 0 })
