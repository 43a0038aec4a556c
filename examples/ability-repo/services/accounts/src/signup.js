/** What is wrong with a request, in words for the person who made it; undefined if nothing is. */
export function faultOf({ email = "", password = "" }) {
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) return "Please check your e-mail address.";
  if (password.length < 12) return "A password has at least 12 characters.";
  return undefined;
}

/** The accounts of one environment, and how many an hour it takes. */
export class Accounts {
  #emails = new Set();
  #recent = [];
  #maxPerHour;

  constructor({ maxPerHour }) {
    this.#maxPerHour = maxPerHour;
  }

  signUp(request, now = Date.now()) {
    const fault = faultOf(request);
    if (fault) return { ok: false, fault };
    const email = request.email.toLowerCase();
    if (this.#emails.has(email)) return { ok: false, fault: "There is an account with this address." };
    this.#recent = this.#recent.filter((at) => now - at < 3_600_000);
    if (this.#recent.length >= this.#maxPerHour) return { ok: false, fault: "Too many sign-ups. Try again later." };
    this.#recent.push(now);
    this.#emails.add(email);
    return { ok: true, email };
  }
}
