import type { Endpoint } from './endpoint.ts'

export function faultsOf(_all: readonly Endpoint[], _document: object): string[] {
  return []
}
