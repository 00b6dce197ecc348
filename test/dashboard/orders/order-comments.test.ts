import { beforeEach, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { formOf, type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'

const api = useApi()

let shop: Shop
let member: SignedInMember
let page: string
let action: string
let comments: string
beforeEach(async () => {
  shop = await openShop(api().context)
  member = await signedIn(api(), shop.merchantId, 'operations', 'Ngozi Balogun')
  const { id } = await placeOrder(api(), shop)
  page = `/dashboard/orders/${id}`
  action = `${page}/comments`
  comments = `/api/v1/orders/${id}/comments`
})

async function listed() {
  return (await api().send('GET', comments, { token: shop.token })).body.data
}

test('a member adds a comment on the page of an order, and the history on that page shows the comment with its author and time', async () => {
  api().clock.advance(60_000)
  const text = 'The customer <b>called</b>.\r\nDeliver after 4 pm.'
  const done = await member.submit(page, action, { text })
  expect([done.status, done.location]).toEqual([303, `${page}?done=orders.id.comments`])
  const [comment, ...others] = await listed()
  expect(others).toEqual([])
  expect(comment).toMatchObject({
    text: 'The customer <b>called</b>.\nDeliver after 4 pm.',
    author: { type: 'member', name: 'Ngozi Balogun' },
  })
  const shown = await member.get(done.location ?? '')
  expect(shown.text).toContain('The comment was added.')
  const [newest = ''] = /<ol class="timeline"><li>.*?<\/li>/s.exec(shown.text) ?? []
  expect(newest).toContain(`datetime="${comment.createdAt}"`)
  expect(newest).toContain('Comment by Ngozi Balogun: The customer &lt;b&gt;called&lt;/b&gt;.<br>Deliver after 4 pm.')
})

test('the history of an order marks a comment that was created with an API token', async () => {
  await api().send('POST', comments, { token: shop.token, body: { text: 'Gift.' } })
  expect((await member.get(page)).text).toContain('Comment by test <span class="badge quiet">API token</span>: Gift.')
})

test.for([
  ['no text', '', 'Fill in this field.'],
  ['spaces only', '  ', 'Must have a visible character.'],
  ['2,001 characters', 'x'.repeat(2001), ''],
] as const)('the form for a comment rejects %s and shows the typed text again', async ([, text, message]) => {
  const { status, text: shown } = await member.submit(page, action, { text })
  expect(status).toBe(422)
  expect(shown).toMatch(new RegExp(`id="p-text"[^>]*>${message}`))
  expect(shown).toContain(`>\n${text}</textarea>`)
  expect(shown).not.toContain('data-live')
  expect(await listed()).toEqual([])
})

test('submitting the same comment form twice adds one comment', async () => {
  const fields = { ...formOf((await member.get(page)).text, action), text: 'Deliver after 4 pm.' }
  expect((await member.post(action, fields)).status).toBe(303)
  expect((await member.post(action, fields)).status).toBe(409)
  expect(await listed()).toHaveLength(1)
})

test('a viewer reads the comments on an order and cannot add one', async () => {
  await api().send('POST', comments, { token: shop.token, body: { text: 'Gift.' } })
  const viewer = await signedIn(api(), shop.merchantId, 'viewer')
  const { text } = await viewer.get(page)
  expect(text).toContain('Gift.')
  expect(text).not.toContain('Add a comment')
  const { csrf = '' } = /name="csrf" value="(?<csrf>[^"]+)"/.exec(text)?.groups ?? {}
  const form = { csrf, form: 'frm_01jd3f8q6hf5n8v1zr4c7e2m9k', text: 'Refused.' }
  expect((await viewer.post(action, form)).status).toBe(403)
  expect(await listed()).toHaveLength(1)
})

test('a comment on an order of another merchant is refused with 404, and is not stored', async () => {
  const other = await openShop(api().context)
  const { id } = await placeOrder(api(), other)
  const fields = { ...formOf((await member.get(page)).text, action), text: 'Deliver after 4 pm.' }
  expect((await member.post(`/dashboard/orders/${id}/comments`, fields)).status).toBe(404)
  const { body } = await api().send('GET', `/api/v1/orders/${id}/comments`, { token: other.token })
  expect(body.data).toEqual([])
})
