import type { ContractChange } from '../../registry/changelog.ts'
import { codesOf, type Described, type Document, describedIn } from './document.ts'

/** The changes that a general tool does not see, because they stand in words of our own: which errors, scopes and promises. */
export function changedMarks(base: Document, revision: Document): ContractChange[] {
  const before = new Map(describedIn(base).map((each) => [each.name, each]))
  return describedIn(revision).flatMap((after) => {
    const known = before.get(after.name)
    return known === undefined ? [] : marksOf({ base, known }, { revision, after })
  })
}

function marksOf(
  { base, known }: { readonly base: Document; readonly known: Described },
  { revision, after }: { readonly revision: Document; readonly after: Described },
): ContractChange[] {
  const { name, place, operation } = after
  const was = known.operation
  const change = (kind: ContractChange['kind'], what: string, isBreaking = false): ContractChange => {
    return { kind, isBreaking, subject: name, what: `${place} ${what}.` }
  }
  const isStable = was['x-stability'] === 'stable'
  const codes = { before: codesOf(base, was), after: codesOf(revision, operation) }
  const gained = codes.after.filter((code) => !codes.before.includes(code))
  const lost = codes.before.filter((code) => !codes.after.includes(code))
  return [
    ...(isStable && operation['x-stability'] === 'beta' ? [change('beta', 'is beta again', true)] : []),
    ...(!isStable && operation['x-stability'] === 'stable' ? [change('stable', 'is stable now')] : []),
    ...(operation.deprecated && !was.deprecated ? [change('deprecated', 'is deprecated')] : []),
    ...(was['x-idempotency'] !== 'honoured' && operation['x-idempotency'] === 'honoured'
      ? [change('idempotency', 'honours Idempotency-Key')]
      : []),
    ...(was['x-idempotency'] === 'honoured' && operation['x-idempotency'] !== 'honoured'
      ? [change('idempotency', 'no longer honours Idempotency-Key', isStable)]
      : []),
    ...(was['x-required-scope'] === operation['x-required-scope']
      ? []
      : [change('changed', `needs the scope ${operation['x-required-scope'] ?? 'none'}`, isStable)]),
    ...gained.map((code) => change('changed', `can answer ${code}`)),
    ...lost.map((code) => change('changed', `no longer answers ${code}`)),
  ]
}
