import type { EventKind } from '../../registry/kit/event.ts'
import { signatureHeader } from '../../registry/kit/event.ts'
import { webhookToleranceSeconds } from '../../registry/values/limits.ts'
import type { EndpointId, EventId } from '../../registry/values/vocabulary.ts'
import { examplePayload } from '../../registry/webhooks/webhooks.ts'
import { type Clock, toTimestamp } from '../base/clock.ts'
import type { FetchErrorCode } from '../outbound/fetch-error.ts'
import type { SafeFetch } from '../outbound/safe-fetch.ts'
import { userAgent } from '../outbound/user-agent.ts'
import { pendingEvent } from '../store/core/outbox.ts'
import { signatureHeaders } from './sign.ts'
import { newSigningSecret } from './signing-secret.ts'

/**
 * Learns whether a receiver verifies what it is sent, by sending it samples that are wrong in one way each:
 *
 *   valid ── forged ── stale ── future ── altered ── unsigned ── duplicate
 *
 * One after another, each with an id of its own, so that a receiver which knows an id already cannot pass for one that
 * verified; only the last is the first again, as a retry would be.
 */

export const probeNames = ['valid', 'forged', 'stale', 'future', 'altered', 'unsigned', 'duplicate'] as const

export type ProbeName = (typeof probeNames)[number]

export interface Probe {
  readonly name: ProbeName
  /** What was sent, as a sentence. */
  readonly sent: string
  readonly eventId: EventId
  readonly expected: 'acknowledged' | 'refused'
  readonly outcome: 'acknowledged' | 'refused' | 'unanswered'
  readonly httpStatus: number | null
  readonly errorCode: FetchErrorCode | null
  readonly durationMs: number
  readonly isRight: boolean
}

/**
 * `sound`: every answer was right. `flawed`: some were wrong; `findings` says which. `inconclusive`: some never came, and no
 * other was wrong. `unreachable`: not even a valid sample was answered, so that nothing is known.
 */
export interface ProbeReport {
  readonly verdict: 'sound' | 'flawed' | 'inconclusive' | 'unreachable'
  readonly findings: readonly string[]
  readonly probes: readonly Probe[]
}

export interface Probed {
  readonly url: string
  /** All that deliveries are signed with, so that a receiver is judged by what it gets: during a rotation there are two. */
  readonly secrets: readonly string[]
  readonly endpointId: EndpointId
  readonly kind: EventKind
  readonly mode: 'live' | 'test'
}

export interface ProbeContext {
  readonly clock: Clock
  readonly fetch: SafeFetch['fetch']
}

/** A request may be ten seconds on its way and clocks differ by some: at the very second a right answer would look wrong. */
const marginSeconds = 30
const distanceSeconds = webhookToleranceSeconds + marginSeconds

export async function probeReceiver(context: ProbeContext, probed: Probed): Promise<ProbeReport> {
  const probes: Probe[] = []
  const first = sampleOf(context, probed)
  for (const name of probeNames) {
    probes.push(await send(context, probed, name, first))
    if (probes[0]?.outcome === 'unanswered') break
  }
  return { ...judge(probes), probes }
}

interface Sample {
  readonly id: EventId
  readonly body: string
  /** When it was made, which is when it is first sent. */
  readonly seconds: number
}

function sampleOf({ clock }: ProbeContext, { endpointId, kind, mode }: Probed): Sample {
  const nowMs = clock.nowMs()
  const moment = { nowMs, now: toTimestamp(nowMs), mode }
  const { id, body } = pendingEvent(kind, endpointId, examplePayload(kind), moment, true)
  return { id, body, seconds: Math.floor(nowMs / 1000) }
}

/** How each probe is made, what a receiver should do with it, and what is to be said of one that does not. */
interface Making {
  readonly sent: string
  readonly expected: Probe['expected']
  readonly finding: string
  /** The headers, of a sample of the probe's own and of the first one. */
  readonly headers: (probed: Probed, own: Sample, first: Sample) => Record<string, string>
}

const makings: { readonly [Name in ProbeName]: Making } = {
  valid: {
    sent: 'A sample, rightly signed.',
    expected: 'acknowledged',
    finding: 'It refuses valid events, so that what else it refuses proves nothing.',
    headers: ({ secrets }, own) => signed(secrets, own),
  },
  forged: {
    sent: 'One that was signed with another secret.',
    expected: 'refused',
    finding: 'It takes forged events: anybody can make them, because the signature is not compared.',
    headers: (_, own) => signed([newSigningSecret()], own),
  },
  stale: {
    sent: `One that was rightly signed ${distanceSeconds} seconds ago.`,
    expected: 'refused',
    finding: 'It takes old events: whoever got hold of one can send it again at any time.',
    headers: ({ secrets }, own) => signed(secrets, own, -distanceSeconds),
  },
  future: {
    sent: `One that was rightly signed for ${distanceSeconds} seconds from now.`,
    expected: 'refused',
    finding: 'It takes events from the future: look at how far the time is away in both directions.',
    headers: ({ secrets }, own) => signed(secrets, own, distanceSeconds),
  },
  altered: {
    sent: 'Another body under the signature of the first.',
    expected: 'refused',
    finding: 'It takes altered events: the signature is not compared with the body that came.',
    headers: ({ secrets }, _, first) => signed(secrets, first),
  },
  unsigned: {
    sent: 'One without a signature.',
    expected: 'refused',
    finding: 'It takes unsigned events: a request without the header must be refused like one with a wrong one.',
    headers: ({ secrets }, own) => unsigned(signed(secrets, own)),
  },
  duplicate: {
    sent: 'The first once more, the same id and body under a new signature.',
    expected: 'acknowledged',
    finding: 'It refuses an event that comes again, which is then retried in vain: answer it with 2xx and do nothing.',
    headers: ({ secrets }, own) => signed(secrets, own),
  },
}

function signed(secrets: readonly string[], { id, body, seconds }: Sample, laterSeconds = 0): Record<string, string> {
  return signatureHeaders({ secrets, eventId: id, seconds: seconds + laterSeconds, body })
}

/** Without either of the two signatures. */
function unsigned(headers: Record<string, string>): Record<string, string> {
  const { [signatureHeader]: _service, 'webhook-signature': _standard, ...rest } = headers
  return rest
}

async function send(context: ProbeContext, probed: Probed, name: ProbeName, first: Sample): Promise<Probe> {
  const { sent, expected, headers } = makings[name]
  const own = ownSample(context, probed, name, first)
  const answer = await context.fetch({
    url: probed.url,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent, ...headers(probed, own, first) },
    body: own.body,
    mayArriveTwice: true,
  })
  const { durationMs } = answer
  const probe = { name, sent, expected, eventId: own.id, durationMs }
  if (answer.is === 'failed') {
    return { ...probe, outcome: 'unanswered', httpStatus: null, errorCode: answer.errorCode, isRight: false }
  }
  const outcome = answer.status >= 200 && answer.status <= 299 ? 'acknowledged' : 'refused'
  return { ...probe, outcome, httpStatus: answer.status, errorCode: null, isRight: outcome === expected }
}

function ownSample(context: ProbeContext, probed: Probed, name: ProbeName, first: Sample): Sample {
  if (name === 'valid') return first
  const sample = sampleOf(context, probed)
  return name === 'duplicate' ? { ...first, seconds: sample.seconds } : sample
}

function judge(probes: readonly Probe[]): Omit<ProbeReport, 'probes'> {
  const unanswered = probes.filter(({ outcome }) => outcome === 'unanswered')
  const [first] = probes
  if (first?.outcome === 'unanswered') {
    return {
      verdict: 'unreachable',
      findings: [`It could not be reached (${first.errorCode}): nothing is known of it.`],
    }
  }
  const wrong = probes.filter(({ isRight, outcome }) => !isRight && outcome !== 'unanswered')
  const findings = [
    ...wrong.map(({ name }) => makings[name].finding),
    ...unanswered.map(
      ({ name, errorCode }) => `It did not answer the ${name} one (${errorCode}), which proves nothing.`,
    ),
  ]
  return { verdict: wrong.length > 0 ? 'flawed' : unanswered.length > 0 ? 'inconclusive' : 'sound', findings }
}
