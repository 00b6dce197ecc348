import type { ContractChange } from '../../registry/service/changelog.ts'
import { codesOf, type Described, type Document, describedIn } from './document.ts'
import { changedPromises } from './promises.ts'

/** What one document changes of another. */
export interface Verdict {
  readonly changes: readonly ContractChange[]
  /** Those that no release may bring: they break what is stable, or give less notice than was promised. */
  readonly refused: readonly ContractChange[]
}

/** The days that decide what may go. Texts of calendar days, which compare as the days do. */
export interface Days {
  /** The day of the release that brings the changes. */
  readonly on: string
  /** The day of the last release before it. */
  readonly lastOn: string
}

/** The changes that a general tool does not see or takes for harmless: which errors, scopes and promises. */
export function changedMarks(base: Document, revision: Document, days: Days): Verdict {
  const before = new Map(describedIn(base).map((each) => [each.name, each]))
  const verdicts = describedIn(revision).flatMap((after) => {
    const known = before.get(after.name)
    return known === undefined ? [] : [marksOf({ base, known }, { revision, after }, days)]
  })
  return {
    changes: verdicts.flatMap(({ changes }) => changes),
    refused: verdicts.flatMap(({ refused }) => refused),
  }
}

interface Before {
  readonly base: Document
  readonly known: Described
}

interface After {
  readonly revision: Document
  readonly after: Described
}

function marksOf({ base, known }: Before, { revision, after }: After, days: Days): Verdict {
  const { name, place, operation } = after
  const was = known.operation
  const change = (kind: ContractChange['kind'], what: string, isBreaking = false): ContractChange => {
    return { kind, isBreaking, subject: name, what: `${place} ${what}.` }
  }
  const isStable = was['x-stability'] === 'stable'
  const deprecation = changedDeprecation(known, after, days).map(({ kind, what, isBreaking, isRefused }) => ({
    told: change(kind, what, isBreaking),
    isRefused,
  }))
  const changes = [
    ...(isStable && operation['x-stability'] === 'beta' ? [change('beta', 'is beta again', true)] : []),
    ...(!isStable && operation['x-stability'] === 'stable' ? [change('stable', 'is stable now')] : []),
    ...(was['x-idempotency'] !== 'honoured' && operation['x-idempotency'] === 'honoured'
      ? [change('idempotency', 'honours Idempotency-Key')]
      : []),
    ...(was['x-idempotency'] === 'honoured' && operation['x-idempotency'] !== 'honoured'
      ? [change('idempotency', 'no longer honours Idempotency-Key', true)]
      : []),
    ...(was['x-required-scope'] === operation['x-required-scope']
      ? []
      : [change('changed', `needs the scope ${operation['x-required-scope'] ?? 'none'}`, true)]),
    ...[
      ...changedCodes(codesOf(base, was), codesOf(revision, operation)),
      ...changedPromises({ document: base, described: known }, { document: revision, described: after }),
    ].map(({ what, isBreaking }) => change('changed', what, isBreaking)),
  ]
  return {
    changes: [...changes, ...deprecation.map(({ told }) => told)],
    refused: [
      ...changes.filter(({ isBreaking }) => isBreaking && isStable),
      ...deprecation.filter(({ isRefused }) => isRefused && isStable).map(({ told }) => told),
    ],
  }
}

type Codes = ReadonlyMap<string, readonly string[]>

/** An operation may come to answer other codes. One that it keeps must keep its status: clients branch on that first. */
function changedCodes(before: Codes, after: Codes) {
  const gained = [...after.keys()].filter((code) => !before.has(code))
  const kept = [...after].flatMap(([code, statuses]) => {
    const known = before.get(code)
    if (known === undefined || known.join() === statuses.join()) return []
    const isBreaking = known.some((status) => !statuses.includes(status))
    return [{ what: `answers ${code} with ${statuses.join(' or ')} instead of ${known.join(' or ')}`, isBreaking }]
  })
  const lost = [...before.keys()].filter((code) => !after.has(code))
  return [
    ...gained.map((code) => ({ what: `can answer ${code}`, isBreaking: false })),
    ...kept,
    ...lost.map((code) => ({ what: `no longer answers ${code}`, isBreaking: false })),
  ]
}

interface ChangedDeprecation {
  readonly kind: ContractChange['kind']
  readonly what: string
  readonly isBreaking: boolean
  readonly isRefused: boolean
}

/** The notice begins when it is given, and what was promised until a day is kept until then. */
function changedDeprecation(known: Described, after: Described, { on, lastOn }: Days): ChangedDeprecation[] {
  const was = known.operation['x-deprecation']
  const is = after.operation['x-deprecation']
  const told = (what: string, isRefused = false, isBreaking = false): ChangedDeprecation[] => {
    return [{ kind: 'deprecated', what, isBreaking, isRefused }]
  }
  if (known.operation.deprecated && !after.operation.deprecated)
    return [{ kind: 'changed', what: 'is no longer deprecated', isBreaking: false, isRefused: false }]
  if (!known.operation.deprecated && after.operation.deprecated) {
    const until = is?.sunset === undefined ? '' : ` and may be gone from ${is.sunset} on`
    if (is === undefined || is.since >= lastOn) return told(`is deprecated${until}`)
    return told(`is deprecated${until}, but since ${is.since}, when nobody was told`, true)
  }
  if (is?.sunset === was?.sunset) return []
  if (is?.sunset === undefined) return told('is deprecated, and nobody knows any more when it goes')
  if (was?.sunset === undefined) return told(`may be gone from ${is.sunset} on`, is.sunset <= on)
  const isSooner = is.sunset < was.sunset
  return told(`may be gone from ${is.sunset} on, which was ${was.sunset}`, isSooner, isSooner)
}
