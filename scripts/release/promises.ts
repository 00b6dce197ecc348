import { changedDefaults, defaultsOf } from './defaults.ts'
import type { Described, Document, DocumentOperation } from './document.ts'

/**
 * Returns the changes of documented behaviour that Redocly does not compare, because it is not part of the request and
 * response schemas: defaults, required response and event headers, emitted events, status transitions and tags.
 */
export function changedPromises(
  before: { readonly document: Document; readonly described: Described },
  after: { readonly document: Document; readonly described: Described },
) {
  const [was, is] = [before.described.operation, after.described.operation]
  return [
    ...changedDefaults(defaultsOf(before.document, was), defaultsOf(after.document, is)),
    ...changedClaims(claimsOf(was), claimsOf(is)),
    ...(before.described.isPushed ? lostHeadersOfEvent(was, is) : []),
    ...lostHeadersOfAnswers(was, is),
  ]
}

/**
 * Returns the documented behaviour of an operation as phrases, such as “emits order.created”. A message about a change
 * names the operation and one of these phrases.
 */
function claimsOf(operation: DocumentOperation): string[] {
  const { tags = [], 'x-emits': kinds = [], 'x-state-machine': machine } = operation
  const moves = Object.entries(machine?.transitions ?? {}).flatMap(([from, targets]) =>
    targets.map((to) => `allows the \`${machine?.field}\` transition from ${from} to ${to}`),
  )
  // A changed tag is a change of behaviour, because client generators create a class for each tag.
  return [...tags.map((tag) => `has the tag ${tag}`), ...kinds.map((kind) => `emits ${kind}`), ...moves]
}

function changedClaims(before: readonly string[], after: readonly string[]) {
  const lost = before.filter((claim) => !after.includes(claim))
  const gained = after.filter((claim) => !before.includes(claim))
  return [
    ...lost.map((claim) => ({ what: `no longer ${claim}`, isBreaking: true })),
    ...gained.map((claim) => ({ what: claim, isBreaking: false })),
  ]
}

/**
 * Returns the headers that a webhook event no longer has. OpenAPI declares them as request parameters, whose removal
 * Redocly does not report as breaking.
 */
function lostHeadersOfEvent(was: DocumentOperation, is: DocumentOperation) {
  return (was.parameters ?? []).flatMap(({ name, required }) => {
    const current = is.parameters?.find((each) => each.name === name)
    if (current === undefined) return [{ what: `no longer has the header ${name}`, isBreaking: true }]
    return required && !current.required ? [{ what: `may lack the header ${name}`, isBreaking: true }] : []
  })
}

/**
 * Returns the required response headers that became optional. Removed headers and responses are left out, because
 * Redocly reports them.
 */
function lostHeadersOfAnswers({ responses: before }: DocumentOperation, { responses: after }: DocumentOperation) {
  return Object.entries(before).flatMap(([status, { headers = {} }]) =>
    Object.entries(headers).flatMap(([name, { required }]) => {
      const current = after[status]?.headers?.[name]
      if (!required || current === undefined || current.required) return []
      return [{ what: `may return ${status} without the header ${name}`, isBreaking: true }]
    }),
  )
}
