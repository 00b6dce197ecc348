import { execFile } from 'node:child_process'
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'

/**
 * `npm run client`: the client as a package that can be published or installed from its folder, JavaScript with types.
 * Types that are generated are copied, because the compiler takes declarations as they are.
 */
const { values } = parseArgs({ options: { out: { type: 'string', default: '.client' } } })
const out = resolve(values.out)

await rm(out, { recursive: true, force: true })
await mkdir(join(out, 'generated'), { recursive: true })
const config = {
  extends: resolve('tsconfig.json'),
  compilerOptions: {
    ...{ noEmit: false, declaration: true, rewriteRelativeImportExtensions: true, outDir: out, rootDir: resolve('.') },
    // Nothing of Node: it runs in browsers and at the edge as well.
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
console.log(`The client is in ${values.out}.`)
