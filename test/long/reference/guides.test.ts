import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningDemo, startDemo } from '../../support/reference/demo.ts'
import { installClient } from '../../support/reference/install-client.ts'
import { hasPython } from '../../support/reference/paste.ts'
import { isRunWhole, loopTitle, referencePages } from '../../support/reference/reference-pages.ts'
import {
  type Block,
  type BlocksPlace,
  blocksOf,
  blockTimeoutMs,
  faultsOfBlocks,
} from '../../support/reference/run-blocks.ts'

/**
 * Runs every code block of the guides and of the index page, and the pagination loop of every list operation, as a
 * reader does who pastes the code.
 */

const run = promisify(execFile)

const withoutBlocks = [
  'guides/backups',
  'guides/deployment',
  'guides/development',
  'guides/rate-limits',
  'guides/monitoring',
]
const pages = await referencePages()
/** Name of the guide whose programs client-libraries.test.ts runs. */
const withOwnTest = 'guides/client-libraries'
const wholePages = [...pages].filter(([path]) => isRunWhole(path) && ![...withoutBlocks, withOwnTest].includes(path))
const canRunPython = await hasPython()

/**
 * Timeout of the setup, which starts three demos and installs the client, and of the test that compiles the TypeScript
 * code blocks.
 */
const startMs = 300_000

/** Timeout of a guide, longer than that of a code block, so that a failed test names the block that hangs. */
const guideMs = blockTimeoutMs + 60_000

/**
 * Guides that change the orders of the demo. They share a separate demo and run one after another. In this order, no
 * guide changes the output that a later guide shows.
 */
const changing = [
  'guides/typescript-client',
  'guides/idempotency',
  'guides/quick-start',
  'guides/webhooks',
  'guides/payments',
  'guides/inventory',
  'guides/personal-data',
  'guides/operations',
  'guides/conformance-testing',
  'guides/returns',
]

/**
 * Guides of test mode, which share a demo of their own, because they need stock of the product that the other guides
 * sell, and advance the test clock, which makes all records older. The guide “Test mode” comes first, because its
 * output contains the total advance of the clock.
 */
const testing = ['guides/test-mode', 'guides/triggers']

let reading: RunningDemo
let working: RunningDemo
let tested: RunningDemo
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-guides-'))
  await symlink(resolve('node_modules'), join(folder, 'node_modules'))
  ;[reading, working, tested] = await Promise.all([startDemo(), startDemo(), startDemo(), installClient(folder)])
}, startMs)
afterAll(async () => {
  await Promise.all([reading.stop(), working.stop(), tested.stop()])
  await rm(folder, { recursive: true, force: true })
})

function place(demo = reading): BlocksPlace {
  const { url, token, dataFolder } = demo
  const clientFolder = join(folder, 'commerce-service-client')
  return { url, token, dataFolder, clientFolder, hasPython: canRunPython }
}

describe('the code blocks of the guides', () => {
  const unchanging = wholePages.filter(([path]) => ![...changing, ...testing].includes(path))
  test.concurrent.for(unchanging)(
    'every code block of %s runs and prints the shown output',
    { timeout: guideMs },
    async ([, text], { expect }) => {
      expect(blocksOf(text).length).toBeGreaterThan(0)
      expect(await faultsOfBlocks(text, place())).toEqual([])
    },
  )

  const sequences = [
    { paths: changing, demo: () => working },
    { paths: testing, demo: () => tested },
  ]
  for (const { paths, demo } of sequences) {
    let turn = Promise.resolve<unknown>(undefined)
    const sequenceMs = paths.length * guideMs // Each code block starts when the blocks before it have ended.
    test.concurrent.for(paths)(
      'every code block of %s runs in order and prints the shown output',
      { timeout: sequenceMs },
      async (path, { expect }) => {
        const text = pages.get(path) ?? ''
        expect(blocksOf(text).length).toBeGreaterThan(0)
        const running = turn.then(() => faultsOfBlocks(text, place(demo())))
        turn = running
        expect(await running).toEqual([])
      },
    )
  }

  const loops = [...pages].flatMap(([path, text]) => loopsOf(text).map(({ code }) => [path, code] as const))
  test.concurrent.for(
    loops,
  )('the pagination loop on the documentation page %s ends after the last page of the list', async ([, code], {
    expect,
  }) => {
    expect(await faultsOfBlocks(printing(code), place())).toEqual([])
  })

  test.for(withoutBlocks)('the documentation page %s has no code block', (path) => {
    expect(blocksOf(pages.get(path) ?? '')).toEqual([])
  })

  test('every list operation has a pagination loop on its documentation page, and the check of these loops detects an incorrect loop', async () => {
    const lists = [...pages.values()].filter((text) => text.includes('\n## Pagination\n'))
    expect(loops).toHaveLength(lists.length)
    const [, code = ''] = loops[0] ?? []
    expect(await faultsOfBlocks(printing(code.replace('/api/v1/', '/api/v2/')), place())).toHaveLength(1)
  })
})

function loopsOf(text: string): Block[] {
  return blocksOf(text).filter(({ title }) => title === loopTitle)
}

/**
 * Returns a guide page whose only content is the pagination loop of a list operation. The last response of the loop
 * must be the last page of the list.
 */
function printing(code: string): string {
  const kept = `{\n${code}\n} > pages.txt\ntail -n 1 pages.txt`
  return `\`\`\`sh\n${kept}\n\`\`\`\n\n\`\`\`text\n…"hasMore":false}}\n\`\`\`\n`
}

test('the TypeScript code blocks of the guides compile in strict mode', { timeout: startMs }, async () => {
  const root = join(folder, 'typed')
  await mkdir(join(root, 'node_modules'), { recursive: true })
  await symlink(join(folder, 'commerce-service-client'), join(root, 'node_modules', 'commerce-service-client'))
  await writeFile(join(root, 'package.json'), '{ "type": "module" }')
  for (const [path, text] of wholePages) {
    await mkdir(join(root, path), { recursive: true })
    const blocks = blocksOf(text).filter(({ language }) => language === 'ts')
    for (const { title, line, code } of blocks) {
      await writeFile(join(root, path, title ?? `line-${line}.ts`), code)
    }
  }
  await writeFile(
    join(root, 'wrong.ts'),
    "import { createCommerce } from 'commerce-service-client'\ncreateCommerce(1)\n",
  )
  expect(await complaintsOf(root)).toEqual([expect.stringMatching(/^wrong\.ts\(/)])
})

async function complaintsOf(root: string): Promise<string[]> {
  const compilerOptions = {
    ...{ strict: true, noEmit: true, allowImportingTsExtensions: true, moduleDetection: 'force', skipLibCheck: true },
    ...{ target: 'esnext', module: 'nodenext', lib: ['esnext', 'dom', 'dom.asynciterable'] },
    ...{ types: ['node'], typeRoots: [resolve('node_modules/@types')] },
  }
  await writeFile(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }))
  const outcome: unknown = await run(process.execPath, [resolve('node_modules/ts7/bin/tsc'), '-p', root], {
    cwd: root,
  }).catch((error) => error)
  return String(Object(outcome).stdout)
    .split('\n')
    .filter((line) => /^\S/.test(line))
}
