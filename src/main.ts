/** Entry point of `npm start`. */

import './app/main.ts'
