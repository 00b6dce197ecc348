import { execFile } from 'node:child_process'
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'

/**
 * `npm run client`: builds the client as an npm package of JavaScript and type declarations, in a folder from which the
 * package can be published or installed. Generated `.d.ts` files are copied, because the compiler does not emit
 * declaration files.
 */
const { values } = parseArgs({ options: { out: { type: 'string', default: '.client' } } })
const out = resolve(values.out)

const objection = await objectionTo(out)
if (objection !== undefined) {
  console.error(`${values.out} ${objection}. Choose a new or empty folder.`)
  process.exit(1)
}
await rm(out, { recursive: true, force: true })
await mkdir(join(out, 'generated'), { recursive: true })
const config = {
  extends: resolve('tsconfig.json'),
  compilerOptions: {
    ...{ noEmit: false, declaration: true, rewriteRelativeImportExtensions: true, outDir: out, rootDir: resolve('.') },
    // Compiles without the types of Node.js: the client uses only web APIs, which Deno, Bun and edge runtimes provide
    // as well.
    ...{ lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'], target: 'es2022', types: [] },
  },
  include: [],
  files: ['index.ts', 'webhooks.ts'].map((name) => resolve('src/client', name)),
}
const configPath = join(out, 'tsconfig.json')
await writeFile(configPath, JSON.stringify(config))
await promisify(execFile)(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', configPath])
await rm(configPath)
for (const name of ['api.d.ts', 'webhook-events.d.ts']) {
  await copyFile(join('generated', name), join(out, 'generated', name))
}
for (const name of ['package.json', 'README.md']) await copyFile(join('src/client', name), join(out, name))
await copyFile('LICENSE', join(out, 'LICENSE'))
console.log(`Client written to ${values.out}.`)

/**
 * Returns why the build must not use a target folder, or undefined if it may. The build deletes the folder, so it must
 * be empty or contain a client.
 */
async function objectionTo(folder: string): Promise<string | undefined> {
  const down = relative(folder, process.cwd())
  if (!down.startsWith('..')) return 'contains the current folder'
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  if (names.length === 0 || (await isClient(folder))) return undefined
  return 'contains files of something other than the client'
}

async function isClient(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}')
  return /"name":\s*"commerce-service-client"/.test(text)
}
