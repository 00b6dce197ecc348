import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** In a copy of this repository, the real tools must notice what goes out of step. */

const repository = fileURLToPath(new URL('../..', import.meta.url))
let copy = ''

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'commerce-drift-'))
  await cp(repository, copy, { recursive: true, filter: (path) => path === repository || isSource(basename(path)) })
  await symlink(join(repository, 'node_modules'), join(copy, 'node_modules'))
})

/** Not what is installed, and not what git, the benchmarks or a running service keep in dot folders. */
function isSource(name: string): boolean {
  return name !== 'node_modules' && !name.startsWith('.')
}

afterAll(() => rm(copy, { recursive: true, force: true }))

test('a generated file that was edited by hand is shown, with the command that mends it', async () => {
  const edited = await withEdit('openapi.json', 'List orders, newest first.', 'List orders, oldest first.', () =>
    run(process.execPath, ['scripts/generate.ts', '--check'], copy),
  )
  expect(edited.exitCode).toBe(1)
  expect(edited.output).toContain('openapi.json:')
  expect(edited.output).toMatch(/-\s+"summary": "List orders, oldest first\."/)
  expect(edited.output).toMatch(/\+\s+"summary": "List orders, newest first\."/)
  expect(edited.output).toContain('Run `npm run generate` and commit the result.')
})

test('a page that is missing and a page that nothing generates are named', async () => {
  const [missing, leftOver] = ['generated/reference/errors/order_not_found.md', 'generated/reference/errors/no_more.md']
  const before = await readFile(join(copy, missing), 'utf8')
  await rm(join(copy, missing))
  await writeFile(join(copy, leftOver), '# no_more\n')
  try {
    const checked = await run(process.execPath, ['scripts/generate.ts', '--check'], copy)
    expect(checked.exitCode).toBe(1)
    expect(checked.output).toContain(`${missing}: is missing`)
    expect(checked.output).toContain(`${leftOver}: nothing generates it any more`)
  } finally {
    await writeFile(join(copy, missing), before)
    await rm(join(copy, leftOver))
  }
})

test('an operation without a handler does not compile', async () => {
  const edited = await withEdit('src/http/implementations.ts', '  getRefund,\n', '', compile)
  expect(edited.exitCode).not.toBe(0)
  expect(edited.output).toMatch(/src\/http\/implementations\.ts\(\d+,\d+\): error .*getRefund/)
})

test('a refusal the operation does not declare does not compile', async () => {
  const edited = await withEdit('src/http/refunds.ts', "'refund_not_found'", "'customer_not_found'", compile)
  expect(edited.exitCode).not.toBe(0)
  expect(edited.output).toMatch(/src\/http\/refunds\.ts\(\d+,\d+\): error .*customer_not_found/)
})

test('a field that is added to a reply and not given does not compile', async () => {
  const edited = await withEdit(
    'registry/refunds.ts',
    '    id: RefundId,\n',
    '    id: RefundId,\n    colour: z.string(),\n',
    compile,
  )
  expect(edited.exitCode).not.toBe(0)
  expect(edited.output).toMatch(/error .*colour/)
})

/** TypeScript 7, the native compiler: the same errors in a fraction of the time. */
function compile(): Promise<Run> {
  return run(process.execPath, ['node_modules/ts7/bin/tsc', '--noEmit', '-p', '.'], copy)
}

interface Run {
  readonly exitCode: number
  readonly output: string
}

function run(command: string, options: readonly string[], folder: string): Promise<Run> {
  return new Promise((resolve) => {
    const child = execFile(command, options, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }, (_, output, errors) =>
      resolve({ exitCode: child.exitCode ?? -1, output: output + errors }),
    )
  })
}

async function withEdit(path: string, found: string, replaced: string, act: () => Promise<Run>): Promise<Run> {
  const file = join(copy, path)
  const before = await readFile(file, 'utf8')
  expect(before).toContain(found)
  await writeFile(file, before.replace(found, replaced))
  try {
    return await act()
  } finally {
    await writeFile(file, before)
  }
}
