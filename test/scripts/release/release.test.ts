import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock, toTimestamp } from '../../../src/base/clock.ts'

/** Creates releases in a copy of this project that is a git repository of its own. The tests run in order. */

const run = promisify(execFile)
const today = toTimestamp(systemClock.nowMs()).slice(0, 'yyyy-mm-dd'.length)
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-release-'))
  const listed = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], largeOutput)
  for (const path of listed.stdout.split('\0').filter((each) => each !== '')) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    // Git lists a deleted file until the deletion is staged.
    await cp(path, join(folder, path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }
  await symlink(resolve('node_modules'), join(folder, 'node_modules'))
  await git('init', '--quiet')
  // Git runs without the user’s settings and hooks.
  for (const [name, value] of [
    ['user.name', 'a'],
    ['user.email', 'a@example.com'],
    ['core.hooksPath', '/dev/null'],
  ] as const)
    await git('config', name, value)
  await git('add', '--all')
  await git('commit', '--quiet', '--message', 'Before the release')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const largeOutput = { maxBuffer: 64 * 1024 * 1024 }

const git = async (...args: string[]) => (await run('git', args, { cwd: folder, ...largeOutput })).stdout.trim()

const textOf = (path: string) => readFile(join(folder, path), 'utf8')

const release = (summary: string) =>
  run(process.execPath, ['scripts/release/release.ts', '--on', today, '--summary', summary], { cwd: folder })

/** Runs the commands that the release printed, except for the push. Returns the version that it printed. */
async function commit(printed: string): Promise<string> {
  const commands = printed.split('\n').filter((line) => line.startsWith('git ') && !line.startsWith('git push'))
  expect(commands).toHaveLength(3)
  await run('sh', ['-e', '-c', commands.join('\n')], { cwd: folder })
  return /^\d+\.\d+\.\d+/.exec(printed)?.[0] ?? expect.fail(printed)
}

async function versionsOf(): Promise<readonly string[]> {
  const [manifest, lock, document] = await Promise.all(
    ['package.json', 'package-lock.json', 'openapi.json'].map(textOf),
  )
  const locked = JSON.parse(lock ?? '')
  return [
    JSON.parse(manifest ?? '').version,
    locked.version,
    locked.packages[''].version,
    JSON.parse(document ?? '').info.version,
  ]
}

async function announce(line: string): Promise<void> {
  const text = await textOf('CHANGELOG.md')
  await writeFile(
    join(folder, 'CHANGELOG.md'),
    text.replace('## Unreleased\n', `## Unreleased\n\n### Fixed\n\n- ${line}\n`),
  )
}

test('a release updates every version number, writes its changelog section and prints the commands that tag the release', async () => {
  await announce('An announced change.')
  const version = await commit((await release('The first release of this test.')).stdout)
  expect(new Set(await versionsOf())).toEqual(new Set([version]))
  expect(await textOf('CHANGELOG.md')).toContain(
    `## Unreleased\n\n## ${version}, ${today}\n\n### Fixed\n\n- An announced change.\n`,
  )
  // In git, an annotated tag is an object of its own, with another id than the commit.
  expect(await git('cat-file', '-t', `v${version}`)).toBe('tag')
  expect(await git('describe')).toBe(`v${version}`)
  expect(await git('status', '--porcelain')).toBe('')
})

test('a release changes one line of package.json and two lines of package-lock.json', async () => {
  const counts = await git('show', '--numstat', '--format=', 'HEAD', '--', 'package.json', 'package-lock.json')
  expect(counts.split('\n')).toEqual(['2\t2\tpackage-lock.json', '1\t1\tpackage.json'])
})

test('a release without contract changes raises the patch version and has no changelog section about the contract', async () => {
  const [before] = await versionsOf()
  await announce('A corrected defect.')
  const version = await commit((await release('Corrects a defect.')).stdout)
  const [major, minor, patch = Number.NaN] = before?.split('.').map(Number) ?? []
  expect(await versionsOf()).toEqual(Array(4).fill(`${major}.${minor}.${patch + 1}`))
  const section = `## ${version}, ${today}\n\n### Fixed\n\n- A corrected defect.\n\n## ${before}, ${today}\n`
  expect(await textOf('CHANGELOG.md')).toContain(section)
  // An operator installs the new release in place of the previous one, and then the previous one again.
  await git('checkout', '--quiet', `v${before}`)
  expect(await versionsOf()).toEqual(Array(4).fill(before))
  await git('checkout', '--quiet', `v${version}`)
  expect(await versionsOf()).toEqual(Array(4).fill(version))
  const { stdout } = await run(process.execPath, ['scripts/release/check-compatibility.ts'], { cwd: folder })
  expect(stdout).toContain(`0 change(s) since ${version}.`)
})

test('a release without any change is refused and writes nothing', async () => {
  const refused: unknown = await release('Nothing.').catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Nothing has changed: /) })
  expect(await git('status', '--porcelain')).toBe('')
})
