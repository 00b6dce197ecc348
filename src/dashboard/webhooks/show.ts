import { webhookFailuresBeforeDisabling } from '../../../registry/values/limits.ts'
import { countSkippedSince } from '../../access/enable-webhook-endpoint.ts'
import { explainState } from '../../access/explain-state.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { code, count, empty, facts, type RecordActions, recordHeading, section, time } from '../../markup/parts.ts'
import { listDeliveries } from '../../store/webhooks/delivery-list.ts'
import { readEndpointStatistics } from '../../store/webhooks/endpoint-statistics.ts'
import { deliveryTable } from '../deliveries/table.ts'
import type { Content } from '../kit/content.ts'
import { backLink, link, mainLink, withQuery } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { may, type Visit } from '../kit/visit.ts'
import { explanation } from './explanation.ts'
import { type Endpoint, nameOf, requireEndpoint } from './find.ts'
import { checkForm, type Drafts, disableForm, enableForm, secretForms, testForm } from './forms.ts'
import { type NextStep, nextStepOf, summary } from './next-step.ts'
import { endpointState, isRotating } from './state.ts'
import { statisticsSection } from './statistics.ts'

export const endpointPage = page({
  path: '/webhooks/{id}',
  permission: 'webhooks:read',
  show: (visit, { id }) => endpointContent(visit, id),
})

/** Number of deliveries that the page of an endpoint shows, latest first. */
const deliveriesShown = 10

export async function endpointContent(visit: Visit, id: string, drafts: Drafts = {}): Promise<Content> {
  const { context, tenant, now, nowMs } = visit
  const { database } = context
  const { merchantId } = tenant
  const endpoint = await requireEndpoint(visit, id)
  const key = { merchantId, endpointId: endpoint.id }
  const isHealthy = endpoint.status === 'enabled' && endpoint.consecutiveFailures === 0
  const [explained, skipped, deliveries, statistics] = await Promise.all([
    isHealthy ? undefined : explainState(database, { ...key, ...endpoint }, nowMs),
    endpoint.disabledAt === null ? 0 : countSkippedSince(context, key, endpoint.disabledAt),
    listDeliveries(database, { ...key, limit: deliveriesShown }),
    readEndpointStatistics(database, key, now),
  ])
  const mayWrite = may(visit, 'webhooks:write')
  const isDisabled = endpoint.status === 'disabled'
  const step = nextStepOf(endpoint, deliveries)
  const test = mayWrite ? testForm(visit, endpoint, { drafts, isMain: step === 'test' }) : nothing
  const main = html`${backLink('/webhooks', 'All endpoints')}${recordHeading(nameOf(endpoint), endpointState(endpoint), actions(visit, endpoint, step))}
${summary({ endpoint, step, day: statistics.day })}
${mayWrite && isDisabled ? enableForm(visit, { id: endpoint.id, skipped, drafts }) : nothing}
${step === 'test' ? test : nothing}
${explained === undefined ? nothing : explanation(explained)}
${about(endpoint, nowMs)}
${statisticsSection(statistics)}
${step === 'test' ? nothing : test}
${mayWrite ? checkForm(visit, endpoint) : nothing}
${mayWrite && !isDisabled ? disableForm(visit, endpoint.id) : nothing}
${may(visit, 'webhooks:secret') ? secretForms(visit, endpoint, drafts) : nothing}
${section('Latest deliveries', latest(endpoint, deliveries), link(withQuery('/deliveries', { endpoint: endpoint.id }), 'All deliveries'))}`
  return { title: nameOf(endpoint), main, isLive: true }
}

/**
 * Returns the links to the actions of an endpoint. The page itself contains the forms that enable or test the endpoint.
 */
function actions(visit: Visit, { id }: Endpoint, step: NextStep): RecordActions {
  const verify = link(`/webhooks/${id}/verify`, 'Verify a signature')
  if (!may(visit, 'webhooks:write')) return { more: [verify] }
  const replay = withQuery('/deliveries/replay', { endpoint: id })
  const changes = [verify, link(`/webhooks/${id}/edit`, 'Edit'), link(`/webhooks/${id}/delete`, 'Delete')]
  return step === 'replay'
    ? { main: mainLink(replay, 'Replay the failed deliveries'), more: changes }
    : { more: [link(replay, 'Replay deliveries'), ...changes] }
}

function about(endpoint: Endpoint, nowMs: number): Markup {
  const { id, url, kinds, held, consecutiveFailures, disabledAt, previousSecretExpiresAt, createdAt } = endpoint
  const { headerNames } = endpoint
  return facts([
    [
      'Failed attempts in a row, without test events',
      `${consecutiveFailures} of the ${webhookFailuresBeforeDisabling} that disable the endpoint`,
    ],
    ...(disabledAt === null ? [] : [['Disabled', time(disabledAt)] as const]),
    ['Held deliveries', count(held)],
    ['URL', code(url)],
    ['Event types', kinds.toSorted().join(', ')],
    ...(headerNames === null ? [] : [['Custom headers', headerNames.join(', ')] as const]),
    ['Id', code(id)],
    ['Created', time(createdAt)],
    ...(isRotating(endpoint, nowMs)
      ? [['Old signing secret valid until', time(previousSecretExpiresAt)] as const]
      : []),
  ])
}

function latest(endpoint: Endpoint, deliveries: Awaited<ReturnType<typeof listDeliveries>>): Markup {
  if (deliveries.length > 0) return deliveryTable(deliveries, [endpoint])
  return empty(`No event has been sent to ${nameOf(endpoint)} yet. Send a test event to try the endpoint.`)
}
