import { z } from 'zod'
import { checkReceiver } from '../access/check-receiver.ts'
import { openSafeFetch } from '../outbound/safe-fetch.ts'
import type { ProbeReport } from '../webhooks/probe-receiver.ts'
import { command } from './command.ts'
import { connected } from './connect.ts'
import { endpointIdOf, noEndpoint } from './endpoint.ts'
import { operator } from './operator.ts'
import { idOption, kindOption, merchantOptions } from './option.ts'
import { table } from './output.ts'
import { tenantOf } from './tenant.ts'

export const webhookCheck = command({
  name: 'webhook check',
  summary: 'Send an endpoint right and wrong samples, and say which of them it takes.',
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
  sound: 'The receiver verifies as it should.',
  flawed: 'The receiver does not verify as it should.',
  inconclusive: 'The receiver did not answer everything, and what it answered was right.',
  unreachable: 'The receiver could not be checked.',
}

/** Twice is for the merchant to see: a receiver that does the work again answers like one that does not. */
const aboutRepeats = 'Whether the repeated event was also handled only once, only the receiver’s own records can tell.'

function textOf({ verdict, findings, probes }: ProbeReport): string {
  const rows = probes.map(({ name, expected, outcome, httpStatus, errorCode, isRight, sent }) => ({
    probe: name,
    expected,
    outcome,
    answer: httpStatus ?? errorCode,
    right: isRight ? 'yes' : 'NO',
    sent,
  }))
  const isRepeatTaken = probes.some(({ name, isRight }) => name === 'duplicate' && isRight)
  const lines = [...findings.map((finding) => `- ${finding}`), ...(isRepeatTaken ? [aboutRepeats] : [])]
  return [
    table(rows, ['probe', 'expected', 'outcome', 'answer', 'right', 'sent']),
    '',
    conclusions[verdict],
    ...lines,
  ].join('\n')
}
