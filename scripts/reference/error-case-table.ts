import type { ErrorCode } from '../../registry/errors/index.ts'
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
      causedCodes.map(([name, found]) => {
        const { state, request } = rowOf(found)
        return [link(code(name), `errors/${name}`), state, request]
      }),
    ),
    'The table lacks codes that take many or concurrent requests, and codes that a client cannot cause in test mode:',
    Object.entries(withoutCase)
      .map(([name, reason]) => `- ${link(code(name), `errors/${name}`)}: ${reason}`)
      .join('\n'),
  ].join('\n\n')
}

const withoutCase: Readonly<Partial<Record<ErrorCode, string>>> = { ...rareCodes, ...unreachableCodes }

/** Returns the text on the page of an error code that says how to cause the error in test mode. */
export function causeOf(errorCode: ErrorCode): string {
  const found = errorCases[errorCode]
  if (found === undefined) return `No single request causes this error in test mode. ${withoutCase[errorCode] ?? ''}`
  const { state, request } = rowOf(found)
  return [
    ...(state === '' ? [] : [`State: ${state}.`]),
    `Rejected request: ${request}.`,
    'The guide [Triggers](/guides/triggers.md#error-codes) explains the placeholders and the usual bodies.',
  ].join('\n\n')
}

function rowOf({ needs = [], request }: ErrorCase): { readonly state: string; readonly request: string } {
  return { state: needs.map(needOf).join(', '), request: requestOf(request) }
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
  const { params, query, headers, token, times = 1, shown } = sent
  const values = [
    ...textsOf({ ...params }),
    ...textsOf({ ...query }),
    ...(shown === undefined ? [...bodyOf(operation, sent), ...textsOf({ ...headers })] : [shown]),
    ...(token === undefined ? [] : [tokenKinds[token]]),
  ]
  const target = operation === undefined ? code(`${method} ${path}`) : named(operation)
  return `${times === 1 ? '' : `${times} at once: `}${target}${withValues(values)}`
}

function bodyOf(operation: EndpointId | undefined, { body, text }: Pick<RejectedRequest, 'body' | 'text'>): string[] {
  if (text !== undefined) return [`the body ${code(text)}`]
  return body === undefined || operation === undefined ? [] : differencesOf({ operation, body })
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
