import { beforeEach, describe, expect, test } from 'vitest'
import { createMerchant } from '../../../src/access/create-merchant.ts'
import { acceptInvitation } from '../../../src/access/members/accept-invitation.ts'
import { inviteMember } from '../../../src/access/members/invite-member.ts'
import { hashToken } from '../../../src/access/token-format.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { findSession } from '../../../src/store/access/sessions.ts'
import { useApi, vault } from '../../support/api.ts'
import { formOf, openBrowser, type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { select } from '../../support/database-contents.ts'
import { openShop, operator, type Shop } from '../../support/shop.ts'

const api = useApi()
let shop: Shop
let owner: SignedInMember

beforeEach(async () => {
  shop = await openShop(api().context)
  owner = await signedIn(api(), shop.merchantId, 'owner', 'Ada Obi')
})

const list = '/dashboard/members'
const linkIn = (page: string) => /<code data-copy>([^<]+)<\/code>/.exec(page)?.[1] ?? ''
const pathOf = (url: string) => new URL(url).pathname

/**
 * Sends a POST request to an action with the hidden fields of another form, as a member whose pages have no button for
 * this action.
 */
async function forge(member: SignedInMember, path: string, fields: Record<string, string> = {}) {
  const { csrf = '' } = formOf((await member.get(list)).text, '/dashboard/sign-out')
  return member.post(path, { csrf, form: 'frm_01jd3f8q6hf5n8v1zr4c7e2m9k', ...fields })
}

describe('an invitation of a member', () => {
  const invite = (fields: Record<string, string>) => owner.submit(list, `${list}/invite`, fields)

  test('an invitation shows its link once, and the link creates a member with the invitation’s role', async () => {
    const invited = await invite({ email: 'ngozi@example.com', name: 'Ngozi <b>', role: 'viewer' })
    expect(invited.status).toBe(200)
    const link = linkIn(invited.text)
    expect((await owner.get(list)).text).not.toContain(pathOf(link))
    const page = await openBrowser(api()).get(pathOf(link))
    expect(page.text).toContain('invites you to its dashboard with the role <strong>viewer</strong>: Reads everything')
    const fields = { name: 'Ngozi <b>', newPassword: 'a sentence of words' }
    const accepted = await openBrowser(api()).submit(pathOf(link), pathOf(link), fields)
    expect(accepted.location).toBe('/dashboard')
    const { text } = await owner.get(list)
    expect(text).toContain('Ngozi &lt;b&gt;')
    expect(text).toContain('There are no open invitations.')
  })

  test.for([
    ['an address that is none', { email: 'ngozi', role: 'viewer' }],
    ['a role that does not exist', { email: 'ngozi@example.com', role: 'admin' }],
    ['no address', { role: 'viewer' }],
  ] as const)('the form that invites a member is refused with %s', async ([, fields]) => {
    const refused = await invite(fields)
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('role="alert"')
    expect((await owner.get(list)).text).toContain('There are no open invitations.')
  })

  test('an invitation is refused for the e-mail address of a member', async () => {
    const refused = await invite({ email: owner.email, role: 'viewer' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain(`${owner.email} is a member already.`)
  })

  test('the list of open invitations says that the link of an invitation is shown only once', async () => {
    const hint = 'If a link is lost, revoke its invitation and invite the person again.'
    expect((await owner.get(list)).text).not.toContain(hint)
    await invite({ email: 'ngozi@example.com', role: 'viewer' })
    expect((await owner.get(list)).text).toContain(hint)
  })

  test('an invitation can be revoked once, and its link then opens no page', async () => {
    const invited = await invite({ email: 'ngozi@example.com', role: 'viewer' })
    const { text } = await owner.get(list)
    const path = /action="([^"]+\/invitations\/inv_[^"]+)"/.exec(text)?.[1] ?? ''
    const revoked = await owner.post(path, formOf(text, path))
    expect(revoked.location).toBe(`${list}?done=members.invitations.id.revoke`)
    expect((await openBrowser(api()).get(pathOf(linkIn(invited.text)))).status).toBe(410)
    expect((await forge(owner, path)).status).toBe(404)
  })

  test('revoking an invitation of another merchant returns 404', async () => {
    const other = await openShop(api().context)
    const invited = await inviteMember(api().context, operator, {
      ...{ merchantId: other.merchantId, email: 'ngozi@example.com', name: null, role: 'viewer' },
    })
    if (invited.is !== 'invited') throw new Error(invited.is)
    expect((await forge(owner, `${list}/invitations/${invited.id}/revoke`)).status).toBe(404)
    expect((await openBrowser(api()).get(`/dashboard/invitations/${invited.token}`)).status).toBe(200)
  })

  test('an invitation requires a recent sign-in', async () => {
    api().clock.advance(11 * 60_000)
    const asked = await invite({ email: 'ngozi@example.com', role: 'viewer' })
    expect(asked.status).toBe(403)
    expect(asked.text).toContain('Confirm that it is you')
    expect((await owner.get(list)).text).toContain('There are no open invitations.')
  })
})

describe('a member', () => {
  test('a new role of a member applies to the next page that the member opens', async () => {
    const viewer = await signedIn(api(), shop.merchantId, 'viewer', 'Bisi')
    const page = `${list}/${viewer.memberId}`
    expect((await viewer.get('/dashboard/tokens/new')).status).toBe(403)
    expect((await owner.submit(page, `${page}/role`, { role: 'developer' })).location).toBe(
      `${list}?done=members.id.role`,
    )
    expect((await viewer.get('/dashboard/tokens/new')).status).toBe(200)
    expect((await owner.submit(page, `${page}/role`, { role: 'developer' })).status).toBe(422)
  })

  test('a role form does not overwrite the role that another owner gave the member after the form was opened', async () => {
    const viewer = await signedIn(api(), shop.merchantId, 'viewer', 'Bisi')
    const page = `${list}/${viewer.memberId}`
    const opened = formOf((await owner.get(page)).text, `${page}/role`)
    expect((await owner.submit(page, `${page}/role`, { role: 'operations' })).status).toBe(303)
    const refused = await owner.post(`${page}/role`, { ...opened, role: 'owner' })
    expect([refused.status, refused.text.includes('The role was changed after you opened')]).toEqual([422, true])
    expect((await owner.get(page)).text).toContain('<dt>Role</dt><dd>operations</dd>')
  })

  test('if a member needs no change, the page of the member says that there is nothing to do, and has no main action', async () => {
    const viewer = await signedIn(api(), shop.merchantId, 'viewer', 'Bisi')
    const { text } = await owner.get(`${list}/${viewer.memberId}`)
    expect(text).toContain('Nothing to do: the member has access to the shop with the role viewer.')
    expect(text).toContain('<button>Change role</button>')
    expect(text).not.toContain('class="main"')
  })

  test('the session of a removed member ends at the next page that the member opens', async () => {
    const viewer = await signedIn(api(), shop.merchantId, 'viewer', 'Bisi')
    const page = `${list}/${viewer.memberId}/remove`
    expect((await owner.submit(page, page)).location).toBe(`${list}?done=members.id.remove`)
    expect((await viewer.get(list)).status).toBe(303)
    expect((await owner.get(`${list}/${viewer.memberId}`)).status).toBe(404)
    expect((await forge(owner, page)).status).toBe(404)
  })

  test('the last owner of a merchant can neither be removed nor get another role', async () => {
    const page = `${list}/${owner.memberId}`
    const shown = await owner.get(page)
    const message =
      'This member is the only owner. Before this member is removed or gets another role, make another member an owner.'
    const unchanged = await forge(owner, `${page}/role`, { role: 'viewer', shown: 'owner' })
    expect(unchanged).toMatchObject({ status: 422, text: expect.stringContaining(message) })
    expect(shown.text).toContain('You are the only owner of the shop. Before your role can change, make another member')
    expect(shown.text).toContain('<a class="main" href="/dashboard/members">Open the members</a>')
    expect(shown.text).not.toContain(`action="${page}/role"`)
    expect(shown.text).not.toContain(`href="${page}/remove"`)
    const asked = await owner.get(`${page}/remove`)
    expect(asked.text).toContain('<h1>Ada Obi cannot be removed</h1>')
    expect(asked.text).toContain(message)
    expect(asked.text).not.toContain(`action="${page}/remove"`)
    const refused = await forge(owner, `${page}/remove`)
    expect(refused).toMatchObject({ status: 422, text: expect.stringContaining(message) })
    expect((await owner.get('/dashboard/tokens/new')).status).toBe(200)
  })

  test('the page of a sign-in link that does not exist says whom to ask for a new one', async () => {
    const { status, text } = await openBrowser(api()).get('/dashboard/sign-in/link/unknown')
    expect(status).toBe(410)
    expect(text).toContain('This sign-in link is unknown or incomplete. Copy the whole link')
    expect(text).toContain('For a new link, ask an owner of your shop.')
    expect(text).toContain('member recover --merchant mer_… --member E-MAIL')
  })

  test('the page that creates a recovery link says that the link removes the member’s authenticator app', async () => {
    const viewer = await signedIn(api(), shop.merchantId, 'viewer', 'Bisi')
    const query = "update users set totp_sealed = '\\x00' where id = (select user_id from members where id = $1)"
    await select(api(), query, [viewer.memberId])
    const { text } = await owner.get(`${list}/${viewer.memberId}/recover`)
    expect(text).toContain('It removes the authenticator app of the member.')
  })

  test('a member who opens the list of members or the page of their own membership is shown there as last seen now', async () => {
    const { text } = await owner.get(`${list}/${owner.memberId}`)
    expect(text).toContain('<dt>Last seen</dt><dd>now</dd>')
    expect((await owner.get(list)).text).toMatch(/data-title="Last seen"[^>]*>now</)
  })

  test('a member cannot create a recovery link for their own account, and gets a link to the account page instead', async () => {
    const page = `${list}/${owner.memberId}`
    expect((await owner.get(page)).text).not.toContain(`${page}/recover`)
    const { text } = await owner.get(`${page}/recover`)
    expect(text).toContain('<a class="main" href="/dashboard/settings/account">Open your account</a>')
    expect(text).not.toContain(`action="${page}/recover"`)
    const refused = await forge(owner, `${page}/recover`)
    expect([refused.status, refused.text.includes('/sign-in/link/')]).toEqual([422, false])
    expect(refused.text).toContain('A recovery link is for a member who cannot sign in.')
  })

  test('an owner sees the recovery link of a member once, and the member sets a new password with this link', async () => {
    const viewer = await signedIn(api(), shop.merchantId, 'viewer', 'Bisi')
    const page = `${list}/${viewer.memberId}/recover`
    expect((await owner.get(page)).text).not.toMatch(/It removes|passkey/)
    const created = await owner.submit(page, page)
    expect(created.status).toBe(200)
    const path = pathOf(linkIn(created.text))
    const browser = openBrowser(api())
    expect((await browser.submit(path, path)).location).toBe('/dashboard/sign-in/setup')
    const setUp = await browser.submit('/dashboard/sign-in/setup', '/dashboard/sign-in/setup', {
      newPassword: 'another sentence of words',
    })
    expect(setUp.location).toBe('/dashboard/settings/account')
    expect((await viewer.get(list)).status).toBe(303)
  })

  test('only the operator can create a recovery link for a member of two merchants', async () => {
    const { context } = api()
    const viewer = await signedIn(api(), shop.merchantId, 'viewer', 'Bisi')
    const other = await createMerchant(context, operator, 'Second shop')
    const invited = await inviteMember(context, operator, {
      ...{ merchantId: other.id, email: viewer.email, name: null, role: 'viewer' },
    })
    if (invited.is !== 'invited') throw new Error(invited.is)
    const tokenHash = hashToken(viewer.cookies.get('commerce-session') ?? '')
    const session = await findSession(context.database, { tokenHash, now: toTimestamp(context.clock.nowMs()) })
    if (session === undefined) throw new Error('The member is signed in.')
    const source = { ip: '127.0.0.1', requestId: null, userAgent: null }
    await acceptInvitation({ ...context, vault }, { session, source }, invited.token)
    const page = `${list}/${viewer.memberId}/recover`
    const { text } = await owner.submit(page, page)
    expect(text).toContain('is a member of other shops too')
    expect(text).toContain(`member recover --merchant ${shop.merchantId} --member ${viewer.memberId}`)
    expect(text).not.toContain('/sign-in/link/')
  })

  test('the page and the forms of another merchant’s member return 404', async () => {
    const other = await openShop(api().context)
    const stranger = await signedIn(api(), other.merchantId, 'owner')
    const page = `${list}/${stranger.memberId}`
    expect((await owner.get(page)).status).toBe(404)
    expect((await forge(owner, `${page}/role`, { role: 'viewer' })).status).toBe(404)
    expect((await forge(owner, `${page}/remove`)).status).toBe(404)
    expect((await forge(owner, `${page}/recover`)).status).toBe(404)
    expect((await stranger.get('/dashboard/tokens/new')).status).toBe(200)
  })

  test('the URL of a member’s page returns 404 if its last segment is not a valid member id', async () => {
    expect((await owner.get(`${list}/%00`)).status).toBe(404)
    expect((await owner.get(`${list}/unknown`)).status).toBe(404)
  })
})

describe.for(['developer', 'operations', 'viewer'] as const)('a member with the role %s', (role) => {
  test('a member who is not an owner can read the members and the permissions, but can change nothing', async () => {
    const member = await signedIn(api(), shop.merchantId, role, 'Bisi')
    const { text, status } = await member.get(list)
    expect(status).toBe(200)
    expect(text).toContain('Invite and remove members, change their roles, and create recovery links.')
    expect(text).not.toContain(`action="${list}`)
    const page = `${list}/${owner.memberId}`
    expect((await member.get(page)).text).not.toContain(`action="${page}`)
    for (const [path, fields] of [
      [`${list}/invite`, { email: 'ngozi@example.com', role: 'owner' }],
      [`${page}/role`, { role: 'viewer' }],
      [`${page}/remove`, {}],
      [`${page}/recover`, {}],
      [`${list}/invitations/inv_01jd3f8q6hf5n8v1zr4c7e2m9k/revoke`, {}],
    ] as const) {
      expect((await forge(member, path, fields)).status).toBe(403)
    }
    expect((await owner.get(list)).text).toContain('There are no open invitations.')
    expect((await owner.get('/dashboard/tokens/new')).status).toBe(200)
  })
})

test('in test mode, the members page shows and changes the members of the live merchant', async () => {
  const select = { merchant: shop.testMerchantId, next: list }
  await owner.post('/dashboard/select-merchant', {
    ...formOf((await owner.get(list)).text, '/dashboard/select-merchant'),
    ...select,
  })
  const { text } = await owner.get(list)
  expect(text).toContain('Test mode')
  expect(text).toContain(owner.email)
  expect((await owner.submit(list, `${list}/invite`, { email: 'ngozi@example.com', role: 'viewer' })).status).toBe(200)
})
