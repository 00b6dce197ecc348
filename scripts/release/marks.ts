import type { ContractChange } from '../../registry/service/changelog.ts'
import { codesOf, type Described, type Document, describedIn } from './document.ts'
import { changedPromises } from './promises.ts'

/**
 * The changes between two documents that Redocly does not report, such as changes of the marks of beta and deprecated
 * parts.
 */
export interface Verdict {
  readonly changes: readonly ContractChange[]
  /** Changes that no release may contain: they break a stable operation or shorten a deprecation notice. */
  readonly refused: readonly ContractChange[]
}

/** The two dates that decide what a release may remove. Dates of the form `yyyy-mm-dd` sort chronologically. */
export interface Days {
  /** The day of the release that contains the compared changes. */
  readonly on: string
  readonly lastOn: string
}

/**
 * Returns the breaking changes that Redocly does not report: changes of error codes, scopes, stability and documented
 * behaviour.
 */
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
    change: change(kind, what, isBreaking),
    isRefused,
  }))
  const changes = [
    ...(isStable && operation['x-stability'] === 'beta'
      ? [change('beta', 'is beta again, after being stable', true)]
      : []),
    ...(!isStable && operation['x-stability'] === 'stable' ? [change('stable', 'is stable now')] : []),
    ...(was['x-idempotency'] !== 'honoured' && operation['x-idempotency'] === 'honoured'
      ? [change('idempotency', 'honours Idempotency-Key')]
      : []),
    ...(was['x-idempotency'] === 'honoured' && operation['x-idempotency'] !== 'honoured'
      ? [change('idempotency', 'no longer honours Idempotency-Key', true)]
      : []),
    ...(was['x-required-scope'] === operation['x-required-scope']
      ? []
      : [change('changed', `requires the scope ${operation['x-required-scope'] ?? 'none'}`, true)]),
    ...[
      ...changedCodes(codesOf(base, was), codesOf(revision, operation)),
      ...changedPromises({ document: base, described: known }, { document: revision, described: after }),
    ].map(({ what, isBreaking }) => change('changed', what, isBreaking)),
  ]
  return {
    changes: [...changes, ...deprecation.map((deprecated) => deprecated.change)],
    refused: [
      ...changes.filter(({ isBreaking }) => isBreaking && isStable),
      ...deprecation.filter(({ isRefused }) => isRefused && isStable).map((deprecated) => deprecated.change),
    ],
  }
}

type Codes = ReadonlyMap<string, readonly string[]>

/** A release may add and remove error codes, but an error code must keep its status. */
function changedCodes(before: Codes, after: Codes) {
  const gained = [...after.keys()].filter((code) => !before.has(code))
  const moved = [...after].flatMap(([code, statuses]) => {
    const known = before.get(code)
    if (known === undefined || known.join() === statuses.join()) return []
    const isBreaking = known.some((status) => !statuses.includes(status))
    return [{ what: `returns ${code} with ${statuses.join(' or ')} instead of ${known.join(' or ')}`, isBreaking }]
  })
  const lost = [...before.keys()].filter((code) => !after.has(code))
  return [
    ...gained.map((code) => ({ what: `can return ${code}`, isBreaking: false })),
    ...moved,
    ...lost.map((code) => ({ what: `no longer returns ${code}`, isBreaking: false })),
  ]
}

interface ChangedDeprecation {
  readonly kind: ContractChange['kind']
  readonly what: string
  readonly isBreaking: boolean
  readonly isRefused: boolean
}

/** A deprecation must not start before the previous release, and a sunset must not move to an earlier day. */
function changedDeprecation(known: Described, after: Described, { on, lastOn }: Days): ChangedDeprecation[] {
  const was = known.operation['x-deprecation']
  const is = after.operation['x-deprecation']
  const notice = (what: string, isRefused = false, isBreaking = false): ChangedDeprecation[] => {
    return [{ kind: 'deprecated', what, isBreaking, isRefused }]
  }
  if (known.operation.deprecated && !after.operation.deprecated)
    return [{ kind: 'changed', what: 'is no longer deprecated', isBreaking: false, isRefused: false }]
  if (!known.operation.deprecated && after.operation.deprecated) {
    const until = is?.sunset === undefined ? '' : ` and may be removed on or after ${is.sunset}`
    if (is === undefined || is.since >= lastOn) return notice(`is deprecated${until}`)
    return notice(`is deprecated${until}, but backdated to ${is.since}, before the last release`, true)
  }
  if (is?.sunset === was?.sunset) return []
  if (is?.sunset === undefined) return notice('is deprecated and no longer has a sunset')
  if (was?.sunset === undefined) return notice(`may be removed on or after ${is.sunset}`, is.sunset <= on)
  const isSooner = is.sunset < was.sunset
  return notice(`may be removed on or after ${is.sunset}, which was ${was.sunset}`, isSooner, isSooner)
}
