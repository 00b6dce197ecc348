import { html, type Markup, nothing } from '../../markup/markup.ts'
import { count } from '../../markup/parts.ts'
import { unreadShownMax } from '../../store/notifications/unread.ts'
import type { Assets } from './assets.ts'
import type { Content } from './content.ts'
import { errorSummary } from './error-summary.ts'
import { hiddenField } from './form.ts'
import { modeSwitch } from './mode-switch.ts'
import { type NavigationEntry, navigation, searchPath } from './navigation.ts'
import { root } from './root.ts'
import { may, type Visit } from './visit.ts'

interface Shell {
  readonly assets: Assets
  readonly title: string
  readonly body: Markup
}

/** The document loads nothing from other hosts, and all its links and forms work without the script. */
function documentOf({ assets, title, body }: Shell): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Commerce Service</title>
<link rel="icon" type="image/svg+xml" href="${assets.icon.url}">
<link rel="stylesheet" href="${assets.style.url}">
<script src="${assets.answers.url}"></script>
<script type="module" src="${assets.script.url}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
${body}
</body>
</html>
`
}

/** If the page answers a submitted form, the script stores the page in the session storage of the browser. */
export function memberPage(assets: Assets, visit: Visit, content: Content, notice?: string): Markup {
  const { main, isLive } = content
  const { name, mode } = visit.member.selected
  const body = html`<header class="bar">
<a class="brand" href="${root}"><img src="${assets.icon.url}" alt="" width="22" height="22"><span>${name}</span></a>
${mode === 'test' ? html`<span class="test-mode">Test mode</span>` : nothing}
${searchForm(visit)}
</header>
<div class="frame">
${sideNavigation(visit)}
<main id="content" tabindex="-1" data-session="${visit.member.id}"${isLive === true ? html` data-live` : nothing}${visit.formId === '' ? nothing : html` data-answer`}>
${notice === undefined ? nothing : html`<p class="notice" role="status">${notice}</p>`}
${errorSummary(content)}
${main}
</main>
</div>`
  return documentOf({ assets, title: titleOf(content), body })
}

/** Returns a page without the navigation, for a visitor who is not signed in or for an error. */
export function plainPage(assets: Assets, content: Content): Markup {
  const body = html`<main id="content" class="plain" tabindex="-1"><p class="brand"><img src="${assets.icon.url}" alt="" width="22" height="22">Commerce Service</p>
${errorSummary(content)}
${content.main}
</main>`
  return documentOf({ assets, title: titleOf(content), body })
}

/** The title of the page states that a form failed, because screen readers read the title first. */
function titleOf({ title, problems = [] }: Content): string {
  return problems.length === 0 ? title : `Error: ${title}`
}

/** The search field of every page, which the keys `/` and Ctrl-K focus. */
function searchForm({ url, query }: Visit): Markup {
  const isResult = url.split('?')[0] === `${root}${searchPath}`
  return html`<form method="get" action="${root}${searchPath}" role="search" class="search"><input type="search" name="q" value="${isResult ? (query.q ?? '') : ''}" maxlength="100" autocomplete="off" placeholder="Search" aria-label="Search orders, customers, products and shipments" aria-keyshortcuts="/ Control+K"></form>`
}

/** On a phone, the navigation is a menu in the header. */
function sideNavigation(visit: Visit): Markup {
  const [path = ''] = visit.url.slice(root.length).split('?')
  const groups = navigation.map(({ title, entries }) => {
    const allowed = entries.filter(({ permission }) => may(visit, permission))
    if (allowed.length === 0) return nothing
    const links = allowed.map((entry) => {
      const isCurrent = isAt(path, entry)
      const unread = entry.path === '/notifications' ? unreadCount(visit) : nothing
      return html`<li><a href="${root}${entry.path}"${isCurrent ? html` aria-current="page"` : nothing}>${entry.title}${unread}</a></li>`
    })
    return html`<h2>${title}</h2><ul>${links}</ul>`
  })
  return html`<nav class="side" aria-label="Dashboard"><details class="fold"><summary>Menu</summary><div class="menu">${groups}
<div class="tools"><a href="${root}/settings/account">${visit.member.userName}</a>${merchantSwitch(visit)}${signOut(visit)}<button type="button" data-keys hidden>Keyboard shortcuts</button></div></div></details></nav>`
}

/** The form that switches between live and test mode, and between the merchants of the member. */
function merchantSwitch(visit: Visit): Markup {
  const { selected, merchants } = visit.member
  const mode = modeSwitch(visit)
  if (merchants.length < 2) return mode
  const options = merchants.map((merchant) => {
    const id = selected.mode === 'live' ? merchant.liveMerchantId : merchant.testMerchantId
    return html`<option value="${id}"${id === selected.merchantId ? html` selected` : nothing}>${merchant.name}</option>`
  })
  const hidden = html`${hiddenField('csrf', visit.hiddenFields().csrf)}${hiddenField('next', visit.url)}`
  return html`<form method="post" action="${root}/select-merchant" class="inline">${hidden}<select name="merchant" aria-label="Shop">${options}</select><button>Switch</button></form>${mode}`
}

function isAt(path: string, { path: own, also = [] }: NavigationEntry): boolean {
  return [own, ...also].some((each) => path === each || (each !== '' && path.startsWith(`${each}/`)))
}

function unreadCount({ member: { unreadNotifications } }: Visit): Markup {
  if (unreadNotifications === null || unreadNotifications === 0) return nothing
  const shown = unreadNotifications > unreadShownMax ? `${unreadShownMax}+` : count(unreadNotifications)
  return html` <span class="unread">${shown} unread</span>`
}

function signOut(visit: Visit): Markup {
  return html`<form method="post" action="${root}/sign-out" class="inline">${hiddenField('csrf', visit.hiddenFields().csrf)}<button>Sign out</button></form>`
}
