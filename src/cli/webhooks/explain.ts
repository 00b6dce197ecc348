import { z } from 'zod'
import { readConfig } from '../../base/config.ts'
import type { PastAttempt, PastChange } from '../../store/webhooks/endpoint-history.ts'
import { listEndpointHistory } from '../../store/webhooks/endpoint-history.ts'
import { listEndpoints } from '../../store/webhooks/endpoints.ts'
import { explainEndpoint, type Step } from '../../webhooks/explain.ts'
import { rulesOf } from '../../webhooks/pace.ts'
import { command } from '../kit/command.ts'
import { connected } from '../kit/connect.ts'
import { endpointIdOf, noEndpoint } from '../kit/endpoint.ts'
import { idOption, merchantOptions, numberOption } from '../kit/option.ts'
import { table } from '../kit/output.ts'
import { tenantOf } from '../kit/tenant.ts'

/**
 * Default period of the shown history, in hours. The retries of a delivery span 39 hours, so the period contains the
 * failures that disabled an endpoint.
 */
const defaultHours = 48

const msPerHour = 60 * 60 * 1000

export const webhookExplain = command({
  name: 'webhook explain',
  summary: 'Show the attempts and changes that led to the current state of a webhook endpoint.',
  options: z.strictObject({
    ...merchantOptions,
    endpoint: idOption('The endpoint.'),
    hours: numberOption(`How many hours of history to show; default ${defaultHours}.`, {
      min: 1,
      max: 24 * 35, // Delivery attempts are stored for 35 days.
    }).optional(),
  }),
  run: (values) =>
    connected(async ({ database, clock }) => {
      const { merchantId } = await tenantOf(database, values)
      const endpointId = endpointIdOf(values.endpoint)
      const endpoint = (await listEndpoints(database, merchantId)).find(({ id }) => id === endpointId)
      if (endpoint === undefined) throw noEndpoint(endpointId)
      const sinceMs = clock.nowMs() - (values.hours ?? defaultHours) * msPerHour
      const history = await listEndpointHistory(database, { merchantId, endpointId }, sinceMs)
      const steps = explainEndpoint(rulesOf(readConfig()), history)
      const last = steps.at(-1)
      const { status, consecutiveFailures } = endpoint
      const explains = last?.status === status && last.consecutiveFailures === consecutiveFailures
      const rows = steps.map(rowOf)
      const columns = ['at', 'what', 'result', 'consecutiveFailures', 'status']
      const conclusion = explains
        ? ''
        : '\n\nEarlier attempts also affected the state of the endpoint. Show more history with --hours.'
      return {
        json: { id: endpointId, status, consecutiveFailures, explains, steps: rows },
        text: table(rows, columns) + conclusion,
      }
    }),
})

function rowOf({ past, status, consecutiveFailures, counted }: Step) {
  return { at: past.at, ...describe(past), consecutiveFailures, counted, status }
}

function describe(past: PastAttempt | PastChange) {
  if (past.is === 'change') return { what: past.action, result: past.actor, deliveryId: null }
  const { trigger, kind, outcome, httpStatus, errorCode, deliveryId } = past
  const what = trigger === 'automatic' ? kind : `${kind} (${trigger})`
  return { what, result: `${outcome} ${httpStatus ?? errorCode ?? ''}`.trim(), deliveryId }
}
