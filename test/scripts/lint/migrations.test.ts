import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Tests the linter for migrations as `npm run verify` runs it. */

const args = ['--config', 'scripts/config/squawk.toml']
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-linter-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const lint = (...files: readonly string[]) => run('node_modules/.bin/squawk', [...args, ...files])

async function run(command: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  return promisify(execFile)(command, args).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout }) => ({ code, output: stdout }),
  )
}

test.for([
  ['builds an index that blocks writes', 'create index on orders (number);', 'require-concurrent-index-creation'],
  [
    'validates a foreign key under a lock',
    'alter table orders add constraint a foreign key (b) references c (d);',
    'adding-foreign-key-constraint',
  ],
  [
    'validates a check under a lock',
    'alter table orders add constraint a check (b > 0);',
    'constraint-missing-not-valid',
  ],
  ['rewrites a table', 'alter table orders alter column number type bigint;', 'changing-column-type'],
] as const)('the migration check rejects a migration that %s', async ([, sql, rule]) => {
  const file = join(folder, '9001_new.sql')
  await writeFile(file, sql)
  const { code, output } = await lint(file)
  expect(code).not.toBe(0)
  expect(output).toContain(rule)
})

const alter = 'alter table quotes alter column items drop not null;'

test.for([
  ['alters a table and updates it', 'refused', `${alter} update quotes q set items = null;`],
  [
    'alters a table and updates it in a with query',
    'refused',
    `${alter} with a as (update only quotes set items = null) select;`,
  ],
  ['alters a table and updates another one', 'accepted', `${alter} update shipments set items = null;`],
  [
    'alters a table and updates it in a function',
    'accepted',
    `${alter} create function a() as $$ update quotes set b = 1 $$;`,
  ],
  [
    'alters a table and updates a row that an insert finds',
    'accepted',
    `${alter} insert into a on conflict do update set b = 1;`,
  ],
  [
    'creates, alters and updates a table',
    'accepted',
    'create table a (); alter table a add b int; update a set b = 1;',
  ],
] as const)('if a migration %s, the migration check has the verdict: %s', async ([, verdict, sql]) => {
  const file = join(folder, '9002_backfill.sql')
  await writeFile(file, sql)
  const checked = await run(process.execPath, ['scripts/check-migrations.ts', file])
  expect(checked.code === 0 ? 'accepted' : 'refused', checked.output).toBe(verdict)
})

test.for([
  ['drops a column', '9003_new', 'refused', 'alter table orders drop column note;'],
  ['drops a column', '9003_new.contract', 'accepted', 'alter table orders drop column note;'],
  ['drops a table', '9003_new.concurrent', 'refused', 'drop table old;'],
  ['renames a column', '9003_new', 'refused', 'alter table orders rename column a to b;'],
  ['drops an index', '9003_new', 'accepted', 'drop index orders_by_note;'],
] as const)('for a migration that %s and has the file name %s, the migration check returns: %s', async ([
  ,
  name,
  verdict,
  sql,
]) => {
  const file = join(folder, `${name}.sql`)
  await writeFile(file, sql)
  const checked = await run(process.execPath, ['scripts/check-migrations.ts', file])
  expect(checked.code === 0 ? 'accepted' : 'refused', checked.output).toBe(verdict)
})

const addKey =
  'alter table orders add constraint a foreign key (merchant_id, b) references customers (merchant_id, id) not valid;'

test.for([
  [
    'adds a column and a constraint at once',
    'refused',
    'alter table orders add column b text, add constraint a check (b > 0) not valid;',
  ],
  ['adds a column and then a foreign key', 'accepted', `alter table orders add column b record_id; ${addKey}`],
  ['validates a foreign key', 'refused', `${addKey} alter table orders validate constraint a;`],
  ['validates a check', 'accepted', 'alter table orders validate constraint a;'],
  [
    'replaces a constraint of a table on the coordinator',
    'accepted',
    'alter table simulated_orders drop constraint a, add constraint a check (b > 0) not valid;',
  ],
] as const)('if a migration %s, the check for distributed databases has the verdict: %s', async ([, verdict, sql]) => {
  const file = join(folder, '9004_distributed.sql')
  await writeFile(file, sql)
  const checked = await run(process.execPath, ['scripts/check-migrations.ts', file])
  expect(checked.code === 0 ? 'accepted' : 'refused', checked.output).toBe(verdict)
})

test('all migrations pass the migration checks, and the script verify runs these checks', async () => {
  const migrations = (await readdir('src/store/migrations')).map((name) => `src/store/migrations/${name}`)
  expect(await lint(...migrations)).toMatchObject({ code: 0 })
  const verify = await readFile('scripts/verify.ts', 'utf8')
  expect(await run(process.execPath, ['scripts/check-migrations.ts'])).toMatchObject({ code: 0 })
  expect(verify).toContain("[process.execPath, 'scripts/check-migrations.ts']")
  expect(verify).toContain(`[bin('squawk'), '${args.join("', '")}', 'src/store/migrations/*.sql']`)
})
