export const staleMessage =
  'The settings were changed after you opened this form. Open the page Settings again to see the change.'
