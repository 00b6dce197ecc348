import type { IncomingHttpHeaders } from 'node:http'
import type { SafeFetch } from '../../src/outbound/safe-fetch.ts'
import { farDeadlineMs } from '../outbound/outbound.ts'

/**
 * Deadlines for requests to a simulated partner. Each passes when the partner meets that request with silence, and never
 * because the machine is busy.
 */
export interface Silence {
  /** Sends requests whose deadlines these are. */
  reach(send: SafeFetch['fetch']): SafeFetch['fetch']
  /** Lets the deadline of the request with these headers pass. */
  keep(headers: IncomingHttpHeaders): void
}

/** Names a request, so that its deadline passes and no other's. */
const requestHeader = 'test-request'

export function openSilence(): Silence {
  const deadlines: AbortController[] = []
  return {
    reach: (send) => (sent) => {
      const controller = new AbortController()
      const headers = { ...sent.headers, [requestHeader]: String(deadlines.push(controller) - 1) }
      const signals = sent.signal === undefined ? [] : [sent.signal]
      const signal = AbortSignal.any([controller.signal, ...signals])
      return send({ ...sent, headers, deadlineMs: farDeadlineMs, signal })
    },
    keep: (headers) => deadlines[Number(headers[requestHeader])]?.abort(),
  }
}
