import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { ContractChange } from '../../registry/service/changelog.ts'
import { runRedocly } from '../lint/redocly.ts'
import { type Document, describedIn } from './document.ts'
import { withoutImpliedLimits } from './implied-limits.ts'
import { withoutLostNulls } from './lost-nulls.ts'
import { changedMarks, type Days, type Verdict } from './marks.ts'
import { withNamedErrors } from './named-errors.ts'
import { withParameterTextsOf } from './parameter-texts.ts'
import { stableParts } from './stable-part.ts'

/**
 * Returns every change from one document to another, marked as breaking or not. Also returns the changes that no
 * release may contain, because they break a stable operation or event.
 */
export async function changesBetween(base: Document, stated: Document, days: Days): Promise<Verdict> {
  const revision = withoutImpliedLimits(base, stated)
  const stable = stableParts(base, revision, days.on)
  const breaking = (await compare(stable.base, stable.revision)).filter(isBreaking)
  const places = new Set(breaking.map(({ path }) => path))
  const all = await compare(base, revision)
  // Redocly reports a changed schema at its first use, which may be in a beta operation. Only the comparison of the
  // stable parts therefore decides which changes are refused.
  const others = all.filter(({ path }) => !places.has(path)).filter(isReported)
  const refused = breaking.map((each) => describe(each, base))
  const marks = changedMarks(base, revision, days)
  return {
    changes: [...refused, ...others.map((each) => describe(each, base)), ...marks.changes],
    refused: [...refused, ...marks.refused],
  }
}

const report = z.object({
  changes: z.array(
    z.object({
      path: z.string(),
      kind: z.enum(['added', 'removed', 'modified']),
      impact: z.enum(['major', 'minor', 'patch']),
      verdicts: z.array(z.object({ ruleId: z.string(), message: z.string() })),
    }),
  ),
})

type Difference = z.infer<typeof report>['changes'][number]

async function compare(base: Document, revision: Document): Promise<Difference[]> {
  const { document, pointers } = withoutLostNulls(base, revision)
  const never = pointers.map((path): Difference => {
    return {
      path,
      kind: 'modified',
      impact: 'minor',
      verdicts: [{ ruleId: 'never-null', message: 'is no longer null.' }],
    }
  })
  return [...(await rate(document, revision)), ...never]
}

async function rate(base: Document, revision: Document): Promise<Difference[]> {
  // Redocly takes two seconds, so it is not run for equal documents.
  if (isDeepStrictEqual(base, revision)) return []
  const folder = await mkdtemp(join(tmpdir(), 'commerce-changes-'))
  try {
    const [before, after, out] = ['before.json', 'after.json', 'report.json'].map((name) => join(folder, name))
    if (before === undefined || after === undefined || out === undefined) throw new Error('Three paths are expected.')
    await writeFile(before, JSON.stringify(withNamedErrors(base)))
    await writeFile(after, JSON.stringify(withNamedErrors(withParameterTextsOf(base, revision))))
    await runRedocly(['diff', before, after, '--format', 'json', '--fail-on', 'none', '--output', out])
    return report.parse(JSON.parse(await readFile(out, 'utf8'))).changes
  } finally {
    await rm(folder, { recursive: true })
  }
}

/**
 * Reports whether an error response was added or removed. Such a change is ignored here, because marks.ts compares the
 * error codes.
 */
function isOfErrors({ path, kind }: Difference): boolean {
  return kind !== 'modified' && errorPlace.test(path)
}

const errorPlace = /\/responses\/[45]\d\d(\/content\/application~1json\/schema\/properties\/\w+)?$/

/**
 * Reports whether the difference is a header that marks an operation as beta or deprecated. Such a difference is
 * ignored here, because marks.ts compares these marks of both documents.
 */
function isOfMarks({ path }: Difference): boolean {
  return /\/headers\/(Beta|Deprecation|Sunset|Link)$/.test(path)
}

function isReported(difference: Difference): boolean {
  return difference.impact !== 'patch' && !isOfErrors(difference) && !isOfMarks(difference)
}

/**
 * Reports whether only enum values were added. This breaks no client: clients must expect unknown values in responses,
 * and need not send a new value in requests.
 */
function hasGrown({ verdicts }: Difference): boolean {
  return verdicts.length > 0 && verdicts.every(({ ruleId }) => ruleId === 'enum-values-added')
}

function isBreaking(difference: Difference): boolean {
  return difference.impact === 'major' && isReported(difference) && !hasGrown(difference)
}

function describe(difference: Difference, base: Document): ContractChange {
  const { subject, place, within } = placeOf(difference.path, base)
  const what = difference.verdicts.map(({ message }) => message).join(' ')
  const kind = difference.kind === 'modified' ? 'changed' : difference.kind
  const where = within === '' ? place : `${place}, ${within}`
  return {
    kind,
    isBreaking: isBreaking(difference),
    subject,
    what: what === '' ? `${where}: ${kind}.` : `${where}: ${what}`,
  }
}

/** Returns a readable form of a JSON pointer such as `#/paths/~1orders/post/requestBody/.../properties/note`. */
function placeOf(pointer: string, base: Document) {
  const [root, at = '', method, ...rest] = pointer
    .slice(2)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (root === 'components' && method !== undefined) return { subject: null, place: method, within: wordsFor(rest) }
  if (root !== 'paths' && root !== 'webhooks')
    return { subject: null, place: at === '' ? 'The document' : at, within: '' }
  const place = root === 'webhooks' ? `The event ${at}` : `${method?.toUpperCase() ?? 'Every method of'} ${at}`
  const known = describedIn(base).find((each) => each.place === place)
  return { subject: root === 'webhooks' ? at : (known?.name ?? null), place, within: wordsFor(rest) }
}

/** Segments of a JSON pointer that are omitted from its readable form, because they tell a reader nothing. */
const noise = new Set(['content', 'application/json', 'schema', 'properties', 'anyOf', 'allOf', 'oneOf'])

function wordsFor(segments: readonly string[]): string {
  return segments
    .flatMap((segment, at) => {
      // Below `properties`, a segment is a field name. It is shown even if it equals a segment in `noise`.
      if (segments[at - 1] === 'properties') return [`.${segment}`]
      if (noise.has(segment)) return []
      return [segment === 'items' ? '[]' : `.${segment}`]
    })
    .join('')
    .replace(/^\.requestBody\.?/, 'request ')
    .replace(/^\.responses\.(\w+)\.?/, 'response $1 ')
    .replace(/^\./, '')
    .trim()
}
