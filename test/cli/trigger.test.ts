import { expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { openTestShop } from '../support/logistics/parcel-run.ts'
import { openShop } from '../support/shop.ts'
import { commerce } from './commerce.ts'

/** The command `trigger`, which sends its request to the running service. */

const started = useApi()

const trigger = (...words: string[]) => commerce(started().connectionString, 'trigger', ...words)

test('the command `trigger` runs a trigger through the API, and prints the created records and the emitted events', async () => {
  const { context, url, send } = started()
  const { token } = await openTestShop({ context })
  const { code, stdout } = await trigger('order.created', '--token', token, '--url', url)
  expect(code).toBe(0)
  const { body } = await send('GET', '/api/v1/orders', { token })
  expect(stdout).toContain(body.data[0].id)
  expect(stdout).toContain('Events: order.created.')
  const asJson = await trigger('order.created', '--token', token, '--url', url, '--json')
  expect(JSON.parse(asJson.stdout)).toMatchObject({ name: 'order.created', waitSeconds: 0 })
})

test('the command `trigger` fails with the error of the API for a token of live mode', async () => {
  const { context, url } = started()
  const { token } = await openShop(context)
  const { code, stderr } = await trigger('order.created', '--token', token, '--url', url)
  expect(code).toBe(1)
  expect(stderr).toContain('test_mode_required')
})

test('the command `trigger` fails with an unknown name, and while the service does not respond', async () => {
  const { token } = await openTestShop({ context: started().context })
  expect((await trigger('order.vanished', '--token', token)).stderr).toContain('--name must be one of order.created')
  const stopped = await trigger('order.created', '--token', token, '--url', 'http://127.0.0.1:1')
  expect(stopped.stderr).toContain('http://127.0.0.1:1 does not respond')
})
