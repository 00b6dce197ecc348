import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

/**
 * Tests scripts/deploy/install-release.sh with a git repository that contains small releases. The tests run in order.
 */

const run = promisify(execFile)
const script = resolve('scripts/deploy/install-release.sh')
let folder = ''
const at = (...names: string[]) => join(folder, ...names)

const git = (...args: string[]) =>
  run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: at('source') })

/** Commits and tags a release of the given version. `locked` is the version in the lock file of the release. */
async function publish(version: string, locked = version): Promise<void> {
  const content = { name: 'shop', version }
  await writeFile(at('source', 'package.json'), JSON.stringify({ ...content, dependencies: {} }))
  const lock = { ...content, version: locked, lockfileVersion: 3, packages: { '': { ...content, version: locked } } }
  // If `locked` is empty, the lock file is not JSON. npm refuses such a lock file, so the installation of the release
  // fails.
  await writeFile(at('source', 'package-lock.json'), locked === '' ? 'none' : JSON.stringify(lock))
  await git('add', '--all')
  await git('commit', '--quiet', '--no-verify', '--message', version)
  await git('tag', `v${version}`)
}

const install = (release: string) =>
  run('sh', [script, release], {
    env: {
      ...process.env,
      COMMERCE_LINK: at('current'),
      COMMERCE_RELEASES: at('releases'),
      COMMERCE_SOURCE: `file://${at('source')}`,
    },
  })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-install-'))
  await run('git', ['init', '--quiet', at('source')])
  await publish('1.0.0')
  await publish('1.1.0')
  await publish('1.2.0', '')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the install script installs each release in a folder of its own and points the link `current` to that folder', async () => {
  await install('v1.0.0')
  expect(await readlink(at('current'))).toBe(at('releases', 'v1.0.0'))
  await install('v1.1.0')
  expect(await readlink(at('current'))).toBe(at('releases', 'v1.1.0'))
  expect(await readdir(at('releases'))).toEqual(['v1.0.0', 'v1.1.0'])
})

test('if the packages of a release cannot be installed, the link `current` is unchanged and only a partial folder of the release exists', async () => {
  await expect(install('v1.2.0')).rejects.toMatchObject({ code: 1 })
  expect(await readlink(at('current'))).toBe(at('releases', 'v1.1.0'))
  expect(await readdir(at('releases'))).toEqual(['v1.0.0', 'v1.1.0', 'v1.2.0.partial'])
})

test('the install script fails for a release unknown to git, and does not change the link `current`', async () => {
  await expect(install('v9.9.9')).rejects.toMatchObject({ stderr: expect.stringContaining('v9.9.9') })
  expect(await readlink(at('current'))).toBe(at('releases', 'v1.1.0'))
})

test('the install script can switch back to an installed release without the repository', async () => {
  await rm(at('source'), { recursive: true })
  await install('v1.0.0')
  expect(await readlink(at('current'))).toBe(at('releases', 'v1.0.0'))
})
