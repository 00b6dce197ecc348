/**
 * A violation that axe finds in the API explorer and that Scalar's script causes, so that this project cannot correct
 * it. accessibility.test.ts fails for an exception that is no longer needed. Do not add exceptions for violations that
 * this project causes.
 */
export interface ExplorerException {
  readonly rule: string
  /** The CSS selector of the element that violates the rule. */
  readonly selector: string
  readonly reason: string
}

export const explorerExceptions: readonly ExplorerException[] = [
  {
    rule: 'button-name',
    selector: '#explorer button.group\\/copy-button',
    reason: 'The button that copies an example says what it does only once the pointer is over it.',
  },
]

/** Maximum number of exceptions in the list above. Lower this number when you remove an exception. */
export const mostExplorerExceptions = 1
