import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { changelog } from '../../registry/changelog.ts'
import { listOf } from './announcement.ts'
import { changesBetween } from './changes.ts'
import { readDocument } from './document.ts'

/**
 * Compares openapi.json with the last release and fails on what breaks those who rely on that. Prints the changes, which
 * the next release will announce. `--on 2027-12-01` says what a release of that day may bring; else it is today’s.
 */
const today = new Date().toISOString().slice(0, 10)
const { values } = parseArgs({ options: { on: { type: 'string', default: today } } })
const released = await readDocument('generated/released/openapi.json')
const current = await readDocument('openapi.json')
const history = changelog.parse(JSON.parse(await readFile('generated/released/changelog.json', 'utf8')))
const [last] = history.data
if (last === undefined) throw new Error('Nothing was released yet, so there is nothing to compare with.')
const { changes, refused } = await changesBetween(released, current, { on: values.on, lastOn: last.releasedOn })

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
