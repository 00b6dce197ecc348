import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** The shell script scripts/node.sh, through which `npm start` and `npm run commerce` run Node.js. */
const script = resolve('scripts/node.sh')
const run = promisify(execFile)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-compile-cache-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** Runs Node.js in a folder with the script scripts/node.sh, and returns the output. */
async function output(words: readonly string[], cwd: string, cache = ''): Promise<string> {
  const { stdout } = await run('sh', [script, ...words], { cwd, env: { ...process.env, NODE_COMPILE_CACHE: cache } })
  return stdout
}

const printCache = ['-p', 'process.env.NODE_COMPILE_CACHE']

test('the compile cache of Node.js is in node_modules if the process’s account owns that folder', async () => {
  const own = join(folder, 'own')
  await mkdir(join(own, 'node_modules'), { recursive: true })
  expect(await output(printCache, own)).toBe(`${own}/node_modules/.cache/compiled\n`)
})

test('a process whose account does not own node_modules writes nothing to that folder', async () => {
  const others = join(folder, 'others')
  await mkdir(others)
  const packages = join(others, 'node_modules')
  if (process.getuid?.() === 0) {
    await mkdir(packages)
    await chown(packages, 65_534, 65_534)
    await chmod(packages, 0o755)
  } else await symlink('/usr', packages)
  expect(await output(printCache, others)).toBe('\n')
})

test('NODE_COMPILE_CACHE chooses another folder for the compile cache', async () => {
  expect(await output(printCache, folder, join(folder, 'chosen'))).toBe(`${folder}/chosen\n`)
})

test('a second start of a program reads compiled code from the Node compile cache and does not load Node’s type stripper', async () => {
  const cache = join(folder, 'filled')
  const report = `data:text/javascript,process.on('exit', () => console.log(process.moduleLoadList.join()))`
  const loaded = () => output(['--import', report, 'src/cli.ts', 'help'], process.cwd(), cache)
  const remover = 'internal/deps/amaro'
  expect(await loaded()).toContain(remover)
  expect(await loaded()).not.toContain(remover)
})
