import type { webhookHeadersMax } from '../../../registry/values/limits.ts'

export const headerRows = [
  ['headerName1', 'headerValue1'],
  ['headerName2', 'headerValue2'],
  ['headerName3', 'headerValue3'],
  ['headerName4', 'headerValue4'],
  ['headerName5', 'headerValue5'],
] as const satisfies { readonly length: typeof webhookHeadersMax }

export type HeaderRow = (typeof headerRows)[number]
