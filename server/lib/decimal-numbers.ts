/**
 * Which texts are numbers: digits with an optional minus and decimal places, as JavaScript writes every number that needs no
 * exponent. Compared as decimals, so 0.1 is exactly 0.1.
 */
const maxDigits = 21;
/** Decimal places. */
export const maxPlaces = 25;

/** For JavaScript and for RE2. */
export const numberPattern = `^-?[0-9]{1,${maxDigits}}([.][0-9]{1,${maxPlaces}})?$`;

export const isNumber = (text: string): boolean => new RegExp(numberPattern).test(text);

/** For error messages. */
export const numberRule = `a number such as 10 or -19.99, with at most ${maxDigits} digits before and ${maxPlaces} after the point`;
