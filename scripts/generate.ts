import { readFile, writeFile } from 'node:fs/promises'
import { createPatch } from './diff.ts'
import { generatedFiles } from './generated-files.ts'

/**
 * Writes everything that is derived: openapi.json, generated/ and the README's table of settings.
 * `--check` writes nothing; it prints what differs and the command that mends it.
 */
const isCheck = process.argv.includes('--check')
let differences = 0

for (const { path, text } of await generatedFiles()) {
  const file = new URL(`../${path}`, import.meta.url)
  const present = await readFile(file, 'utf8').catch(() => '')
  if (present === text) continue
  differences++
  if (isCheck) console.log(await createPatch(path, present, text))
  else await writeFile(file, text)
}

if (isCheck && differences > 0) {
  console.error(`${differences} generated file(s) differ from what the registry and the migrations say.`)
  console.error('Run `npm run generate` and commit the result. Never edit these files by hand.')
  process.exitCode = 1
} else {
  console.log(isCheck ? 'Generated files are current.' : `Generated files written; ${differences} changed.`)
}
