/** Adds tabs, copy buttons, the colour scheme switch and search as you type. The pages work without this script. */

/** @typedef {import('./search.js').Hit} Hit */

tabs()
copying()
schemes()
searching()

// If the browser blocks storage, choices of the reader are not stored.
/** @param {string} key */
function remembered(key) {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** @param {string} key @param {string | null} value */
function remember(key, value) {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {}
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {Record<string, string>} attributes @param {string} [text]
 */
function element(tag, attributes, text = '') {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.textContent = text
  return made
}

/** Turns the code blocks of a group into tabs. Every group shows the language that was selected last. */
function tabs() {
  /** @type {((title: string) => void)[]} */
  const choosers = []
  /** @param {string} title @param {HTMLElement} handle */
  const choose = (title, handle) => {
    // Code groups above the clicked tab may change their height, so the page scrolls to keep the tab in place.
    const before = handle.getBoundingClientRect().top
    for (const show of choosers) show(title)
    scrollBy({ top: handle.getBoundingClientRect().top - before, behavior: 'instant' })
    remember('language', title)
  }
  for (const [number, group] of [...document.querySelectorAll('.tabs')].entries()) {
    const panels = [...group.querySelectorAll('figure')]
    const handles = panels.map((panel, index) => tabOf(panel, `sample-${number}-${index}`))
    for (const handle of handles) handle.addEventListener('click', () => choose(handle.textContent ?? '', handle))
    group.prepend(tabList(handles))
    const show = chooserOf(group, panels, handles)
    choosers.push(show)
    show(remembered('language') ?? '')
  }
}

/** @param {HTMLElement} panel @param {string} id */
function tabOf(panel, id) {
  const title = panel.querySelector('figcaption')?.textContent ?? ''
  // The tab replaces the caption of the code block, which a figure with the role tabpanel must not have.
  panel.querySelector('figcaption')?.remove()
  panel.id = id
  panel.setAttribute('role', 'tabpanel')
  panel.setAttribute('aria-labelledby', `${id}-tab`)
  return element('button', { type: 'button', role: 'tab', id: `${id}-tab`, 'aria-controls': id }, title)
}

/** Returns the list of tabs. The Tab key reaches the list, and the arrow keys move between the tabs. @param {HTMLElement[]} handles */
function tabList(handles) {
  const list = element('div', { role: 'tablist', 'aria-label': 'Language' })
  list.append(...handles)
  list.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const at = handles.findIndex((handle) => handle.getAttribute('aria-selected') === 'true')
    const next = handles.at((at + step) % handles.length)
    next?.click()
    next?.focus()
  })
  return list
}

/** @param {Element} group @param {HTMLElement[]} panels @param {HTMLElement[]} handles */
function chooserOf(group, panels, handles) {
  return (/** @type {string} */ title) => {
    const wanted = handles.findIndex((handle) => handle.textContent === title)
    // A group of code blocks that has none in the selected language does not change.
    if (wanted < 0 && group.classList.contains('ready')) return
    for (const [index, handle] of handles.entries()) {
      const isShown = index === Math.max(wanted, 0)
      handle.setAttribute('aria-selected', String(isShown))
      handle.tabIndex = isShown ? 0 : -1
      panels[index]?.toggleAttribute('hidden', !isShown)
    }
    group.classList.add('ready')
  }
}

function copying() {
  for (const figure of document.querySelectorAll('figure.code')) {
    const button = element('button', { type: 'button', class: 'copy', 'aria-label': 'Copy the code' }, 'Copy')
    button.addEventListener('click', () => copy(button, () => figure.querySelector('code')?.textContent ?? ''))
    figure.append(button)
  }
  for (const button of document.querySelectorAll('[data-copy]')) {
    if (!(button instanceof HTMLElement)) continue
    button.hidden = false
    button.addEventListener('click', () =>
      copy(button, async () => {
        const response = await fetch(button.dataset.copy ?? '')
        if (!response.ok) throw new Error(`The request for the Markdown returned status ${response.status}.`)
        return response.text()
      }),
    )
  }
}

/** Time in milliseconds for which a copy button shows its result. */
const noticeMs = 1600

/** @param {HTMLElement} button @param {() => string | Promise<string>} text */
async function copy(button, text) {
  const label = button.dataset.label ?? button.textContent ?? ''
  button.dataset.label = label
  try {
    await navigator.clipboard.writeText(await text())
    button.textContent = 'Copied'
  } catch {
    button.textContent = 'Not copied'
  }
  setTimeout(() => {
    button.textContent = label
  }, noticeMs)
}

function schemes() {
  const button = document.querySelector('button.theme')
  if (!(button instanceof HTMLElement)) return
  const system = matchMedia('(prefers-color-scheme: dark)')
  const { dataset } = document.documentElement
  const shown = () => dataset.scheme ?? (system.matches ? 'dark' : 'light')
  const label = () => button.setAttribute('aria-label', `Show in ${shown() === 'dark' ? 'light' : 'dark'} colours`)
  button.hidden = false
  label()
  system.addEventListener('change', label)
  button.addEventListener('click', () => {
    const wanted = shown() === 'dark' ? 'light' : 'dark'
    // If the reader chooses the system’s current colour scheme, the choice is not stored, so that the page follows the
    // system again.
    if ((wanted === 'dark') === system.matches) delete dataset.scheme
    else dataset.scheme = wanted
    remember('scheme', dataset.scheme ?? null)
    label()
  })
}

/** The maximum number of results in the list under the search field. Enter opens the page with all results. */
const shownMax = 8

function searching() {
  const form = document.querySelector('form.search')
  const input = form?.querySelector('input')
  const list = form?.querySelector('ul')
  if (!(form instanceof HTMLFormElement) || !input || !list) return
  const hits = hitList(input, list)
  /** @type {Promise<(query: string) => Hit[]> | undefined} */
  let engine
  const ready = () => {
    engine ??= import(form.dataset.engine ?? '').then(({ openSearch }) => openSearch())
    return engine
  }
  const update = async () => {
    const query = input.value.trim()
    // If the search index cannot be loaded, pressing Enter still searches on the server.
    const search = await ready().catch(() => () => [])
    if (query === input.value.trim()) hits.show(query === '' ? [] : search(query).slice(0, shownMax))
  }
  input.addEventListener('focus', () => void ready().catch(() => undefined), { once: true })
  input.addEventListener('input', () => void update())
  input.addEventListener('focus', () => {
    if (input.value !== '') void update()
  })
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) hits.show([])
  })
  input.addEventListener('keydown', hits.press)
  callByKeys(input)
  completePage(ready).catch(() => undefined)
}

/** Moves the focus to the search field on `/` and Ctrl-K. @param {HTMLInputElement} input */
function callByKeys(input) {
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, [contenteditable]')
    const isCalled =
      (event.key === '/' && !isTyping) || (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey))
    if (!isCalled) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}

/** Manages the list of results under the search field, which the arrow keys and clicks select from. @param {HTMLInputElement} input @param {HTMLElement} list */
function hitList(input, list) {
  let chosen = -1
  input.setAttribute('role', 'combobox')
  input.setAttribute('aria-controls', list.id)
  input.setAttribute('aria-autocomplete', 'list')
  // A mousedown on a search result would move the focus out of the search field and close the list before the click.
  list.addEventListener('mousedown', (event) => event.preventDefault())
  list.addEventListener('click', ({ target }) => {
    if (target instanceof Element) open(target.closest('[data-url]'))
  })
  show([])
  return { show, press }

  /** @param {KeyboardEvent} event */
  function press(event) {
    const count = list.children.length
    if (event.key === 'Escape') {
      // The first press of Escape closes the list. The second one clears the field, which is the default of browsers.
      if (count > 0) event.preventDefault()
      show([])
    } else if (count > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      choose((chosen + (event.key === 'ArrowDown' ? 1 : -1) + count) % count)
    } else if (event.key === 'Enter' && chosen >= 0) {
      event.preventDefault()
      open(list.children[chosen])
    }
  }

  /** @param {Hit[]} hits */
  function show(hits) {
    list.replaceChildren(...hits.map(optionOf))
    choose(-1)
    list.toggleAttribute('hidden', hits.length === 0)
    input.setAttribute('aria-expanded', String(hits.length > 0))
  }

  /** @param {number} index */
  function choose(index) {
    chosen = index
    for (const [at, option] of [...list.children].entries()) {
      option.setAttribute('aria-selected', String(at === index))
      if (at === index) option.scrollIntoView({ block: 'nearest' })
    }
    if (index < 0) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', `hit-${index}`)
  }
}

/** @param {Element | null | undefined} option */
function open(option) {
  const url = option?.getAttribute('data-url')
  if (url) location.assign(url)
}

/** Returns the option of a result. Options cannot contain links, so selecting one opens its page. @param {Hit} hit @param {number} index */
function optionOf(hit, index) {
  const option = element('li', {
    role: 'option',
    id: `hit-${index}`,
    'aria-selected': 'false',
    'data-url': hit.url,
  })
  option.append(...described(hit))
  return option
}

/** @param {Hit} hit */
function described({ title, summary, kind, method }) {
  const chip = element('span', { class: `method ${method.toLowerCase()}` }, method.toUpperCase())
  const rest = [
    element('strong', {}, title),
    element('small', {}, kind),
    element('span', { class: 'summary' }, summary),
  ]
  return method === '' ? rest : [chip, ...rest]
}

/**
 * Fills the page of search results where the reference is served as static files.
 * @param {() => Promise<(query: string) => Hit[]>} ready
 */
async function completePage(ready) {
  const place = document.querySelector('[data-found]')
  const query = new URLSearchParams(location.search).get('q')?.trim() ?? ''
  const input = document.querySelector('form.search input')
  if (place === null || !(input instanceof HTMLInputElement) || query === '' || input.value !== '') return
  input.value = query
  const search = await ready()
  const hits = search(query)
  const list = element('ol', { class: 'results' })
  for (const hit of hits) {
    const item = element('li', {})
    const link = element('a', { href: hit.url })
    link.append(element('strong', {}, hit.title))
    item.append(link, ' ', element('small', {}, hit.kind), element('p', {}, hit.summary))
    list.append(item)
  }
  const status = hits.length === 0 ? `No results for “${query}”.` : `Results for “${query}”: ${hits.length}.`
  place.replaceChildren(element('p', { role: 'status' }, status), list)
}
