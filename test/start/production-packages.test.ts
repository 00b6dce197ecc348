import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
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
  const tools = ['typescript', 'ts7', 'esbuild', 'rollup', 'vite', '@asteasolutions/zod-to-openapi', 'ajv']
  expect(tools.filter((name) => installed.includes(name))).toEqual([])
})

test('npm logs only errors, which hides its warnings about an older Node', async () => {
  expect((await readFile('.npmrc', 'utf8')).split('\n')).toContain('loglevel=error')
})

test('the prepare script of npm succeeds and prints nothing where simple-git-hooks is not installed', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'))
  const cwd = await mkdtemp(join(tmpdir(), 'commerce-prepare-'))
  onTestFinished(() => rm(cwd, { recursive: true }))
  // The path without node_modules/.bin, which npm adds.
  const env = { PATH: '/usr/bin:/bin' }
  expect(await promisify(execFile)('sh', ['-c', scripts.prepare], { cwd, env })).toEqual({ stdout: '', stderr: '' })
})
