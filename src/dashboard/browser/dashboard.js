/** Adds live updates and a copy button. Every page works without this script. */

const updateEveryMs = 10_000

/**
 * The `details` elements that the server rendered open. A reader who opens one also changes the `open` property, so the
 * initial state is stored here.
 * @type {ReadonlySet<Element>}
 */
let renderedOpen = openDetails()

function openDetails() {
  return new Set(document.querySelectorAll('main details[open]'))
}

/** The address of the page, from which live updates read its content. */
const address = location.href

/** Removes the notice of a completed action from the address, so that a reload or a bookmark shows the page without it. */
function removeNotice() {
  const url = new URL(address)
  if (!url.searchParams.has('done')) return
  url.searchParams.delete('done')
  history.replaceState(history.state, '', url)
}

removeNotice()

/**
 * The fields of the page's forms that the browser does not fill in again after Back: text fields without suggestions, and
 * hidden fields such as the id of the form. The CSRF token is always that of the session.
 * @returns {readonly HTMLInputElement[]}
 */
function unrestoredFields() {
  const found = document.querySelectorAll(
    'main form.form :is(input[type=hidden]:not([name=csrf]), input[autocomplete=off])',
  )
  return [...found].filter((field) => field instanceof HTMLInputElement)
}

/**
 * Names a field of the page by its form and its own name.
 * @param {HTMLInputElement} field
 */
const fieldKey = ({ form, name }) => `${form?.action} ${name}`

// Stores the values like the answers, with the functions of `answers.js`. The browser deletes them when its tab is closed.
addEventListener('change', () => {
  store(
    'entered',
    unrestoredFields().map((field) => [fieldKey(field), field.value]),
  )
})

/**
 * Fills the forms in again after Back and Forward. The form has the id that it had, so that it has no second effect if it
 * was submitted. Another form, such as one with other items, stays as it is.
 */
function restoreEntered() {
  /** @type {readonly [string, string][]} */
  const entered = readStored('entered') ?? []
  const fields = unrestoredFields()
  if (fields.length !== entered.length || fields.some((field, index) => fieldKey(field) !== entered[index]?.[0])) return
  for (const [index, field] of fields.entries()) field.value = entered[index]?.[1] ?? field.value
}

restoreEntered()

/**
 * Replaces the content of a page with live updates, unless the reader would lose the focus, a choice or an opened
 * section. The last update shows content that does not change any more.
 */
async function update() {
  const main = document.querySelector('main[data-live]')
  if (main === null || document.hidden || isBusy(main)) return
  const response = await fetch(address, { headers: { Accept: 'text/html' } })
  if (!response.ok || response.redirected) return
  const next = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('main')
  if (next === null || isBusy(main)) return
  const scrolled = [...main.querySelectorAll('.scroll')].map(({ scrollLeft }) => scrollLeft)
  main.toggleAttribute('data-live', next.hasAttribute('data-live'))
  main.replaceChildren(...next.childNodes)
  addCopyButtons()
  renderedOpen = openDetails()
  for (const [index, box] of main.querySelectorAll('.scroll').entries()) box.scrollLeft = scrolled[index] ?? 0
}

/** @param {Element} main */
function isBusy(main) {
  const focused = document.activeElement
  if ((focused !== main && main.contains(focused)) || String(getSelection()) !== '') return true
  if ([...main.querySelectorAll('details')].some((part) => part.open !== renderedOpen.has(part))) return true
  return [...main.querySelectorAll('input, select, textarea')].some(isChanged)
}

/**
 * Reports whether the reader has changed a form control, which a live update of the page would reset.
 * @param {Element} control
 */
function isChanged(control) {
  if (control instanceof HTMLSelectElement) {
    const shown = [...control.options].findIndex((option) => option.defaultSelected)
    return control.selectedIndex !== Math.max(0, shown)
  }
  if (control instanceof HTMLInputElement)
    return control.checked !== control.defaultChecked || control.value !== control.defaultValue
  return control instanceof HTMLTextAreaElement && control.value !== control.defaultValue
}

setInterval(() => update().catch(() => undefined), updateEveryMs)

addCopyButtons()

function addCopyButtons() {
  for (const secret of document.querySelectorAll('[data-copy]')) addCopyButton(secret)
}

/** @param {Element} secret */
function addCopyButton(secret) {
  const button = document.createElement('button')
  button.type = 'button'
  if (secret.getAttribute('data-copy') === 'main') button.className = 'main'
  /** @param {string} text */
  const show = (text) => {
    button.textContent = text
    // The attribute names the text to copy on a page with several of them.
    const name = secret.parentElement?.getAttribute('data-copied') ?? null
    if (name !== null) button.setAttribute('aria-label', `${text}: ${name}`)
  }
  show('Copy')
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(secret.textContent ?? '')
    show('Copied')
  })
  secret.after(button)
}

for (const button of document.querySelectorAll('button[data-print]')) {
  if (!(button instanceof HTMLButtonElement)) continue
  button.hidden = false
  button.addEventListener('click', () => print())
}

// The link leads to the page with all boxes ticked. The script ticks them without loading the page again.
addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('form[data-choose] .buttons a') : null
  if (link === null) return
  event.preventDefault()
  const boxes = [...document.querySelectorAll('form[data-choose] input[type=checkbox]')].filter(isCheckBox)
  const isChosen = boxes.some((box) => !box.checked)
  for (const box of boxes) box.checked = isChosen
  showChosen()
  link.textContent = isChosen ? 'Select none' : 'Select all'
})

// The browser restores the choices of a page that the reader opens again before it fires `pageshow`.
addEventListener('pageshow', showTotal)
addEventListener('change', showTotal)

/** Shows the sum of the offers that are chosen on the page. */
function showTotal() {
  const shown = document.querySelector('[data-total]')
  if (!(shown instanceof HTMLElement)) return
  const chosen = [...document.querySelectorAll('input[data-kobo]:checked')]
  const kobo = chosen.reduce((sum, offer) => sum + Number(offer.getAttribute('data-kobo')), 0)
  const naira = new Intl.NumberFormat('en-NG', { style: 'currency', currency: 'NGN' })
  const orders = chosen.length === 1 ? '1 order' : `${chosen.length} orders`
  shown.textContent = `The chosen offers of ${orders} cost ${naira.format(kobo / 100)} in total.`
  shown.hidden = false
}

addEventListener('change', showChosen)

/** Shows on the button that dispatches the chosen orders how many are chosen. */
function showChosen() {
  const chosen = document.querySelectorAll('form[data-choose] td :checked').length
  for (const button of document.querySelectorAll('button[data-dispatch]'))
    button.textContent = chosen === 0 ? 'Dispatch' : `Dispatch ${chosen} order${chosen === 1 ? '' : 's'}`
}

/**
 * @param {Element} element
 * @returns {element is HTMLInputElement}
 */
function isCheckBox(element) {
  return element instanceof HTMLInputElement && element.type === 'checkbox'
}

/**
 * Passkeys need this script, so their forms are hidden without it. The server sends the options, the browser asks the
 * authenticator, and the form posts the response.
 */
for (const form of document.querySelectorAll('form[data-passkey]')) {
  if (!(form instanceof HTMLFormElement) || globalThis.PublicKeyCredential === undefined) continue
  form.hidden = false
  form.querySelector('button')?.addEventListener('click', () => submitPasskey(form))
  // The event `submit` also covers the Enter key, which submits a form with one field without a click on the passkey
  // button.
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void submitPasskey(form)
  })
}

/** @param {HTMLFormElement} form */
async function submitPasskey(form) {
  // The other fields are validated first, because the authenticator stores the passkey before the server receives the
  // form.
  if (!form.reportValidity()) return
  const problem = await fillIn(form).catch(() => 'The browser did not complete the request for a passkey. Try again.')
  if (problem === undefined) return form.submit()
  const shown = form.querySelector('[data-problem]')
  if (!(shown instanceof HTMLElement)) return
  shown.textContent = problem
  shown.hidden = false
}

/**
 * Adds the authenticator's passkey response to the form. If the server sends no passkey options, returns the problem as
 * text.
 * @param {HTMLFormElement} form
 * @returns {Promise<string | undefined>}
 */
async function fillIn(form) {
  const body = new URLSearchParams([['csrf', field(form, 'csrf').value]])
  const response = await fetch(`${form.action}/options`, { method: 'POST', body })
  const { options, challenge, message } = await response.json()
  if (!response.ok) return message
  const credential =
    form.dataset.passkey === 'register'
      ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
      : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
  field(form, 'challenge').value = challenge
  field(form, 'credential').value = JSON.stringify(credential)
  return undefined
}

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 */
function field(form, name) {
  const input = form.elements.namedItem(name)
  if (!(input instanceof HTMLInputElement)) throw new Error(`The form has no field ${name}.`)
  return input
}

/** The name under which the browser stores that the member has switched the keys off. */
const keysOff = 'keys-off'

/** Returns the storage of the browser. Undefined if the browser stores no data of sites, because reading it then throws. */
function storage() {
  try {
    return localStorage
  } catch {
    return undefined
  }
}

/** Reports whether keys without Ctrl act. Speech input may type them by accident, so members can switch them off. */
const areKeysOn = () => (storage()?.getItem(keysOff) ?? null) === null

/**
 * The keys of every page: a description for the list of keys, and the action. A key acts only while no text field has the
 * focus. Enter has no action here, because the browser opens the focused link.
 * @type {Readonly<Record<string, readonly [string, (() => void)?]>>}
 */
const keys = {
  '/': ['Search', focusSearch],
  j: ['Next row of the list', () => move(1)],
  k: ['Previous row of the list', () => move(-1)],
  Enter: ['Open the selected row'],
  '?': ['Show this list of keys', showKeys],
}

addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault()
    return focusSearch()
  }
  if (!areKeysOn() || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  const run = keys[event.key]?.[1]
  if (run === undefined) return
  event.preventDefault()
  run()
})

/**
 * Reports whether an element uses keys itself: a text field, a list of choices, or a part of a dialog.
 * @param {EventTarget | null} target
 */
function isTyping(target) {
  if (!(target instanceof Element)) return false
  return target.matches('input:not([type=checkbox], [type=radio], [type=file]), select, textarea, dialog *')
}

// A button in the page opens the list of keys even while the keys are switched off.
for (const button of document.querySelectorAll('button[data-keys]')) {
  if (!(button instanceof HTMLButtonElement)) continue
  button.hidden = false
  button.addEventListener('click', showKeys)
}

function focusSearch() {
  const search = document.querySelector('.search input')
  if (search instanceof HTMLInputElement) search.select()
}

/**
 * Focuses the first link of the next or previous row of a list.
 * @param {1 | -1} step
 */
function move(step) {
  const links = [...document.querySelectorAll('main tbody tr')].flatMap((row) => row.querySelector('a') ?? [])
  const current = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement))
  links[current === -1 && step === -1 ? links.length - 1 : current + step]?.focus()
}

function showKeys() {
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-label', 'Keyboard shortcuts')
  const list = document.createElement('dl')
  list.className = 'keys'
  for (const [key, [description]] of Object.entries(keys)) {
    const name = document.createElement('dt')
    const code = document.createElement('kbd')
    code.textContent = key === '/' ? '/ or Ctrl-K' : key
    name.append(code)
    const text = document.createElement('dd')
    text.textContent = description
    list.append(name, text)
  }
  const form = document.createElement('form')
  form.method = 'dialog'
  const stored = storage()
  if (stored !== undefined) form.append(keysSwitch(stored))
  const close = document.createElement('button')
  close.textContent = 'Close'
  form.append(close)
  dialog.append(list, form)
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}

/**
 * Returns the check box that switches the keys on and off in this browser.
 * @param {Storage} stored
 */
function keysSwitch(stored) {
  const label = document.createElement('label')
  label.className = 'box'
  const box = document.createElement('input')
  box.type = 'checkbox'
  box.checked = areKeysOn()
  box.addEventListener('change', () => {
    if (box.checked) stored.removeItem(keysOff)
    else stored.setItem(keysOff, 'yes')
  })
  label.append(box, 'Use single keys in this browser. Ctrl-K always focuses the search.')
  return label
}
