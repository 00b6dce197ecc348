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

test('a generated file that was edited by hand is shown, with the command that mends it', async ({ signal }) => {
  const edited = await withEdit(['openapi.json', '"summary": "List orders"', '"summary": "List all orders"'], () =>
    run(process.execPath, ['scripts/generate.ts', '--check'], { signal }),
  )
  expect(edited.exitCode).toBe(1)
  expect(edited.output).toContain('openapi.json:')
  expect(edited.output).toMatch(/-\s+"summary": "List all orders"/)
  expect(edited.output).toMatch(/\+\s+"summary": "List orders"/)
  expect(edited.output).toContain('Run `npm run generate` and commit the result.')
})

test('a page that is missing and a page that nothing generates are named', async ({ signal }) => {
  const [missing, leftOver] = ['generated/reference/errors/order_not_found.md', 'generated/reference/errors/no_more.md']
  const before = await readFile(join(copy, missing), 'utf8')
  await rm(join(copy, missing))
  await writeFile(join(copy, leftOver), '# no_more\n')
  try {
    const checked = await run(process.execPath, ['scripts/generate.ts', '--check'], { signal })
    expect(checked.exitCode).toBe(1)
    expect(checked.output).toContain(`${missing}: is missing`)
    expect(checked.output).toContain(`${leftOver}: nothing generates it any more`)
  } finally {
    await writeFile(join(copy, missing), before)
    await rm(join(copy, leftOver))
  }
})

/** Each in a file of its own, so that one run of the compiler tells of all three. */
const mistakes = [
  // An operation without a handler.
  ['src/http/implementations.ts', '  getRefund,\n', ''],
  // A refusal that the operation does not declare.
  ['src/http/refunds.ts', "'refund_not_found'", "'customer_not_found'"],
  // A field that is added to a reply and not given.
  ['registry/refunds/refunds.ts', '    id: RefundId,\n', '    id: RefundId,\n    colour: z.string(),\n'],
] as const

/** The compiler keeps both cores busy for a quarter of a minute, and the machine may have other work. */
const compileMs = 180_000

test('a missing handler, an undeclared refusal and a field that is not given do not compile', {
  timeout: compileMs,
}, async ({ signal }) => {
  // TypeScript 7, the native compiler: the same errors in a fraction of the time.
  const compile = () => run(process.execPath, ['node_modules/ts7/bin/tsc', '--noEmit', '-p', '.'], { signal })
  const [handler, refusal, field] = mistakes
  const edited = await withEdit(handler, () => withEdit(refusal, () => withEdit(field, compile)))
  expect(edited.exitCode).not.toBe(0)
  expect(edited.output).toMatch(/src\/http\/implementations\.ts\(\d+,\d+\): error .*getRefund/)
  expect(edited.output).toMatch(/src\/http\/refunds\.ts\(\d+,\d+\): error .*customer_not_found/)
  expect(edited.output).toMatch(/error .*colour/)
})

interface Run {
  readonly exitCode: number
  readonly output: string
}

/** In the copy. A program whose test has run out of time ends with it. */
function run(command: string, options: readonly string[], { signal }: { signal: AbortSignal }): Promise<Run> {
  return new Promise((resolve) => {
    const settings = { cwd: copy, maxBuffer: 64 * 1024 * 1024, signal, killSignal: 'SIGKILL' } as const
    const child = execFile(command, options, settings, (_, output, errors) =>
      resolve({ exitCode: child.exitCode ?? -1, output: output + errors }),
    )
  })
}

async function withEdit(
  [path, found, replaced]: readonly [path: string, found: string, replaced: string],
  act: () => Promise<Run>,
): Promise<Run> {
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
