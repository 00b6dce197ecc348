/** The message of a form whose settings another member changed while the form was open. */
export const staleMessage =
  'The settings were changed after you opened this form. Open the page Settings again to see the change.'
