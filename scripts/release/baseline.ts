import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'

/**
 * What the last release left in generated/released is what every change is compared with, so an edit of it by hand would let
 * anything through. `npm run release` therefore keeps a digest of each of its files beside them.
 */

const files = ['changelog.json', 'openapi.json', 'redocly-exceptions.json'] as const

type BaselineTexts = Readonly<Record<(typeof files)[number], string>>

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

const digests = z.strictObject({ version: z.string(), sha256: z.record(z.enum(files), sha256) })

type Digests = z.infer<typeof digests>

export interface Baseline {
  readonly texts: BaselineTexts
  /** Undefined where the digests are missing. */
  readonly digests: Digests | undefined
}

/** Undefined before the first release. */
export async function readBaseline(folder: string): Promise<Baseline | undefined> {
  const read = (name: string) => readFile(join(folder, name), 'utf8').catch(() => undefined)
  const [kept, ...texts] = await Promise.all([read('digests.json'), ...files.map(read)])
  if (kept === undefined && texts.every((text) => text === undefined)) return undefined
  const [history = '', document = '', exceptions = ''] = texts
  return {
    texts: { 'changelog.json': history, 'openapi.json': document, 'redocly-exceptions.json': exceptions },
    digests: kept === undefined ? undefined : digests.parse(JSON.parse(kept)),
  }
}

export function digestsText(version: string, texts: BaselineTexts): string {
  const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')
  const all = Object.fromEntries(files.map((name) => [name, digestOf(texts[name])]))
  return `${JSON.stringify({ version, sha256: all }, null, 2)}\n`
}

/** Where what was released is not what the release wrote. */
export function editsOf(baseline: Baseline): string[] {
  const kept = baseline.digests
  if (kept === undefined) return ['digests.json is missing.']
  const now = digests.parse(JSON.parse(digestsText(kept.version, baseline.texts)))
  return files
    .filter((name) => now.sha256[name] !== kept.sha256[name])
    .map((name) => `${name} was edited since ${kept.version} was released.`)
}

/** Where the release is tagged here, the tag knows too, also when somebody has edited the digests as well. */
export async function differencesFromTag(baseline: Baseline, folder: string): Promise<string[]> {
  const tag = `v${baseline.digests?.version}`
  const tagged = await Promise.all(files.map((name) => textAt(`${tag}:./${name}`, folder)))
  return files
    .filter((name, index) => tagged[index] !== undefined && tagged[index] !== baseline.texts[name])
    .map((name) => `${name} is another one than in the tag ${tag}.`)
}

/** Far above any document of this API. */
const largestBytes = 64 * 1024 * 1024

/** Undefined where there is no such tag, or no git at all. */
function textAt(revision: string, folder: string): Promise<string | undefined> {
  return promisify(execFile)('git', ['show', revision], { cwd: folder, maxBuffer: largestBytes }).then(
    ({ stdout }) => stdout,
    () => undefined,
  )
}
