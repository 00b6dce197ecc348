/** The exceptional states that test mode cannot cause, with the reason. */
export const untriggered = {
  differing_payment:
    'The daily comparison reads the list of payments of a connected provider. The simulated provider has no such list.',
} as const

export type UntriggeredName = keyof typeof untriggered
