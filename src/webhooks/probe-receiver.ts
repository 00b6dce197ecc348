import type { EventKind } from '../../registry/kit/event.ts'
import { signatureHeader } from '../../registry/kit/event.ts'
import { webhookToleranceSeconds } from '../../registry/values/limits.ts'
import type { EndpointId, EventId } from '../../registry/values/vocabulary.ts'
import { examplePayload } from '../../registry/webhooks/webhooks.ts'
import { type Clock, toTimestamp } from '../base/clock.ts'
import type { FetchErrorCode } from '../outbound/fetch-error.ts'
import type { SafeFetch } from '../outbound/safe-fetch.ts'
import { pendingEvent } from '../store/core/outbox.ts'
import { type CustomHeader, requestHeaders } from './delivery-headers.ts'
import { signatureHeaders } from './sign.ts'
import { newSigningSecret } from './signing-secret.ts'

/**
 * Checks whether a receiver verifies signatures by sending one valid sample and samples that are each invalid in one
 * way:
 *
 *   valid ── forged ── stale ── future ── altered ── unsigned ── duplicate
 *
 * The samples are sent one after another. Each has its own event id, so that a receiver that deduplicates by id does
 * not appear to verify signatures. Only the last sample repeats the first, as a retry would.
 */

export const probeNames = ['valid', 'forged', 'stale', 'future', 'altered', 'unsigned', 'duplicate'] as const

export type ProbeName = (typeof probeNames)[number]

export interface Probe {
  readonly name: ProbeName
  /** A sentence that describes the sample that the probe sends. */
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
 * Result of the check. `sound`: every response was as expected. `flawed`: some responses were not as expected;
 * `findings` lists these deviations. `inconclusive`: some probes got no response, and all other responses were as
 * expected. `unreachable`: the valid sample got no response, so nothing can be concluded.
 */
export interface ProbeReport {
  readonly verdict: 'sound' | 'flawed' | 'inconclusive' | 'unreachable'
  readonly findings: readonly string[]
  readonly probes: readonly Probe[]
}

export interface ProbedEndpoint {
  readonly url: string
  /** All valid signing secrets. During a rotation there are two, as in real deliveries. */
  readonly secrets: readonly string[]
  readonly headers: readonly CustomHeader[]
  readonly endpointId: EndpointId
  readonly kind: EventKind
  readonly mode: 'live' | 'test'
}

export interface ProbeContext {
  readonly clock: Clock
  readonly fetch: SafeFetch['fetch']
}

/**
 * Margin in seconds by which the timestamps of the outdated sample and of the future sample exceed the tolerance. A
 * request may take ten seconds and clocks differ, so without this margin a correct receiver could accept such a sample
 * and fail the check.
 */
const marginSeconds = 30
const distanceSeconds = webhookToleranceSeconds + marginSeconds

export async function probeReceiver(context: ProbeContext, probed: ProbedEndpoint): Promise<ProbeReport> {
  const probes: Probe[] = []
  const first = sampleOf(context, probed)
  for (const name of probeNames) {
    probes.push(await send(context, probed, name, first))
    if (probes[0]?.outcome === 'unanswered') break
  }
  return { ...verdictOf(probes), probes }
}

interface Sample {
  readonly id: EventId
  readonly body: string
  /** Unix time at which the sample is created and first sent. */
  readonly seconds: number
}

function sampleOf({ clock }: ProbeContext, { endpointId, kind, mode }: ProbedEndpoint): Sample {
  const nowMs = clock.nowMs()
  const moment = { nowMs, now: toTimestamp(nowMs), mode }
  const { id, body } = pendingEvent(kind, endpointId, examplePayload(kind), moment, true)
  return { id, body, seconds: Math.floor(nowMs / 1000) }
}

interface ProbeDefinition {
  readonly sent: string
  readonly expected: Probe['expected']
  readonly finding: string
  /**
   * Builds the headers of the request of a probe. `own` is the sample that this probe sends, and `first` is the sample
   * of the first probe.
   */
  readonly headers: (probed: ProbedEndpoint, own: Sample, first: Sample) => Record<string, string>
}

const probeDefinitions: { readonly [Name in ProbeName]: ProbeDefinition } = {
  valid: {
    sent: 'A correctly signed sample.',
    expected: 'acknowledged',
    finding: 'The receiver rejects valid events, so its other rejections prove nothing.',
    headers: ({ secrets }, own) => signed(secrets, own),
  },
  forged: {
    sent: 'A sample signed with another secret.',
    expected: 'refused',
    finding: 'The receiver accepts forged events: it does not compare the signature, so anyone can send events.',
    headers: (_, own) => signed([newSigningSecret()], own),
  },
  stale: {
    sent: `A sample correctly signed ${distanceSeconds} seconds ago.`,
    expected: 'refused',
    finding: 'The receiver accepts old events: an attacker who captures an event can replay it at any time.',
    headers: ({ secrets }, own) => signed(secrets, own, -distanceSeconds),
  },
  future: {
    sent: `A sample correctly signed for ${distanceSeconds} seconds from now.`,
    expected: 'refused',
    finding: 'The receiver accepts events from the future: compare the timestamp with the clock in both directions.',
    headers: ({ secrets }, own) => signed(secrets, own, distanceSeconds),
  },
  altered: {
    sent: 'A different body with the signature of the first sample.',
    expected: 'refused',
    finding: 'The receiver accepts altered events: it does not compare the signature with the received body.',
    headers: ({ secrets }, _, first) => signed(secrets, first),
  },
  unsigned: {
    sent: 'A sample without a signature.',
    expected: 'refused',
    finding: 'The receiver accepts unsigned events: reject a request without the signature header.',
    headers: ({ secrets }, own) => unsigned(signed(secrets, own)),
  },
  duplicate: {
    sent: 'The first sample again, with the same id and body and a new signature.',
    expected: 'acknowledged',
    finding:
      'The receiver rejects a duplicate event, so the service retries the event in vain: respond to a duplicate with 2xx and do nothing.',
    headers: ({ secrets }, own) => signed(secrets, own),
  },
}

function signed(secrets: readonly string[], { id, body, seconds }: Sample, laterSeconds = 0): Record<string, string> {
  return signatureHeaders({ secrets, eventId: id, seconds: seconds + laterSeconds, body })
}

function unsigned(headers: Record<string, string>): Record<string, string> {
  const { [signatureHeader]: _service, 'webhook-signature': _standard, ...rest } = headers
  return rest
}

async function send(context: ProbeContext, probed: ProbedEndpoint, name: ProbeName, first: Sample): Promise<Probe> {
  const { sent, expected, headers } = probeDefinitions[name]
  const own = ownSample(context, probed, name, first)
  const answer = await context.fetch({
    url: probed.url,
    method: 'POST',
    headers: requestHeaders(headers(probed, own, first), probed.headers),
    body: own.body,
    isIdempotent: true,
  })
  const { durationMs } = answer
  const probe = { name, sent, expected, eventId: own.id, durationMs }
  if (answer.is === 'failed') {
    return { ...probe, outcome: 'unanswered', httpStatus: null, errorCode: answer.errorCode, isRight: false }
  }
  const outcome = answer.status >= 200 && answer.status <= 299 ? 'acknowledged' : 'refused'
  return { ...probe, outcome, httpStatus: answer.status, errorCode: null, isRight: outcome === expected }
}

function ownSample(context: ProbeContext, probed: ProbedEndpoint, name: ProbeName, first: Sample): Sample {
  if (name === 'valid') return first
  const sample = sampleOf(context, probed)
  return name === 'duplicate' ? { ...first, seconds: sample.seconds } : sample
}

function verdictOf(probes: readonly Probe[]): Omit<ProbeReport, 'probes'> {
  const unanswered = probes.filter(({ outcome }) => outcome === 'unanswered')
  const [first] = probes
  if (first?.outcome === 'unanswered') {
    return {
      verdict: 'unreachable',
      findings: [`The receiver could not be reached (${first.errorCode}), so it was not checked.`],
    }
  }
  const wrong = probes.filter(({ isRight, outcome }) => !isRight && outcome !== 'unanswered')
  const findings = [
    ...wrong.map(({ name }) => probeDefinitions[name].finding),
    ...unanswered.map(
      ({ name, errorCode }) =>
        `The receiver did not respond to the ${name} sample (${errorCode}), which proves nothing.`,
    ),
  ]
  return { verdict: wrong.length > 0 ? 'flawed' : unanswered.length > 0 ? 'inconclusive' : 'sound', findings }
}
