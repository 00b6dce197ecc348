import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

/** The packages that `npm ci --omit=dev` installs, according to the lock file. */
async function productionPackages(): Promise<string[]> {
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8'))
  return Object.entries<{ dev?: boolean }>(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
}

test('the production install has one web framework, which is Hono', async () => {
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
