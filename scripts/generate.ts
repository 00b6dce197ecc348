import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createPatch } from './diff.ts'
import { generatedFiles, superfluousFiles } from './generated-files.ts'

/**
 * Writes the derived files (openapi.json, generated/ and the version of the client) and removes obsolete pages of the
 * reference. `--check` writes nothing: it prints the differences and the command that fixes them.
 */
const isCheck = process.argv.includes('--check')
const root = new URL('../', import.meta.url)
const files = await generatedFiles()
let differences = 0

for (const { path, text } of files) {
  const file = new URL(path, root)
  const present = await readFile(file, 'utf8').catch(() => undefined)
  if (present === text) continue
  differences++
  if (isCheck) console.log(present === undefined ? `${path}: is missing` : await createPatch(path, present, text))
  else {
    await mkdir(new URL('.', file), { recursive: true })
    await writeFile(file, text)
  }
}

for (const path of await superfluousFiles(files, root)) {
  differences++
  if (isCheck) console.log(`${path}: is no longer generated`)
  else await rm(new URL(path, root))
}

if (isCheck && differences > 0) {
  console.error(`${differences} generated file(s) do not match the registry and the migrations.`)
  console.error('Run `npm run generate` and commit the result. Never edit these files by hand.')
  process.exitCode = 1
} else {
  console.log(isCheck ? 'Generated files are current.' : `Generated files written; ${differences} changed.`)
}
