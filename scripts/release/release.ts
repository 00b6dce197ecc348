import { execFile } from 'node:child_process'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { parseArgs, promisify } from 'node:util'
import { type Changelog, changelog } from '../../registry/changelog.ts'
import { firstChanges, listOf, versionAfter, withRelease } from './announcement.ts'
import { changesBetween } from './changes.ts'
import { readDocument } from './document.ts'

/**
 * `npm run release -- --on 2026-12-01 --summary "…"`: names what has changed since the last release, moves the version,
 * and keeps the document as the one that the next change is compared with. Nothing is published; commit what it writes.
 */
const { values } = parseArgs({ options: { on: { type: 'string' }, summary: { type: 'string' } } })
const { on, summary } = values
if (on === undefined || summary === undefined) {
  console.error('Say when and what: npm run release -- --on 2026-12-01 --summary "What it brings."')
  process.exit(1)
}

const folder = 'generated/released'
const current = await readDocument('openapi.json')
const history = await readHistory()
const last = history.data[0]
const changes =
  last === undefined
    ? firstChanges(current)
    : await changesBetween(await readDocument(`${folder}/openapi.json`), current)
const breaking = changes.filter(({ isBreaking }) => isBreaking)
if (breaking.length > 0) {
  console.error(`Nothing that breaks clients is released:\n${listOf(breaking)}`)
  process.exit(1)
}
if (changes.length === 0) {
  console.error('Nothing of the contract has changed since the last release.')
  process.exit(1)
}

const version = last === undefined ? current.info.version : versionAfter(last.version, changes)
const data = [{ version, releasedOn: on, summary, changes }, ...history.data]
await writeFile(`${folder}/changelog.json`, `${JSON.stringify(changelog.parse({ data }), null, 2)}\n`)
await moveVersion(version)
await promisify(execFile)(process.execPath, ['scripts/generate.ts'])
await copyFile('openapi.json', `${folder}/openapi.json`)
await copyFile('scripts/config/redocly-exceptions.json', `${folder}/redocly-exceptions.json`)
await writeFile('CHANGELOG.md', withRelease(await readFile('CHANGELOG.md', 'utf8'), { version, on, changes }))
console.log(`${version}, with ${changes.length} change(s). Read CHANGELOG.md, then commit.`)

async function readHistory(): Promise<Changelog> {
  const text = await readFile(`${folder}/changelog.json`, 'utf8').catch(() => '{"data":[]}')
  return changelog.parse(JSON.parse(text))
}

async function moveVersion(to: string): Promise<void> {
  const path = 'registry/version.ts'
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace(/'\d+\.\d+\.\d+'/, `'${to}'`))
}
