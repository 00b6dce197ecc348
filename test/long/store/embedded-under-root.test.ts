import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, readlink, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { findBinaries, placeBinaries } from '../../../src/store/embedded/binaries.ts'
import { onCleanup, open, query, temporaryFolder } from '../../support/embedded.ts'

const isRoot = process.getuid?.() === 0

test.runIf(isRoot)(
  'under root, the cluster is in the shared folder if PostgreSQL cannot access the data folder, and the data folder contains a link to the cluster',
  async () => {
    const folder = await temporaryFolder(0o700)
    const dataDirectory = join(folder, '.data')
    const lines: string[] = []
    const first = await open({ dataDirectory, onLog: (line) => lines.push(line) })
    const cluster = await readlink(join(dataDirectory, 'postgres'))
    onCleanup(() => rm(cluster, { recursive: true, force: true }))
    expect(cluster).toMatch(/^\/var\/lib\/commerce-service\/data-/)
    expect(lines[0]).toContain(`the data is in ${cluster}`)
    await query(first.ownerConnectionString, 'create table kept ()')
    await first.stop()
    const second = await open({ dataDirectory })
    expect(await query(second.ownerConnectionString, 'select from kept')).toEqual([])
    await second.stop()
  },
)

test.runIf(isRoot)(
  'under root, if the database account cannot read the installed PostgreSQL programs, the service copies them once to a folder that this account can read',
  async () => {
    const folder = await temporaryFolder(0o700)
    const installed = await findBinaries()
    const native = join(folder, 'native')
    await cp(installed.native, native, { recursive: true, verbatimSymlinks: true })
    const hidden = { ...installed, native, postgres: join(native, 'bin', 'postgres') }
    const account = unprivilegedUser()
    const lines: string[] = []
    const options = { sharedFolder: join(await temporaryFolder(), 'shared'), onLog: (line: string) => lines.push(line) }

    const copied = await placeBinaries(hidden, account, options)
    expect(copied.native).toBe(join(options.sharedFolder, `postgres-${installed.version}`))
    expect(await outputOf(copied.postgres, account)).toMatch(/^postgres \(PostgreSQL\) 18/)
    expect(await placeBinaries(hidden, account, options)).toEqual(copied)
    expect(lines).toHaveLength(1)
  },
)

function unprivilegedUser() {
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const [, , uid, gid] = accounts.find((account) => Number(account[2]) > 0) ?? expect.fail('There is only root.')
  return { uid: Number(uid), gid: Number(gid) }
}

async function outputOf(program: string, account: { uid: number; gid: number }): Promise<string> {
  const child = spawn(program, ['--version'], { ...account, cwd: dirname(program), env: {} })
  let output = ''
  for await (const chunk of child.stdout) output += chunk
  return output
}
