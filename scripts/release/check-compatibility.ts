import { parseArgs } from 'node:util'
import { changelog } from '../../registry/service/changelog.ts'
import { acceptedBreaksPath, readAcceptedBreaks, withoutAccepted } from './accepted-breaks.ts'
import { listOf } from './announcement.ts'
import { differencesFromTag, editsOf, readBaseline } from './baseline.ts'
import { changesBetween } from './changes.ts'
import { parseDocument, readDocument } from './document.ts'

/**
 * Compares openapi.json with the last release and fails on what breaks those who rely on that. Prints the changes, which
 * the next release will announce. `--on 2027-12-01` says what a release of that day may bring; else it is today’s. Fails too
 * where what it compares with is not what that release wrote.
 */
const today = new Date().toISOString().slice(0, 10)
const { values } = parseArgs({ options: { on: { type: 'string', default: today } } })
const folder = 'generated/released'
const baseline = await readBaseline(folder)
if (baseline === undefined) throw new Error('Nothing was released yet, so there is nothing to compare with.')
const edits = [...editsOf(baseline), ...(await differencesFromTag(baseline, folder))]
if (edits.length > 0) {
  console.error(`${edits.join('\n')}\nOnly \`npm run release\` writes ${folder}. Restore it.`)
  process.exit(1)
}
const released = parseDocument(baseline.texts['openapi.json'])
const current = await readDocument('openapi.json')
const [last] = changelog.parse(JSON.parse(baseline.texts['changelog.json'])).data
if (last === undefined) throw new Error('The changelog of what was released is empty.')
const verdict = await changesBetween(released, current, { on: values.on, lastOn: last.releasedOn })
const { changes } = verdict
const { refused, stale } = withoutAccepted(verdict.refused, await readAcceptedBreaks())

if (released.info.version !== last.version || current.info.version !== last.version) {
  const versions = `changelog ${last.version}, released document ${released.info.version}, openapi.json ${current.info.version}`
  console.error(`The versions differ: ${versions}. Only \`npm run release\` moves them.`)
  process.exitCode = 1
}
console.log(`${changes.length} change(s) since ${released.info.version}.`)
if (changes.length > 0) console.log(listOf(changes))
if (refused.length > 0) {
  console.error(
    `No release may bring ${refused.length} of them, which break clients of what is stable or give them too little notice:\n` +
      `${listOf(refused)}\nAdd beside the old instead, or deprecate it and bring the change in /api/v2.`,
  )
  process.exitCode = 1
}
if (stale.length > 0) {
  console.error(
    `Delete the entries of ${acceptedBreaksPath} that match no breaking change:\n${stale.map(({ what }) => `- ${what}`).join('\n')}`,
  )
  process.exitCode = 1
}
