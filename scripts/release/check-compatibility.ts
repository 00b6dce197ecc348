import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { changelog } from '../../registry/service/changelog.ts'
import { acceptedBreaksPath, readAcceptedBreaks, withoutAccepted } from './accepted-breaks.ts'
import { listOf } from './announcement.ts'
import { differencesFromTag, editsOf, readBaseline } from './baseline.ts'
import { changesBetween } from './changes.ts'
import { parseDocument, readDocument } from './document.ts'

/**
 * `npm run changes`: compares openapi.json with the last release, prints the changes and fails when one of them breaks
 * clients.
 * `--on 2027-12-01` sets the day of the release, which decides whether the sunset of an operation has passed; the
 * default is today. The command also fails when the baseline was edited since the release.
 */
const today = new Date().toISOString().slice(0, 10)
const { values } = parseArgs({ options: { on: { type: 'string', default: today } } })
const folder = 'generated/released'
const baseline = await readBaseline(folder)
if (baseline === undefined) throw new Error('No release exists yet, so there is no baseline to compare with.')
const edits = [...editsOf(baseline), ...(await differencesFromTag(baseline, folder))]
if (edits.length > 0) {
  console.error(`${edits.join('\n')}\nOnly \`npm run release\` writes ${folder}. Restore it.`)
  process.exit(1)
}
const released = parseDocument(baseline.texts['openapi.json'])
const current = await readDocument('openapi.json')
const [last] = changelog.parse(JSON.parse(baseline.texts['changelog.json'])).data
if (last === undefined) throw new Error('The released changelog is empty.')
const verdict = await changesBetween(released, current, { on: values.on, lastOn: last.releasedOn })
const { changes } = verdict
const { refused, stale } = withoutAccepted(verdict.refused, await readAcceptedBreaks())

const { version: packaged } = z
  .looseObject({ version: z.string() })
  .parse(JSON.parse(await readFile('package.json', 'utf8')))
if ([released.info.version, current.info.version, packaged].some((version) => version !== last.version)) {
  const versions = `changelog ${last.version}, released document ${released.info.version}, openapi.json ${current.info.version}, package.json ${packaged}`
  console.error(`The versions differ: ${versions}. Only \`npm run release\` moves them.`)
  process.exitCode = 1
}
console.log(`${changes.length} change(s) since ${released.info.version}.`)
if (changes.length > 0) console.log(listOf(changes))
if (refused.length > 0) {
  console.error(
    `${refused.length} change(s) break clients of stable operations or shorten a deprecation notice:\n` +
      `${listOf(refused)}\nAdd a new member or operation instead, or deprecate the old one and make the change in /api/v2.`,
  )
  process.exitCode = 1
}
if (stale.length > 0) {
  console.error(
    `Delete the entries of ${acceptedBreaksPath} that match no breaking change:\n${stale.map(({ what }) => `- ${what}`).join('\n')}`,
  )
  process.exitCode = 1
}
