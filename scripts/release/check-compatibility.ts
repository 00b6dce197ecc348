import { readFile } from 'node:fs/promises'
import { changelog } from '../../registry/changelog.ts'
import { listOf } from './announcement.ts'
import { changesBetween } from './changes.ts'
import { readDocument } from './document.ts'

/**
 * Compares openapi.json with the last release and fails on what breaks those who rely on that. Prints the changes, which
 * the next release will announce.
 */
const released = await readDocument('generated/released/openapi.json')
const current = await readDocument('openapi.json')
const history = changelog.parse(JSON.parse(await readFile('generated/released/changelog.json', 'utf8')))
const changes = await changesBetween(released, current)
const breaking = changes.filter(({ isBreaking }) => isBreaking)
const last = history.data[0]?.version

if (released.info.version !== last || current.info.version !== last) {
  const versions = `changelog ${last}, released document ${released.info.version}, openapi.json ${current.info.version}`
  console.error(`The versions differ: ${versions}. Only \`npm run release\` moves them.`)
  process.exitCode = 1
}
console.log(`${changes.length} change(s) since ${released.info.version}.`)
if (changes.length > 0) console.log(listOf(changes))
if (breaking.length > 0) {
  console.error(
    `${breaking.length} of them break clients of what is stable. Add beside the old instead, or mark it beta first.`,
  )
  process.exitCode = 1
}
