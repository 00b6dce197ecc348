import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'

/**
 * The baseline in generated/released: the documents of the last release, with which a new document is compared. A
 * manual edit of the baseline would bypass the compatibility check, so `npm run release` stores a digest of each of its
 * files.
 */

const files = ['changelog.json', 'openapi.json', 'redocly-exceptions.json', 'vocabulary-exceptions.json'] as const

type BaselineTexts = Readonly<Record<(typeof files)[number], string>>

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

const digests = z.strictObject({ version: z.string(), sha256: z.record(z.enum(files), sha256) })

type Digests = z.infer<typeof digests>

export interface Baseline {
  readonly texts: BaselineTexts
  /** Undefined when digests.json is missing. */
  readonly digests: Digests | undefined
}

/** Returns undefined before the first release. */
export async function readBaseline(folder: string): Promise<Baseline | undefined> {
  const read = (name: string) => readFile(join(folder, name), 'utf8').catch(() => undefined)
  const [storedDigests, ...texts] = await Promise.all([read('digests.json'), ...files.map(read)])
  if (storedDigests === undefined && texts.every((text) => text === undefined)) return undefined
  const [history = '', document = '', exceptions = '', vocabulary = ''] = texts
  return {
    texts: {
      'changelog.json': history,
      'openapi.json': document,
      'redocly-exceptions.json': exceptions,
      'vocabulary-exceptions.json': vocabulary,
    },
    digests: storedDigests === undefined ? undefined : digests.parse(JSON.parse(storedDigests)),
  }
}

export function digestsText(version: string, texts: BaselineTexts): string {
  const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')
  const all = Object.fromEntries(files.map((name) => [name, digestOf(texts[name])]))
  return `${JSON.stringify({ version, sha256: all }, null, 2)}\n`
}

export function editsOf(baseline: Baseline): string[] {
  const stored = baseline.digests
  if (stored === undefined) return ['digests.json is missing.']
  const current = digests.parse(JSON.parse(digestsText(stored.version, baseline.texts)))
  return files
    .filter((name) => current.sha256[name] !== stored.sha256[name])
    .map((name) => `${name} was edited since ${stored.version} was released.`)
}

/**
 * Returns one message for each baseline file that differs from the git tag of the release. This comparison also detects
 * a file that was edited together with its digest. Without the tag, the result is empty.
 */
export async function differencesFromTag(baseline: Baseline, folder: string): Promise<string[]> {
  const tag = `v${baseline.digests?.version}`
  const tagged = await Promise.all(files.map((name) => textAt(`${tag}:./${name}`, folder)))
  return files
    .filter((name, index) => tagged[index] !== undefined && tagged[index] !== baseline.texts[name])
    .map((name) => `${name} differs from the tag ${tag}.`)
}

/** Maximum size of git's output, far above that of any document of this API. */
const largestBytes = 64 * 1024 * 1024

/** Returns undefined when the file or the revision does not exist, or git is not installed. */
function textAt(revision: string, folder: string): Promise<string | undefined> {
  return promisify(execFile)('git', ['show', revision], { cwd: folder, maxBuffer: largestBytes }).then(
    ({ stdout }) => stdout,
    () => undefined,
  )
}
