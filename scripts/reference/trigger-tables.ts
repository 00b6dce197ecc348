import { eventKinds } from '../../registry/kit/event.ts'
import { exceptionStates } from '../../registry/service/exceptions.ts'
import { scenarios, triggeredExceptions } from '../../registry/service/triggers/scenarios.ts'
import {
  type CheckoutStep,
  dispatched,
  link as linkStep,
  order,
  paidByHand,
  product,
  type RequestStep,
  refund,
  type Scenario,
  type TriggerOperation,
  type TriggerStep,
} from '../../registry/service/triggers/step.ts'
import { untriggered } from '../../registry/service/triggers/untriggered.ts'
import { operationPath, operations } from './contract.ts'
import { code, link, listed, table } from './markdown.ts'

/** The parts of the guide “Triggers” that are generated from the scenarios that the service runs. */

/**
 * The usual request of each operation. Trigger tables show only the differences of a request from the usual request.
 */
const usualSteps: readonly RequestStep[] = [product(), order(), paidByHand(), refund(), dispatched(), linkStep]

const usual = new Map<string, RequestStep>(usualSteps.map((step) => [step.operation, step]))

export function triggerEvents(): string {
  return table(
    ['Trigger', 'Requests', 'Last effect'],
    eventKinds.map((kind) => [link(code(kind), `webhooks/${kind}`), stepsOf(scenarios[kind]), waitOf(scenarios[kind])]),
  )
}

export function triggerExceptions(): string {
  return [
    table(
      ['Trigger', 'State', 'Requests', 'Last effect'],
      triggeredExceptions.map((name) => [
        code(name),
        exceptionStates[name].state,
        stepsOf(scenarios[name]),
        waitOf(scenarios[name]),
      ]),
    ),
    'Test mode cannot cause these states:',
    Object.entries(untriggered)
      .map(([name, reason]) => `- ${code(name)}: ${reason}`)
      .join('\n'),
  ].join('\n\n')
}

export function triggerRequests(): string {
  return table(
    ['Request', 'Body'],
    usualSteps.map(({ operation, params, body }) => {
      const path = Object.entries(params ?? {}).reduce(
        (text, [name, value]) => text.replace(`{${name}}`, value),
        endpointOf(operation).path,
      )
      return [code(`${endpointOf(operation).method} ${path}`), code(JSON.stringify(body))]
    }),
  )
}

export const triggerWords: readonly string[] = [...triggeredExceptions]

function waitOf({ seconds }: Scenario): string {
  if (seconds === 0) return 'at once'
  if (seconds <= 60) return 'a minute'
  return seconds < 3600 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`
}

function stepsOf({ steps }: Scenario): string {
  return steps.map(stepOf).join(', ')
}

function stepOf(step: TriggerStep): string {
  if ('paysOn' in step) return checkoutOf(step)
  const named = link(code(step.operation), operationPath(endpointOf(step.operation)))
  const differences = differencesOf(step)
  const failing = step.fails === undefined ? '' : `, which fails with ${link(code(step.fails), `errors/${step.fails}`)}`
  return `${named}${differences.length === 0 ? '' : ` with ${listed(differences)}`}${failing}`
}

/** Returns the text about a payment on a checkout page, with the form fields of the payment. */
export function checkoutOf({ paysOn: _, ...fields }: CheckoutStep): string {
  const chosen = Object.entries(fields).map(([name, value]) => code(`${name}=${value}`))
  return `payment on the [checkout page](/guides/payments.md#pay-a-link-in-test-mode)${chosen.length === 0 ? '' : ` with ${listed(chosen)}`}`
}

/** Returns the values of a request that differ from those of the usual request of its operation. */
export function differencesOf({
  operation,
  body = {},
}: Readonly<{ operation: string; body?: object | undefined }>): string[] {
  const usualBody = usual.get(operation)?.body ?? {}
  const known = new Map(leavesOf(usualBody))
  const present = leavesOf(body)
  const changed = present.filter(([path, value]) => known.get(path) !== value)
  const absent = Object.keys(usualBody).filter((name) => !present.some(([path]) => path.split('.')[0] === name))
  return [
    ...changed.map(([path, value]) => code(`${path}: ${value}`)),
    ...(absent.length === 0 ? [] : [`no ${listed(absent.map(code), 'or')}`]),
  ]
}

/** Returns the values in a request body with their paths. */
export function leavesOf(value: unknown, path: readonly string[] = []): [string, string][] {
  if (value === undefined) return []
  if (typeof value !== 'object' || value === null) return [[path.join('.'), JSON.stringify(value)]]
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return [[path.join('.'), JSON.stringify(value)]]
  return Object.entries(value).flatMap(([name, field]) => leavesOf(field, [...path, name]))
}

function endpointOf(operation: TriggerOperation) {
  const endpoint = operations.find(({ id }) => id === operation)
  if (endpoint === undefined) throw new Error(`There is no operation ${operation}.`)
  return endpoint
}
