import { beforeEach, describe, expect, test } from 'vitest'
import { importCheckedMax, importMaxBytes } from '../../registry/values/limits.ts'
import { openUploadSlots } from '../../src/dashboard/kit/upload-slots.ts'
import { useApi } from '../support/api.ts'
import { type SignedInMember, signedIn } from '../support/dashboard.ts'
import { openShop, type Shop } from '../support/shop.ts'
import { expectNoChangeOf } from './no-change.ts'
import { importActions, path } from './products/import-actions.ts'

const api = useApi()

let shop: Shop
let member: SignedInMember
beforeEach(async () => {
  shop = await openShop(api().context)
  member = await signedIn(api(), shop.merchantId, 'operations')
})

const { formFields, upload, uploaded, work, imports } = importActions(api, () => ({ shop, member }))

describe('a refused upload', () => {
  test.for([
    ['without a file', { name: '', bytes: Buffer.alloc(0) }, 'Choose a file.'],
    ['with an empty file', { bytes: Buffer.alloc(0) }, 'The file is empty.'],
  ] as const)('an upload %s stores nothing, and the form is shown again with the problem', async ([
    ,
    given,
    message,
  ]) => {
    await expectNoChangeOf(api(), async () => {
      const { status, text } = await upload(given)
      expect([status, text.includes(message)]).toEqual([422, true])
    })
  })

  test('a file that is too large is refused, either because of its Content-Length header or while the file is read, and nothing is stored', async () => {
    await expectNoChangeOf(api(), async () => {
      expect((await upload({ bytes: Buffer.alloc(importMaxBytes + 1, 'a') })).status).toBe(413)
      const head = {
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': String(importMaxBytes * 2),
        connection: 'close',
      }
      expect((await member.send(path, Buffer.from('--x'), head)).status).toBe(413)
    })
  })

  test('a form that is malformed or has too many parts is refused, and nothing is stored', async () => {
    const type = { 'content-type': 'multipart/form-data; boundary=x' }
    const parts = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n'.repeat(30)
    await expectNoChangeOf(api(), async () => {
      expect((await member.send(path, Buffer.from('--x nonsense'), type)).status).toBe(400)
      expect((await member.send(path, Buffer.from(`${parts}--x--`), type)).status).toBe(413)
      expect((await member.send(path, Buffer.from('{}'), { 'content-type': 'application/json' })).status).toBe(415)
    })
  })

  test('a form that is submitted twice stores one file', async () => {
    const fields = await formFields()
    expect((await upload({ fields })).status).toBe(303)
    expect((await upload({ fields })).status).toBe(409)
    expect(await imports()).toHaveLength(1)
  })

  test('an upload with the token of another session, or after the sign-in has expired, stores nothing', async () => {
    const other = await signedIn(api(), shop.merchantId, 'owner')
    const fields = await formFields(other)
    expect((await upload({ fields })).status).toBe(403)
    member.cookies.clear()
    const expired = await upload({ fields })
    expect([expired.status, expired.text.includes('choose the file again')]).toEqual([401, true])
    expect(await imports()).toEqual([])
  })

  test('a member without the permission to import sees no link to the import page, and the member’s upload is refused even if it uses the form of another member', async () => {
    const viewer = await signedIn(api(), shop.merchantId, 'viewer')
    expect((await viewer.get(path)).status).toBe(403)
    expect((await viewer.get('/dashboard/stock')).text).not.toContain(path)
    expect((await upload({ by: viewer, fields: await formFields() })).status).toBe(403)
    expect(await imports()).toEqual([])
  })

  test('a member cannot read an import of another merchant', async () => {
    const address = await uploaded()
    await work()
    const { merchantId } = await openShop(api().context)
    const stranger = await signedIn(api(), merchantId, 'owner')
    const form = await formFields(stranger)
    expect((await stranger.get(address)).status).toBe(404)
    expect((await stranger.post(`${address}/start`, form)).status).toBe(404)
    expect((await stranger.get(path)).text).not.toContain(address)
  })
})

describe('uploads that would use too much memory or time of a process', () => {
  const boundary = 'boundary'
  const sent = (head: string) => {
    const part = `--${boundary}\r\n${head}\r\n\r\na,b\r\n--${boundary}--\r\n`
    return member.send(path, Buffer.from(part), { 'content-type': `multipart/form-data; boundary=${boundary}` })
  }

  test('a multipart form with long header lines in a part is rejected before the form is parsed', async () => {
    const reply = await sent(
      `Content-Disposition: form-data; name="file"; filename="a.csv"\r\n${'X: y\r\n'.repeat(1000)}Y: z`,
    )
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('The form is malformed.')])
  })

  test('a form with a long text field is rejected', async () => {
    const fields = { ...(await formFields()), note: 'a'.repeat(20_000) }
    expect((await upload({ fields })).status).toBe(413)
  })

  test('a process handles at most one upload for each merchant and three uploads in all at the same time', async () => {
    const slots = openUploadSlots()
    const running = Promise.withResolvers<void>()
    const first = slots.run('mer_1', () => running.promise)
    expect(await slots.run('mer_1', async () => 'handled')).toBeUndefined()
    const others = ['mer_2', 'mer_3'].map((merchantId) => slots.run(merchantId, () => running.promise))
    expect(await slots.run('mer_4', async () => 'handled')).toBeUndefined()
    running.resolve()
    await Promise.all([first, ...others])
    expect(await slots.run('mer_1', async () => 'handled')).toBe('handled')
  })

  test('only a limited number of checked files that were not imported is stored, and the next upload deletes the oldest file', async () => {
    const addresses: string[] = []
    for (let index = 0; index <= importCheckedMax; index++) {
      if (index === importCheckedMax) expect((await member.get(addresses[0] ?? '')).text).toContain('would be created')
      addresses.push(await uploaded())
      await work()
      api().clock.advance(1)
    }
    const pages = await Promise.all(addresses.map((address) => member.get(address)))
    expect(pages.map(({ status }) => status)).toEqual([404, ...Array(importCheckedMax).fill(200)])
    const said = `only the newest ${importCheckedMax} are stored`
    expect(pages[0]?.text).toContain(said)
    expect((await member.get(path)).text).toContain(said)
  })
})
