import { html, raw } from 'hono/html'

/** Escaped HTML. Values in the template are escaped; nested markup and arrays of markup are inserted unchanged. */
export type Markup = ReturnType<typeof html>

export { html }

/** Empty markup. */
export const nothing: Markup = raw('')

/** Returns rendered markup without its tags, as text in which special characters are still escaped. */
export function textOf(markup: string): Markup {
  return raw(markup.replaceAll(/<[^<>]*>/g, ''))
}
