import { execFile } from 'node:child_process'
import { copyFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type Baseline,
  differencesFromTag,
  digestsText,
  editsOf,
  readBaseline,
} from '../../../scripts/release/baseline.ts'

/** A folder with the files of a released and of an unreleased version, as in the project. */

const run = promisify(execFile)
let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-baseline-'))
  await cp('generated/released', join(folder, 'generated/released'), { recursive: true })
  await copyFile('openapi.json', join(folder, 'openapi.json'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const released = (name: string) => join(folder, 'generated/released', name)

async function edit(name: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(released(name), 'utf8')
  const changed = change(text)
  expect(changed).not.toBe(text)
  await writeFile(released(name), changed)
}

async function baseline(): Promise<Baseline> {
  return (await readBaseline(join(folder, 'generated/released'))) ?? expect.fail('Nothing is released.')
}

/** Creates a git tag without the user’s settings and without hooks. */
async function tag(name: string): Promise<void> {
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder })
  await git('init', '--quiet')
  await git('add', 'generated')
  await git('commit', '--quiet', '--no-verify', '--message', 'Released files')
  await git('tag', name)
}

test('the check of the release baseline accepts files that are unchanged since the last release', async () => {
  expect(editsOf(await baseline())).toEqual([])
})

test('the baseline check accepts a repository without released files, as before the first release', async () => {
  expect(await readBaseline(join(folder, 'generated'))).toBeUndefined()
})

const edits = [
  ['openapi.json', (text: string) => text.replace('"stable"', '"beta"')],
  ['changelog.json', (text: string) => text.replace('"isBreaking": false', '"isBreaking": true')],
  // The schema of the changelog has no field `note`, but the service would return the field. The check must therefore
  // reject the edit that adds it.
  ['changelog.json', (text: string) => text.replace('"version"', '"note": "It was not there.", "version"')],
  ['redocly-exceptions.json', (text: string) => text.replace('[', '[ ')],
  ['vocabulary-exceptions.json', (text: string) => text.replace('"reason"', '"note"')],
] as const

test.for(edits)('the baseline check rejects an edit of %s', async ([name, change]) => {
  await edit(name, change)
  const { digests } = await baseline()
  expect(editsOf(await baseline())).toEqual([`${name} was edited since ${digests?.version} was released.`])
})

test('the baseline check rejects released files if the file with their digests is missing', async () => {
  await rm(released('digests.json'))
  expect(editsOf(await baseline())).toEqual(['digests.json is missing.'])
})

test.for([
  ['the gate fails', 'check-compatibility.ts', []],
  // If the command did not fail, the release would write new digests of the released files, and the edit of such a file
  // would go unnoticed.
  ['no release is made', 'release.ts', ['--on', '2027-12-01', '--summary', 'One more.']],
] as const)('if a released file was edited, the baseline check detects the edit and %s', async ([, program, args]) => {
  await edit(...edits[0])
  const path = resolve('scripts/release', program)
  const outcome: unknown = await run(process.execPath, [path, ...args], { cwd: folder }).catch(
    (error: unknown) => error,
  )
  expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('openapi.json was edited') })
})

test('the baseline check of a tagged release rejects a released file that differs from the tag, even if the file’s digest was edited to match', async () => {
  const { digests } = await baseline()
  const version = digests?.version ?? ''
  const differences = async () => differencesFromTag(await baseline(), join(folder, 'generated/released'))
  await tag(`v${version}`)
  expect(await differences()).toEqual([])
  await edit(...edits[0])
  await writeFile(released('digests.json'), digestsText(version, (await baseline()).texts))
  expect(editsOf(await baseline())).toEqual([])
  expect(await differences()).toEqual([`openapi.json differs from the tag v${version}.`])
})

test('without a tag of the release, the baseline check cannot detect a released file that was edited together with its digest', async () => {
  await edit(...edits[0])
  expect(await differencesFromTag(await baseline(), folder)).toEqual([])
})
