/**
 * Lets Back and Forward show the answer to a form, such as a question or a form with problems. Browsers store such an
 * answer only if it was received completely, and delete it at the sign-out. Without it, Chromium shows an error page.
 *
 * This script runs before the content of a page is shown. It replaces the state of the history entry, and browsers then
 * request the entry with GET, like a link. The answer and the entered values are stored in the session storage, under a
 * random key that the state of the entry names, because no script can delete the states of the other entries.
 */

history.replaceState(history.state, '')

// The event occurs when the document is complete, before the other script changes it.
document.addEventListener('readystatechange', showAnswer, { once: true })

/**
 * Reports whether the history entry was opened again, by Back, Forward or a reload. For a link to the same page, browsers
 * also use the same entry.
 */
function isOpenedAgain() {
  const [navigation] = performance.getEntriesByType('navigation')
  return navigation instanceof PerformanceNavigationTiming && navigation.type !== 'navigate'
}

/**
 * Deletes what other sessions have stored. The sign-in page deletes everything, so that nothing stays in the tab after
 * the sign-out. An error page belongs to no session, and deletes nothing.
 * @param {string | undefined} session
 */
function deleteOthers(session) {
  if (session === undefined && !location.pathname.startsWith('/dashboard/sign-in')) return
  for (const key of storedKeys()) if (!key.startsWith(`${session} `)) sessionStorage.removeItem(key)
}

/** Returns the keys of the session storage: none if the browser stores no data of sites, because reading it then throws. */
function storedKeys() {
  try {
    return Object.keys(sessionStorage)
  } catch {
    return []
  }
}

/**
 * Returns what the history entry of the page has stored. Undefined also if the browser stores no data of sites.
 * @param {'answer' | 'entered'} name
 */
function readStored(name) {
  try {
    return JSON.parse(sessionStorage.getItem(`${history.state?.key} ${name}`) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/**
 * Stores data for the history entry of the page. If the storage is full, the data of all other entries are deleted. If
 * the browser stores no data of sites, Back shows the form as the server sends it.
 * @param {'answer' | 'entered'} name
 * @param {object} data
 */
function store(name, data) {
  if (write(name, data)) return
  for (const key of storedKeys()) if (!key.startsWith(`${history.state?.key} `)) sessionStorage.removeItem(key)
  write(name, data)
}

/**
 * Writes data to the session storage. Returns whether the browser has stored them.
 * @param {'answer' | 'entered'} name
 * @param {object} data
 */
function write(name, data) {
  try {
    sessionStorage.setItem(`${history.state?.key} ${name}`, JSON.stringify(data))
    return true
  } catch {
    return false
  }
}

/**
 * Stores the answer to a form, or shows the stored answer of the history entry in place of the page. Only pages of the
 * session that stored an answer use it, so that the next person in the same browser sees nothing of it.
 */
function showAnswer() {
  const main = document.querySelector('main')
  const session = main?.dataset.session
  deleteOthers(session)
  if (!isOpenedAgain() || !history.state?.key?.startsWith(`${session} `))
    history.replaceState({ key: `${session} ${crypto.getRandomValues(new Uint32Array(4)).join('-')}` }, '')
  const answer = readStored('answer')
  if (main?.hasAttribute('data-answer')) store('answer', { title: document.title, markup: main.outerHTML })
  else if (main !== null && answer !== undefined) {
    document.title = answer.title
    main.outerHTML = answer.markup
  }
}

// A browser may show a page from its memory without a request. The page is requested again, because the member may have
// signed out.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})
