/** Compares versions by their numbers; what follows a hyphen does not count. */
export function isBefore(version: string, other: string): boolean {
  const [one, two] = [numbersOf(version), numbersOf(other)];
  for (const [index, number] of two.entries()) {
    const own = one[index] ?? 0;
    if (own !== number) return own < number;
  }
  return false;
}

/** Whether a version is the tested one. A tested version with two numbers stands for all its patches. */
export function isTested(version: string, tested: string): boolean {
  const numbers = numbersOf(version);
  return numbersOf(tested).every((number, index) => numbers[index] === number);
}

/** The first version that a text names. */
export function versionIn(text: string): string | undefined {
  return /(?<![\d.])\d{1,6}\.\d{1,6}\.\d{1,6}(?![\d.])/.exec(text)?.[0];
}

function numbersOf(version: string): readonly number[] {
  const [numbers = ""] = version.split("-");
  return numbers.split(".").map(Number);
}
