// Signs up through the form and the service, as a browser would, with the limits that an environment sets.
import { readFileSync } from "node:fs";
import { submitSignup } from "../../apps/web/src/signupForm.js";
import { Accounts } from "../../services/accounts/src/signup.js";

const { suite = "smoke" } = JSON.parse(readFileSync(0, "utf8"));
const environment = process.env.HOOKLINE_ENV ?? "dev";
if (!/^[a-z]+$/.test(environment)) throw new Error(`There is no environment "${environment}".`);
const { signup } = JSON.parse(readFileSync(`config/${environment}.json`, "utf8"));

const accounts = new Accounts(signup);
const submit = (email, password = "correct horse battery") =>
  submitSignup(accounts, new URLSearchParams({ email, password }).toString()).status;

const SMOKE = [["a new account", () => submit("kim@example.org") === 303]];
const MISTAKES = [
  ["an address twice", () => submit("Kim@example.org") === 422],
  ["a short password", () => submit("lee@example.org", "short") === 422],
  ["an address that is none", () => submit("lee") === 422],
];

const steps = suite === "full" ? [...SMOKE, ...MISTAKES] : SMOKE;
const failed = steps.filter(([, passes]) => !passes()).map(([name]) => name);
const output = { environment, suite, passed: steps.length - failed.length, failed };
console.log(JSON.stringify({ status: failed.length > 0 ? "failure" : "success", output }));
