import { html, raw } from 'hono/html'

/** Escaped HTML. Values in the template are escaped; nested markup and arrays of markup are inserted unchanged. */
export type Markup = ReturnType<typeof html>

export { html }

/** Empty markup. */
export const nothing: Markup = raw('')
