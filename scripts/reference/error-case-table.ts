import { type EndpointId, endpoints } from '../../registry/index.ts'
import { operationPath } from './contract.ts'
import { type ErrorCase, type Need, type RejectedRequest, tokenKinds } from './error-cases/case.ts'
import { causedCodes, errorCases, rareCodes, unreachableCodes } from './error-cases/error-cases.ts'
import { code, link, listed, table } from './markdown.ts'
import { checkoutOf, differencesOf, leavesOf } from './trigger-tables.ts'

/** The part of the guide “Triggers” about error codes, generated from the cases that a test sends. */

export function triggerErrors(): string {
  return [
    table(
      ['Error', 'State', 'Rejected request'],
      causedCodes.map((each) => {
        const { needs = [], request } = errorCases[each] ?? missingCase(each)
        return [link(code(each), `errors/${each}`), needs.map(needOf).join(', '), requestOf(request)]
      }),
    ),
    'The table lacks codes that take many or concurrent requests, and codes that a client cannot cause in test mode:',
    Object.entries({ ...rareCodes, ...unreachableCodes })
      .map(([name, reason]) => `- ${link(code(name), `errors/${name}`)}: ${reason}`)
      .join('\n'),
  ].join('\n\n')
}

function missingCase(name: string): ErrorCase {
  throw new Error(`The error code ${name} has no case.`)
}

function needOf(need: Need): string {
  if ('waitSeconds' in need) return `a wait of ${need.waitSeconds} seconds`
  if ('paysOn' in need) return checkoutOf(need)
  const { operation, body, query, headers, times = 1, shown } = need
  const values =
    shown === undefined ? [...differencesOf({ operation, body }), ...textsOf({ ...query, ...headers })] : [shown]
  return `${times === 1 ? '' : `${times} × `}${named(operation)}${withValues(values)}`
}

function requestOf({ operation, raw, method, path, ...sent }: RejectedRequest): string {
  if (raw !== undefined) return code(raw.trim().replaceAll('\r\n', ' ⏎ '))
  const { params, query, body, text, headers, token, times = 1, shown } = sent
  const values = [
    ...textsOf({ ...params }),
    ...textsOf({ ...query }),
    ...(shown === undefined
      ? [...differencesOf({ operation: operation ?? '', body }), ...textsOf({ ...headers })]
      : [shown]),
    ...(shown === undefined && text !== undefined ? [`the body ${code(text)}`] : []),
    ...(token === undefined ? [] : [tokenKinds[token]]),
  ]
  const target = operation === undefined ? code(`${method} ${path}`) : named(operation)
  return `${times === 1 ? '' : `${times} at once: `}${target}${withValues(values)}`
}

function named(operation: EndpointId): string {
  return link(code(operation), operationPath(endpoints[operation]))
}

function textsOf(values: Readonly<Record<string, string>>): string[] {
  return leavesOf(values).map(([name, value]) => code(`${name}: ${value}`))
}

function withValues(values: readonly string[]): string {
  return values.length === 0 ? '' : ` with ${listed(values)}`
}
