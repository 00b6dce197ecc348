import type { Locator } from 'playwright-core'
import type { SignedInMember } from '../../../support/dashboard.ts'
import type { Visit } from '../../../support/reference/browser.ts'

/** The steps that a member needs for a task in the dashboard. */
export interface Steps {
  /** Number of documents that the browser loaded through links and submitted forms. Redirects are excluded. */
  readonly pageLoads: number
  /** Number of clicks on links, buttons and check boxes. */
  readonly clicks: number
  /** Number of fields that the member filled in, including fields with a chosen option. */
  readonly fields: number
}

/** A task of a member in a browser, whose steps are counted from the page that is open at its start. */
export interface Task {
  click(target: Locator): Promise<void>
  fill(field: Locator, text: string): Promise<void>
  choose(field: Locator, value: string): Promise<void>
  /** Waits until the text is visible, then prints and returns the counted page loads, clicks and fields. */
  endsWith(text: string): Promise<Steps>
}

export async function openAs({ context, page }: Visit, member: SignedInMember, address: string): Promise<void> {
  const { origin } = new URL(address)
  await context.addCookies([...member.cookies].map(([name, value]) => ({ name, value, url: origin })))
  await page.goto(address)
}

/** `name` names the task in the printed result. */
export function startTask({ page }: Visit, name: string): Task {
  let pageLoads = 0
  let clicks = 0
  let fields = 0
  // `domcontentloaded` does not occur for a link within the page, such as a link to an invalid field.
  page.on('domcontentloaded', () => {
    pageLoads += 1
  })
  return {
    click: async (target) => {
      clicks += 1
      await target.click()
    },
    fill: async (field, text) => {
      fields += 1
      await field.fill(text)
    },
    choose: async (field, value) => {
      fields += 1
      await field.selectOption(value)
    },
    endsWith: async (text) => {
      await page.getByText(text).first().waitFor()
      await page.waitForLoadState('domcontentloaded')
      console.log(`${name}: ${pageLoads} page loads, ${clicks} clicks, ${fields} fields`)
      return { pageLoads, clicks, fields }
    },
  }
}
