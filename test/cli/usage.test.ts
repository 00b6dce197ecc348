import { expect, test } from 'vitest'
import { allCommands, commandsOf } from '../../src/cli/commands.ts'
import { helpOf } from '../../src/cli/kit/help.ts'
import { commerce } from './commerce.ts'

/** A database address without a server: the tested commands must fail before they connect to a database. */
const nowhere = 'postgres://127.0.0.1:1/none'

const commands = await allCommands()

test.each(
  commands.map((command) => [command.name, command] as const),
)('the command %s --help lists every option of the command', (_, command) => {
  const help = helpOf(command)
  for (const option of [...command.options.map(({ name }) => name), 'json', 'help'])
    expect(help).toContain(`--${option}`)
  for (const { meaning } of command.options) {
    expect(meaning).not.toBe('')
    expect(help).toContain(meaning)
  }
  expect(help).toContain(command.summary)
})

test.each(
  commands.map(({ name }) => name),
)('the help of the command group that contains %s lists that command', async (name) => {
  const [noun = ''] = name.split(' ')
  expect((await commandsOf(noun)).map((command) => command.name)).toContain(name)
})

test('--help works without the required options and without a database', async () => {
  const { code, stdout, stderr } = await commerce(nowhere, 'token', 'create', '--help')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('Usage: npm run -s commerce -- token create --merchant ID')
})

test('without a command, the help lists all commands', async () => {
  const { code, stdout } = await commerce(nowhere)
  expect(code).toBe(0)
  for (const { name } of commands) expect(stdout).toContain(`  ${name} `)
})

const mistakes = [
  ['tokens list', 'Unknown command tokens. List the commands with --help.'],
  ['token', 'token must be followed by one of: create, list, rotate, revoke.'],
  ['token make', 'token must be followed by one of: create, list, rotate, revoke.'],
  ['token list', 'Missing required options: --merchant.'],
  [
    'token list --merchent x',
    "Unknown option '--merchent'. The options are --merchant, --mode, --limit, --json, --help.",
  ],
  ['token list --merchant x y', "Unexpected argument 'y'."],
  ['token list --merchant x --mode both', '--mode must be live or test.'],
  ['token create --merchant x --name y --scopes orders:all', '--scopes must be all, or one or more of orders:read'],
  ['webhook create --merchant x --url https://example.com --events order', '--events must be one or more of'],
  ['seed --merchant x --orders 1e3', '--orders must be a whole number from 1 to 2000000.'],
  ['merchant set --merchant x', 'Nothing to change. Give at least one of --default-state, --tax-registered'],
  ['merchant set --merchant x --tax-registered yes', '--tax-registered must be true or false.'],
  ['merchant set --merchant x --tax-rate-bps 10001', '--tax-rate-bps must be a whole number from 0 to 10000.'],
  ['merchant set --merchant x --default-state Abuja', '--default-state must be one of the 36 states, or FCT.'],
  ['merchant set --merchant x --default-pickup here', '--default-pickup must be a place such as'],
  ['merchant set --merchant x --default-pickup {"line1":"x"}', '--default-pickup must be a place such as'],
  ['merchant set --merchant x --low-stock-threshold no', 'must be a whole number from 0 to 1000000, or none.'],
  ['listen --secret nonsense', '--secret must start with whsec_.'],
] as const

test.each(mistakes)('the command `%s` exits with 2 and prints one line that names the mistake', async (words, line) => {
  const { code, stdout, stderr } = await commerce(nowhere, ...words.split(' '))
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(line)
  expect(stderr.split('\n')).toHaveLength(2)
})

test('a command exits with 1 and prints one line when the database is unreachable', async () => {
  const { code, stdout, stderr } = await commerce(nowhere, 'merchant', 'list')
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(
    /^The database cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:1\. Check DATABASE_URL\.\n$/,
  )
})
