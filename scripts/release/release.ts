import { execFile } from 'node:child_process'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { parseArgs, promisify } from 'node:util'
import { z } from 'zod'
import { changelog } from '../../registry/service/changelog.ts'
import { systemClock } from '../../src/base/clock.ts'
import { acceptedBreaksPath, readAcceptedBreaks, withoutAccepted } from './accepted-breaks.ts'
import { firstChanges, isNothingUnreleased, listOf, versionAfter, withRelease } from './announcement.ts'
import { digestsText, editsOf, readBaseline } from './baseline.ts'
import { changesBetween } from './changes.ts'
import { parseDocument, readDocument } from './document.ts'
import { objectionToDay } from './release-day.ts'

/**
 * `npm run release -- --on 2026-12-01 --summary "…"`: writes the changelog since the last release, increments the
 * version of the contract and of the packages, and stores the document as the new baseline. Nothing is published: the
 * command prints how to commit and tag the release. A release may contain no change of the contract, for example if it
 * only corrects defects.
 */
const { values } = parseArgs({ options: { on: { type: 'string' }, summary: { type: 'string' } } })
const { on, summary } = values
if (on === undefined || summary === undefined) {
  console.error('--on and --summary are required: npm run release -- --on 2026-12-01 --summary "Adds bulk refunds."')
  process.exit(1)
}

const npmPackage = z.looseObject({
  version: z.string(),
  packages: z.record(z.string(), z.looseObject({ version: z.string().optional() })).optional(),
})

const folder = 'generated/released'
const current = await readDocument('openapi.json')
const baseline = await readBaseline(folder)
// Without this check, the release would accept changes that were made to the baseline by hand.
const edits = baseline === undefined ? [] : editsOf(baseline)
if (edits.length > 0) {
  console.error(`The baseline was edited since the release:\n${edits.join('\n')}`)
  process.exit(1)
}
const history = changelog.parse(JSON.parse(baseline?.texts['changelog.json'] ?? '{"data":[]}'))
const [last] = history.data
const objection = objectionToDay(on, last?.releasedOn, systemClock)
if (objection !== undefined) {
  console.error(objection)
  process.exit(1)
}
const verdict =
  baseline === undefined || last === undefined
    ? { changes: firstChanges(current), refused: [] }
    : await changesBetween(parseDocument(baseline.texts['openapi.json']), current, { on, lastOn: last.releasedOn })
const { changes } = verdict
const { refused } = withoutAccepted(verdict.refused, await readAcceptedBreaks())
if (refused.length > 0) {
  console.error(`These changes break clients, so no release was made:\n${listOf(refused)}`)
  process.exit(1)
}
const announcement = await readFile('CHANGELOG.md', 'utf8')
if (changes.length === 0 && isNothingUnreleased(announcement)) {
  console.error(
    'Nothing has changed: the contract is that of the last release, and CHANGELOG.md has nothing under “Unreleased”.',
  )
  process.exit(1)
}

const version = last === undefined ? current.info.version : versionAfter(last.version, changes)
const data = [{ version, releasedOn: on, summary, changes }, ...history.data]
// All files' texts are created before the first file is written, so that a failure does not leave an incomplete
// release.
const texts = {
  [`${folder}/changelog.json`]: `${JSON.stringify(changelog.parse({ data }), null, 2)}\n`,
  'registry/values/version.ts': await movedVersion(version),
  'CHANGELOG.md': withRelease(announcement, { version, on, changes }),
  'package.json': await withPackageVersion('package.json', version),
  'package-lock.json': await withPackageVersion('package-lock.json', version),
}
for (const [path, text] of Object.entries(texts)) await writeFile(path, text)
await promisify(execFile)(process.execPath, ['scripts/generate.ts'])
await copyFile('openapi.json', `${folder}/openapi.json`)
await writeFile(acceptedBreaksPath, '[]\n')
for (const name of ['redocly-exceptions.json', 'vocabulary-exceptions.json']) {
  await copyFile(`scripts/config/${name}`, `${folder}/${name}`)
}
const written = await readBaseline(folder)
if (written === undefined) throw new Error('The baseline is missing after it was written.')
await writeFile(`${folder}/digests.json`, digestsText(version, written.texts))
console.log(`${version}, with ${changes.length} change(s) of the contract. Read CHANGELOG.md, then commit and tag the release:

git add --all
git commit --message 'release: ${version}'
git tag --annotate v${version} --message 'Release ${version}'
git push --follow-tags`)

async function movedVersion(to: string): Promise<string> {
  const text = await readFile('registry/values/version.ts', 'utf8')
  const pattern = /'\d+\.\d+\.\d+'/
  if (!pattern.test(text)) throw new Error('registry/values/version.ts has no version.')
  return text.replace(pattern, `'${to}'`)
}

/**
 * Returns package.json or package-lock.json with another version of this package, in the format in which npm writes
 * both. The version is set on the parsed JSON, because the validated object would have its keys in another order.
 */
async function withPackageVersion(path: string, to: string): Promise<string> {
  const content: unknown = JSON.parse(await readFile(path, 'utf8'))
  requireNpmPackage(content)
  content.version = to
  const own = content.packages?.['']
  if (own !== undefined) own.version = to
  return `${JSON.stringify(content, null, 2)}\n`
}

function requireNpmPackage(content: unknown): asserts content is z.input<typeof npmPackage> {
  npmPackage.parse(content)
}
