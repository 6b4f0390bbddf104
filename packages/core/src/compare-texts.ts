/** For sorting: by UTF-16 code units, as `<` compares, so that no locale has a say. Negative, zero or positive. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
