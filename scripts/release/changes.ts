import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { ContractChange } from '../../registry/changelog.ts'
import { runRedocly } from '../lint/redocly.ts'
import { type Document, describedIn } from './document.ts'
import { changedMarks } from './marks.ts'
import { stableParts } from './stable-part.ts'

/** Every change of the contract from one document to another, with whether it breaks those who rely on the first. */
export async function changesBetween(base: Document, revision: Document): Promise<ContractChange[]> {
  const stable = stableParts(base, revision)
  const breaking = (await compare(stable.base, stable.revision)).filter(isBreaking)
  const places = new Set(breaking.map(({ path }) => path))
  const all = await compare(base, revision)
  // A schema is told of where it is first met, which may be in a beta operation: what breaks is taken from the stable parts.
  const merely = all.filter(({ path, impact }) => impact !== 'patch' && !places.has(path) && !isOfErrors(path))
  return [
    ...breaking.map((each) => told(each, base, true)),
    ...merely.map((each) => told(each, base, false)),
    ...changedMarks(base, revision),
  ]
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
  const folder = await mkdtemp(join(tmpdir(), 'commerce-changes-'))
  try {
    const [before, after, out] = ['before.json', 'after.json', 'report.json'].map((name) => join(folder, name))
    if (before === undefined || after === undefined || out === undefined) throw new Error('There are three names.')
    await writeFile(before, JSON.stringify(base))
    await writeFile(after, JSON.stringify(revision))
    await runRedocly(['diff', before, after, '--format', 'json', '--fail-on', 'none', '--output', out])
    return report.parse(JSON.parse(await readFile(out, 'utf8'))).changes
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Which errors an operation answers is read from its codes instead, and may grow and shrink. */
function isOfErrors(path: string): boolean {
  return /\/responses\/[45]\d\d(\/|$)/.test(path)
}

/** Clients are told to expect values they do not know in what they are sent; what they send is theirs to choose. */
function mayGrow({ path, verdicts }: Difference): boolean {
  const isSentToThem = path.includes('/responses/') || path.startsWith('#/webhooks/')
  return isSentToThem && verdicts.every(({ ruleId }) => ruleId === 'enum-values-added')
}

function isBreaking(difference: Difference): boolean {
  return difference.impact === 'major' && !isOfErrors(difference.path) && !mayGrow(difference)
}

function told(difference: Difference, base: Document, isBreaking: boolean): ContractChange {
  const { subject, place, within } = placeOf(difference.path, base)
  const what = difference.verdicts.map(({ message }) => message).join(' ')
  const kind = difference.kind === 'modified' ? 'changed' : difference.kind
  const where = within === '' ? place : `${place}, ${within}`
  return { kind, isBreaking, subject, what: what === '' ? `${where}: ${kind}.` : `${where}: ${what}` }
}

/** `#/paths/~1orders/post/requestBody/content/application~1json/schema/properties/note` in words. */
function placeOf(pointer: string, base: Document) {
  const [root, at = '', method, ...rest] = pointer
    .slice(2)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (root !== 'paths' && root !== 'webhooks')
    return { subject: null, place: at === '' ? 'The document' : at, within: '' }
  const place = root === 'webhooks' ? `The event ${at}` : `${method?.toUpperCase() ?? 'Every method of'} ${at}`
  const known = describedIn(base).find((each) => each.place === place)
  return { subject: root === 'webhooks' ? at : (known?.name ?? null), place, within: wordsFor(rest) }
}

/** What stands in every pointer and tells a reader nothing. */
const noise = new Set(['content', 'application/json', 'schema', 'properties', 'anyOf', 'allOf', 'oneOf'])

function wordsFor(segments: readonly string[]): string {
  return segments
    .filter((segment) => !noise.has(segment))
    .join('.')
    .replace(/^requestBody\.?/, 'request ')
    .replace(/^responses\.(\w+)\.?/, 'answer $1 ')
    .replaceAll('.items', '[]')
    .trim()
}
