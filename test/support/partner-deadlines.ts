import type { IncomingHttpHeaders } from 'node:http'
import type { SafeFetch } from '../../src/outbound/safe-fetch.ts'
import { farDeadlineMs } from '../outbound/outbound.ts'

/**
 * Deadlines for requests to a fake server of a partner. A deadline passes only when the server does not respond, and
 * never because the machine is busy.
 */
export interface PartnerDeadlines {
  /** Returns a function that sends requests with deadlines that the test controls. */
  reach(send: SafeFetch['fetch']): SafeFetch['fetch']
  /** Makes the deadline of the request with the given headers pass. */
  expire(headers: IncomingHttpHeaders): void
}

/** Header with the number of a request. With this number, a test can make the deadline of a single request pass. */
const requestHeader = 'test-request'

export function openPartnerDeadlines(): PartnerDeadlines {
  const deadlines = new Map<string, AbortController>()
  let requests = 0
  return {
    reach: (send) => async (sent) => {
      const controller = new AbortController()
      const id = String(requests++)
      deadlines.set(id, controller)
      const signals = sent.signal === undefined ? [] : [sent.signal]
      const signal = AbortSignal.any([controller.signal, ...signals])
      const headers = { ...sent.headers, [requestHeader]: id }
      try {
        return await send({ ...sent, headers, deadlineMs: farDeadlineMs, signal })
      } finally {
        deadlines.delete(id)
      }
    },
    expire: (headers) => deadlines.get(String(headers[requestHeader]))?.abort(),
  }
}
