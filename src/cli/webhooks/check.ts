import { z } from 'zod'
import { checkReceiver } from '../../access/check-receiver.ts'
import { openSafeFetch } from '../../outbound/safe-fetch.ts'
import type { ProbeReport } from '../../webhooks/probe-receiver.ts'
import { command } from '../kit/command.ts'
import { connected } from '../kit/connect.ts'
import { endpointIdOf, noEndpoint } from '../kit/endpoint.ts'
import { operator } from '../kit/operator.ts'
import { idOption, kindOption, merchantOptions } from '../kit/option.ts'
import { table } from '../kit/output.ts'
import { tenantOf } from '../kit/tenant.ts'

export const webhookCheck = command({
  name: 'webhook check',
  summary: 'Send valid and invalid sample events to an endpoint, and report which of them it accepts.',
  options: z.strictObject({ ...merchantOptions, endpoint: idOption('The endpoint.'), kind: kindOption.optional() }),
  run: (values) =>
    connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const endpointId = endpointIdOf(values.endpoint)
      const outbound = openSafeFetch(context.policy)
      try {
        const checking = { ...context, fetch: outbound.fetch }
        const outcome = await checkReceiver(checking, operator, tenant, { endpointId, kind: values.kind })
        switch (outcome.is) {
          case 'checked': {
            const { is: _is, ...report } = outcome
            return { json: { id: endpointId, ...report }, text: textOf(report) }
          }
          case 'endpoint_unknown':
            throw noEndpoint(endpointId)
        }
      } finally {
        await outbound.close()
      }
    }),
})

const conclusions: { readonly [Verdict in ProbeReport['verdict']]: string } = {
  sound: 'The receiver verifies deliveries correctly.',
  flawed: 'The receiver does not verify deliveries correctly.',
  inconclusive: 'The receiver did not respond to every sample event; every response that arrived was correct.',
  unreachable: 'The receiver could not be checked.',
}

/** A response does not show whether the receiver deduplicated the repeated event, so the merchant must check. */
const aboutDuplicates = 'Check in the receiver’s own records that it processed the repeated event only once.'

function textOf({ verdict, findings, probes }: ProbeReport): string {
  const rows = probes.map(({ name, expected, outcome, httpStatus, errorCode, isRight, sent }) => ({
    probe: name,
    expected,
    outcome,
    response: httpStatus ?? errorCode,
    correct: isRight ? 'yes' : 'NO',
    sent,
  }))
  const isDuplicateAccepted = probes.some(({ name, isRight }) => name === 'duplicate' && isRight)
  const lines = [...findings.map((finding) => `- ${finding}`), ...(isDuplicateAccepted ? [aboutDuplicates] : [])]
  return [
    table(rows, ['probe', 'expected', 'outcome', 'response', 'correct', 'sent']),
    '',
    conclusions[verdict],
    ...lines,
  ].join('\n')
}
