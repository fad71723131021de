/** The service judges a new password (api/session.ts); this says it before anything is sent, in the words of the language. */
export const isTooShort = (password: string): boolean => [...password].length < 10;
