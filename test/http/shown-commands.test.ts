import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nextSteps } from '../../src/demo/next-steps.ts'
import { demoCommands } from '../../src/demo/open-demo.ts'
import { useApi } from '../support/api.ts'
import { paste } from '../support/reference/paste.ts'
import { openShop, type Shop } from '../support/shop.ts'

/** Every curl command of the quick start prints the response body when the service returns an error. */

const started = useApi()
const wrongToken = 'svc_test_0000'

let shop: Shop
let folder: string
beforeAll(async () => {
  shop = await openShop(started().context)
  folder = await mkdtemp(join(tmpdir(), 'commerce-commands-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const shown = {
  'of the first start': async () => {
    const tokens = { token: wrongToken, testToken: wrongToken, signInToken: wrongToken }
    const text = demoCommands({ merchantId: shop.tenant.merchantId, ...tokens, paidOrderId: 'ord_1' }, started().url)
    return text.split('\n').filter((line) => /^(curl|\(c=|s=)/.test(line))
  },
  'of later starts': async () => {
    const text = await nextSteps(started().database, started().url)
    return text.split('\n').filter((line) => line.startsWith('curl'))
  },
  'of the quick start': async () => {
    const page = await readFile('generated/reference/index.md', 'utf8')
    return [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, code = '']) => code).filter((code) => /curl/.test(code))
  },
}

test.for(Object.entries(shown))('each curl command %s prints the API’s error when the token is wrong', async ([
  name,
  read,
]) => {
  const commands = await read()
  expect(commands.length).toBeGreaterThan(0)
  for (const code of commands) {
    const place = { folder, name: name.replaceAll(' ', '-'), url: started().url, token: wrongToken }
    const { output, errors } = await paste({ language: 'curl', code }, place)
    expect(output + errors, code).toMatch(/"code":\s*"\w+"|returned error: 401/)
  }
})

test('for a service with its own DATABASE_URL, the printed next steps say that commands need the service’s DATABASE_URL and ENCRYPTION_KEY', async () => {
  const { database, url } = started()
  expect(await nextSteps(database, url, true)).toMatch(/with the DATABASE_URL and the ENCRYPTION_KEY of this process/)
  expect(await nextSteps(database, url, false)).not.toMatch(/DATABASE_URL/)
})
