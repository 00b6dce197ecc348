import { changedDefaults, defaultsOf } from './defaults.ts'
import type { Described, Document, DocumentOperation } from './document.ts'

/**
 * The changes of what a program relies on and a general tool takes for words, because they are not in the shape of a
 * request or an answer: what happens where a value is left out, what comes with an answer or an event, what an operation
 * sets off, how a record moves, and where generated clients file the operation.
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

/** What can be said of an operation, so that a sentence begins with its place. */
function claimsOf(operation: DocumentOperation): string[] {
  const { tags = [], 'x-emits': kinds = [], 'x-state-machine': machine } = operation
  const moves = Object.entries(machine?.transitions ?? {}).flatMap(([from, targets]) =>
    targets.map((to) => `lets \`${machine?.field}\` move from ${from} to ${to}`),
  )
  // Clients are generated with a class for each tag.
  return [...tags.map((tag) => `stands under ${tag}`), ...kinds.map((kind) => `emits ${kind}`), ...moves]
}

function changedClaims(before: readonly string[], after: readonly string[]) {
  const lost = before.filter((claim) => !after.includes(claim))
  const gained = after.filter((claim) => !before.includes(claim))
  return [
    ...lost.map((claim) => ({ what: `no longer ${claim}`, isBreaking: true })),
    ...gained.map((claim) => ({ what: claim, isBreaking: false })),
  ]
}

/** What is sent to a receiver is declared as it would be of what is sent to us, so the tool takes less of it for harmless. */
function lostHeadersOfEvent(was: DocumentOperation, is: DocumentOperation) {
  return (was.parameters ?? []).flatMap(({ name, required }) => {
    const kept = is.parameters?.find((each) => each.name === name)
    if (kept === undefined) return [{ what: `no longer carries the header ${name}`, isBreaking: true }]
    return required && !kept.required ? [{ what: `may come without the header ${name}`, isBreaking: true }] : []
  })
}

/** The headers of what is gone as a whole are told with it. */
function lostHeadersOfAnswers({ responses: before }: DocumentOperation, { responses: after }: DocumentOperation) {
  return Object.entries(before).flatMap(([status, { headers = {} }]) =>
    Object.entries(headers).flatMap(([name, { required }]) => {
      const kept = after[status]?.headers?.[name]
      if (!required || kept === undefined || kept.required) return []
      return [{ what: `may answer ${status} without the header ${name}`, isBreaking: true }]
    }),
  )
}
